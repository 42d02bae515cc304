package pane

import (
	"time"

	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Sessions is the list of a dump's sessions, sub-agents below the session that
// made them.
type Sessions struct {
	*widget.List
	list  []model.Session
	depth []int
}

// NewSessions makes an empty list.
func NewSessions(look *widget.Look) *Sessions {
	s := &Sessions{}
	s.List = widget.NewList(look, s)
	s.Empty = render.Line{{Text: " no sessions yet", Role: theme.Dim}}
	s.Head = func(w int) render.Line {
		head := " " + text.Pad("session", idWidth(w)) + " outcome      events    X  open    took     cost  "
		if w >= dialectFrom {
			head += text.Pad("dialect", 12)
		}
		return render.Line{{Text: text.Cut(head+"title", max(w, 1)), Role: theme.Dim}}
	}
	return s
}

// Len implements widget.Rows.
func (s *Sessions) Len() int { return len(s.list) }

// Ends implements widget.Rows.
func (s *Sessions) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (s *Sessions) More(bool, int) {}

// Set shows sessions, with the cursor on the one with that id.
func (s *Sessions) Set(list []model.Session, current string) {
	s.list, s.depth = nested(list)
	for i, x := range s.list {
		if x.ID == current {
			s.Replaced(i)
			return
		}
	}
	s.Replaced(0)
}

// Selected is the session under the cursor.
func (s *Sessions) Selected() (model.Session, bool) {
	if i := s.Cursor(); i >= 0 {
		return s.list[i], true
	}
	return model.Session{}, false
}

// nested orders sessions so that children follow their parent, and tells how
// deep each stands. Rings and missing parents make roots.
func nested(list []model.Session) ([]model.Session, []int) {
	known := map[string]bool{}
	for _, s := range list {
		known[s.ID] = true
	}
	children := map[string][]int{}
	var stack []int
	for i := len(list) - 1; i >= 0; i-- {
		if p := list[i].Parent; p != "" && known[p] && p != list[i].ID {
			children[p] = append(children[p], i)
		} else {
			stack = append(stack, i)
		}
	}
	out, depth := make([]model.Session, 0, len(list)), make([]int, 0, len(list))
	at := make([]int, len(list))
	done := make([]bool, len(list))
	walk := func() {
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if done[i] {
				continue
			}
			done[i] = true
			out, depth = append(out, list[i]), append(depth, at[i])
			for _, c := range children[list[i].ID] {
				at[c] = at[i] + 1
				stack = append(stack, c)
			}
		}
	}
	walk()
	for i := range list { // what only a ring leads to
		if !done[i] {
			stack = append(stack, i)
			walk()
		}
	}
	return out, depth
}

// idWidth is the room for a session's id.
func idWidth(width int) int { return min(max(width/5, 8), 40) }

// Line implements widget.Rows.
func (s *Sessions) Line(i, width int, selected bool) render.Line {
	x := s.list[i]
	mark := " "
	if selected {
		mark = s.Look.Glyphs.Cursor
	}
	indent := ""
	if d := min(s.depth[i], 4); d > 0 {
		indent = text.Spaces(2*(d-1)) + s.Look.Glyphs.BottomLeft + " "
	}
	l := render.Line{
		{Text: mark, Role: theme.Mark},
		{Text: indent, Role: theme.Punct},
		{Text: text.Pad(text.CleanCut(s.name(i), max(idWidth(width)-text.Width(indent), 1)), idWidth(width)-text.Width(indent)) + " ", Role: theme.Strong},
		{Text: text.Pad(text.CleanCut(x.Outcome, 11), 11) + " ", Role: theme.SessionMark},
		{Text: text.PadLeft(text.Count(x.Events), 7) + " ", Role: theme.Number},
		count(x.Failed, 4, theme.Fail), count(x.OpenCalls, 6, theme.Warn),
		{Text: text.PadLeft(lasted(x), 8) + " ", Role: theme.Time},
		{Text: text.PadLeft(cost(x), 8) + "  ", Role: theme.Dim},
	}
	if width >= dialectFrom {
		l = append(l, render.Span{Text: text.Pad(text.CleanCut(x.Dialect, 11), 12), Role: theme.Dim})
	}
	return render.Cut(append(l, render.Span{Text: text.Clean(x.Title)}), max(width, 1))
}

// dialectFrom is the width from which on there is room for the dialect.
const dialectFrom = 110

// name is a session's id, below the one that made it without that one's.
func (s *Sessions) name(i int) string {
	if s.depth[i] > 0 {
		return ownID(s.list[i])
	}
	return s.list[i].ID
}

// count is a number that matters where it is not 0.
func count(n int64, cells int, role theme.Role) render.Span {
	if n == 0 {
		return render.Span{Text: text.PadLeft("-", cells), Role: theme.Dim}
	}
	return render.Span{Text: text.PadLeft(text.Count(n), cells), Role: role}
}

// lasted is the time from a session's first event to its last; - where no times
// tell.
func lasted(x model.Session) string {
	if !x.Started.Known || !x.Ended.Known || x.Started.Naive != x.Ended.Naive {
		return "-"
	}
	return text.Duration(time.Duration(x.Ended.Nanos - x.Started.Nanos))
}

// cost is the money that a session took; - where no record tells.
func cost(x model.Session) string {
	if !x.Usage.Told.Has(model.ToldCost) {
		return "-"
	}
	return dollars(x.Usage.CostUSD)
}
