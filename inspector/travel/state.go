package travel

import (
	"maps"
	"slices"

	"hindcast/index"
	"hindcast/model/query"
)

// JumpLimit is how many places the jump list keeps in each direction; the
// oldest are forgotten first.
const JumpLimit = 200

// Place is an event as a place to stand: a session and a position in it. The
// zero Place is nowhere.
type Place struct {
	Session string
	Pos     int64 // of the record, 1-based
	Seq     int64 // the number that people know it by
}

// Same reports whether two places are one event.
func (p Place) Same(q Place) bool { return p.Session == q.Session && p.Pos == q.Pos }

// Nowhere reports whether the place names no event yet.
func (p Place) Nowhere() bool { return p.Pos == 0 }

// Clock is what the timeline's time column shows.
type Clock uint8

// The clocks: the span since the row before, since the session's start, and
// the wall clock as recorded.
const (
	Relative Clock = iota
	Delta
	Wall
	clocks
)

// String names the clock for the message line.
func (c Clock) String() string {
	return [...]string{"since the start", "since the row before", "wall clock"}[c%clocks]
}

// Search is a running search. It never hides rows.
type Search struct {
	Text  string
	Term  query.Term // what is looked for, to light it up
	Where query.Expr // nil: no search
	From  Place      // where the reader stood when it began
	Back  bool       // the next hit is the one before
}

// State is where a reader stands and how they look. It is a value: Step never
// changes the one it is given, maps and slices included.
type State struct {
	At         Place
	Filter     string // as typed; empty: all
	Where      query.Expr
	Visibility index.Visibility
	Clock      Clock
	Follow     bool // keep to the newest row
	Raw        bool // the detail shows bytes, not text
	Search     Search
	Marks      map[rune]Place
	Notes      map[Place]string
	Anchor     Place    // the other end of a range A..B; nowhere: none
	Tracked    string   // the text whose presence in the model's view is shown; empty: none
	Pins       []string // paths of the state that stay in sight, in the order in which they were pinned

	back, forward []Place
}

// New is a reader's state before anything is open: folded rows from nowhere.
func New() State { return State{Visibility: index.Folded} }

// Depth tells how many places lie behind and ahead in the jump list.
func (s State) Depth() (back, forward int) { return len(s.back), len(s.forward) }

// MarkAt returns the mark that stands on a place, 0 where none does.
func (s State) MarkAt(p Place) rune {
	var found rune
	for name, m := range s.Marks {
		if m.Same(p) && (found == 0 || name < found) {
			found = name
		}
	}
	return found
}

// NoteAt returns the note on a place, empty where there is none.
func (s State) NoteAt(p Place) string {
	for at, text := range s.Notes {
		if at.Same(p) {
			return text
		}
	}
	return ""
}

// NextMark finds the mark or note nearest after (back: before) the cursor in its
// session.
func (s State) NextMark(back bool) (Place, bool) {
	var best Place
	look := func(m Place) {
		if m.Session != s.At.Session || m.Pos == s.At.Pos || (m.Pos < s.At.Pos) != back {
			return
		}
		if best.Nowhere() || (m.Pos > best.Pos) == back {
			best = m
		}
	}
	for _, m := range s.Marks {
		look(m)
	}
	for m := range s.Notes {
		look(m)
	}
	return best, !best.Nowhere()
}

func (s *State) remember(p Place) {
	if p.Nowhere() {
		return
	}
	s.back = pushed(s.back, p)
	s.forward = nil
}

// pushed appends to a copy, so that states that share the slice stay as they
// were, and drops the oldest beyond JumpLimit and a repetition of the newest.
func pushed(list []Place, p Place) []Place {
	if n := len(list); n > 0 && list[n-1].Same(p) {
		return list
	}
	out := append(slices.Clone(list), p)
	if len(out) > JumpLimit {
		out = out[len(out)-JumpLimit:]
	}
	return out
}

func (s *State) mark(name rune, p Place) {
	marks := maps.Clone(s.Marks)
	if marks == nil {
		marks = map[rune]Place{}
	}
	marks[name] = p
	s.Marks = marks
}

// note changes a copy, as mark does.
func (s *State) note(text string) {
	notes := map[Place]string{}
	for at, old := range s.Notes {
		if !at.Same(s.At) {
			notes[at] = old
		}
	}
	if text != "" {
		notes[s.At] = text
	}
	s.Notes = notes
}
