package replay

import (
	"cmp"
	"slices"
	"strings"

	"hindcast/model"
)

// Past knows what cells held before. It must know every write that Apply has
// given so far.
type Past interface {
	// ChangedSince lists the cells whose path begins with prefix and that events
	// after to have written (0: any event), each with what it held after event
	// to, in any order.
	ChangedSince(to int64, prefix string) []PastCell
}

// PastCell is a cell at an earlier moment. Pos is the event of the write that
// made the value; 0 where it is the initial one or the cell did not exist.
type PastCell struct {
	Path  string
	Value model.Value
	Pos   int64
}

// Log keeps all writes of a session in memory: a Past for tests and for
// sessions that are folded without an index.
type Log struct {
	writes []model.Write
	cells  map[string][]int // indexes of a cell's writes
}

// Add appends the writes of the next event.
func (l *Log) Add(writes []model.Write) {
	if l.cells == nil {
		l.cells = map[string][]int{}
	}
	for _, w := range writes {
		l.cells[w.Path] = append(l.cells[w.Path], len(l.writes))
		l.writes = append(l.writes, w)
	}
}

// after is the index of the first write by an event later than pos.
func (l *Log) after(pos int64) int {
	i, _ := slices.BinarySearchFunc(l.writes, pos, func(w model.Write, pos int64) int {
		if w.Pos <= pos {
			return -1
		}
		return 1
	})
	return i
}

// Between gives the writes of the events later than a and not later than b.
func (l *Log) Between(a, b int64) []model.Write {
	from, to := l.after(a), l.after(b)
	return l.writes[from:max(from, to)]
}

// At is the state after event pos.
func (l *Log) At(pos int64) Cells {
	state := Cells{}
	for _, w := range l.Between(0, pos) {
		state.Write(w)
	}
	return state
}

// ChangedSince implements Past, sorted by path.
func (l *Log) ChangedSince(to int64, prefix string) []PastCell {
	from := l.after(to)
	seen := map[string]bool{}
	var out []PastCell
	for _, w := range l.writes[from:] {
		if seen[w.Path] || !strings.HasPrefix(w.Path, prefix) {
			continue
		}
		seen[w.Path] = true
		past := PastCell{Path: w.Path, Value: w.Old}
		if i, _ := slices.BinarySearch(l.cells[w.Path], from); i > 0 && !w.Old.Absent() {
			past.Pos = l.writes[l.cells[w.Path][i-1]].Pos
		}
		out = append(out, past)
	}
	slices.SortFunc(out, func(a, b PastCell) int { return cmp.Compare(a.Path, b.Path) })
	return out
}
