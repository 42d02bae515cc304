package index

import (
	"context"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
)

// curveBuckets is how many stretches a session is cut into for its curves.
const curveBuckets = 256

// drawn is what the sessions spent: the curves and checkpoints of the main one,
// and of all the answers that the model took longest for and those that told most.
type drawn struct {
	curves *answer.Curves
	drops  []answer.Drop
	slow   longest
	dear   costliest
}

// draw looks through the sessions whose states are there.
func (x *Index) draw(ctx context.Context, list []model.Session) (drawn, error) {
	out := drawn{drops: []answer.Drop{}}
	main, _, _ := mainSession(list)
	for _, m := range list {
		ok, err := x.hasStates(ctx, m.ID)
		if err != nil {
			return out, err
		}
		if !ok {
			continue
		}
		curves, drops, err := x.curves(ctx, m, &out)
		if err != nil {
			return out, err
		}
		if m.Key == main.Key {
			out.curves, out.drops = curves, drops
		}
	}
	return out, nil
}

// curves draws the curves of a session, and its checkpoints with the tokens in
// context before and behind each.
func (x *Index) curves(ctx context.Context, s model.Session, all *drawn) (*answer.Curves, []answer.Drop, error) {
	list, err := x.Checkpoints(ctx, s.ID)
	if err != nil {
		return nil, nil, err
	}
	d := &drawing{key: s.Key, last: s.LastPos, buckets: int(min(s.LastPos, curveBuckets))}
	drops := &dropping{list: list, before: make([]*int64, len(list)), after: make([]*int64, len(list))}
	err = together(ctx, func(ctx context.Context) error {
		return x.spending(ctx, s.Key, s.LastPos, func(pos int64, u model.Usage) {
			if n := requested(u); n > 0 {
				d.context.add(d, pos, float64(n))
				drops.request(pos, n)
			}
			if u.Told.Has(model.ToldCost) && u.CostUSD > 0 {
				d.cost.add(d, pos, u.CostUSD)
			}
			all.dear.add(spent{site{s.Key, pos}, u})
		})
	}, func(ctx context.Context) error { return x.latency(ctx, d, &all.slow) })
	if err != nil {
		return nil, nil, err
	}
	out := &answer.Curves{Session: s.ID, Last: s.LastPos, Buckets: d.buckets, Drops: make([]int64, 0, len(list))}
	for _, c := range list {
		out.Drops = append(out.Drops, c.Last)
	}
	refs, err := x.refsAcross(ctx, append(drops.sites(s.Key), d.context.most, d.cost.most, d.times.most))
	if err != nil {
		return nil, nil, err
	}
	out.Context, out.Cost, out.Latency = d.context.answer(refs), d.cost.answer(refs), d.times.answer(refs)
	return out, drops.answers(s.Key, refs), nil
}

// latency adds the time from each last thing that the model was given to the
// first that it made of it.
func (x *Index) latency(ctx context.Context, d *drawing, slow *longest) error {
	var since int64
	waits := false
	return x.st.Reader().Beats(ctx, d.key, func(b store.Beat) error {
		if made := b.Kind == model.KindAction || b.Kind == model.KindMessage && b.Model && !b.Turn; !made {
			since, waits = b.Nanos, true
			return nil
		}
		if waits && b.Nanos >= since {
			d.times.add(d, b.Pos, float64(b.Nanos-since)/1e9)
			slow.add(long{at: site{d.key, b.Pos}, nanos: b.Nanos - since})
		}
		waits = false
		return nil
	})
}

// drawing is the curves of a session on their way.
type drawing struct {
	key, last            int64
	buckets              int
	context, cost, times series
}

// series gathers values by stretches.
type series struct {
	answer.Curve
	most site
}

func (c *series) add(d *drawing, pos int64, v float64) {
	b := int((pos - 1) * int64(d.buckets) / max(d.last, 1))
	if c.Count++; c.Count == 1 {
		c.Min, c.Max, c.most = v, v, site{d.key, pos}
	}
	if v > c.Max {
		c.Max, c.most = v, site{d.key, pos}
	}
	c.Min = min(c.Min, v)
	c.Sum += v
	n := len(c.Points)
	if n == 0 || c.Points[n-1].Bucket != b {
		c.Points = append(c.Points, answer.Point{Bucket: b, Count: 1, Min: v, Max: v, Last: v})
		return
	}
	p := &c.Points[n-1]
	p.Count, p.Min, p.Max, p.Last = p.Count+1, min(p.Min, v), max(p.Max, v), v
}

// answer is the curve; nil where there is nothing to draw.
func (c *series) answer(refs map[site]answer.Ref) *answer.Curve {
	if c.Count == 0 {
		return nil
	}
	c.MaxAt = refs[c.most]
	return &c.Curve
}

// dropping finds what stood in context around each checkpoint.
type dropping struct {
	list          []Checkpoint
	before, after []*int64
	next          int // the first that no request came behind
	last          *int64
}

// request takes a request's tokens, in pos order.
func (d *dropping) request(pos, n int64) {
	for d.next < len(d.list) && d.list[d.next].Last < pos {
		d.before[d.next], d.after[d.next] = d.last, &n
		d.next++
	}
	d.last = &n
}

func (d *dropping) sites(key int64) (out []site) {
	for _, c := range d.list {
		out = append(out, site{key, c.First}, site{key, c.Last})
	}
	return out
}

func (d *dropping) answers(key int64, refs map[site]answer.Ref) []answer.Drop {
	out := make([]answer.Drop, len(d.list))
	for ; d.next < len(d.list); d.next++ {
		d.before[d.next] = d.last
	}
	for i, c := range d.list {
		out[i] = answer.Drop{ID: orNil(c.ID), First: refs[site{key, c.First}], Last: refs[site{key, c.Last}], Before: d.before[i], After: d.after[i]}
	}
	return out
}
