package pane

import (
	"strconv"

	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Remark is an event with the reader's own: a mark, a note, or both.
type Remark struct {
	At    travel.Place
	Event model.Event
	Mark  rune   // 0: none
	Note  string // empty: none
}

// RemarkEntries lay remarks out as a list that leads to their events; an event
// of another session than the present one names it.
func RemarkEntries(list []Remark, session string, g *theme.Glyphs) []Entry {
	out := make([]Entry, len(list))
	for i, r := range list {
		out[i] = Entry{To: r.At, Draw: func(width int) render.Line { return remarkLine(r, session, width, g) }}
	}
	return out
}

// remarkLine draws a remark: mark, seq, what was noted, and then whose event it
// is.
func remarkLine(r Remark, session string, width int, g *theme.Glyphs) render.Line {
	sign := " "
	switch {
	case r.Mark != 0:
		sign = string(r.Mark)
	case r.Note != "":
		sign = g.Note
	}
	who, role := render.Who(r.Event, g)
	l := render.Line{
		{Text: sign + " ", Role: theme.Mark},
		{Text: padLeft(strconv.FormatInt(r.At.Seq, 10), 6) + "  ", Role: theme.Seq},
	}
	if r.Note != "" {
		l = append(l, render.Span{Text: text.CleanCut(r.Note, max(width*3/5, 20)) + "  ", Role: theme.Strong})
	}
	if r.At.Session != session {
		l = append(l, render.Span{Text: text.CleanCut(r.At.Session, 12) + " ", Role: theme.Dim})
	}
	l = append(l, render.Span{Text: who + " ", Role: role})
	return render.Cut(append(l, render.Title(r.Event, false)...), width)
}

// NoteLine is a note as it stands above its event.
func NoteLine(note string, g *theme.Glyphs) render.Line {
	return render.Line{{Text: g.Note + " " + text.Clean(note), Role: theme.Mark}}
}
