package command

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"hindcast/model"
)

// escape writes the code points of JSON text that could steer a terminal as
// JSON escapes. In valid JSON they stand only inside strings, where the two
// mean the same; bytes that are no UTF-8 become the replacement character.
func escape(raw []byte) []byte {
	out := make([]byte, 0, len(raw)+16)
	for i := 0; i < len(raw); {
		plain := i
		for i < len(raw) && raw[i] >= ' ' && raw[i] < 0x7f {
			i++
		}
		if out = append(out, raw[plain:i]...); i == len(raw) {
			break
		}
		r, n := utf8.DecodeRune(raw[i:])
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			out = append(out, byte(r))
		case r == utf8.RuneError && n == 1:
			out = append(out, `\ufffd`...)
		case !model.Deceptive(r):
			out = append(out, raw[i:i+n]...)
		case r >= 0x10000:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
	}
	return out
}
