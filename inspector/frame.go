package inspector

import (
	"slices"

	"hindcast/inspector/keep"
	"hindcast/inspector/widget"
)

// rect is a place on the screen, in cells.
type rect struct{ x, y, w, h int }

func (r rect) at() (x, y, w, h int) { return r.x, r.y, r.w, r.h }

// ruleAt is a pane's rule: where it is drawn, and the panes that its names
// stand for.
type ruleAt struct {
	rect
	names []panel
	rule  *widget.Rule
}

// frame says where everything stands for one size of the screen.
type frame struct {
	size    rect
	small   bool // too small for anything
	wide    bool // panes stand side by side, zoomed or not
	broad   bool // and so do the detail and the diff
	shared  bool // the panes of lower share a place
	single  bool // one pane (or overlay) takes the whole body
	chart   int  // row of the map, -1 where there is no room
	lane    int  // row of the lane, -1 where nothing is tracked
	body    rect
	foot    int // row of the footer, -1 where there is no room
	message int // row of the message line
	column  rect
	shown   []panel
	rules   []ruleAt
	places  [panelCount]rect
}

// The sizes at which the layout changes, in cells.
const (
	minWidth, minHeight     = 20, 5   // below: a word instead of a screen
	pairWidth, pairHeight   = 40, 12  // below: one pane at a time
	wideWidth, wideHeight   = 110, 26 // from here on: panes side by side
	broadWidth, broadHeight = 170, 36 // from here on: all of them at once
)

// layout places the panes. It depends on nothing but its arguments and what the
// reader has set, so that the same size gives the same screen again.
func (u *ui) layout(x, y, w, h int) frame {
	f := frame{size: rect{x, y, w, h}, foot: -1, chart: -1, lane: -1, message: y + h - 1}
	if w < minWidth || h < minHeight {
		f.small = true
		return f
	}
	bottom := 1
	if h >= pairHeight {
		bottom, f.foot = 2, y+h-2
	}
	top := 1
	if h >= pairHeight {
		f.chart, top = y+top, top+1
	}
	if u.st.Tracked != "" && h >= pairHeight {
		f.lane, top = y+top, top+1
	}
	f.body = rect{x, y + top, w, h - top - bottom}
	f.wide = w >= wideWidth && h >= wideHeight
	f.broad = w >= broadWidth && h >= broadHeight
	f.shared = !f.wide
	switch {
	case u.overlay != nil || u.zoom || w < pairWidth || h < pairHeight:
		f.single, f.shared = true, f.shared && !u.zoom && w >= pairWidth && h >= pairHeight
		f.place(u.focus, f.body, u.focus)
	case f.wide:
		f.many(u)
	default:
		f.two(u)
	}
	return f
}

// place gives a pane a rectangle, with its rule in the first row. names are
// the panes that the rule offers.
func (f *frame) place(p panel, r rect, names ...panel) {
	f.shown = append(f.shown, p)
	f.rules = append(f.rules, ruleAt{rect: rect{r.x, r.y, r.w, 1}, names: names, rule: &widget.Rule{}})
	f.places[p] = rect{r.x, r.y + 1, r.w, max(r.h-1, 0)}
}

// two puts the timeline above, and the panes of lower below it as tabs.
func (f *frame) two(u *ui) {
	b := f.body
	upper := between(b.h*11/20+1+u.layouts.Small.Rows, 4, b.h-4)
	f.place(onTimeline, rect{b.x, b.y, b.w, upper}, onTimeline)
	f.place(u.tab, rect{b.x, b.y + upper, b.w, b.h - upper}, lower...)
}

// many puts the timeline at the left, what follows its cursor at the right, the
// detail below: with the diff behind it, or beside it where there is room.
func (f *frame) many(u *ui) {
	b := f.body
	upper := between(b.h*3/4+u.layouts.Wide.Rows, 12, b.h-4)
	left := between(b.w*55/100+u.layouts.Wide.Columns, 40, b.w-30)
	f.place(onTimeline, rect{b.x, b.y, left, upper}, onTimeline)
	heights := [...]int{upper * 27 / 100, upper * 35 / 100, 0}
	heights[2] = upper - heights[0] - heights[1]
	y := b.y
	for i, p := range wideRight {
		f.place(p, rect{b.x + left + 1, y, b.w - left - 1, heights[i]}, p)
		y += heights[i]
	}
	f.column = rect{b.x + left, b.y, 1, upper + 1}
	if !f.broad {
		f.place(u.low, rect{b.x, b.y + upper, b.w, b.h - upper}, wideLower...)
		return
	}
	f.column.h = b.h
	f.place(onDiff, rect{b.x + left + 1, b.y + upper, b.w - left - 1, b.h - upper}, onDiff)
	f.place(onDetail, rect{b.x, b.y + upper, left, b.h - upper}, onDetail)
}

// shows reports whether a pane is on the screen.
func (f *frame) shows(p panel) bool { return slices.Contains(f.shown, p) }

// hand is what the reader has set by hand for screens like this one.
func (u *ui) hand() *keep.Hand {
	if u.frame.wide {
		return &u.layouts.Wide
	}
	return &u.layouts.Small
}

// clampHand keeps what the reader has set by hand within what shows.
func (u *ui) clampHand() {
	h, b := u.hand(), u.frame.body
	h.Rows, h.Columns = between(h.Rows, -b.h, b.h), between(h.Columns, -b.w, b.w)
}

func between(n, lo, hi int) int { return max(min(n, hi), lo) }

// tabAt is the pane whose name is drawn at a cell of a rule, -1 where none is.
func (f *frame) tabAt(x, y int) int {
	for _, r := range f.rules {
		if y != r.y || x < r.x || x >= r.x+r.w {
			continue
		}
		if i := r.rule.TabAt(x - r.x); i >= 0 && i < len(r.names) {
			return int(r.names[i])
		}
	}
	return -1
}
