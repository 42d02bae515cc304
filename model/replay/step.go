package replay

import (
	"bytes"
	"slices"
	"strings"

	"hindcast/model"
)

// step collects the writes of one event.
type step struct {
	event *model.Event
	notes []model.Note
	cells []touched
	index map[string]int // of cells, once they are many
	mem   *memory
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
const fewCells = 16

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

// stays reports that a cell need not be put: its value is the same, and the
// event has not written it before.
func (s *step) stays(path string, same bool) bool { return same && s.cell(path) == nil }

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
	if len(s.cells) == 0 {
		return nil
	}
	most := len(s.cells)
	for i := range s.cells {
		if s.cells[i].outside != nil {
			most++
		}
	}
	out := s.mem.room(most)
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
	sortWrites(out)
	return s.mem.keepWrites(out)
}

// sortWrites sorts by path; the two writes of one cell keep their order.
func sortWrites(list []model.Write) {
	if len(list) > 2*fewCells {
		slices.SortStableFunc(list, func(a, b model.Write) int { return strings.Compare(a.Path, b.Path) })
		return
	}
	for i := 1; i < len(list); i++ {
		w, to := list[i], i
		for ; to > 0 && list[to-1].Path > w.Path; to-- {
		}
		if to < i {
			copy(list[to+1:i+1], list[to:i])
			list[to] = w
		}
	}
}

// equal compares two values of one cell.
func equal(a, b model.Value) bool {
	return a.Absent() == b.Absent() && bytes.Equal(a.JSON, b.JSON) && sameText(a.Text, b.Text)
}

func sameText(a, b *string) bool { return sameValue(a, b) }

// sameValue compares what may be nil.
func sameValue[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
