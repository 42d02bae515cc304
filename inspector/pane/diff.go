package pane

import (
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
}

// NewDiff makes an empty pane.
func NewDiff(look *widget.Look) *Diff { return &Diff{Text: widget.NewText(look)} }

// Set shows lines that were drawn for a width. The view starts at the top,
// unless it is the same comparison at another width.
func (d *Diff) Set(key DiffKey, count int, lines []render.Line) {
	doc := widget.NewFixed(lines)
	if d.Key.A.Same(key.A) && d.Key.B.Same(key.B) {
		d.Update(doc)
	} else {
		d.Text.Show(doc)
	}
	d.Key, d.Count = key, count
}

// Clear shows nothing: the states are not there yet.
func (d *Diff) Clear() {
	d.Key, d.Count = DiffKey{}, 0
	d.Text.Show(nil)
}
