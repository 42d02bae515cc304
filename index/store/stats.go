package store

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"math"
	"slices"

	"hindcast/model"
	"hindcast/model/query"
)

// Count is a name with its events; copied and inherited ones are not counted.
type Count struct {
	Name   string
	Events int64
	Failed int64
	Bytes  int64
}

// Stats are the counts of one session, or of all.
type Stats struct {
	Events, Failed, Copies, Inherited int64
	Bytes                             int64 // of all records, copied ones too
	Kinds                             []Count
	Types                             []Count // most events first, then by name
}

// within are the keys of a session, or of all for 0.
func within(session int64) (lo, hi int64) {
	if session == 0 {
		return math.MinInt64, math.MaxInt64
	}
	return keys(session)
}

// group is what events are counted by: a few hundred of them at most in a
// sane dump.
type group struct{ kind, shape, outcome int64 }

// Stats counts in one pass over the events of a session (0: of all).
func (r *Reader) Stats(ctx context.Context, session int64) (Stats, error) {
	var s Stats
	groups := map[group]*Count{}
	lo, hi := within(session)
	// Grouped here and not by SQLite, which would sort all rows first.
	err := r.each(ctx, "counts", "SELECT flags, length FROM events WHERE key BETWEEN ? AND ?", []any{lo, hi}, func(rows *sql.Rows) error {
		var flags, length int64
		if err := rows.Scan(&flags, &length); err != nil {
			return err
		}
		s.Bytes += length
		switch model.Origin(flags >> shiftOrigin & 3) {
		case model.OriginCopied:
			s.Copies++
			return nil
		case model.OriginInherited:
			s.Inherited++
			return nil
		}
		g := group{flags >> shiftKind & 15, flags >> shiftShape, flags >> shiftOutcome & 3}
		c := groups[g]
		if c == nil {
			c = &Count{}
			groups[g] = c
		}
		c.Events++
		c.Bytes += length
		return nil
	})
	if err != nil {
		return s, err
	}
	kinds, types := map[string]*Count{}, map[string]*Count{}
	for g, c := range groups {
		shape, err := r.shapes.get(ctx, g.shape)
		if err != nil {
			return s, wrap("counts", err)
		}
		if model.Outcome(g.outcome).Failed() {
			c.Failed = c.Events
		}
		s.Events += c.Events
		s.Failed += c.Failed
		tally(kinds, model.Kind(g.kind).String(), c)
		tally(types, shape.Type, c)
	}
	s.Kinds, s.Types = ranked(kinds), ranked(types)
	return s, nil
}

func tally(m map[string]*Count, name string, c *Count) {
	t := m[name]
	if t == nil {
		t = &Count{Name: name}
		m[name] = t
	}
	t.Events += c.Events
	t.Bytes += c.Bytes
	t.Failed += c.Failed
}

func ranked(m map[string]*Count) []Count {
	out := make([]Count, 0, len(m))
	for c := range maps.Values(m) {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(cmp.Compare(b.Events, a.Events), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// TimeSpan finds the earliest and the latest known time of a session (0: of
// all) with the precision of their sources.
func (r *Reader) TimeSpan(ctx context.Context, session int64) (first, last model.Time, err error) {
	lo, hi := within(session)
	for _, end := range []struct {
		f  string
		to *model.Time
	}{{"min", &first}, {"max", &last}} {
		var nanos, flags sql.NullInt64
		// SQLite takes the bare column from the row of the extreme.
		if _, err = r.one(ctx, "times", "SELECT "+end.f+"(time), flags FROM events WHERE key BETWEEN ? AND ?", []any{lo, hi}, &nanos, &flags); err != nil {
			return first, last, err
		}
		if nanos.Valid {
			*end.to = timeOf(flags.Int64, nanos.Int64)
		}
	}
	return first, last, nil
}

// Usage sums the usage of a session (0: of all).
func (r *Reader) Usage(ctx context.Context, session int64) (model.Usage, error) {
	var sum model.Usage
	rows, err := r.SessionRows(ctx)
	for _, s := range rows {
		if session == 0 || s.Key == session {
			sum = sum.Add(s.Usage)
		}
	}
	return sum, err
}

// LinkCount counts the links of a session's events (0: of all) that lead
// somewhere.
func (r *Reader) LinkCount(ctx context.Context, session int64) (n int64, err error) {
	const text = `SELECT (SELECT count(*) FROM events WHERE cause IS NOT NULL AND key BETWEEN ?1 AND ?2) +
		(SELECT count(*) FROM links WHERE code >> 4 & 3 = 0 AND back IS NOT NULL AND src BETWEEN ?1 AND ?2)`
	first, last := int64(0), int64(math.MaxInt64)
	if session > 0 {
		first, last = (session-1)<<32, session<<32-1
	}
	_, err = r.one(ctx, "links", text, []any{first, last}, &n)
	return n, err
}

// Names lists the distinct values of a field that occur, in bytewise order:
// types, tools, sources, and sessions.
func (r *Reader) Names(ctx context.Context, f query.Field) (out []string, err error) {
	text, ok := map[query.Field]string{
		query.FieldType: "SELECT DISTINCT type FROM shapes WHERE type IS NOT NULL", query.FieldTool: "SELECT DISTINCT tool FROM shapes WHERE tool IS NOT NULL",
		query.FieldSource: "SELECT DISTINCT source FROM shapes WHERE source IS NOT NULL", query.FieldSession: "SELECT DISTINCT name FROM sessions WHERE name IS NOT NULL",
	}[f]
	if !ok {
		return nil, nil
	}
	err = r.each(ctx, "names", text, nil, func(rows *sql.Rows) error {
		var v any
		err := rows.Scan(&v)
		out = append(out, unpackText(v))
		return err
	})
	slices.Sort(out)
	return out, err
}

// EventsAt reads several events of a session, by pos, without their links.
func (r *Reader) EventsAt(ctx context.Context, session int64, positions []int64) (map[int64]model.Event, error) {
	return r.eventsAt(ctx, session, positions, false)
}

func (r *Reader) eventsAt(ctx context.Context, session int64, positions []int64, withLinks bool) (map[int64]model.Event, error) {
	out := make(map[int64]model.Event, len(positions))
	keys := make([]int64, len(positions))
	for i, pos := range positions {
		keys[i] = keyOf(session, pos)
	}
	const text = "SELECT " + eventColumns + " FROM events WHERE key " + inList + " ORDER BY key"
	events, at, err := r.events(ctx, text, []any{listOf(keys)}, &compiled{}, false)
	if err == nil {
		err = r.complete(ctx, events, at, withLinks)
	}
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		out[e.Pos] = e
	}
	return out, nil
}
