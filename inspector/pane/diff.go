package pane

import (
	"slices"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/render"
)

// DiffKey says what a diff compares, and for which width it was drawn.
type DiffKey struct {
	A, B     travel.Place
	From, To string // their addresses
	Width    int
}

// Diff is the pane of what changed: drawn elsewhere, because aligning texts
// takes time.
type Diff struct {
	*widget.Text
	Key   DiffKey
	Count int // of the changes
	stops []render.Stop
}

// NewDiff makes an empty pane.
func NewDiff(look *widget.Look) *Diff {
	d := &Diff{Text: widget.NewText(look)}
	d.Pick, d.Dim = true, true
	return d
}

// Step goes n changed places or hunks on (negative: back), as far as there are
// any, and reports whether it moved.
func (d *Diff) Step(n int) bool {
	at := d.Cursor()
	n = max(min(n, len(d.stops)), -len(d.stops))
	for ; n > 0; n-- {
		if i := slices.IndexFunc(d.stops, func(s render.Stop) bool { return s.Line > at }); i >= 0 {
			at = d.stops[i].Line
		}
	}
	for ; n < 0; n++ {
		for _, s := range slices.Backward(d.stops) {
			if s.Line < at {
				at = s.Line
				break
			}
		}
	}
	if at == d.Cursor() {
		return false
	}
	d.Select(at + d.Height()/2) // what has changed stands below it
	d.Select(at)
	return true
}

// Path is the changed place on which the selected line stands; empty above the
// first.
func (d *Diff) Path() string {
	path := ""
	for _, s := range d.stops {
		if s.Line > d.Cursor() {
			break
		}
		path = s.Path
	}
	return path
}

// Set shows lines that were drawn for a width, with the places in them. The view starts at the top,
// unless it is the same comparison at another width.
func (d *Diff) Set(key DiffKey, count int, lines []render.Line, stops []render.Stop) {
	doc := widget.NewFixed(lines[1:]) // the rule above the pane says what is compared
	if d.Key.A.Same(key.A) && d.Key.B.Same(key.B) {
		d.Update(doc)
	} else {
		d.Text.Show(doc)
	}
	d.Key, d.Count, d.stops = key, count, stops
	for i := range d.stops {
		d.stops[i].Line--
	}
}

// Clear shows nothing: the states are not there yet.
func (d *Diff) Clear() {
	d.Key, d.Count, d.stops = DiffKey{}, 0, nil
	d.Text.Show(nil)
}
