package pane

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hindcast/inspector/widget"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

func padLeft(s string, n int) string  { return text.PadLeft(s, n) }
func padRight(s string, n int) string { return text.Pad(s, n) }
func spaces(n int) string             { return text.Spaces(n) }

// Highlight lights up where a search's text stands in a line, case as in the
// search: letters match either case unless the search has an upper-case one.
func Highlight(line render.Line, needle string) render.Line {
	if needle == "" {
		return line
	}
	fold := !strings.ContainsFunc(needle, unicode.IsUpper)
	var out render.Line
	for i, span := range line {
		from, to := locate(span.Text, needle, fold)
		if from < 0 {
			if out != nil {
				out = append(out, span)
			}
			continue
		}
		if out == nil {
			out = append(out, line[:i]...)
		}
		for rest := span.Text; ; from, to = locate(rest, needle, fold) {
			if from < 0 {
				out = append(out, render.Span{Text: rest, Role: span.Role})
				break
			}
			out = append(out, render.Span{Text: rest[:from], Role: span.Role}, render.Span{Text: rest[from:to], Role: theme.Match})
			rest = rest[to:]
		}
	}
	if out == nil {
		return line
	}
	return out
}

// locate finds the needle's first place in s, in bytes.
func locate(s, needle string, fold bool) (from, to int) {
	if !fold {
		if i := strings.Index(s, needle); i >= 0 {
			return i, i + len(needle)
		}
		return -1, -1
	}
	for i := range s {
		if n := foldPrefix(s[i:], needle); n > 0 {
			return i, i + n
		}
	}
	return -1, -1
}

// foldPrefix is the number of bytes of s that equal the needle but for case, 0
// where they do not.
func foldPrefix(s, needle string) int {
	used := 0
	for _, want := range needle {
		r, n := utf8.DecodeRuneInString(s[used:])
		if n == 0 || r != want && unicode.ToLower(r) != unicode.ToLower(want) {
			return 0
		}
		used += n
	}
	return used
}

// lit is a Doc whose lines have the search's text lit up.
type lit struct {
	widget.Doc
	needle func() string
}

func (l lit) Lines(from, n, width int) []render.Line {
	lines := l.Doc.Lines(from, n, width)
	needle := l.needle()
	if needle == "" {
		return lines
	}
	out := make([]render.Line, len(lines))
	for i, line := range lines {
		out[i] = Highlight(line, needle)
	}
	return out
}
