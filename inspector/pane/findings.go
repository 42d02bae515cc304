package pane

import (
	"strconv"

	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Findings is the list of what check found, with what to do about the selected
// one below it.
type Findings struct {
	*widget.List
	list []answer.Finding
}

// NewFindings makes an empty list.
func NewFindings(look *widget.Look) *Findings {
	f := &Findings{}
	f.List = widget.NewList(look, f)
	f.Empty = render.Line{{Text: " no findings", Role: theme.Dim}}
	return f
}

// Set shows findings.
func (f *Findings) Set(list []answer.Finding) {
	f.list = list
	f.Replaced(0)
}

// Selected is the finding under the cursor.
func (f *Findings) Selected() (answer.Finding, bool) {
	if i := f.Cursor(); i >= 0 {
		return f.list[i], true
	}
	return answer.Finding{}, false
}

// Len implements widget.Rows.
func (f *Findings) Len() int { return len(f.list) }

// Ends implements widget.Rows.
func (f *Findings) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (f *Findings) More(bool, int) {}

// Line implements widget.Rows.
func (f *Findings) Line(i, width int, selected bool) render.Line {
	x := f.list[i]
	mark, at := " ", ""
	if selected {
		mark = f.Look.Glyphs.Cursor
	}
	if len(x.Events) > 0 {
		at = strconv.FormatInt(x.Events[0].Seq, 10)
	}
	role := map[string]theme.Role{"error": theme.Fail, "warning": theme.Warn}[x.Severity]
	return render.Cut(render.Line{
		{Text: mark, Role: theme.Mark},
		{Text: text.Pad(text.Clean(x.Severity), 8) + " ", Role: role},
		{Text: text.PadLeft(at, 7) + "  ", Role: theme.Seq},
		{Text: text.Clean(x.Title) + "  "},
		{Text: text.Clean(x.Rule), Role: theme.Dim},
	}, max(width, 1))
}

// Beside implements widget.Annotated: the selected finding says what proves it
// and what to do.
func (f *Findings) Beside(i, width int) (above, below []render.Line) {
	if i != f.Cursor() {
		return nil, nil
	}
	for _, s := range []string{f.list[i].Detail, f.list[i].Next} {
		for _, line := range text.Wrap(text.Clean(s), max(width-20, 1)) {
			below = append(below, render.Line{{Text: text.Spaces(19) + line, Role: theme.Dim}})
		}
	}
	return nil, below
}
