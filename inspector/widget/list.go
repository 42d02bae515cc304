package widget

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"hindcast/render"
	"hindcast/render/theme"
)

// Rows is what a List shows: a window of rows at hand out of a longer run that
// only its owner can fetch.
type Rows interface {
	// Len is the number of rows at hand.
	Len() int
	// Line draws row i, 0 <= i < Len.
	Line(i, width int, selected bool) render.Line
	// Ends tells whether the rows at hand reach the first and the last of all.
	Ends() (first, last bool)
	// More asks for at least n rows before or after those at hand. It must
	// return at once; the owner calls List.Loaded when they have come.
	More(back bool, n int)
}

// margin is how many rows before an edge of the window more are asked for, in
// heights of the list.
const margin = 2

// List is a cursor over rows. Moves beyond the rows at hand are owed until more
// have come, so that a held key never waits and never overshoots.
type List struct {
	*tview.Box
	Look              *Look
	Rows              Rows
	Empty             render.Line           // shown where there are no rows
	Head              func(int) render.Line // column heads for a width; nil: none
	Moved             func()                // the cursor stands on another row
	Bare              bool                  // no cursor is drawn without focus
	cursor, top, owed int
}

// NewList makes a list without rows.
func NewList(look *Look, rows Rows) *List {
	return &List{Box: tview.NewBox(), Look: look, Rows: rows}
}

// Cursor is the index of the selected row, -1 where there is none.
func (l *List) Cursor() int {
	if l.Rows.Len() == 0 {
		return -1
	}
	return min(max(l.cursor, 0), l.Rows.Len()-1)
}

// Owed is the number of rows still to move once more have come.
func (l *List) Owed() int { return l.owed }

// Height is the number of rows that the list can show at once.
func (l *List) Height() int {
	_, _, _, h := l.GetInnerRect()
	if l.Head != nil {
		h--
	}
	return max(h, 0)
}

// Move moves the cursor by n rows, or as far as it can until more rows come.
func (l *List) Move(n int) {
	target := l.Cursor() + l.owed + n
	l.owed = 0
	first, last := l.Rows.Ends()
	switch end := l.Rows.Len() - 1; {
	case end < 0:
		return
	case target < 0:
		if !first {
			l.owed = target
		}
		target = 0
	case target > end:
		if !last {
			l.owed = target - end
		}
		target = end
	}
	l.set(target)
}

// Select puts the cursor on row i of those at hand.
func (l *List) Select(i int) {
	l.owed = 0
	l.set(min(max(i, 0), max(l.Rows.Len()-1, 0)))
}

// First and Last go to the ends of the rows at hand.
func (l *List) First() { l.Select(0) }
func (l *List) Last()  { l.Select(l.Rows.Len() - 1) }

func (l *List) set(i int) {
	changed := i != l.cursor
	l.cursor = i
	l.reveal()
	l.want()
	if changed && l.Moved != nil {
		l.Moved()
	}
}

// Loaded tells the list that the window has changed: what was row 0 is now row
// shift. The cursor stays on its row and at its place on the screen; owed moves
// are made.
func (l *List) Loaded(shift int) {
	l.cursor += shift
	l.top += shift
	if owed := l.owed; owed != 0 {
		l.owed = 0
		l.Move(owed)
		return
	}
	l.cursor = min(max(l.cursor, 0), max(l.Rows.Len()-1, 0))
	l.reveal()
	l.want()
}

// Replaced tells the list that all rows are others, with the cursor now on row
// i; it keeps its distance from the top of the screen.
func (l *List) Replaced(i int) {
	off := l.cursor - l.top
	l.owed = 0
	l.cursor = min(max(i, 0), max(l.Rows.Len()-1, 0))
	l.top = l.cursor - off
	l.reveal()
	l.want()
}

// Scroll moves the view by n rows; the cursor only as far as it must to stay in
// it.
func (l *List) Scroll(n int) {
	h := l.Height()
	l.top = min(max(l.top+n, 0), l.lastTop(h))
	before := l.cursor
	l.cursor = min(max(l.cursor, l.top), max(l.fill(l.top, h)-1, l.top))
	l.want()
	if l.cursor != before && l.Moved != nil {
		l.Moved()
	}
}

// Place arranges the view so that the cursor's row stands at the top (-1), in
// the middle (0) or at the bottom (1).
func (l *List) Place(where int) {
	h := l.Height()
	switch {
	case where < 0:
		l.top = l.cursor
	case where > 0:
		l.top = l.backfill(l.cursor, h)
	default:
		l.top = l.backfill(l.cursor, h/2+1)
	}
	l.reveal()
}

// RowAt is the index of the row drawn at a cell, -1 where there is none.
func (l *List) RowAt(x, y int) int {
	bx, by, w, h := l.GetInnerRect()
	if l.Head != nil {
		by, h = by+1, h-1
	}
	if x < bx || x >= bx+w || y < by || y >= by+h {
		return -1
	}
	for i, at := l.top, by; i < l.Rows.Len() && at <= y; i++ {
		if at += l.rise(i); y < at {
			return i
		}
	}
	return -1
}

// Visible is the range of rows on the screen.
func (l *List) Visible() (from, to int) {
	n := l.Rows.Len()
	if l.top >= n {
		return n, n
	}
	return l.top, l.fill(l.top, l.Height())
}

// reveal moves the view so that the cursor is in it and no room is wasted.
func (l *List) reveal() {
	h := max(l.Height(), 1)
	l.top = min(l.top, l.cursor)
	if l.top < l.cursor-h+1 || l.top < l.backfill(l.cursor, h) {
		l.top = l.backfill(l.cursor, h)
	}
	l.top = max(min(l.top, l.lastTop(h)), 0)
}

// lastTop is the top row of a view of h lines that shows the end.
func (l *List) lastTop(h int) int {
	if l.Rows.Len() == 0 {
		return 0
	}
	return l.backfill(l.Rows.Len()-1, h)
}

// want asks for more rows in good time.
func (l *List) want() {
	h := max(l.Height(), 10)
	first, last := l.Rows.Ends()
	if n := l.Rows.Len(); n == 0 {
		return
	} else if !last && (l.owed > 0 || l.top+h*(margin+1) > n) {
		l.Rows.More(false, max(l.owed, 0)+h*margin)
	} else if !first && (l.owed < 0 || l.top < h*margin) {
		l.Rows.More(true, max(-l.owed, 0)+h*margin)
	}
}

// Draw implements tview.Primitive.
func (l *List) Draw(screen tcell.Screen) {
	x, y, w, h := l.GetInnerRect()
	if w <= 0 || h <= 0 {
		return
	}
	if l.Head != nil {
		Draw(screen, x, y, w, l.Head(w), l.Look, theme.Plain)
		y, h = y+1, h-1
	}
	n := l.Rows.Len()
	if n == 0 {
		Draw(screen, x, y, w, l.Empty, l.Look, theme.Plain)
		return
	}
	if h <= 0 {
		return
	}
	l.cursor = min(max(l.cursor, 0), n-1)
	l.reveal()
	for row, left := l.top, h; row < n && left > 0; row++ {
		above, below := l.beside(row)
		if row == l.top && len(above)+1 > left { // the row itself comes first
			above = nil
		}
		base := theme.Plain
		if row == l.cursor && l.HasFocus() {
			base = theme.Selected
		} else if row == l.cursor && !l.Bare {
			base = theme.SelectedDim
		}
		put := func(line render.Line, base theme.Role) {
			if left > 0 {
				Draw(screen, x, y, w, line, l.Look, base)
				y, left = y+1, left-1
			}
		}
		for _, line := range above {
			put(line, theme.Plain)
		}
		put(l.Rows.Line(row, w, row == l.cursor), base)
		for _, line := range below {
			put(line, theme.Plain)
		}
	}
}
