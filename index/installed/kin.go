package installed

import (
	"slices"
	"strings"
)

// kinLimit is how many other dumps are opened with a session.
const kinLimit = 64

// kin finds for each session what it goes on from, and what it made, so that
// opening it opens these: a fork whose base is not there begins in its middle.
func (l *List) kin() {
	byID := map[string]int{}
	made := map[string][]int{}
	for i, r := range l.Rows {
		id := r.Dialect + " " + r.Session
		byID[id] = i
		if _, segment, ok := strings.Cut(r.Session, "_"); ok && !r.Many {
			byID[r.Dialect+" "+segment] = i
		}
		if r.Parent != "" {
			made[r.Dialect+" "+r.Parent] = append(made[r.Dialect+" "+r.Parent], i)
		}
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		for next := []int{i}; len(next) > 0 && len(r.kin) < kinLimit; next = next[1:] {
			x := l.Rows[next[0]]
			more := made[x.Dialect+" "+x.Session]
			if base, ok := byID[x.Dialect+" "+x.Base]; ok {
				more = append(slices.Clip(more), base)
			}
			for _, k := range more {
				if k != i && !slices.Contains(r.kin, k) {
					r.kin = append(r.kin, k)
					next = append(next, k)
				}
			}
		}
		slices.Sort(r.kin)
	}
}
