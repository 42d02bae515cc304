package replay

import (
	"cmp"
	"slices"
	"strings"

	"hindcast/model"
)

// revert takes facets back to what they were after event x.To. What left the
// context stays counted as forgotten: it did leave.
func (f *Fold) revert(s *step, x model.Revert) {
	if f.past == nil {
		return
	}
	for _, p := range f.parts() {
		if p.flag&x.Facets == 0 {
			continue
		}
		cells := f.past.ChangedSince(max(x.To, 0), p.prefix)
		cells = append(cells, s.own(p.prefix, cells)...)
		slices.SortFunc(cells, func(a, b PastCell) int { return cmp.Compare(a.Path, b.Path) })
		p.restore(s, cells, x.Reason)
	}
}

// own lists the cells that the event itself has written and no event since the
// target did: they go back to what they were before the event.
func (s *step) own(prefix string, past []PastCell) []PastCell {
	known := make(map[string]bool, len(past))
	for _, c := range past {
		known[c.Path] = true
	}
	var out []PastCell
	for _, c := range s.cells {
		if strings.HasPrefix(c.path, prefix) && !known[c.path] {
			out = append(out, PastCell{Path: c.path, Value: c.old})
		}
	}
	return out
}

// within reports that a cell is a member of a collection.
func within(path, collection string) bool { return strings.HasPrefix(path, collection+"/") }
