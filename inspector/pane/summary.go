package pane

import (
	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Summary is a session's summary as a list: rows that lead to an event can be
// gone to, and the cursor passes over the others where it can.
type Summary struct {
	*widget.List
	stats answer.Stats
	at    int64 // pos of the reader's place
	width int   // for which the rows were laid out
	head  int   // rows of the verdict, which depend on the width
	rows  []render.StatsRow
}

// NewSummary makes the page of a summary; at is the pos of the reader's place.
func NewSummary(look *widget.Look, s answer.Stats, at int64) *Summary {
	p := &Summary{stats: s, at: at}
	p.List = widget.NewList(look, p)
	p.layOut(80)
	p.Select(p.next(-1, 1))
	return p
}

// margin is what stands before each row.
const margin = 2

func (p *Summary) layOut(width int) {
	p.width = width
	room := max(width-margin, 1)
	p.rows = p.rows[:0]
	for _, l := range render.Wrap(render.Verdict(p.stats.Verdict), room, 1) {
		p.rows = append(p.rows, render.StatsRow{Line: l})
	}
	p.head = len(p.rows)
	p.rows = append(p.rows, render.StatsRows(p.stats, render.StatsOptions{Width: room, Glyphs: p.Look.Glyphs, At: p.at})...)
}

// Draw implements tview.Primitive.
func (p *Summary) Draw(screen tcell.Screen) {
	if _, _, w, _ := p.GetInnerRect(); w != p.width {
		below := p.Cursor() - p.head
		p.layOut(w)
		p.Select(max(p.head+below, 0))
	}
	p.List.Draw(screen)
}

// Len implements widget.Rows.
func (p *Summary) Len() int { return len(p.rows) }

// Ends implements widget.Rows.
func (p *Summary) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (p *Summary) More(bool, int) {}

// Line implements widget.Rows.
func (p *Summary) Line(i, width int, selected bool) render.Line {
	mark := " "
	if selected && p.rows[i].To != nil {
		mark = p.Look.Glyphs.Cursor
	}
	return render.Cut(append(render.Line{{Text: text.Pad(mark, margin), Role: theme.Mark}}, p.rows[i].Line...), width)
}

// Move moves the cursor by n rows, and on to the next that leads somewhere if
// that is near.
func (p *Summary) Move(n int) {
	step := 1
	if n < 0 {
		step = -1
	}
	to := min(max(p.Cursor()+n, 0), len(p.rows)-1)
	if p.rows[to].To == nil {
		to = p.next(to, step)
	}
	p.Select(to)
}

// next is the nearest row behind i in a direction that leads somewhere, if it can
// be seen from there; else the row next to i.
func (p *Summary) next(i, step int) int {
	for k := 1; k <= max(p.Height(), 10); k++ {
		if to := i + k*step; to >= 0 && to < len(p.rows) && p.rows[to].To != nil {
			return to
		}
	}
	return min(max(i, 0), len(p.rows)-1)
}

// Target is where the selected row leads.
func (p *Summary) Target() (travel.Place, bool) {
	i := p.Cursor()
	if i < 0 || p.rows[i].To == nil {
		return travel.Place{}, false
	}
	r := p.rows[i].To
	return travel.Place{Session: r.Session, Pos: r.Pos, Seq: r.Seq}, true
}
