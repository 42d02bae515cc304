package pane

import (
	"strconv"
	"strings"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// State is the pane of the state after the selected event: first what is pinned
// and what the step changed, then the tree. The cursor keeps its path as time
// goes by.
type State struct {
	*widget.List
	Pulse  func(path string) render.Line // the history of a pinned path, where it is known
	data   StateData
	open   map[string]bool
	rows   []stateRow
	pick   string // the selected path, to find it again
	widest int    // the longest name of a change, in cells
	part   byte   // of the pane, in which it was selected
}

// stateRow is a line of the pane: a pin, a change, a node, or a heading.
type stateRow struct {
	pin    *Pin
	change *render.PathChange
	node   *Node
	depth  int
	more   int64 // members that are not at hand
	head   string
	count  int
}

// NewState makes an empty pane with the files unfolded.
func NewState(look *widget.Look) *State {
	s := &State{open: map[string]bool{model.PathFiles: true}, Pulse: func(string) render.Line { return nil }}
	s.List = widget.NewList(look, s)
	s.Bare = true
	s.Moved = s.picked
	return s
}

// At is the event that is shown, which may lag behind the cursor.
func (s *State) At() travel.Place { return s.data.At }

// From is the pos after which the step that is shown begins.
func (s *State) From() int64 { return s.data.From }

// Changed is how many places the step changed.
func (s *State) Changed() int { return len(s.data.Changes) }

// Set shows a state.
func (s *State) Set(d StateData) {
	s.data = d
	s.lay()
}

// Clear shows nothing: the state is not there yet.
func (s *State) Clear() { s.Set(StateData{}) }

// lay makes the rows anew and finds the selected path again: where it stood,
// else wherever it stands, else the nearest place above it.
func (s *State) lay() {
	s.rows, s.widest = s.rows[:0], 0
	if len(s.data.Pins) > 0 {
		s.rows = append(s.rows, stateRow{head: "pinned", count: len(s.data.Pins)})
	}
	for i := range s.data.Pins {
		s.rows = append(s.rows, stateRow{pin: &s.data.Pins[i]})
	}
	if !s.data.At.Nowhere() {
		s.rows = append(s.rows, stateRow{head: "changed by this step", count: len(s.data.Changes)})
		for i := range s.data.Changes {
			s.rows = append(s.rows, stateRow{change: &s.data.Changes[i]})
			s.widest = max(s.widest, render.Width(s.data.Changes[i].Name))
		}
	}
	for i := range s.data.Roots {
		s.addNode(&s.data.Roots[i], 0)
	}
	s.Replaced(s.find())
}

func (s *State) addNode(n *Node, depth int) {
	s.rows = append(s.rows, stateRow{node: n, depth: depth})
	if !s.open[n.Path] {
		return
	}
	for i := range n.Kids {
		s.addNode(&n.Kids[i], depth+1)
	}
	if rest := n.Count - int64(len(n.Kids)); rest > 0 {
		s.rows = append(s.rows, stateRow{depth: depth + 1, more: rest})
	}
}

func (s *State) find() int {
	if s.pick == "" {
		return 0
	}
	for path := s.pick; path != ""; path = path[:max(strings.LastIndexByte(path, '/'), 0)] {
		found := -1
		for i, r := range s.rows {
			if r.path() == path && (found < 0 || r.part() == s.part) {
				found = i
			}
		}
		if found >= 0 {
			return found
		}
	}
	return 0
}

// part tells apart where a path stands: among the pins, the changes, the tree.
func (r *stateRow) part() byte {
	switch {
	case r.pin != nil:
		return 'p'
	case r.change != nil:
		return 'c'
	}
	return 't'
}

func (r *stateRow) path() string {
	switch {
	case r.pin != nil:
		return r.pin.Path
	case r.node != nil:
		return r.node.Path
	case r.change != nil:
		return r.change.Path
	}
	return ""
}

func (s *State) picked() {
	if i := s.Cursor(); i >= 0 && s.rows[i].path() != "" {
		s.pick, s.part = s.rows[i].path(), s.rows[i].part()
	}
}

// Path is the selected path; empty where none is.
func (s *State) Path() string {
	if i := s.Cursor(); i >= 0 {
		return s.rows[i].path()
	}
	return ""
}

// Text is the text of the selected value, to search for; empty where it has
// none.
func (s *State) Text() string {
	i := s.Cursor()
	if i < 0 {
		return ""
	}
	if n := s.rows[i].node; n != nil {
		return n.Text
	}
	if n := find(s.data.Roots, s.rows[i].path()); n != nil {
		return n.Text
	}
	return ""
}

// File is the selected file; empty where another place is selected.
func (s *State) File() string {
	if p, ok := model.ParseStatePath(s.Path()); ok {
		return p.File
	}
	return ""
}

// Event is the event that the selected place speaks of: a message's, a call's.
func (s *State) Event() (travel.Place, bool) {
	n := find(s.data.Roots, s.Path())
	if n == nil || n.Event.Nowhere() {
		return travel.Place{}, false
	}
	return n.Event, true
}

func find(nodes []Node, path string) *Node {
	if path == "" {
		return nil
	}
	for i := range nodes {
		n := &nodes[i]
		if n.Path == path {
			return n
		}
		if strings.HasPrefix(path, n.Path+"/") {
			return find(n.Kids, path)
		}
	}
	return nil
}

// Fold closes what is selected, or goes to what it stands in; it reports
// whether it could do either.
func (s *State) Fold() bool {
	i := s.Cursor()
	if i < 0 || s.rows[i].node == nil {
		return false
	}
	if n := s.rows[i].node; s.open[n.Path] && n.inner() {
		delete(s.open, n.Path)
		s.lay()
		return true
	}
	for j := i - 1; j >= 0 && s.rows[i].depth > 0; j-- {
		if s.rows[j].node != nil && s.rows[j].depth < s.rows[i].depth {
			s.Select(j)
			return true
		}
	}
	return false
}

// Unfold opens what is selected; all: with everything below it.
func (s *State) Unfold(all bool) {
	s.each(func(n *Node) { s.unfold(n, all) })
}

func (s *State) unfold(n *Node, all bool) {
	if !n.inner() {
		return
	}
	s.open[n.Path] = true
	for i := range n.Kids {
		if all {
			s.unfold(&n.Kids[i], true)
		}
	}
}

// FoldAll closes what is selected and everything below it.
func (s *State) FoldAll() {
	s.each(func(n *Node) {
		for path := range s.open {
			if path == n.Path || strings.HasPrefix(path, n.Path+"/") {
				delete(s.open, path)
			}
		}
	})
}

// Toggle opens what is closed and closes what is open.
func (s *State) Toggle() {
	s.each(func(n *Node) {
		if s.open[n.Path] {
			delete(s.open, n.Path)
		} else {
			s.unfold(n, false)
		}
	})
}

func (s *State) each(f func(*Node)) {
	if i := s.Cursor(); i >= 0 && s.rows[i].node != nil {
		f(s.rows[i].node)
		s.lay()
	}
}

func (n *Node) inner() bool { return len(n.Kids) > 0 || n.Count > 0 }

// Len implements widget.Rows.
func (s *State) Len() int { return len(s.rows) }

// Ends implements widget.Rows.
func (s *State) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (s *State) More(bool, int) {}

// Line implements widget.Rows.
func (s *State) Line(i, width int, _ bool) render.Line {
	r := s.rows[i]
	switch {
	case r.pin != nil:
		return PinLine(*r.pin, s.Pulse(r.pin.Path), width)
	case r.change != nil:
		name := render.Pad(r.change.Name, min(max(s.widest, nameWidth(width)), max(width/2, 1)))
		return render.Cut(append(append(name[:len(name):len(name)], render.Span{Text: " "}), r.change.Line...), width)
	case r.node != nil:
		return s.nodeLine(r, width)
	case r.more > 0:
		return render.Line{{Text: spaces(2*r.depth+2) + "… " + text.Count(r.more) + " more", Role: theme.Dim}}
	}
	role := theme.Dim
	if r.count > 0 {
		role = theme.Changed
	}
	return render.Line{{Text: r.head + "  ", Role: theme.Heading}, {Text: strconv.Itoa(r.count), Role: role}}
}

// nameWidth is the room for the names of places.
func nameWidth(width int) int { return between(width*2/5, 14, 36) }

func between(n, lo, hi int) int { return max(min(n, hi), lo) }

func (s *State) nodeLine(r stateRow, width int) render.Line {
	n := r.node
	sign := "  "
	if n.inner() {
		if sign = s.Look.Glyphs.Folded + " "; s.open[n.Path] {
			sign = s.Look.Glyphs.Unfolded + " "
		}
	}
	lead := render.Line{{Text: spaces(2*min(r.depth, 6)) + sign, Role: theme.Punct}}
	role := theme.Key
	switch {
	case r.depth == 0:
		role = theme.Heading
	case n.File != "":
		role = theme.Link
	}
	name := n.Name
	if room := nameWidth(width) - render.Width(lead); n.File != "" && room > 1 {
		name = text.CutMiddle(name, room)
	}
	l := append(lead, render.Span{Text: name, Role: role})
	if n.Name == "" {
		l = append(lead[:1:1], n.Value...)
	} else {
		l = append(render.Pad(l, nameWidth(width)), render.Span{Text: " "})
		l = append(l, n.Value...)
	}
	if n.By == nil {
		return render.Cut(l, width)
	}
	by := render.Span{Text: " " + strconv.FormatInt(n.By.Seq, 10), Role: theme.Seq}
	if n.Changed {
		by.Role = theme.Changed
	}
	return append(render.Pad(l, max(width-len(by.Text), 1)), by)
}
