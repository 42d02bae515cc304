package eventlog

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"hindcast/model/jsonscan"
)

// walker takes valid objects apart member by member. It does what
// jsonscan.Fields does, and lets the caller go into a value instead of over
// it, so that an envelope and its payload are read in one pass, and keys are
// compared where they stand. Given anything but valid JSON it answers
// nonsense, but it neither panics nor loops.
type walker struct {
	b []byte
	i int // 0 <= i <= len(b)
}

// enter steps into the object at i; ok is false where there is none.
func (w *walker) enter() (ok bool) {
	w.space()
	if w.i >= len(w.b) || w.b[w.i] != '{' {
		return false
	}
	w.i++
	return true
}

// key reads the next key and stands at its value then. It is nil at the
// object's end, which is left behind.
func (w *walker) key() []byte {
	w.space()
	if w.i < len(w.b) && w.b[w.i] == ',' {
		w.i++
		w.space()
	}
	if w.i >= len(w.b) || w.b[w.i] != '"' {
		w.i = min(w.i+1, len(w.b))
		return nil
	}
	start := w.i
	plain := w.str()
	raw := w.b[start:w.i]
	w.space()
	if w.i < len(w.b) && w.b[w.i] == ':' {
		w.i++
		w.space()
	}
	if !plain && bytes.IndexByte(raw, '\\') >= 0 {
		return append([]byte{}, jsonscan.Str(raw)...)
	}
	return raw[1:max(len(raw)-1, 1)]
}

// value reads the value at i.
func (w *walker) value() []byte {
	start := w.i
	if start >= len(w.b) {
		return nil
	}
	switch w.b[start] {
	case '"':
		w.str()
	case '{', '[':
		w.container()
	default:
		for w.i < len(w.b) && !endsScalar(w.b[w.i]) {
			w.i++
		}
	}
	return w.b[start:w.i:w.i]
}

func endsScalar(c byte) bool { return c == ',' || c == '}' || c == ']' || c <= ' ' }

func (w *walker) space() {
	for w.i < len(w.b) && w.b[w.i] <= ' ' {
		w.i++
	}
}

// shortWords is how many times eight bytes of a string are looked at in place,
// which is enough for a key, an id or a time, and not worth a call.
const shortWords = 3

// str skips the string at i, and says whether it is sure that nothing in it is
// escaped. Behind its first bytes it jumps from quote to quote: one behind an
// odd number of backslashes is part of the string.
func (w *walker) str() (plain bool) {
	b, i := w.b, w.i+1
	for n := 0; n < shortWords && i+8 <= len(b); n++ {
		if found := quoteOrSlash(binary.LittleEndian.Uint64(b[i : i+8])); found != 0 {
			i += bits.TrailingZeros64(found) >> 3
			if b[i] == '"' {
				w.i = i + 1
				return true
			}
			break
		}
		i += 8
	}
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		end := i + n
		k := end
		for k > i && b[k-1] == '\\' {
			k--
		}
		i = end + 1
		if (end-k)&1 == 0 {
			w.i = i
			return false
		}
	}
	w.i = len(b)
	return false
}

// quoteOrSlash sets the high bit of the first byte of x, from the lowest, that
// is a quote or a backslash, and is 0 if none is.
func quoteOrSlash(x uint64) uint64 {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	q, s := x^ones*'"', x^ones*'\\'
	return ((q - ones) | (s - ones)) &^ x & highs
}

// container skips the object or array at i.
func (w *walker) container() {
	depth := 0
	for w.i < len(w.b) {
		switch w.b[w.i] {
		case '"':
			w.str()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				w.i++
				return
			}
		}
		w.i++
	}
}

// readRecord fills the envelope and the payload from a record in one pass. Of
// duplicate keys the last wins.
func readRecord(raw []byte, env *envelope, body *payload) {
	w := walker{b: raw}
	if !w.enter() {
		return
	}
	for key := w.key(); key != nil; key = w.key() {
		if string(key) != "payload" {
			env.take(key, w.value())
			continue
		}
		*body = payload{}
		start := w.i
		if !w.enter() {
			env.payload = w.value()
			continue
		}
		for inner := w.key(); inner != nil; inner = w.key() {
			body.take(inner, w.value())
		}
		env.payload = raw[start:w.i]
	}
}

// members walks the members of an object.
func members(obj []byte, f func(key, value []byte)) {
	w := walker{b: obj}
	if !w.enter() {
		return
	}
	for key := w.key(); key != nil; key = w.key() {
		f(key, w.value())
	}
}
