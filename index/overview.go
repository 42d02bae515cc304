package index

import (
	"context"
	"slices"
	"sort"
	"time"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/query"
)

// Overview is a whole session at a glance: its positions from 1 to Last, cut
// into stretches of one length.
type Overview struct {
	Last    int64
	Buckets []Bucket
	Sampled bool // Rows of long stretches are estimated
	// Pace is what usually passes between two events: the median over the
	// stretches, so that a night without events is none of it. 0 where no times
	// tell.
	Pace time.Duration
}

// Bucket counts what stands in one stretch of an Overview.
type Bucket struct {
	Rows        int64 // that Page would show
	Failed      int64 // events, shown or not
	Checkpoints int64 // likewise
}

// Overview cuts a session into n stretches and counts what Page shows in each.
// Where the index decides the filter its cost is bounded, whatever the session's
// length; else it reads the session's records.
func (x *Index) Overview(ctx context.Context, q PageQuery, n int) (Overview, error) {
	return x.overview(ctx, q, n, overviewBudget)
}

// overviewBudget is how many events are looked at, in longer sessions as a
// sample: the picture is drawn in eight heights.
const overviewBudget = 1 << 16

func (x *Index) overview(ctx context.Context, q PageQuery, n int, budget int64) (Overview, error) {
	spec, err := x.spec(ctx, q)
	if err != nil {
		return Overview{}, err
	}
	s, ok, err := x.st.Reader().Session(ctx, spec.Session)
	if err != nil || !ok || n < 1 {
		return Overview{}, err
	}
	text := query.NeedsText(q.Where)
	cut := spec
	if text {
		cut.Where = nil
	}
	found, sampled, err := x.st.Reader().Buckets(ctx, cut, s.LastPos, n, budget)
	if err != nil {
		return Overview{}, err
	}
	out := Overview{Last: s.LastPos, Sampled: sampled && !text, Buckets: make([]Bucket, n), Pace: pace(found, s.Ended)}
	for i, b := range found {
		out.Buckets[i] = Bucket{Rows: b.Rows, Failed: b.Failed, Checkpoints: b.Checkpoints}
		if text {
			out.Buckets[i].Rows = 0
		}
	}
	if text {
		spec.Limit, spec.From = 0, 0
		err = x.each(ctx, spec, func(e model.Event) bool {
			i := sort.Search(n-1, func(i int) bool { return found[i].Last >= e.Pos })
			out.Buckets[i].Rows++
			return ctx.Err() == nil
		})
	}
	return out, err
}

// pace is the median time between two events, by the times at which the buckets
// begin.
func pace(buckets []store.Bucket, end model.Time) time.Duration {
	var all []time.Duration
	for i, b := range buckets {
		next := end
		for j := i + 1; j < len(buckets); j++ {
			if buckets[j].Last >= buckets[j].First {
				next = buckets[j].Start
				break
			}
		}
		if n := b.Last - b.First + 1; n > 0 && b.Start.Known && next.Known && next.Naive == b.Start.Naive && next.Nanos >= b.Start.Nanos {
			all = append(all, time.Duration((next.Nanos-b.Start.Nanos)/n))
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
