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
	Look  *Look
	Empty render.Line // shown where there is no doc
	doc   Doc
	top   int
	width int // the last drawn, to keep the place when it changes
}

// NewText makes an empty viewport.
func NewText(look *Look) *Text { return &Text{Box: tview.NewBox(), Look: look} }

// Show shows another doc from its top; nil shows Empty.
func (t *Text) Show(doc Doc) { t.doc, t.top = doc, 0 }

// Update shows a doc that is a longer or fresher form of the one before, and
// keeps the place.
func (t *Text) Update(doc Doc) { t.doc = doc }

// Doc is what is shown, or nil.
func (t *Text) Doc() Doc { return t.doc }

// Scroll moves the view by n lines.
func (t *Text) Scroll(n int) { t.scrollTo(t.top + n) }

// Move is Scroll: a viewport and a list are alike to their owner.
func (t *Text) Move(n int) { t.Scroll(n) }

// First is Home.
func (t *Text) First() { t.Home() }

// Last is End.
func (t *Text) Last() { t.End() }

// Home and End go to the first and last lines; Line goes to line n of 1.
func (t *Text) Home()      { t.top = 0 }
func (t *Text) End()       { t.scrollTo(everything / 2) }
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
	for i, line := range t.doc.Lines(t.top, h, w) {
		if i >= h {
			break
		}
		Draw(screen, x, y+i, w, line, t.Look, theme.Plain)
	}
}

// rewrap keeps about the same text at the top when the width changes.
func (t *Text) rewrap(w int) {
	if t.width != w && t.width > 0 && t.top > 0 {
		t.top = t.top * t.width / w
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
