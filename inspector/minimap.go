package inspector

import (
	"context"
	"slices"
	"sort"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/render/theme"
)

// outline is what is known of the session as a whole, besides its counts.
type outline struct {
	chart  minimap
	found  findings
	checks map[string]findings // by session, as found
	family family
	cuts   cuts
	work   work
	news   fresh
	slow   *lane // checks, which may take long
}

// minimap is what the row below the header shows of the whole session.
type minimap struct {
	index.Overview
	session string // of the answer; empty: there is none
	epoch   int    // likewise
	asked   struct{ epoch, cells int }
	bars    []widget.Cell // as drawn
}

// showMap asks for the map of the session, as wide as it is drawn. While the
// dump is read it is asked for the less often the more it costs.
func (u *ui) showMap(anew bool) {
	m := &u.chart
	cells := u.frame.size.w - 2*mapEdge
	if u.frame.chart < 0 || cells < 1 || u.session.ID == "" {
		return
	}
	if same := m.asked.epoch == u.epoch && m.asked.cells == cells; same && (!anew || !u.due("map") || u.back.busy("map") && !u.status.Done) {
		return
	}
	m.asked.epoch, m.asked.cells = u.epoch, cells
	epoch, q, last := u.epoch, u.pageQuery(), max(u.session.LastPos, 1)
	u.back.submit("map", func(ctx context.Context) func() {
		begin := time.Now()
		o, err := u.idx.Overview(ctx, q, int(min(last, int64(cells))))
		took := time.Since(begin)
		return func() {
			u.spent["map"] = cost{took, time.Now()}
			if err == nil && epoch == u.epoch {
				u.timeline.View.Pace = o.Pace
				u.chart.Overview, u.chart.session, u.chart.epoch = o, q.Session, epoch
			}
		}
	})
}

// mapEdge is how far the map stands off the edges, in cells.
const mapEdge = 1

// barFull is the height of a stretch all of whose events are shown, and
// barEvents how many of them a stretch stands for at least: where each has a
// cell of its own, the map is no wall.
const barFull, barEvents = 7, 4

// drawMap draws the whole session in one row.
func (u *ui) drawMap(s tcell.Screen, x, y, w int) {
	m := &u.chart
	cells := w - 2*mapEdge
	if m.session != u.session.ID || len(m.Buckets) == 0 || m.Last == 0 {
		return
	}
	m.bars = slices.Grow(m.bars[:0], cells)[:cells]
	full := max(m.Last/int64(len(m.Buckets)), barEvents)
	failed, checkpoints := make([]int64, cells), make([]int64, cells)
	for i, n, before := 0, len(m.Buckets), -1; i < cells; i++ {
		k := i * n / cells
		b := m.Buckets[k]
		m.bars[i] = widget.Cell{Level: int((b.Rows*barFull + full - 1) / full), Role: theme.Dim}
		if k == before { // an event is wider than a cell: its sign stands in the first
			continue
		}
		before = k
		failed[i], checkpoints[i] = b.Failed, b.Checkpoints
		if b.Failed > 0 {
			m.bars[i].Role = theme.Fail
		}
	}
	g := u.look.Glyphs
	m.sign(u.hits.spread(m.Last, cells), g.Mark, theme.Match)
	m.sign(checkpoints, g.Checkpoint, theme.Checkpoint)
	m.sign(failed, g.Fail, theme.Fail)
	if u.found.session == m.session {
		m.sign(hits{pos: u.found.pos}.spread(m.Last, cells), g.Finding, theme.Warn)
	}
	for name, p := range u.st.Marks {
		if p.Session == m.session && p.Pos <= m.Last {
			m.bars[m.cell(p.Pos, cells)] = widget.Cell{Sign: string(name), Role: theme.Mark}
		}
	}
	from, to := u.timeline.InView()
	row := widget.Minimap{Look: u.look, Bars: m.bars, Cursor: -1, From: m.cell(from, cells), To: m.cell(to, cells) + 1}
	if !u.st.At.Nowhere() {
		row.Cursor = m.cell(u.st.At.Pos, cells)
	}
	row.Draw(s, x+mapEdge, y)
}

// cell is where a position stands.
func (m *minimap) cell(pos int64, cells int) int {
	n := int64(cells)
	if m.Last < n { // the first of its cells
		return between(int(((pos-1)*n+m.Last-1)/m.Last), 0, cells-1)
	}
	return between(int((pos*n-1)/m.Last), 0, cells-1)
}

// sign puts a sign where something stands, and where too many cells would have
// one, where most does.
func (m *minimap) sign(counts []int64, sign string, role theme.Role) {
	least := int64(1)
	some := slices.DeleteFunc(slices.Clone(counts), func(n int64) bool { return n == 0 })
	if limit := len(m.bars) / 4; len(some) > limit {
		slices.Sort(some)
		least = some[len(some)-limit-1] + 1
	}
	for i, n := range counts {
		if n >= least {
			m.bars[i].Sign, m.bars[i].Role = sign, role
		}
	}
}

// spread counts the hits in each of so many cells.
func (h hits) spread(last int64, cells int) []int64 {
	out := make([]int64, cells)
	if len(h.pos) == 0 {
		return out
	}
	before := 0
	for i := range out {
		end := last * int64(i+1) / int64(cells)
		n := sort.Search(len(h.pos), func(k int) bool { return h.pos[k] > end })
		out[i], before = int64(n-before), n
	}
	return out
}

// mapAt is the position for which a cell of the screen stands.
func (u *ui) mapAt(x, y int) (int64, bool) {
	m := &u.chart
	cells := u.frame.size.w - 2*mapEdge
	if y != u.frame.chart || u.frame.chart < 0 || m.session != u.session.ID || m.Last == 0 {
		return 0, false
	}
	i := between(x-u.frame.size.x-mapEdge, 0, cells-1)
	return m.Last*int64(i)/int64(cells) + 1, true
}

// toMap goes to the row at or after a position, else to the last one. A drag is
// one jump, however far it goes.
func (u *ui) toMap(pos int64, drag bool) {
	epoch, q := u.epoch, u.pageQuery()
	q.From, q.Limit = pos, 1
	u.front.submit("map", func(ctx context.Context) func() {
		rows, err := u.idx.Page(ctx, q)
		if err == nil && len(rows) == 0 {
			q.From, q.Desc = 0, true
			rows, err = u.idx.Page(ctx, q)
		}
		return func() {
			switch {
			case epoch != u.epoch:
			case err != nil:
				u.sayError(err)
			case len(rows) == 0:
			case drag:
				u.step(travel.Move{To: rowPlace(rows[0])})
				u.arrive()
			default:
				u.jump(rowPlace(rows[0]))
			}
		}
	})
}
