package eventlog

import (
	"bytes"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

const ellipsis = "…"

// lines walks the decoded lines of a JSON string without decoding more of it
// than is asked for: outputs may be megabytes, titles are one line.
type lines struct {
	raw []byte // between the quotes
	pos int
	cut bool // the last line was longer than its limit
}

// linesOf starts at the string value v; for any other value there are no lines.
func linesOf(v []byte) lines {
	if len(v) < 2 || v[0] != '"' {
		return lines{}
	}
	return lines{raw: v[1 : len(v)-1]}
}

// next appends the next line to dst, decoded and without its line end, at most
// about limit bytes of it; the rest of a longer line is skipped. ok is false
// after the last line.
func (l *lines) next(dst []byte, limit int) (line []byte, ok bool) {
	if l.pos >= len(l.raw) {
		return dst, false
	}
	start := len(dst)
	l.cut = false
	for l.pos < len(l.raw) {
		run := l.raw[l.pos:]
		if i := bytes.IndexByte(run, '\\'); i >= 0 {
			run = run[:i]
		}
		l.pos += len(run)
		room := max(limit-(len(dst)-start), 0)
		l.cut = l.cut || len(run) > room
		dst = append(dst, run[:min(len(run), room)]...)
		if l.pos+1 >= len(l.raw) {
			l.pos = len(l.raw)
			break
		}
		width, newline := l.escape()
		if !newline && len(dst)-start < limit {
			dst = jsonscan.Unescape(dst, l.raw[l.pos:l.pos+width])
		}
		l.pos += width
		if newline {
			break
		}
	}
	return bytes.TrimSuffix(dst, []byte{'\r'}), true
}

// escape measures the escape at pos (a surrogate pair is one) and says whether
// it is a line feed.
func (l *lines) escape() (width int, newline bool) {
	rest := l.raw[l.pos:]
	if rest[1] != 'u' {
		return 2, rest[1] == 'n'
	}
	width = min(6, len(rest))
	if len(rest) >= 12 && rest[6] == '\\' && rest[7] == 'u' && surrogate(rest[2:]) && surrogate(rest[8:]) {
		return 12, false
	}
	return width, bytes.EqualFold(rest[2:width], []byte("000a"))
}

func surrogate(hex []byte) bool { return hex[0]|0x20 == 'd' && hex[1] >= '8' }

// countLines is the number of lines of a JSON string's text; a final line end
// does not start another line. Anything but a string has none.
func countLines(v []byte) int {
	l := linesOf(v)
	n, open := 0, false
	for l.pos < len(l.raw) {
		i := bytes.IndexByte(l.raw[l.pos:], '\\')
		if i < 0 || l.pos+i+1 >= len(l.raw) {
			open = true
			break
		}
		l.pos += i
		width, newline := l.escape()
		l.pos += width
		open = !newline
		if newline {
			n++
		}
	}
	if open {
		n++
	}
	return n
}

// firstLine appends the first line of v that is not blank, trimmed, and tells
// whether text follows it.
func firstLine(dst, v []byte) (line []byte, more bool) {
	l := linesOf(v)
	start := len(dst)
	for {
		next, ok := l.next(dst, model.TitleLimit+1)
		if !ok {
			return dst, false
		}
		if text := bytes.TrimSpace(next[start:]); len(text) > 0 {
			return append(dst, text...), l.cut || l.pos < len(l.raw)
		}
	}
}

// clip cuts a title at a rune boundary so that it holds its limit with the
// ellipsis that says so. more says that text was left out already.
func clip(title []byte, more bool) []byte {
	if len(title) <= model.TitleLimit && !more {
		return title
	}
	title = title[:min(len(title), model.TitleLimit-len(ellipsis))]
	for back := 1; back < utf8.UTFMax && back <= len(title); back++ {
		last := title[len(title)-back:]
		if utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				title = title[:len(title)-back]
			}
			break
		}
	}
	return append(title, ellipsis...)
}

// textOf finds the text in a content value: a string, or the first part that
// holds any (a string, or an object with text).
func textOf(v []byte) []byte {
	switch jsonscan.Kind(v) {
	case '"':
		return v
	case '{':
		return stringOf(jsonscan.Get(v, "text"))
	case '[':
		var found []byte
		jsonscan.Elements(v, func(part []byte) bool {
			if jsonscan.Kind(part) == '{' {
				part = jsonscan.Get(part, "text")
			}
			found = stringOf(part)
			return len(found) <= len(`""`)
		})
		return found
	}
	return nil
}

func stringOf(v []byte) []byte {
	if jsonscan.Kind(v) == '"' {
		return v
	}
	return nil
}
