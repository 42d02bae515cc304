package index

import (
	"context"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/query"
)

func (x *Index) spec(ctx context.Context, q PageQuery) (store.PageSpec, error) {
	key, err := x.key(ctx, q.Session)
	return store.PageSpec{
		Session: key, From: q.From, Desc: q.Desc, Limit: q.Limit, Where: q.Where, Folded: q.Visibility == Folded,
	}, err
}

// Page returns rows in pos order.
func (x *Index) Page(ctx context.Context, q PageQuery) ([]Row, error) {
	spec, err := x.spec(ctx, q)
	if err != nil {
		return nil, err
	}
	spec.WithLinks = true // which rows belong to one response
	events, err := x.matching(ctx, spec)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(events))
	var mates []int64
	for i, e := range events {
		rows[i].Event = e
		if q.Visibility == Folded && e.Kind == model.KindAction && e.Mate > 0 {
			mates = append(mates, e.Mate)
		}
	}
	if q.Visibility == Folded && q.Where == nil {
		if err := x.countHidden(ctx, spec.Session, rows); err != nil {
			return nil, err
		}
	}
	if len(mates) == 0 {
		return rows, nil
	}
	results, err := x.st.Reader().EventsAt(ctx, spec.Session, mates)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if r, ok := results[rows[i].Event.Mate]; ok && rows[i].Event.Kind == model.KindAction {
			rows[i].Result = &r
		}
	}
	return rows, nil
}

// hiddenLimit bounds how many hidden events a page counts: what is beyond them
// is told as few.
const hiddenLimit = 20_000

// countHidden tells each row what is hidden above it.
func (x *Index) countHidden(ctx context.Context, session int64, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	from := int64(1)
	if first := rows[0].Event.Pos; first > 1 {
		before, _, err := x.st.Reader().Page(ctx, store.PageSpec{Session: session, From: first - 1, Desc: true, Limit: 1, Folded: true, Lean: true})
		if err != nil {
			return err
		}
		if len(before) > 0 {
			from = before[0].Pos + 1
		}
	}
	i, types := 0, map[string]int64{}
	return x.st.Reader().Hidden(ctx, session, from, rows[len(rows)-1].Event.Pos, hiddenLimit, func(pos int64, typ string) {
		for ; i < len(rows) && rows[i].Event.Pos < pos; i++ {
			clear(types)
		}
		if i == len(rows) {
			return
		}
		r := &rows[i]
		r.Hidden++
		if types[typ]++; types[typ] > types[r.HiddenType] || r.HiddenType == "" {
			r.HiddenType = typ
		}
	})
}

// matching reads events until the page is full, and looks at the records' text
// where the filter asks for it.
func (x *Index) matching(ctx context.Context, spec store.PageSpec) ([]model.Event, error) {
	if !query.NeedsText(spec.Where) {
		events, _, err := x.st.Reader().Page(ctx, spec)
		return events, err
	}
	var out []model.Event
	err := x.eachText(ctx, spec, func(e model.Event) bool {
		out = append(out, e)
		return spec.Limit == 0 || len(out) < spec.Limit
	})
	if spec.Desc {
		slices.Reverse(out)
	}
	return out, err
}

// Count tells how many rows a query has, and how many of them stand before pos.
func (x *Index) Count(ctx context.Context, q PageQuery, pos int64) (total, before int64, err error) {
	spec, err := x.spec(ctx, q)
	if err != nil {
		return 0, 0, err
	}
	if !query.NeedsText(q.Where) {
		total, before, _, err = x.st.Reader().Count(ctx, spec, pos)
		return total, before, err
	}
	err = x.each(ctx, spec, func(e model.Event) bool {
		total++
		if e.Pos < pos {
			before++
		}
		return true
	})
	return total, before, err
}

// Next finds the nearest match after or before pos.
func (x *Index) Next(ctx context.Context, session string, pos int64, back bool, where query.Expr) (model.Event, bool, error) {
	key, err := x.key(ctx, session)
	if err != nil {
		return model.Event{}, false, err
	}
	spec := store.PageSpec{Session: key, From: pos + 1, Desc: back, Limit: 1, Where: where}
	if back {
		if spec.From = pos - 1; spec.From < 1 {
			return model.Event{}, false, nil
		}
	}
	found, err := x.matching(ctx, spec)
	if err != nil || len(found) == 0 {
		return model.Event{}, false, err
	}
	return found[0], true, nil
}

// Query walks the matching events of one session, or of all.
func (x *Index) Query(ctx context.Context, session string, where query.Expr, yield func(model.Event) bool) error {
	keys, err := x.keys(ctx, session)
	if err != nil {
		return err
	}
	more := true
	for _, key := range keys {
		err := x.each(ctx, store.PageSpec{Session: key, Where: where, WithLinks: true}, func(e model.Event) bool {
			more = yield(e)
			return more
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

func (x *Index) keys(ctx context.Context, session string) ([]int64, error) {
	if session != "" {
		key, err := x.key(ctx, session)
		return []int64{key}, err
	}
	all, err := x.Sessions(ctx)
	var keys []int64
	for _, s := range all {
		keys = append(keys, s.Key)
	}
	return keys, err
}

// each pages through a session's matching events.
func (x *Index) each(ctx context.Context, spec store.PageSpec, yield func(model.Event) bool) error {
	if query.NeedsText(spec.Where) {
		return x.eachText(ctx, spec, yield)
	}
	spec.Limit = 1000
	for {
		events, _, err := x.st.Reader().Page(ctx, spec)
		if err != nil {
			return err
		}
		for _, e := range events {
			if !yield(e) {
				return nil
			}
		}
		if len(events) < spec.Limit {
			return nil
		}
		spec.From = events[len(events)-1].Pos + 1
	}
}

// Bind resolves since:10m against the last event's time.
func (x *Index) Bind(ctx context.Context, session string, where query.Expr) (query.Expr, error) {
	if !query.Relative(where) {
		return where, nil
	}
	all, err := x.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var last model.Time
	for _, s := range all {
		if (session == "" || s.ID == session) && s.Ended.Known && (!last.Known || s.Ended.Nanos > last.Nanos) {
			last = s.Ended
		}
	}
	return query.Bind(where, last), nil
}
