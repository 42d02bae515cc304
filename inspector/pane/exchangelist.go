package pane

import (
	"strconv"

	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// besideRows is how many rows of the summary stand beside those of the last
// message of the user.
const besideRows = 4

// ExchangeEntries lays an exchange out: the summary beside what the user said
// last, then the three lists, of which what came back is first: it is the
// shortest, and what a reader cannot see otherwise.
func ExchangeEntries(x Exchange, g *theme.Glyphs) []Entry {
	var out []Entry
	switch {
	case x.Summary != nil:
		out = append(out, beside(x.Summary, x.User, g)...)
	case x.User != nil:
		out = append(out, saidEntry(x.User))
	}
	if !x.Exact {
		out = append(out, words(g.Finding+" not exact: the dump does not tell enough to be sure of every message", "", theme.Warn))
	}
	out = append(out, listHead("came back", len(x.Back), "dropped, and in view again before more was dropped"))
	for _, r := range x.Back {
		out = append(out, returnedEntry(r, g))
	}
	out = append(out, passedList("dropped", x.Dropped, g)...)
	if x.Summary != nil && len(x.Dropped) == 0 {
		out = append(out, words(" nothing that the dump holds: what the summary stands for is gone from it", "", theme.Dim))
	}
	return append(out, passedList("kept", x.Kept, g)...)
}

func listHead(name string, n int, dim string) Entry {
	e := words(name+"  "+strconv.Itoa(n), "  "+dim, theme.Heading)
	e.Head = true
	return e
}

func passedList(name string, list []Passed, g *theme.Glyphs) []Entry {
	var chars int64
	for _, p := range list {
		chars += p.Chars
	}
	out := []Entry{listHead(name, len(list), text.Count(chars)+" characters")}
	for _, p := range list {
		out = append(out, passedEntry(p, g))
	}
	return out
}

func passedEntry(p Passed, g *theme.Glyphs) Entry {
	tail := "  " + text.PadLeft(text.Count(p.Chars), 7) + " ch"
	if p.Pruned {
		tail = "  pruned" + tail
	}
	lead := event(render.Line{{Text: "  "}}, p.Event, p.Event.Session, "", g)
	return Entry{To: placeOf(p.Event), Draw: func(w int) render.Line {
		return append(render.Pad(lead.Draw(max(w-len(tail), 1)), max(w-len(tail), 1)), render.Span{Text: tail, Role: theme.Dim})
	}}
}

func returnedEntry(r Returned, g *theme.Glyphs) Entry {
	tail := render.Line{{Text: "  " + r.How + " ", Role: theme.Inferred}, {Text: strconv.FormatInt(r.In.Seq, 10), Role: theme.Seq}}
	lead := event(render.Line{{Text: "  "}}, r.Event, r.Event.Session, "", g)
	return Entry{To: placeOf(r.In), Draw: func(w int) render.Line {
		left := max(w-render.Width(tail), 1)
		return append(render.Pad(lead.Draw(left), left), tail...)
	}}
}

// beside draws two records in two columns.
func beside(summary, user *Said, g *theme.Glyphs) []Entry {
	left := sideColumn{"summary", theme.Checkpoint, summary}
	right := sideColumn{"last said by the user", theme.User, user}
	var out []Entry
	for i := range besideRows + 1 {
		e := Entry{Draw: func(w int) render.Line {
			half := max((w-3)/2, 1)
			l := render.Pad(left.row(i, half), half)
			return append(append(l, render.Span{Text: " " + g.Vertical + " ", Role: theme.Border}), right.row(i, half)...)
		}}
		if i == 0 {
			e.To = placeOf(summary.Event)
		}
		out = append(out, e)
	}
	return out
}

// saidEntry is what the user said last, where no summary stands beside it.
func saidEntry(s *Said) Entry {
	c := sideColumn{"last said by the user", theme.User, s}
	return Entry{To: placeOf(s.Event), Draw: func(w int) render.Line {
		return render.Cut(append(c.row(0, w), render.Span{Text: "  " + firstLine(s.words())}), max(w, 1))
	}}
}

// words are what a record says, as far as that is known apart.
func (s *Said) words() string {
	if !s.apart {
		return shortTitle(s.Event)
	}
	return s.Text
}

// sideColumn is one of two records that stand beside one another.
type sideColumn struct {
	name string
	role theme.Role
	said *Said // nil: there is none
}

func (c sideColumn) row(i, width int) render.Line {
	if c.said == nil {
		return nil
	}
	if i == 0 {
		size := text.Count(c.said.Chars) + " ch"
		if c.said.out {
			size = "not in view any more"
		}
		return render.Cut(render.Line{
			{Text: c.name, Role: c.role}, {Text: "  " + strconv.FormatInt(c.said.Event.Seq, 10), Role: theme.Seq},
			{Text: "  " + size, Role: theme.Dim}}, width)
	}
	rows := text.Wrap(text.CleanCut(c.said.words(), besideRows*width+1), width)
	if i > len(rows) {
		return nil
	}
	return render.Cut(render.Line{{Text: rows[i-1]}}, width)
}

// OriginEntries lays out the way of a text from where it first stood.
func OriginEntries(o answer.Origin, g *theme.Glyphs) []Entry {
	out := []Entry{words("first in", "", theme.Heading)}
	for i, r := range o.Path {
		if i == 1 {
			out = append(out, words("and from there", "", theme.Heading))
		}
		e, ok := o.Events[r.Pos]
		if !ok {
			e = answer.Event{Session: r.Session, Seq: r.Seq, Pos: r.Pos, ID: r.ID}
		}
		out = append(out, event(render.Line{{Text: "  "}}, e, e.Session, "", g))
	}
	return out
}
