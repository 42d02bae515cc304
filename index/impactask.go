package index

import (
	"context"
	"errors"
	"math"
	"strconv"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// impactLimit bounds the events of an impact, and so its memory to some 300 MB.
const impactLimit = 3_000_000

// Impact finds all that followed from events, at any distance.
func (x *Index) Impact(ctx context.Context, from []model.Event) (*Impact, error) {
	starts := make([]store.Step, len(from))
	for i, e := range from {
		key, err := x.key(ctx, e.Session)
		if err != nil {
			return nil, err
		}
		starts[i] = store.Step{Session: key, Pos: e.Pos}
	}
	nodes, whole, err := x.st.Reader().Descend(ctx, starts, impactLimit)
	if err != nil {
		return nil, err
	}
	return NewImpact(nodes, whole), nil
}

const costCell = "/usage/cost_usd" // of usageCells

// ImpactUsage gives an impact with tokens and cost in its sums; it waits for the
// states. Of a session without states they stay unknown.
func (x *Index) ImpactUsage(ctx context.Context, m *Impact) (*Impact, error) {
	sessions := map[int64]map[int64]int32{} // nodes by pos
	for i, n := range m.nodes {
		if n.Parent < 0 {
			continue
		}
		if sessions[n.Session] == nil {
			sessions[n.Session] = map[int64]int32{}
		}
		sessions[n.Session][n.Pos] = int32(i)
	}
	spent := make([]impactUsage, len(m.nodes))
	for key, nodes := range sessions {
		if err := x.spent(ctx, key, nodes, spent); err != nil && !errors.Is(err, errNotFolded) {
			return nil, err
		}
	}
	m.up(func(child, parent int32) {
		c, p := spent[child], &spent[parent]
		p.tokens, p.cost = p.tokens+c.tokens, p.cost+c.cost
		p.toldTokens, p.toldCost = p.toldTokens || c.toldTokens, p.toldCost || c.toldCost
	})
	with := *m
	with.spent = spent
	return &with, nil
}

// spent reads what events of a session added to its usage.
func (x *Index) spent(ctx context.Context, key int64, nodes map[int64]int32, out []impactUsage) error {
	first, last := int64(math.MaxInt64), int64(0)
	for pos := range nodes {
		first, last = min(first, pos), max(last, pos)
	}
	row, _, err := x.st.Reader().Session(ctx, key)
	if err != nil {
		return err
	}
	if _, err = x.folded(ctx, row.ID, last); err != nil {
		return err
	}
	for _, cell := range usageCells {
		h := cellHead{cell: cell, after: first - 1}
		err := h.fill(ctx, x, key)
		for err == nil && len(h.page) > 0 && h.page[0].Pos <= last {
			if at, ok := nodes[h.page[0].Pos]; ok {
				out[at].add(cell, h.page[0])
			}
			err = h.advance(ctx, x, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *impactUsage) add(cell string, w model.Write) {
	now, err := strconv.ParseFloat(string(w.New.JSON), 64)
	if err != nil {
		return // it is unknown from here on
	}
	was, err := strconv.ParseFloat(string(w.Old.JSON), 64)
	if err != nil {
		was = 0
	}
	if cell == costCell {
		u.cost, u.toldCost = u.cost+now-was, true
		return
	}
	u.tokens, u.toldTokens = u.tokens+int64(now-was), true
}

// ImpactEffects reads nodes of an impact.
func (x *Index) ImpactEffects(ctx context.Context, m *Impact, nodes []int32) ([]answer.Effect, error) {
	places := make([]store.Step, 0, len(nodes)*3)
	for _, i := range nodes {
		places = append(places, m.nodes[i].Place(), m.nodes[m.below[i].last].Place())
		if p := m.nodes[i].Parent; p >= 0 {
			places = append(places, m.nodes[p].Place())
		}
	}
	events, err := x.linkedAt(ctx, places)
	if err != nil {
		return nil, err
	}
	out := make([]answer.Effect, len(nodes))
	for k, i := range nodes {
		n := m.nodes[i]
		e := events[n.Place()]
		out[k] = answer.Effect{Event: answer.NewEvent(e), Depth: int64(n.Depth), Sum: m.sum(i)}
		out[k].Sum.Seconds = apart(e.Time, events[m.nodes[m.below[i].last].Place()].Time)
		if n.Parent < 0 {
			continue
		}
		above := events[m.nodes[n.Parent].Place()]
		out[k].Parent = answer.NewRef(model.Ref{Session: above.Session, Seq: above.Seq, Pos: above.Pos, ID: above.ID})
		out[k].Via = viaTo(e.Links, above)
	}
	return out, nil
}

// linkedAt reads events of several sessions with their links, each once.
func (x *Index) linkedAt(ctx context.Context, places []store.Step) (map[store.Step]model.Event, error) {
	const page = 500
	bySession := map[int64][]int64{}
	out := make(map[store.Step]model.Event, len(places))
	for _, p := range places {
		if _, ok := out[p]; !ok {
			out[p] = model.Event{}
			bySession[p.Session] = append(bySession[p.Session], p.Pos)
		}
	}
	for key, positions := range bySession {
		for len(positions) > 0 {
			n := min(page, len(positions))
			found, err := x.st.Reader().LinkedEventsAt(ctx, key, positions[:n])
			if err != nil {
				return nil, err
			}
			for pos, e := range found {
				out[store.Step{Session: key, Pos: pos}] = e
			}
			positions = positions[n:]
		}
	}
	return out, nil
}

// viaTo is the link from an event to the one above it, the preferred of several.
func viaTo(links []model.Link, to model.Event) answer.Via {
	var ways []model.Link
	for _, l := range links {
		if l.To.Session == to.Session && l.To.Pos == to.Pos {
			ways = append(ways, l)
		}
	}
	best := model.PreferredCause(ways)
	if best < 0 {
		return answer.Via{}
	}
	return answer.Via{Reason: ways[best].Reason.String(), Inferred: ways[best].Inferred}
}

// apart is the time between two events, if both tell theirs.
func apart(from, to model.Time) *float64 {
	if !from.Known || !to.Known {
		return nil
	}
	s := float64(to.Nanos-from.Nanos) / 1e9
	return &s
}

// sum is what a node and all below it come to, but the time.
func (m *Impact) sum(node int32) answer.Sum {
	s := answer.Sum{Events: int64(m.below[node].events), Failed: int64(m.below[node].failed)}
	if m.spent == nil {
		return s
	}
	u := m.spent[node]
	if u.toldTokens {
		s.Tokens = &u.tokens
	}
	if u.toldCost {
		cost := math.Round(u.cost*1e9) / 1e9 // what adding floats left behind it
		s.CostUSD = &cost
	}
	return s
}

// ImpactTotal is what all that followed comes to.
func (x *Index) ImpactTotal(ctx context.Context, m *Impact) (answer.Sum, error) {
	starts := m.Starts()
	total := answer.Sum{}
	list, err := x.ImpactEffects(ctx, m, starts)
	for k, i := range starts {
		if err != nil {
			break
		}
		s := list[k].Sum
		s.Events--
		if m.nodes[i].Failed {
			s.Failed--
		}
		total = added(total, s)
	}
	return total, err
}

func added(a, b answer.Sum) answer.Sum {
	a.Events, a.Failed = a.Events+b.Events, a.Failed+b.Failed
	if b.Seconds != nil && (a.Seconds == nil || *b.Seconds > *a.Seconds) {
		a.Seconds = b.Seconds
	}
	if b.Tokens != nil {
		tokens := *b.Tokens
		if a.Tokens != nil {
			tokens += *a.Tokens
		}
		a.Tokens = &tokens
	}
	if b.CostUSD != nil {
		cost := *b.CostUSD
		if a.CostUSD != nil {
			cost += *a.CostUSD
		}
		a.CostUSD = &cost
	}
	return a
}
