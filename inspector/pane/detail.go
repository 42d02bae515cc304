package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Section is one record of what the detail shows.
type Section struct {
	Event model.Event
	Body  widget.Doc // nil where the bytes could not be read
	Err   error      // why not
	Note  string     // the reader's own on it; empty: none
}

// Detail shows one row's records: of a call its request and its result.
type Detail struct {
	*widget.Text
	Needle func() query.Term
	at     travel.Place
	seqs   string
}

// NewDetail makes an empty detail.
func NewDetail(look *widget.Look) *Detail {
	d := &Detail{Text: widget.NewText(look), Needle: func() query.Term { return query.Term{} }}
	d.Pick = true
	return d
}

// At is the event that is shown, which may lag behind the cursor.
func (d *Detail) At() travel.Place { return d.at }

// Seqs names the records that are shown, by seq: one, or call+result.
func (d *Detail) Seqs() string { return d.seqs }

// Set shows sections for the event at a place. The view starts at the top,
// unless it is the same event again (more of it, or in another form).
func (d *Detail) Set(at travel.Place, sections []Section) {
	var doc widget.Joined
	seqs := make([]int64, len(sections))
	for i, s := range sections {
		seqs[i] = s.Event.Seq
		lines := []render.Line{heading(s.Event, d.Look.Glyphs)}
		if s.Event.Title != "" {
			lines = append(lines, render.Title(s.Event, false))
		}
		if s.Note != "" {
			lines = append(lines, NoteLine(s.Note, d.Look.Glyphs))
		}
		if i > 0 {
			lines = append([]render.Line{nil}, lines...)
		}
		if s.Err != nil {
			lines = append(lines, render.Line{{Text: text.Clean(s.Err.Error()), Role: theme.Warn}})
		}
		doc = append(doc, widget.NewFixed(lines))
		if s.Body != nil {
			doc = append(doc, lit{s.Body, d.Needle})
		}
	}
	if d.at.Same(at) {
		d.Update(doc)
	} else {
		d.Show(doc)
	}
	slices.Sort(seqs)
	d.at, d.seqs = at, strings.ReplaceAll(strings.Trim(fmt.Sprint(seqs), "[]"), " ", "+")
}

// heading names a record above its text.
func heading(e model.Event, g *theme.Glyphs) render.Line {
	who, role := render.Who(e, g)
	l := render.Line{
		{Text: strconv.FormatInt(e.Seq, 10), Role: theme.Strong},
		{Text: "  " + who, Role: role},
	}
	if who != e.Type {
		l = append(l, render.Span{Text: "  " + text.Clean(e.Type), Role: theme.Dim})
	}
	switch {
	case e.Outcome.Failed():
		l = append(l, render.Span{Text: "  " + g.Fail + " failed", Role: theme.Fail})
	case e.Outcome == model.OutcomeOK && ends(e):
		l = append(l, render.Span{Text: "  ok", Role: theme.Ok})
	}
	if e.Time.Known {
		l = append(l, render.Span{Text: "  " + e.Time.Std().Format("15:04:05.000"), Role: theme.Time})
	}
	return append(l, render.Span{Text: "  " + text.Size(e.Span.Length), Role: theme.Dim})
}

// ends reports events of which it is news that they went well: results, and
// calls whose result is known. A message cannot but.
func ends(e model.Event) bool {
	switch e.Kind {
	case model.KindObservation, model.KindHook:
		return true
	case model.KindAction:
		return e.Mate > 0
	}
	return false
}
