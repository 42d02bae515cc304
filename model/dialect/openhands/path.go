package openhands

import (
	"sort"

	"hindcast/model"
)

// forkLimit bounds how many branches of a conversation are told apart. Beyond
// it the log is read as one line.
const forkLimit = 1 << 14

// walkLimit bounds how far back a branch looks for the newest record that the
// model saw.
const walkLimit = 1 << 10

// A conversation's tree is kept as segments: runs of the log in which every
// record continues the one before it. A segment starts where an event names a
// parent that is not the head, and hangs on that parent. Segments are in the
// order of the log, so an event belongs to the last one that starts at or
// before it.
type segment struct {
	Start  int64 // pos of its first event
	Parent int64 // pos it hangs on; 0 for a root
}

// tree follows the head of a conversation through the log.
type tree struct {
	Segments []segment
	// Head is the last event that a later one may stand on without naming it;
	// Solid the last that only a branch can leave behind; both pos.
	Head  int64
	Solid int64
	// Newest is the last record on the path that the model gets to see.
	Newest int64
	Full   bool // forkLimit was reached
}

// step says where an event stands: on which parent, whether that leaves the
// head's line, and what the model had seen last on the way there.
type step struct {
	parent int64
	branch bool
	newest int64
}

// place finds the parent of the event at pos. named is the pos of the parent
// that it names, 0 for an explicit root, -1 where it names none or one that is
// not there: then it continues the log.
func (t *tree) place(pos, named int64, isTransparent bool, look model.Lookup) step {
	s := step{parent: named, newest: t.Newest}
	if named < 0 {
		s.parent = t.Head
	}
	s.branch = !isTransparent && t.Solid > 0 && s.parent < t.Solid
	if len(t.Segments) == 0 {
		t.Segments = append(t.Segments, segment{Start: pos})
	}
	if s.branch && !t.Full {
		s.newest = t.newestAt(s.parent, look)
	}
	return s
}

// add moves the head to the event at pos.
func (t *tree) add(pos int64, s step, f flags) {
	t.Newest = s.newest
	switch {
	case !s.branch || t.Full:
	case len(t.Segments) < forkLimit:
		t.Segments = append(t.Segments, segment{Start: pos, Parent: s.parent})
	default:
		t.Full = true
	}
	if f.has(transparent) {
		if f.has(noParentLink) {
			return
		}
		t.Head = pos
		return
	}
	t.Head, t.Solid = pos, pos
	if f.has(inView) {
		t.Newest = pos
	}
}

// segmentOf is the index of the segment in which pos stands.
func (t *tree) segmentOf(pos int64) int {
	return max(sort.Search(len(t.Segments), func(i int) bool { return t.Segments[i].Start > pos })-1, 0)
}

// newestAt walks back from pos along its path to a record that the model saw.
// It goes by kind, so that it needs no memory of every event.
func (t *tree) newestAt(pos int64, look model.Lookup) int64 {
	for range walkLimit {
		if pos <= 0 {
			return 0
		}
		b, ok := look.At(pos)
		if !ok {
			return 0
		}
		switch b.Kind {
		case model.KindMessage, model.KindAction, model.KindObservation, model.KindError:
			return pos
		}
		if seg := t.Segments[t.segmentOf(pos)]; seg.Start == pos {
			pos = seg.Parent
		} else {
			pos--
		}
	}
	return 0
}

// pathTo tells for each segment up to which pos it belongs to the path that
// ends at tip; segments that are not on it are absent.
func (t *tree) pathTo(tip int64) map[int]int64 {
	on := map[int]int64{}
	for tip > 0 && len(t.Segments) > 0 {
		i := t.segmentOf(tip)
		if _, seen := on[i]; seen {
			break
		}
		on[i] = tip
		tip = t.Segments[i].Parent
	}
	return on
}
