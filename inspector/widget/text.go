package widget

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"hindcast/render"
	"hindcast/render/theme"
)

// Doc is a text that is laid out for a width on demand.
type Doc interface {
	// Lines returns at most n lines from line from on.
	Lines(from, n, width int) []render.Line
	// Rows lays the text out until at least want lines are known; it returns how
	// many are known, and whether those are all.
	Rows(width, want int) (n int, all bool)
}

// everything asks for all lines of a Doc.
const everything = int(^uint(0) >> 1)

// Text is a viewport over a Doc: only what is in view is ever laid out.
type Text struct {
	*tview.Box
	Look   *Look
	Empty  render.Line // shown where there is no doc
	Pick   bool        // one line is selected: Move moves the selection, and the view only as far as it must
	Dim    bool        // the selected line shows without the keys as well
	doc    Doc
	top    int
	cursor int // the selected line
	width  int // the last drawn, to keep the place when it changes
}

// NewText makes an empty viewport.
func NewText(look *Look) *Text { return &Text{Box: tview.NewBox(), Look: look} }

// Show shows another doc from its top; nil shows Empty.
func (t *Text) Show(doc Doc) { t.doc, t.top, t.cursor = doc, 0, 0 }

// Update shows a doc that is a longer or fresher form of the one before, and
// keeps the place.
func (t *Text) Update(doc Doc) { t.doc = doc }

// Doc is what is shown, or nil.
func (t *Text) Doc() Doc { return t.doc }

// Scroll moves the view by n lines; the selection only as far as it must to
// stay in it.
func (t *Text) Scroll(n int) {
	t.scrollTo(t.top + n)
	t.cursor = min(max(t.cursor, t.top), max(t.top+t.Height()-1, t.top))
}

// Move moves the selection by n lines, or the view where none is selected: a
// viewport and a list are alike to their owner.
func (t *Text) Move(n int) {
	if t.Pick {
		t.Select(t.cursor + n)
		return
	}
	t.Scroll(n)
}

// Page moves the view by n lines, and the selection with it.
func (t *Text) Page(n int) {
	before := t.top
	t.scrollTo(t.top + n)
	if t.Pick && t.top == before { // the view is at its end
		t.Select(t.cursor + n)
		return
	}
	t.cursor = max(t.cursor+t.top-before, 0)
}

// Select selects a line, counted from 0, or the last, and brings it into view.
func (t *Text) Select(line int) {
	if t.doc == nil {
		return
	}
	_, _, w, h := t.GetInnerRect()
	line = max(line, 0)
	n, _ := t.doc.Rows(max(w, 1), line+1)
	t.cursor = max(min(line, n-1), 0)
	t.top = max(min(t.top, t.cursor), t.cursor-max(h, 1)+1)
}

// Cursor is the selected line, counted from 0.
func (t *Text) Cursor() int { return t.cursor }

// Current is the selected line as it is drawn.
func (t *Text) Current() render.Line {
	if t.doc == nil {
		return nil
	}
	_, _, w, _ := t.GetInnerRect()
	for _, l := range t.doc.Lines(t.cursor, 1, max(w, 1)) {
		return l
	}
	return nil
}

// RowAt is the line drawn at a cell, -1 where none is or none can be selected.
func (t *Text) RowAt(x, y int) int {
	bx, by, w, h := t.GetInnerRect()
	if !t.Pick || x < bx || x >= bx+w || y < by || y >= by+h {
		return -1
	}
	return t.top + y - by
}

// First is Home.
func (t *Text) First() { t.Home() }

// Last is End.
func (t *Text) Last() { t.End() }

// Home and End go to the first and last lines; Line goes to line n of 1.
func (t *Text) Home()      { t.top, t.cursor = 0, 0 }
func (t *Text) End()       { t.scrollTo(everything / 2); t.cursor = max(t.top+t.Height()-1, 0) }
func (t *Text) Line(n int) { t.scrollTo(n - 1) }

// Height is the number of lines in view.
func (t *Text) Height() int {
	_, _, _, h := t.GetInnerRect()
	return max(h, 0)
}

func (t *Text) scrollTo(top int) {
	if t.doc == nil {
		return
	}
	_, _, w, h := t.GetInnerRect()
	top = max(top, 0)
	n, _ := t.doc.Rows(max(w, 1), top+h)
	t.top = max(min(top, n-h), 0)
}

// Position says where in the doc the view stands: empty where all of it is in
// view.
func (t *Text) Position() string {
	if t.doc == nil {
		return ""
	}
	_, _, w, h := t.GetInnerRect()
	n, all := t.doc.Rows(max(w, 1), t.top+2*h)
	if all && n <= h {
		return ""
	}
	more := ""
	if !all {
		more = "+"
	}
	return fmt.Sprintf("%d-%d/%d%s", t.top+1, min(t.top+h, n), n, more)
}

// Draw implements tview.Primitive.
func (t *Text) Draw(screen tcell.Screen) {
	x, y, w, h := t.GetInnerRect()
	if w <= 0 || h <= 0 {
		return
	}
	if t.doc == nil {
		Draw(screen, x, y, w, t.Empty, t.Look, theme.Plain)
		return
	}
	t.rewrap(w)
	if t.top > 0 {
		t.scrollTo(t.top)
	}
	if t.Pick {
		t.Select(t.cursor)
	}
	for i, line := range t.doc.Lines(t.top, h, w) {
		if i >= h {
			break
		}
		base := theme.Plain
		switch at := t.Pick && t.top+i == t.cursor; {
		case at && t.HasFocus():
			base = theme.Selected
		case at && t.Dim:
			base = theme.SelectedDim
		}
		Draw(screen, x, y+i, w, line, t.Look, base)
	}
}

// rewrap keeps about the same text at the top when the width changes.
func (t *Text) rewrap(w int) {
	if t.width != w && t.width > 0 {
		t.top = t.top * t.width / w
		t.cursor = t.cursor * t.width / w
	}
	t.width = w
}

// Fixed is a Doc of lines that are wrapped as they stand.
type Fixed struct {
	lines   []render.Line
	wrapped []render.Line
	width   int
}

// NewFixed makes a Doc of lines, which it keeps.
func NewFixed(lines []render.Line) *Fixed { return &Fixed{lines: lines} }

func (f *Fixed) lay(width int) []render.Line {
	if f.width != width {
		f.width, f.wrapped = width, nil
		for _, l := range f.lines {
			f.wrapped = append(f.wrapped, render.Wrap(l, width, 2)...)
		}
	}
	return f.wrapped
}

// Lines implements Doc.
func (f *Fixed) Lines(from, n, width int) []render.Line {
	all := f.lay(width)
	from = min(max(from, 0), len(all))
	return all[from:min(from+max(n, 0), len(all))]
}

// Rows implements Doc.
func (f *Fixed) Rows(width, _ int) (n int, all bool) { return len(f.lay(width)), true }

// Joined is several docs one below the other.
type Joined []Doc

// Lines implements Doc.
func (j Joined) Lines(from, n, width int) []render.Line {
	var out []render.Line
	for _, d := range j {
		if n <= 0 {
			break
		}
		if size, all := d.Rows(width, from+n); all && from >= size {
			from -= size
			continue
		}
		part := d.Lines(from, n, width)
		out = append(out, part...)
		n -= len(part)
		from = 0
	}
	return out
}

// Rows implements Doc.
func (j Joined) Rows(width, want int) (n int, all bool) {
	for _, d := range j {
		size, whole := d.Rows(width, max(want-n, 0))
		if n += size; !whole {
			return n, false
		}
	}
	return n, true
}
