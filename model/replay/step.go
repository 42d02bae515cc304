package replay

import (
	"bytes"
	"cmp"
	"slices"

	"hindcast/model"
)

// step collects the writes of one event.
type step struct {
	event *model.Event
	notes []model.Note
	cells []touched
	index map[string]int // of cells, once they are many
}

// touched is a cell that the event wrote, with its value before the event and
// its value so far.
type touched struct {
	path     string
	old, new model.Value
	outside  *model.Value // what stood there before the event's own write, in truth
	restores int64
	lost     model.LostReason
}

// fewCells is how many cells a step looks through before it indexes them.
const fewCells = 8

// cell finds a touched cell; nil where the event has not written it.
func (s *step) cell(path string) *touched {
	if s.index != nil {
		if i, ok := s.index[path]; ok {
			return &s.cells[i]
		}
		return nil
	}
	for i := range s.cells {
		if s.cells[i].path == path {
			return &s.cells[i]
		}
	}
	return nil
}

// put writes a cell: old is its value just before, new the one just after.
func (s *step) put(path string, old, new model.Value) *touched {
	c := s.cell(path)
	if c == nil {
		s.cells = append(s.cells, touched{path: path, old: old})
		s.indexLast()
		c = &s.cells[len(s.cells)-1]
	}
	c.new, c.restores, c.lost = new, 0, 0
	return c
}

func (s *step) indexLast() {
	if len(s.cells) <= fewCells {
		return
	}
	if s.index == nil {
		s.index = map[string]int{}
		for i, c := range s.cells {
			s.index[c.path] = i
		}
	}
	s.index[s.cells[len(s.cells)-1].path] = len(s.cells) - 1
}

// putOutside records that a cell held now, not old, before the event wrote it.
// An event that has written the cell already cannot tell the two apart.
func (s *step) putOutside(path string, old, now model.Value) {
	if s.cell(path) == nil {
		s.put(path, old, now).outside = &now
		return
	}
	s.put(path, old, now)
}

func (s *step) note(kind model.NoteKind, path, text string) {
	s.notes = append(s.notes, model.Note{Kind: kind, Pos: s.event.Pos, Path: path, Text: text})
}

// writes gives the net effect, sorted by path.
func (s *step) writes() []model.Write {
	slices.SortFunc(s.cells, func(a, b touched) int { return cmp.Compare(a.path, b.path) })
	if len(s.cells) == 0 {
		return nil
	}
	out := make([]model.Write, 0, len(s.cells)+1) // one more for an outside change
	for i := range s.cells {
		c := &s.cells[i]
		old := c.old
		if c.outside != nil && !equal(old, *c.outside) {
			out = append(out, model.Write{Path: c.path, Pos: s.event.Pos, Old: old, New: *c.outside})
			old = *c.outside
		}
		if equal(old, c.new) {
			continue
		}
		w := model.Write{Path: c.path, Pos: s.event.Pos, Old: old, New: c.new, Lost: c.lost}
		if !c.new.Absent() {
			w.Restores = c.restores
		}
		out = append(out, w)
	}
	return out
}

// equal compares two values of one cell.
func equal(a, b model.Value) bool {
	return a.Absent() == b.Absent() && bytes.Equal(a.JSON, b.JSON) && sameText(a.Text, b.Text)
}

func sameText(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
