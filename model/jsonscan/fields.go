package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Fields walks the members of an object in order; key is decoded, value is a
// span of obj without surrounding space. It stops when f returns false.
// Duplicates are all given. obj must be valid; a non-object has no fields.
func Fields(obj []byte, f func(key string, value []byte) bool) {
	for i := enter(obj, '{'); i >= 0; {
		key, value, next := member(obj, i)
		if key == nil || !f(keyText(key), value) {
			return
		}
		i = next
	}
}

// FieldSpans is Fields with the values as places in obj.
func FieldSpans(obj []byte, f func(key string, start, end int) bool) {
	for i := enter(obj, '{'); i >= 0; {
		key, value, next := member(obj, i)
		if key == nil {
			return
		}
		start := spaceEnd(obj, i+len(key))
		if start < len(obj) && obj[start] == ':' {
			start = spaceEnd(obj, start+1)
		}
		if !f(keyText(key), start, start+len(value)) {
			return
		}
		i = next
	}
}

// Get follows keys down from obj and returns the value's span, nil if there is
// none. Of duplicate keys the last wins, as in encoding/json.
func Get(obj []byte, keys ...string) []byte {
	if len(keys) == 0 {
		return bytes.TrimSpace(obj)
	}
	for _, want := range keys {
		var found []byte
		for i := enter(obj, '{'); i >= 0; {
			key, value, next := member(obj, i)
			if key == nil {
				break
			}
			if isKey(key, want) {
				found = value
			}
			i = next
		}
		if found == nil {
			return nil
		}
		obj = found
	}
	return obj
}

// Elements walks the elements of an array until f returns false.
func Elements(arr []byte, f func(value []byte) bool) {
	i := enter(arr, '[')
	for i >= 0 && i < len(arr) && arr[i] != ']' {
		end := skipValue(arr, i)
		if end == i || !f(arr[i:end:end]) {
			return
		}
		i = afterComma(arr, end)
	}
}

// ElementSpans is Elements with the values as places in arr.
func ElementSpans(arr []byte, f func(start, end int) bool) {
	i := enter(arr, '[')
	for i >= 0 && i < len(arr) && arr[i] != ']' {
		end := skipValue(arr, i)
		if end == i || !f(i, end) {
			return
		}
		i = afterComma(arr, end)
	}
}

// enter returns the index of the first byte within the container, or -1 where
// v is no such container.
func enter(v []byte, open byte) int {
	i := spaceEnd(v, 0)
	if i == len(v) || v[i] != open {
		return -1
	}
	return spaceEnd(v, i+1)
}

// member reads the member at obj[i]: its key with quotes, its value, and where
// the next member starts. key is nil at the object's end.
func member(obj []byte, i int) (key, value []byte, next int) {
	if i >= len(obj) || obj[i] != '"' {
		return nil, nil, i
	}
	end := skipString(obj, i)
	key = obj[i:end:end]
	i = spaceEnd(obj, end)
	if i < len(obj) && obj[i] == ':' {
		i = spaceEnd(obj, i+1)
	}
	end = skipValue(obj, i)
	if end == i {
		return nil, nil, i
	}
	return key, obj[i:end:end], afterComma(obj, end)
}

// afterComma returns the start of the next element or member after the one
// that ends at i, or the index of the closing bracket.
func afterComma(b []byte, i int) int {
	i = spaceEnd(b, i)
	if i < len(b) && b[i] == ',' {
		i = spaceEnd(b, i+1)
	}
	return i
}

// skipValue returns the index after the valid value at b[i].
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch structure[b[i]] {
	case quote:
		return skipString(b, i)
	case opens:
		return skipContainer(b, i)
	}
	for i < len(b) && !endsScalar[b[i]] {
		i++
	}
	return i
}

// skipContainer returns the index after the valid object or array at b[i].
func skipContainer(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch structure[b[i]] {
		case quote:
			i = skipString(b, i)
			continue
		case opens:
			depth++
		case closes:
			depth--
			if depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return i
}

// nearBytes is how far skipString looks for a quote eight bytes at a time: in
// text that holds JSON the next is near, and a call costs more than the way there.
const nearBytes = 32

// skipString returns the index after the valid string at b[i]. It jumps from
// quote to quote; one behind an odd number of backslashes is escaped.
func skipString(b []byte, i int) int {
	for i++; ; {
		end := -1
		for near := min(i+nearBytes, len(b)) - 8; i <= near; i += 8 {
			q := binary.LittleEndian.Uint64(b[i:]) ^ ones*'"'
			if found := (q - ones) &^ q & highs; found != 0 {
				end = i + bits.TrailingZeros64(found)>>3
				break
			}
		}
		if end < 0 {
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				return len(b)
			}
			end = i + n
		}
		k := end
		for b[k-1] == '\\' { // a quote stands before them
			k--
		}
		i = end + 1
		if (end-k)&1 == 0 {
			return i
		}
	}
}

func isKey(raw []byte, want string) bool {
	inner := inside(raw)
	if len(inner) == len(want) {
		// A decoded key is never longer than its text, and as long only where
		// nothing is escaped or a lone surrogate is kept as written.
		return string(inner) == want
	}
	if len(inner) < len(want) || bytes.IndexByte(inner, '\\') < 0 {
		return false
	}
	return string(Unescape(nil, inner)) == want
}

// keyText decodes a key. Keys that every agent's log is full of come from a
// table, so that a walk over an event allocates nothing for them.
func keyText(raw []byte) string {
	inner := inside(raw)
	if known, ok := commonKeys[string(inner)]; ok {
		return known
	}
	if bytes.IndexByte(inner, '\\') >= 0 {
		return string(Unescape(nil, inner))
	}
	return string(inner)
}

// inside is a string without its quotes.
func inside(raw []byte) []byte {
	if len(raw) < 2 {
		return nil
	}
	return raw[1 : len(raw)-1]
}
