package travel

import (
	"errors"
	"fmt"
	"slices"

	"hindcast/index"
	"hindcast/model/query"
)

// Action is something that changes where a reader stands or how they look.
type Action interface{ action() }

// The actions.
type (
	// Move puts the cursor on a neighbour: no entry in the jump list.
	Move struct{ To Place }
	// Jump goes somewhere else and remembers where it came from.
	Jump struct{ To Place }
	// Back and Forward walk the jump list by N places, at least one.
	Back    struct{ N int64 }
	Forward struct{ N int64 }
	// Previous returns to the place before the last jump; twice comes back.
	Previous struct{}
	// SetMark names the cursor's place, GoMark jumps to a name.
	SetMark struct{ Name rune }
	GoMark  struct{ Name rune }
	// SetNote puts a note on the cursor's place; an empty one takes it off.
	SetNote struct{ Text string }
	// Remember takes marks and notes that were kept.
	Remember struct {
		Marks map[rune]Place
		Notes map[Place]string
	}
	// SetFilter shows only what matches; a nil Where shows all.
	SetFilter struct {
		Text  string
		Where query.Expr
	}
	// ToggleAll switches between folded rows and every record.
	ToggleAll struct{}
	// ToggleFollow keeps the cursor on the newest row, or lets it rest.
	ToggleFollow struct{}
	// ToggleRaw switches the detail between text and bytes.
	ToggleRaw struct{}
	// NextClock goes to the next time column.
	NextClock struct{}
	// SetAnchor makes the cursor's place one end of a range A..B.
	SetAnchor struct{}
	// DropAnchor ends the range.
	DropAnchor struct{}
	// Track follows a text through the model's view; an empty one ends that.
	Track struct{ Text string }
	// TogglePin pins a path of the state, or unpins it.
	TogglePin struct{ Path string }
	// SetSearch starts or narrows a search; a nil Where ends it.
	SetSearch struct {
		Text  string
		Term  query.Term
		Where query.Expr
		Back  bool
	}
)

func (Move) action()         {}
func (Jump) action()         {}
func (Back) action()         {}
func (Forward) action()      {}
func (Previous) action()     {}
func (SetMark) action()      {}
func (GoMark) action()       {}
func (SetNote) action()      {}
func (Remember) action()     {}
func (SetFilter) action()    {}
func (ToggleAll) action()    {}
func (ToggleFollow) action() {}
func (ToggleRaw) action()    {}
func (NextClock) action()    {}
func (SetAnchor) action()    {}
func (DropAnchor) action()   {}
func (Track) action()        {}
func (TogglePin) action()    {}
func (SetSearch) action()    {}

// What a step cannot do is told in the message line.
var (
	errNoBack    = errors.New("no jump to go back from")
	errNoForward = errors.New("no jump to go forward to")
	errNowhere   = errors.New("no event selected yet")
)

// Step applies an action. On error the state is returned unchanged.
func Step(s State, a Action) (State, error) {
	switch a := a.(type) {
	case Move:
		s.At = a.To
	case Jump:
		if !s.At.Same(a.To) {
			s.remember(s.At)
			s.Follow = false
		}
		s.At = a.To
	case Back:
		return walk(s, a.N, true)
	case Forward:
		return walk(s, a.N, false)
	case Previous:
		n := len(s.back)
		if n == 0 {
			return s, errNoBack
		}
		return Step(s, Jump{s.back[n-1]})
	case SetMark, GoMark:
		return stepMark(s, a)
	case SetNote:
		if s.At.Nowhere() {
			return s, errNowhere
		}
		s.note(a.Text)
	case SetAnchor:
		if s.At.Nowhere() {
			return s, errNowhere
		}
		s.Anchor = s.At
	default:
		return stepView(s, a), nil
	}
	return s, nil
}

// walk moves n places from one stack of the jump list to the other. Places on
// which the reader already stands are passed over.
func walk(s State, n int64, back bool) (State, error) {
	src, dst, empty := s.back, s.forward, errNoBack
	if !back {
		src, dst, empty = s.forward, s.back, errNoForward
	}
	at := s.At
	for left := max(n, 1); left > 0 && len(src) > 0; {
		to := src[len(src)-1]
		src = src[:len(src)-1]
		if to.Same(at) {
			continue
		}
		dst = pushed(dst, at)
		at = to
		left--
	}
	if at.Same(s.At) {
		return s, empty
	}
	s.At, s.Follow = at, false
	s.back, s.forward = src, dst
	if !back {
		s.back, s.forward = dst, src
	}
	return s, nil
}

func stepMark(s State, a Action) (State, error) {
	switch a := a.(type) {
	case SetMark:
		if s.At.Nowhere() {
			return s, errNowhere
		}
		s.mark(a.Name, s.At)
	case GoMark:
		to, ok := s.Marks[a.Name]
		if !ok {
			return s, fmt.Errorf("no mark %c: set it with m%c", a.Name, a.Name)
		}
		return Step(s, Jump{to})
	}
	return s, nil
}

func stepView(s State, a Action) State {
	switch a := a.(type) {
	case Remember:
		s.Marks, s.Notes = a.Marks, a.Notes
	case SetFilter:
		s.Filter, s.Where = a.Text, a.Where
	case ToggleAll:
		if s.Visibility == index.Folded {
			s.Visibility = index.All
		} else {
			s.Visibility = index.Folded
		}
	case ToggleFollow:
		s.Follow = !s.Follow
	case ToggleRaw:
		s.Raw = !s.Raw
	case NextClock:
		s.Clock = (s.Clock + 1) % clocks
	case DropAnchor:
		s.Anchor = Place{}
	case Track:
		s.Tracked = a.Text
	case TogglePin:
		s.Pins = toggled(s.Pins, a.Path)
	case SetSearch:
		if s.Search.Where == nil {
			s.Search.From = s.At
		}
		s.Search.Text, s.Search.Term, s.Search.Where, s.Search.Back = a.Text, a.Term, a.Where, a.Back
		if a.Where == nil {
			s.Search = Search{}
		}
	}
	return s
}

// toggled is a copy of a list without an item, or with it at the end.
func toggled(list []string, item string) []string {
	out := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == item })
	if len(out) == len(list) {
		out = append(out, item)
	}
	return out
}
