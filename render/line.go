// Package render draws: answers, events and payloads become styled lines of
// safe text, for the screen and for the command line alike. It asks nothing of
// an index and writes nothing but what WriteLines is given.
package render

import (
	"strings"

	"hindcast/render/text"
	"hindcast/render/theme"
)

// Span is a piece of a line with one role. Its text is already cleaned.
type Span struct {
	Text string
	Role theme.Role
}

// Line is one row of output.
type Line []Span

// Of is a line of one span; s is cleaned.
func Of(s string, role theme.Role) Line { return Line{{text.Clean(s), role}} }

// Plain is the line's text without roles.
func Plain(l Line) string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Width is the line's width in cells.
func Width(l Line) int {
	w := 0
	for _, s := range l {
		w += text.Width(s.Text)
	}
	return w
}

// Cut shortens a line to at most cells, with an ellipsis at its end. Cells
// below 1 mean no limit.
func Cut(l Line, cells int) Line {
	if cells < 1 || Width(l) <= cells {
		return l
	}
	var out Line
	room := cells
	for _, s := range l {
		w := text.Width(s.Text)
		if w < room {
			out = append(out, s)
			room -= w
			continue
		}
		cut := text.Cut(s.Text, room)
		if w == room { // it fits, but something follows: make place for the ellipsis
			cut = text.Cut(s.Text+" ", room)
		}
		return append(out, Span{cut, s.Role})
	}
	return out
}

// clamp cuts every line to a width.
func clamp(lines []Line, width int) []Line {
	for i, l := range lines {
		lines[i] = Cut(l, width)
	}
	return lines
}

// Pad fills a line up to cells with spaces, or cuts it.
func Pad(l Line, cells int) Line {
	l = Cut(l, cells)
	if w := Width(l); w < cells {
		l = append(l[:len(l):len(l)], Span{text.Spaces(cells - w), theme.Plain})
	}
	return l
}

// Wrap breaks a line into lines of at most cells; those after the first are
// indented by hang cells. Cells below 1 mean no limit.
func Wrap(l Line, cells, hang int) []Line {
	if cells < 1 || Width(l) <= cells {
		return []Line{l}
	}
	if hang > cells/2 {
		hang = 0
	}
	var out []Line
	room := cells
	rest := Plain(l)
	at := 0 // offset of rest in the line's text
	for first := true; ; first = false {
		if !first {
			room = cells - hang
		}
		rows := text.Wrap(rest, room)
		skip := strings.Index(rest, rows[0])
		row := slice(l, at+skip, at+skip+len(rows[0]))
		if !first && hang > 0 {
			row = append(Line{{text.Spaces(hang), theme.Plain}}, row...)
		}
		out = append(out, row)
		if len(rows) == 1 {
			return out
		}
		used := skip + len(rows[0])
		next := used + strings.Index(rest[used:], rows[1])
		at, rest = at+next, rest[next:]
	}
}

// slice is the part of a line between two byte offsets of its text.
func slice(l Line, from, to int) Line {
	var out Line
	at := 0
	for _, s := range l {
		a, b := max(from-at, 0), min(to-at, len(s.Text))
		if a < b {
			out = append(out, Span{s.Text[a:b], s.Role})
		}
		at += len(s.Text)
	}
	return out
}

// join puts lines behind one another with a separator between those that hold
// something.
func join(sep string, parts ...Line) Line {
	var out Line
	for _, p := range parts {
		if len(p) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, Span{sep, theme.Plain})
		}
		out = append(out, p...)
	}
	return out
}
