package pane

import (
	"slices"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

// Effects shows what followed from an event, as a list nearest first or as a
// tree. Its shape is at hand; its events are fetched as they come into view.
type Effects struct {
	*widget.List
	Tree bool

	impact *index.Impact
	total  answer.Sum
	home   string // the session of the event that it is about
	folder string // in which that works
	rows   []effectRow
	folded map[int32]bool
	known  map[int32]knownEffect
	sums   int            // how often they were replaced
	asked  map[int32]bool // and on their way, or not to be had
	lacks  []int32        // that were drawn without
	look   *widget.Look
}

// knownEffect is an event that was fetched, with the sums that stood then.
type knownEffect struct {
	answer.Effect
	sums int
}

type effectRow struct{ node, indent int32 }

// knownEffects bounds the events that are kept at hand.
const knownEffects = 20_000

// NewEffects makes a page of what followed from an event of session home, which
// works in a folder.
func NewEffects(look *widget.Look, home, folder string, m *index.Impact, total answer.Sum) *Effects {
	e := &Effects{home: home, folder: folder, look: look, folded: map[int32]bool{}}
	e.List = widget.NewList(look, e)
	e.List.Head = e.head
	e.Set(m, total)
	e.lay(-1)
	return e
}

// Set gives it the same events with other sums.
func (e *Effects) Set(m *index.Impact, total answer.Sum) {
	e.impact, e.total = m, total
	e.sums++
	e.asked = map[int32]bool{}
	if e.known == nil {
		e.known = map[int32]knownEffect{}
	}
}

// Impact is what it shows.
func (e *Effects) Impact() *index.Impact { return e.impact }

// Know takes events that were fetched for nodes.
func (e *Effects) Know(nodes []int32, list []answer.Effect) {
	if len(e.known) > knownEffects {
		e.known, e.asked = map[int32]knownEffect{}, map[int32]bool{}
	}
	for i, n := range nodes {
		e.known[n] = knownEffect{list[i], e.sums}
	}
}

// Lacks gives the nodes that were drawn without their events, with some beside
// them; each is named once.
func (e *Effects) Lacks() []int32 {
	if len(e.lacks) == 0 {
		return nil
	}
	const beside = 100
	e.lacks = e.lacks[:0]
	from, to := e.Visible()
	var out []int32
	for _, r := range e.rows[max(from-beside, 0):min(to+beside, len(e.rows))] {
		if k := e.known[r.node]; k.sums != e.sums && !e.asked[r.node] {
			e.asked[r.node] = true
			out = append(out, r.node)
		}
	}
	return out
}

// Target is where the selected row leads.
func (e *Effects) Target() (travel.Place, bool) {
	i := e.Cursor()
	if i < 0 {
		return travel.Place{}, false
	}
	f, ok := e.known[e.rows[i].node]
	return placeOf(f.Event), ok
}

// Switch turns the list into the tree, or back; the cursor stays on its event.
func (e *Effects) Switch() {
	node := e.node()
	e.Tree = !e.Tree
	e.lay(node)
}

func (e *Effects) node() int32 {
	if i := e.Cursor(); i >= 0 {
		return e.rows[i].node
	}
	return -1
}

// Fold hides what is below the selected event; where that is hidden already, or
// nothing, it goes to the event above.
func (e *Effects) Fold() {
	node := e.node()
	if node < 0 || !e.Tree {
		return
	}
	if !e.folded[node] && len(e.impact.Below(node)) > 0 {
		e.folded[node] = true
		e.lay(node)
		return
	}
	up := e.impact.Parent(node)
	if i := slices.IndexFunc(e.rows, func(r effectRow) bool { return r.node == up }); i >= 0 {
		e.Select(i)
	}
}

// Unfold shows what is below the selected event.
func (e *Effects) Unfold() {
	if node := e.node(); e.Tree && e.folded[node] {
		delete(e.folded, node)
		e.lay(node)
	}
}

// Toggle folds what is unfolded and unfolds what is folded.
func (e *Effects) Toggle() {
	if node := e.node(); e.folded[node] {
		e.Unfold()
	} else if node >= 0 && len(e.impact.Below(node)) > 0 {
		e.Fold()
	}
}

// FoldAll folds all that is below the selected event, right below which its own
// stay in view; UnfoldAll unfolds it.
func (e *Effects) FoldAll(fold bool) {
	node := e.node()
	if node < 0 || !e.Tree {
		return
	}
	open := []int32{node}
	for len(open) > 0 {
		n := open[len(open)-1]
		kids := e.impact.Below(n)
		open = append(open[:len(open)-1], kids...)
		if fold && len(kids) > 0 {
			e.folded[n] = true
		} else {
			delete(e.folded, n)
		}
	}
	e.lay(node)
}

// lay lists the rows, with the cursor on a node, or the first. In the tree an
// event that led to one only has that right below it, not indented, so that a
// chain of any length stays legible.
func (e *Effects) lay(node int32) {
	e.rows = e.rows[:0]
	if !e.Tree {
		for _, n := range e.impact.Near(0, e.impact.Len()) {
			e.rows = append(e.rows, effectRow{node: n})
		}
	} else {
		var open []effectRow
		put := func(kids []int32, indent int32) {
			for _, k := range slices.Backward(kids) {
				open = append(open, effectRow{k, indent})
			}
		}
		for _, s := range slices.Backward(e.impact.Starts()) {
			put(e.impact.Below(s), 0)
		}
		for len(open) > 0 {
			r := open[len(open)-1]
			open = open[:len(open)-1]
			e.rows = append(e.rows, r)
			if kids := e.impact.Below(r.node); !e.folded[r.node] && len(kids) > 1 {
				put(kids, r.indent+1)
			} else if !e.folded[r.node] {
				put(kids, r.indent)
			}
		}
	}
	e.Replaced(max(slices.IndexFunc(e.rows, func(r effectRow) bool { return r.node == node }), 0))
}

// Len implements widget.Rows.
func (e *Effects) Len() int { return len(e.rows) }

// Ends implements widget.Rows.
func (e *Effects) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: the shape is at hand.
func (e *Effects) More(bool, int) {}

func (e *Effects) head(width int) render.Line {
	g := e.look.Glyphs
	l := append(render.SumColumns(e.total, width).Head(), render.Span{Text: "    "},
		render.Span{Text: g.ArrowRecorded, Role: theme.Recorded}, render.Span{Text: " recorded  ", Role: theme.Dim},
		render.Span{Text: g.ArrowInferred, Role: theme.Inferred}, render.Span{Text: " inferred", Role: theme.Dim})
	return render.Cut(l, width)
}

// Line implements widget.Rows.
func (e *Effects) Line(i, width int, _ bool) render.Line {
	const deepest = 12 // indents; the depth is told beside
	r := e.rows[i]
	f, ok := e.known[r.node]
	if f.sums != e.sums {
		e.lacks = append(e.lacks, r.node)
	}
	if !ok {
		return render.Line{{Text: "  " + e.look.Glyphs.Ellipsis, Role: theme.Dim}}
	}
	l := append(render.SumColumns(e.total, width).Row(f.Effect), render.Span{Text: spaces(2 + 2*int(min(r.indent, deepest)))})
	fold := "  "
	if e.Tree && len(e.impact.Below(r.node)) > 0 {
		fold = e.look.Glyphs.Unfolded + " "
		if e.folded[r.node] {
			fold = e.look.Glyphs.Folded + " "
		}
	}
	l = append(append(l, render.Span{Text: fold, Role: theme.Dim}), arrow(f.Via, e.look.Glyphs)...)
	return render.Cut(eventLine(l, f.Event, e.home, e.folder, e.look.Glyphs)(width), width)
}
