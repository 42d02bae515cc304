package pane

import (
	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// InSession is what a search found in a session.
type InSession struct {
	Session, Title string
	Hits           int64
	First          model.Event
}

// Found is the list of the sessions in which a search has hits.
type Found struct {
	*widget.List
	list []InSession
	done bool
}

// NewFound makes an empty list.
func NewFound(look *widget.Look) *Found {
	f := &Found{}
	f.List = widget.NewList(look, f)
	f.Empty = render.Line{{Text: " looking through all sessions …", Role: theme.Dim}}
	f.Head = func(w int) render.Line {
		head := " " + text.Pad("session", idWidth(w)) + "    hits  " + padLeft("first", 7) + "  what"
		return render.Line{{Text: text.Cut(head, max(w, 1)), Role: theme.Dim}}
	}
	return f
}

// Len implements widget.Rows.
func (f *Found) Len() int { return len(f.list) }

// Ends implements widget.Rows.
func (f *Found) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (f *Found) More(bool, int) {}

// Set shows what was found so far; done: that is all. The cursor keeps its row.
func (f *Found) Set(list []InSession, done bool) {
	at := max(f.Cursor(), 0)
	f.list, f.done = list, done
	if done {
		f.Empty = render.Line{{Text: " no hit in any session", Role: theme.Warn}}
	}
	f.Replaced(min(at, max(len(list)-1, 0)))
}

// Selected is the row under the cursor.
func (f *Found) Selected() (InSession, bool) {
	if i := f.Cursor(); i >= 0 {
		return f.list[i], true
	}
	return InSession{}, false
}

// Total is the number of hits and of sessions, and whether that is all.
func (f *Found) Total() (hits int64, sessions int, done bool) {
	for _, x := range f.list {
		hits += x.Hits
	}
	return hits, len(f.list), f.done
}

// Line implements widget.Rows.
func (f *Found) Line(i, width int, selected bool) render.Line {
	x := f.list[i]
	mark := " "
	if selected {
		mark = f.Look.Glyphs.Cursor
	}
	what := x.First.Title
	if what == "" {
		what = x.Title
	}
	return render.Cut(render.Line{
		{Text: mark, Role: theme.Mark},
		{Text: text.Pad(text.Clean(x.Session), idWidth(width)) + " ", Role: theme.Strong},
		{Text: text.PadLeft(text.Count(x.Hits), 7) + "  ", Role: theme.Number},
		{Text: text.PadLeft(render.Address("", x.First.Seq, ""), 7) + "  ", Role: theme.Seq},
		{Text: text.Clean(what)},
	}, max(width, 1))
}
