package render

import (
	"bytes"
	"strings"

	"hindcast/model/jsonscan"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// skip passes white space and the separators between members.
func skip(src []byte, at int) int {
	for at < len(src) {
		switch src[at] {
		case ' ', '\t', '\r', '\n', ',', ':':
			at++
		default:
			return at
		}
	}
	return at
}

// stringEnd is the offset just past the string that starts at at.
func stringEnd(src []byte, at int) int {
	for i := at + 1; i < len(src); {
		n := bytes.IndexByte(src[i:], '"')
		if n < 0 {
			break
		}
		i += n
		back := i
		for back > at+1 && src[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			return i + 1
		}
		i++
	}
	return len(src)
}

// escapeBoundary is an offset at or a little after target where an encoded
// string can be cut: not within an escape, a pair of them, or a character.
func escapeBoundary(span []byte, from, target int) int {
	i := from
	for i < target {
		n := bytes.IndexByte(span[i:target], '\\')
		if n < 0 {
			i = target
			break
		}
		i += n + escapeLen(span[i+n:])
	}
	for i < len(span)-1 && span[i]&0xc0 == 0x80 {
		i++
	}
	return min(i, len(span)-1)
}

// escapeLen is the length of the escape that b starts with; a surrogate pair is
// one.
func escapeLen(b []byte) int {
	if len(b) < 2 || b[1] != 'u' {
		return 2
	}
	if len(b) >= 12 && (b[2]|0x20) == 'd' && b[6] == '\\' && b[7] == 'u' {
		return 12
	}
	return 6
}

// unquote decodes the inside of an encoded string.
func unquote(b []byte) string {
	quoted := make([]byte, 0, len(b)+2)
	quoted = append(append(append(quoted, '"'), b...), '"')
	return jsonscan.Str(quoted)
}

func keyLine(key []byte) Line {
	if key == nil {
		return nil
	}
	name := clip(jsonscan.Str(key))
	if name == "" || strings.ContainsAny(name, " \"") {
		name = `"` + name + `"`
	}
	return Line{{name, theme.Key}}
}

// literal draws a number, true, false or null.
func literal(b []byte) Line {
	role := theme.Number
	if len(b) > 0 && (b[0] == 't' || b[0] == 'f' || b[0] == 'n') {
		role = theme.Literal
	}
	return Line{{clip(string(b)), role}}
}

// inline draws an empty container, or a short array of scalars; nil for any
// other. It looks at no more than inlineLimit bytes.
func inline(src []byte, at int) (l Line, end int) {
	closing := src[at] + 2 // '{' and '}', '[' and ']' are two apart
	if i := skip(src, at+1); i < len(src) && src[i] == closing {
		return Line{{string(src[at]) + string(closing), theme.Punct}}, i + 1
	}
	if src[at] != '[' {
		return nil, 0
	}
	l = Line{{"[", theme.Punct}}
	for i := skip(src, at+1); i < min(len(src), at+inlineLimit); i = skip(src, i) {
		if len(l) > 1 && src[i] != ']' {
			l = append(l, Span{", ", theme.Punct})
		}
		switch src[i] {
		case ']':
			return append(l, Span{"]", theme.Punct}), i + 1
		case '[', '{':
			return nil, 0
		case '"':
			end = stringEnd(src, i)
			l = append(l, Span{`"` + clip(jsonscan.Str(src[i:end])) + `"`, theme.StringLit})
		default:
			for end = i + 1; end < len(src) && !strings.ContainsRune(",]} \t\r\n", rune(src[end])); end++ {
			}
			l = append(l, literal(src[i:end])...)
		}
		i = end
	}
	return nil, 0
}

// holdsJSON returns a string's JSON where it is one object or array and not
// empty.
func holdsJSON(s string) []byte {
	t := strings.TrimSpace(s)
	if len(t) < 3 || t[0] != '{' && t[0] != '[' || t[len(t)-1] != t[0]+2 {
		return nil
	}
	b := []byte(t)
	start, end, err := jsonscan.Value(b)
	if err != nil || end != len(b) || start != 0 {
		return nil
	}
	return b
}

// blockNote says what a block is, where it cannot be seen at a glance: its
// lines and size.
func blockNote(s string) Line {
	lines := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		lines++
	}
	if lines == 1 && len(s) < 1000 {
		return nil
	}
	return Line{{text.Plural(int64(lines), "line") + ", " + text.Size(int64(len(s))), theme.Dim}}
}

// magics tell a blob's type by how its base64 begins.
var magics = []struct{ prefix, what string }{
	{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"},
	{"JVBERi0", "application/pdf"}, {"UEsDB", "application/zip"}, {"H4sI", "application/gzip"},
}

const blobLimit = 256 // bytes below which base64 is shown as text

// blob describes a string that holds a data URL or base64 of binary data;
// empty for any other string.
func blob(span []byte) string {
	if len(span) < 2 {
		return ""
	}
	in := span[1 : len(span)-1]
	if bytes.HasPrefix(in, []byte("data:")) {
		head, _, ok := bytes.Cut(in[:min(len(in), 200)], []byte(";base64,"))
		if !ok {
			return ""
		}
		size := (len(in) - len(head) - len(";base64,")) * 3 / 4
		return text.CleanCut(string(head[len("data:"):]), 40) + ", " + text.Size(int64(size)) + " in base64"
	}
	if len(in) < blobLimit {
		return ""
	}
	for _, m := range magics {
		if bytes.HasPrefix(in, []byte(m.prefix)) && base64Run(in) {
			return m.what + ", " + text.Size(int64(len(in)*3/4)) + " in base64"
		}
	}
	if base64Run(in) && mixed(in[:blobLimit]) {
		return "data, " + text.Size(int64(len(in)*3/4)) + " in base64"
	}
	return ""
}

// base64Run reports whether the first few KB are base64 and nothing else;
// line breaks (\n) may stand between.
func base64Run(b []byte) bool {
	b = b[:min(len(b), 8<<10)]
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/', c == '=', c == '-', c == '_':
		case c == '\\' && i+1 < len(b) && (b[i+1] == 'n' || b[i+1] == 'r' || b[i+1] == '/'):
			i++
		default:
			return false
		}
	}
	return true
}

// mixed reports whether letters of both cases and digits stand close together,
// as in encoded bytes and hardly in words.
func mixed(b []byte) bool {
	var lower, upper, digit int
	for _, c := range b {
		switch {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digit++
		}
	}
	return lower > len(b)/8 && upper > len(b)/8 && digit > len(b)/32
}
