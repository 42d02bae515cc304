package pane

import (
	"hindcast/inspector/widget"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

func padLeft(s string, n int) string  { return text.PadLeft(s, n) }
func padRight(s string, n int) string { return text.Pad(s, n) }
func spaces(n int) string             { return text.Spaces(n) }

// Highlight lights up where the text that a search looks for stands in a line.
func Highlight(line render.Line, needle query.Term) render.Line {
	if needle.Text == "" {
		return line
	}
	var out render.Line
	for i, span := range line {
		from, to := needle.Find(span.Text)
		if from < 0 {
			if out != nil {
				out = append(out, span)
			}
			continue
		}
		if out == nil {
			out = append(out, line[:i]...)
		}
		for rest := span.Text; ; from, to = needle.Find(rest) {
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

// lit is a Doc whose lines have the search's text lit up.
type lit struct {
	widget.Doc
	needle func() query.Term
}

func (l lit) Lines(from, n, width int) []render.Line {
	lines := l.Doc.Lines(from, n, width)
	needle := l.needle()
	if needle.Text == "" {
		return lines
	}
	out := make([]render.Line, len(lines))
	for i, line := range lines {
		out[i] = Highlight(line, needle)
	}
	return out
}
