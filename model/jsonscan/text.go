package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Text decodes a string value. Invalid UTF-8 is kept byte for byte; a lone
// surrogate escape is kept as its six characters, so that different ids stay
// different. ok is false for what is not a string.
func Text(v []byte) (s string, ok bool) {
	v = trim(v)
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	out := Unescape(make([]byte, 0, len(inner)), inner)
	if cap(out)-len(out) > len(out)/8 {
		return string(out), true // which holds less memory
	}
	return unsafe.String(unsafe.SliceData(out), len(out)), true // out is nobody else's
}

// Str is Text, and "" for what is not a string.
func Str(v []byte) string {
	s, _ := Text(v)
	return s
}

// Scalar is a scalar as text: a string decoded, a number, true and false as
// written, null and containers as "".
func Scalar(v []byte) string {
	switch Kind(v) {
	case '"':
		return Str(v)
	case '0', 't', 'f':
		return string(trim(v))
	}
	return ""
}

// Bool reads true or false.
func Bool(v []byte) (b, ok bool) {
	switch string(trim(v)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// Float reads a finite number; ok is false where float64 cannot hold it.
func Float(v []byte) (x float64, ok bool) {
	if Kind(v) != '0' {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(trim(v)), 64)
	if err != nil || math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}

// Int reads an integral number of any JSON spelling (7, 7.0, 1e3) or a string
// of digits; ok is false for anything else or beyond int64.
func Int(v []byte) (n int64, ok bool) {
	v = trim(v)
	switch Kind(v) {
	case '0':
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n, true
		}
		return integral(v)
	case '"':
		n, err := strconv.ParseInt(digits(Str(v)), 10, 64)
		return n, err == nil
	}
	return 0, false
}

// digits is s where it holds decimal digits only, after at most one minus.
func digits(s string) string {
	for i := range len(s) {
		if s[i]-'0' > 9 && (i > 0 || s[i] != '-') {
			return ""
		}
	}
	return s
}

// integral reads a number with a fraction or an exponent whose value is whole.
// It moves the decimal point through the digits as they are written, so nothing
// is rounded.
func integral(v []byte) (int64, bool) {
	mantissa, exponent := v, 0
	if e := bytes.IndexAny(v, "eE"); e >= 0 {
		mantissa = v[:e]
		exponent = smallInt(string(v[e+1:]))
	}
	negative := len(mantissa) > 0 && mantissa[0] == '-'
	if negative {
		mantissa = mantissa[1:]
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	all := string(whole) + string(fraction)
	point := len(whole) + exponent // digits before the decimal point
	kept := len(all)
	for kept > 0 && all[kept-1] == '0' {
		kept--
	}
	all = all[:kept]
	if kept == 0 {
		return 0, true
	}
	if point < kept {
		return 0, false
	}
	lead := 0
	for all[lead] == '0' {
		lead++
	}
	if point-lead > 19 {
		return 0, false
	}
	text := append(make([]byte, 0, 24), all[lead:]...)
	for len(text) < point-lead {
		text = append(text, '0')
	}
	if negative {
		text = append([]byte("-"), text...)
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil
}

// smallInt reads an exponent; beyond a thousand million either way it stays there,
// which no int64 survives.
func smallInt(s string) int {
	const limit = 1_000_000_000
	n, err := strconv.Atoi(s)
	switch {
	case err == nil:
		return max(-limit, min(limit, n))
	case len(s) > 0 && s[0] == '-':
		return -limit
	}
	return limit
}

// Strings calls f with every string of the value, keys included where keys is
// set, decoded, in document order, until it returns false.
func Strings(v []byte, keys bool, f func(s string) bool) {
	for i := 0; i < len(v); {
		n := bytes.IndexByte(v[i:], '"')
		if n < 0 {
			return
		}
		start := i + n
		i = skipString(v, start)
		after := spaceEnd(v, i)
		isKey := after < len(v) && v[after] == ':'
		if isKey && !keys {
			continue
		}
		if s, ok := Text(v[start:i]); ok && !f(s) {
			return
		}
	}
}

// Unescape appends the text that the inside of a valid string, or a part of it
// that cuts no escape, stands for. It decodes as Text does.
func Unescape(to, s []byte) []byte {
	to = slices.Grow(to, len(s)) // what an escape stands for is never longer
	at := len(to)
	out := to[:cap(to)]
	for {
		if len(s) == 0 || s[0] != '\\' {
			n := copyPlain(out[at:], s)
			at += n
			s = s[n:]
		}
		if len(s) < 2 {
			return out[:at+copy(out[at:], s)]
		}
		if s[1] != 'u' {
			out[at] = plainEscapes[s[1]]
			at++
			s = s[2:]
			continue
		}
		r, size := unicodeEscape(s)
		if r < 0 {
			at += copy(out[at:], s[:size])
		} else {
			at += utf8.EncodeRune(out[at:at+4], r)
		}
		s = s[size:]
	}
}

// copyPlain copies what stands before the first backslash, eight bytes at a
// time: in text that was escaped twice there is one every few bytes. to has room
// for all of s.
func copyPlain(to, s []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		binary.LittleEndian.PutUint64(to[i:], x)
		slash := x ^ ones*'\\'
		if found := (slash - ones) &^ slash & highs; found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for i < len(s) && s[i] != '\\' {
		to[i] = s[i]
		i++
	}
	return i
}

// plainEscapes is what the byte behind a backslash stands for.
var plainEscapes = func() (by [256]byte) {
	for i := range by {
		by[i] = byte(i)
	}
	by['b'], by['f'], by['n'], by['r'], by['t'] = '\b', '\f', '\n', '\r', '\t'
	return by
}()

// unicodeEscape reads the \u escape at the start of s, with the one after it
// where the two are a surrogate pair. r is -1 where the escape stands for no
// character and has to be kept as written.
func unicodeEscape(s []byte) (r rune, size int) {
	r = hex4(s)
	if r < 0 {
		return -1, min(2, len(s))
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(s[6:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return -1, 6
}

func hex4(s []byte) rune {
	if len(s) < 6 {
		return -1
	}
	var r rune
	for _, c := range s[2:6] {
		h := hexValue[c]
		if h > 15 {
			return -1
		}
		r = r<<4 | rune(h)
	}
	return r
}

// trim takes white space off both ends.
func trim(v []byte) []byte {
	i, end := spaceEnd(v, 0), len(v)
	for end > i && isSpace(v[end-1]) {
		end--
	}
	return v[i:end]
}
