package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Chars counts the code points of what a JSON string says, without decoding it;
// 0 for what is no string.
func Chars(v []byte) int64 {
	if v = trim(v); len(v) < len(`""`) || v[0] != '"' {
		return 0
	}
	return runes(v[1 : len(v)-1])
}

// runes counts the code points that the inside of a JSON string spells.
func runes(s []byte) (n int64) {
	for {
		plain := plainBytes(s)
		n += int64(plain)
		if s = s[plain:]; len(s) == 0 {
			return n
		}
		n++
		switch {
		case s[0] != '\\':
			_, width := utf8.DecodeRune(s)
			s = s[width:]
		case len(s) < len(`\u0000`) || s[1] != 'u':
			s = s[min(len(`\n`), len(s)):]
		case isPair(s):
			s = s[len(`\ud800\udc00`):]
		case isHalf(s, "89abcdef"): // which stays as written
			n += int64(len(`\u0000`)) - 1
			s = s[len(`\u0000`):]
		default:
			s = s[len(`\u0000`):]
		}
	}
}

// plainBytes counts the bytes that s begins with which are a code point each:
// ASCII that is no backslash.
func plainBytes(s []byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		x := binary.LittleEndian.Uint64(s[i:])
		slash := x ^ ones*'\\'
		if found := ((slash-ones)&^x | x) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf && s[i] != '\\' {
		i++
	}
	return i
}

// isPair reports that two escapes at the start of s spell one code point.
func isPair(s []byte) bool {
	const lone = len(`\u0000`)
	return len(s) >= 2*lone && s[lone] == '\\' && s[lone+1] == 'u' && isHalf(s, "89ab") && isHalf(s[lone:], "cdef")
}

// isHalf reports that an escape spells half of a code point: its digits
// begin with d and one of those given.
func isHalf(s []byte, second string) bool {
	return s[2]|0x20 == 'd' && strings.IndexByte(second, s[3]|0x20) >= 0
}
