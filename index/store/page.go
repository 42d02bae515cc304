package store

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/query"
)

// PageSpec asks for a run of events in key order (session, then pos).
type PageSpec struct {
	Session int64 // key; 0: all, in the order of their keys
	// From is the first pos wanted (Desc: the last; 0: from the end). With
	// Session 0 it counts in session After and later sessions are read whole.
	From  int64
	After int64 // with Session 0: the session in which From counts; 0: the first (Desc: the last)
	Desc  bool  // walk back; rows are still returned in ascending order
	Limit int   // rows; at most maxPage, which 0 means too
	Where query.Expr
	// Folded hides noise, copies, and results whose call is known. Where then
	// looks at rows: a term holds for a call where it holds for it or its result.
	Folded    bool
	WithLinks bool
	Lean      bool // Title, Root and Depth are left out: for who reads the records themselves
}

// maxPage bounds a page, whatever its caller asks for.
const maxPage = 10000

// foldedSQL: bit 15 of flags is noise, origin 3 is copied, kind 2 is action.
const foldedSQL = "(flags>>15&1=0 AND flags>>13&3<>3 AND (mate IS NULL OR flags>>8&15=2))"

// Page reads a run of events. Their Links hold the preferred cause first, where
// links are wanted; a link names its target by To, and by ToID only where it
// leads nowhere. Aliases are not kept by event and not filled, except those
// that an inexact filter asks for. exact is false where the filter has terms that
// the index cannot decide: then events is a superset of the
// matches, and the caller evaluates the filter over each row, and reads on.
func (r *Reader) Page(ctx context.Context, p PageSpec) (events []model.Event, exact bool, err error) {
	c, lo, hi, err := r.window(p)
	if err != nil {
		return nil, false, err
	}
	columns := eventColumns
	if p.Lean {
		columns = leanColumns
	}
	text := "SELECT " + columns + c.extraColumns() + " FROM events WHERE key BETWEEN ? AND ?" + c.and() + p.tail()
	args := append(append(c.extraArgs(), lo, hi), append(c.args, p.limit())...)
	events, at, err := r.events(ctx, text, args, c, p.Lean)
	if err != nil {
		return nil, false, err
	}
	if p.Desc {
		slices.Reverse(events)
		slices.Reverse(at)
	}
	return events, c.exact, r.complete(ctx, events, at, p.WithLinks)
}

// Spans is Page for a caller that only looks at the records' bytes: where they
// stand, in the order of the walk (Desc: from the last back). It costs a
// fraction of Page.
func (r *Reader) Spans(ctx context.Context, p PageSpec) (out []Place, err error) {
	c, lo, hi, err := r.window(p)
	if err != nil {
		return nil, err
	}
	result := ", NULL, NULL, NULL"
	if p.Folded {
		const of = " FROM events r WHERE r.key=events.key+events.mate AND events.flags>>8&15=2)"
		result = ", (SELECT source" + of + ", (SELECT offset" + of + ", (SELECT length" + of
	}
	text := "SELECT key, source, offset, length" + result + " FROM events WHERE key BETWEEN ? AND ?" + c.and() + p.tail()
	err = r.each(ctx, "events", text, append(append([]any{lo, hi}, c.args...), p.limit()), func(rows *sql.Rows) error {
		var p Place
		var key int64
		var source, offset, length sql.NullInt64
		err := rows.Scan(&key, &p.Span.Source, &p.Span.Offset, &p.Span.Length, &source, &offset, &length)
		p.Pos = posOf(key)
		p.Result = model.Span{Source: source.Int64, Offset: offset.Int64, Length: length.Int64}
		out = append(out, p)
		return err
	})
	return out, err
}

// Hidden calls f with the noise and the copies between two positions, both
// included, up to a limit.
func (r *Reader) Hidden(ctx context.Context, session, from, to int64, limit int, f func(pos int64, typ string)) error {
	type hidden struct{ key, shape int64 }
	var all []hidden
	const text = "SELECT key, flags>>21 FROM events WHERE key BETWEEN ? AND ? AND (flags>>15&1=1 OR flags>>13&3=3) ORDER BY key LIMIT ?"
	err := r.each(ctx, "events", text, []any{keyOf(session, from), keyOf(session, to), limit}, func(rows *sql.Rows) error {
		var h hidden
		err := rows.Scan(&h.key, &h.shape)
		all = append(all, h)
		return err
	})
	for _, h := range all {
		s, serr := r.shapes.get(ctx, h.shape)
		if err = cmp.Or(err, serr); err != nil {
			return err
		}
		f(posOf(h.key), s.Type)
	}
	return err
}

// window compiles a page's filter, and finds the keys that it need look at.
func (r *Reader) window(p PageSpec) (c *compiled, lo, hi int64, err error) {
	if c, err = r.conditions(p); err != nil {
		return nil, 0, 0, err
	}
	lo, hi = p.bounds()
	return c, max(lo, c.lo(p.Session)), min(hi, c.hi(p.Session)), nil
}

// tail is the end of a page's statement; its parameter is limit.
func (p PageSpec) tail() string {
	if p.Desc {
		return " ORDER BY key DESC LIMIT ?"
	}
	return " ORDER BY key LIMIT ?"
}

func (p PageSpec) limit() int {
	if p.Limit <= 0 || p.Limit > maxPage {
		return maxPage
	}
	return p.Limit
}

// bounds are the keys between which a page lies, both included.
func (p PageSpec) bounds() (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	session := p.Session
	if session != 0 {
		lo, hi = keys(session)
	} else if session = p.After; session == 0 {
		if p.Desc && p.From == 0 {
			return lo, hi
		}
		session = 1
	}
	switch {
	case !p.Desc:
		lo = max(lo, keyOf(session, min(max(p.From, 0), posMask)))
	case p.From > 0:
		hi = min(hi, keyOf(session, min(p.From, posMask)))
	}
	return lo, hi
}

// events runs a query for eventColumns, or leanColumns.
func (r *Reader) events(ctx context.Context, text string, args []any, c *compiled, lean bool) (out []model.Event, places []place, err error) {
	found := make([]any, len(c.ids))
	extra := make([]any, len(c.ids))
	for i := range found {
		extra[i] = &found[i]
	}
	scan := newEventScan(lean, extra...)
	err = r.each(ctx, "events", text, args, func(rows *sql.Rows) error {
		e, at, err := scan.event(rows)
		if err != nil {
			return err
		}
		for _, v := range found {
			if v != nil {
				e.Aliases = append(e.Aliases, unpackID(v))
			}
		}
		out = append(out, e)
		places = append(places, at)
		return nil
	})
	for i := 0; err == nil && i < len(out); i++ {
		var s shape
		s, err = r.shapes.get(ctx, places[i].shape)
		out[i].Type, out[i].Source, out[i].Tool = s.Type, s.Source, s.Tool
	}
	return out, places, wrap("events", err)
}

// Count tells how many events match, and how many of them stand before pos of
// the session. With a filter that is not exact it counts the superset.
func (r *Reader) Count(ctx context.Context, p PageSpec, pos int64) (total, before int64, exact bool, err error) {
	c, err := r.conditions(p)
	if err != nil {
		return 0, 0, false, err
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	if p.Session != 0 {
		lo, hi = keys(p.Session)
	}
	lo, hi = max(lo, c.lo(p.Session)), min(hi, c.hi(p.Session))
	at := keyOf(max(p.Session, 1), min(max(pos, 0), posMask))
	text := "SELECT count(*), coalesce(sum(key<?),0) FROM events WHERE key BETWEEN ? AND ?" + c.and()
	_, err = r.one(ctx, "events", text, append([]any{at, lo, hi}, c.args...), &total, &before)
	return total, before, c.exact, err
}

// Next finds the nearest event after (back: before) pos that matches where.
// Where exact is false the caller checks it and asks again from there.
func (r *Reader) Next(ctx context.Context, session, pos int64, back bool, where query.Expr) (e model.Event, ok, exact bool, err error) {
	p := PageSpec{Session: session, From: pos + 1, Limit: 1, Where: where, WithLinks: true}
	if back {
		if pos <= 1 {
			return e, false, true, nil
		}
		p.From, p.Desc = pos-1, true
	}
	events, exact, err := r.Page(ctx, p)
	if err != nil || len(events) == 0 {
		return e, false, exact, err
	}
	return events[0], true, exact, nil
}

// Nth finds the n-th match of a session, from 1; negative n counts from the
// end. With a filter that is not exact it counts the superset: such callers
// page instead.
func (r *Reader) Nth(ctx context.Context, session int64, where query.Expr, n int64) (e model.Event, ok, exact bool, err error) {
	c, err := r.conditions(PageSpec{Session: session, Where: where})
	if err != nil || n == 0 {
		return e, false, true, err
	}
	order, end := "", "max"
	if n < 0 {
		order, end, n = " DESC", "min", -n
	}
	lo, hi := keys(session)
	lo, hi = max(lo, c.lo(session)), min(hi, c.hi(session))
	// The keys alone: they stand in the index of the filter where it has one.
	text := "SELECT count(*), " + end + "(key) FROM (SELECT key FROM events WHERE key BETWEEN ? AND ?" + c.and() + " ORDER BY key" + order + " LIMIT ?)"
	var count int64
	var key sql.NullInt64
	if _, err = r.one(ctx, "events", text, append(append([]any{lo, hi}, c.args...), n), &count, &key); err != nil || count < n {
		return e, false, c.exact, err
	}
	e, ok, err = r.EventAt(ctx, session, posOf(key.Int64))
	return e, ok, c.exact, err
}

// conditions compiles what a page asks beside its bounds.
func (r *Reader) conditions(p PageSpec) (*compiled, error) {
	c, err := compile(p.Where, p.Folded)
	if err != nil {
		return nil, err
	}
	if p.Folded {
		c.sql = strings.TrimSuffix(foldedSQL+" AND "+c.sql, " AND ")
	}
	return c, nil
}

// complete fills in what stands in other rows: the sessions' ids, the targets
// of the causes, and the links where they are wanted. Rows whose keys ascend
// are looked up among themselves first.
func (r *Reader) complete(ctx context.Context, events []model.Event, at []place, withLinks bool) error {
	if len(events) == 0 {
		return nil
	}
	t := targets{r: r, events: events, at: at, sorted: slices.IsSortedFunc(at, func(a, b place) int { return cmp.Compare(a.key, b.key) })}
	if err := t.nameSessions(ctx); err != nil {
		return err
	}
	for i := range events {
		if e := &events[i]; e.Cause != nil {
			t.want(at[i].cause, &e.Cause.To)
		}
	}
	if err := t.fetch(ctx); err != nil || !withLinks {
		return err
	}
	first := make([]model.Link, 0, len(events))
	for i := range events {
		if e := &events[i]; e.Cause != nil {
			first = append(first, *e.Cause)
			e.Links = first[len(first)-1 : len(first) : len(first)]
		}
	}
	if n := int64(len(at)); !t.sorted || at[n-1].key-at[0].key >= 2*n {
		return r.addLinks(ctx, events, at)
	}
	return t.addLinks(ctx)
}

// targets finds what the links of a page's rows lead to.
type targets struct {
	r      *Reader
	events []model.Event
	at     []place
	sorted bool
	keys   []int64 // of rows that are not at hand
	refs   []*model.Ref
}

func (t *targets) nameSessions(ctx context.Context) error {
	names := map[int64]string{}
	for i := range t.events {
		session := sessionOf(t.at[i].key)
		name, ok := names[session]
		if !ok {
			var stored any
			if _, err := t.r.one(ctx, "session", "SELECT name FROM sessions WHERE id=?", []any{session}, &stored); err != nil {
				return err
			}
			name = unpackText(stored)
			names[session] = name
		}
		t.events[i].Session = name
	}
	return nil
}

// row finds a row of the page by its key.
func (t *targets) row(key int64) *model.Event {
	if !t.sorted {
		return nil
	}
	i, ok := slices.BinarySearchFunc(t.at, key, func(p place, key int64) int { return cmp.Compare(p.key, key) })
	if !ok {
		return nil
	}
	return &t.events[i]
}

// want fills in a target, now or with the next fetch.
func (t *targets) want(key int64, ref *model.Ref) {
	if e := t.row(key); e != nil {
		*ref = model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}
		return
	}
	t.keys, t.refs = append(t.keys, key), append(t.refs, ref)
}

func (t *targets) fetch(ctx context.Context) error {
	if len(t.keys) == 0 {
		return nil
	}
	found, err := t.r.refs(ctx, t.keys, nil)
	if err != nil {
		return err
	}
	for i, key := range t.keys {
		*t.refs[i] = found[key]
	}
	t.keys, t.refs = nil, nil
	return nil
}

// addLinks is Reader.addLinks for rows that stand close together.
func (t *targets) addLinks(ctx context.Context) error {
	const text = "SELECT src, code, back, to_id FROM links WHERE src BETWEEN ? AND ? ORDER BY src, n"
	type found struct {
		event *model.Event
		link  model.Link
		to    int64
		whole bool
	}
	var all []found
	err := t.r.each(ctx, "links", text, []any{t.at[0].key, t.at[len(t.at)-1].key}, func(rows *sql.Rows) error {
		var src, code int64
		var back sql.NullInt64
		var id any
		if err := rows.Scan(&src, &code, &back, &id); err != nil {
			return err
		}
		if e := t.row(src); e != nil {
			f := found{event: e, link: unpackLink(code), to: src - back.Int64, whole: back.Valid}
			f.link.ToID = unpackID(id)
			all = append(all, f)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range all {
		if f := &all[i]; f.whole {
			t.want(f.to, &f.link.To)
		}
	}
	if err := t.fetch(ctx); err != nil {
		return err
	}
	for i := range all {
		all[i].event.Links = append(all[i].event.Links, all[i].link)
	}
	return nil
}
