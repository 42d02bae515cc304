package store

import (
	"context"
	"database/sql"
	"math"
	"strconv"

	"hindcast/model"
)

// inList compares with each of a list of numbers, which listOf writes: so a
// statement that takes any number of them is compiled once.
const inList = "IN (SELECT value FROM json_each(?))"

// refs names the events of keys. known holds rows that are at hand. A key
// without an event still gets its session and pos.
func (r *Reader) refs(ctx context.Context, wanted []int64, known map[int64]*model.Event) (map[int64]model.Ref, error) {
	out := make(map[int64]model.Ref, len(wanted))
	sessions := map[int64]string{}
	var missing []int64
	for _, k := range wanted {
		if _, ok := out[k]; ok {
			continue
		}
		s := sessionOf(k)
		if _, ok := sessions[s]; !ok {
			var name any
			if _, err := r.one(ctx, "session", "SELECT name FROM sessions WHERE id=?", []any{s}, &name); err != nil {
				return nil, err
			}
			sessions[s] = unpackText(name)
		}
		ref := model.Ref{Session: sessions[s], Pos: posOf(k)}
		if e := known[k]; e != nil {
			ref.Seq, ref.ID = e.Seq, e.ID
		} else {
			missing = append(missing, k)
		}
		out[k] = ref
	}
	if len(missing) == 0 {
		return out, nil
	}
	return out, r.eachRef(ctx, missing, func(key, seq int64, id string, _ model.Origin) {
		ref := out[key]
		ref.Seq, ref.ID = seq, id
		out[key] = ref
	})
}

// eachRef calls f with the events of keys that are there.
func (r *Reader) eachRef(ctx context.Context, keys []int64, f func(key, seq int64, id string, origin model.Origin)) error {
	const text = "SELECT key, seq, id, flags>>13&3 FROM events WHERE key " + inList
	return r.each(ctx, "events", text, []any{listOf(keys)}, func(rows *sql.Rows) error {
		var key, seq, origin int64
		var id any
		if err := rows.Scan(&key, &seq, &id, &origin); err != nil {
			return err
		}
		f(key, posOf(key)+seq, unpackID(id), model.Origin(origin))
		return nil
	})
}

// Refs names the events at positions of a session, each in the session whose own
// it is; positions without an event are left out.
func (r *Reader) Refs(ctx context.Context, session int64, positions []int64) (map[int64]model.Ref, error) {
	keys := make([]int64, len(positions))
	for i, pos := range positions {
		keys[i] = keyOf(session, pos)
	}
	var inherited []int64
	out := make(map[int64]model.Ref, len(positions))
	err := r.eachRef(ctx, keys, func(key, seq int64, id string, origin model.Origin) {
		out[posOf(key)] = model.Ref{Seq: seq, Pos: posOf(key), ID: id}
		if origin == model.OriginInherited {
			inherited = append(inherited, posOf(key))
		}
	})
	if err != nil || len(out) == 0 {
		return out, err
	}
	var name any
	if _, err := r.one(ctx, "session", "SELECT name FROM sessions WHERE id=?", []any{session}, &name); err != nil {
		return nil, err
	}
	for pos, ref := range out {
		ref.Session = unpackText(name)
		out[pos] = ref
	}
	for _, pos := range inherited {
		owner, err := r.Owner(ctx, session, pos)
		if err != nil {
			return nil, err
		}
		own, err := r.refs(ctx, []int64{keyOf(owner, pos)}, nil)
		if err != nil {
			return nil, err
		}
		out[pos] = own[keyOf(owner, pos)]
	}
	return out, nil
}

// listOf writes numbers as a JSON array.
func listOf(numbers []int64) string {
	list := []byte("[")
	for i, n := range numbers {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, n, 10)
	}
	return string(append(list, ']'))
}

// addLinks appends the links that do not stand on the rows themselves.
func (r *Reader) addLinks(ctx context.Context, events []model.Event, at []place) error {
	var wanted []int64
	type found struct {
		event  int
		link   model.Link
		target int64
	}
	var links []found
	index := make(map[int64]int, len(at))
	for i, p := range at {
		index[p.key] = i
	}
	keys := make([]int64, len(at))
	for i, p := range at {
		keys[i] = p.key
	}
	const text = "SELECT src, code, back, to_id FROM links WHERE src " + inList + " ORDER BY src, n"
	err := r.each(ctx, "links", text, []any{listOf(keys)}, func(rows *sql.Rows) error {
		var src, code int64
		var back sql.NullInt64
		var id any
		if err := rows.Scan(&src, &code, &back, &id); err != nil {
			return err
		}
		f := found{event: index[src], link: unpackLink(code), target: math.MinInt64}
		f.link.ToID = unpackID(id)
		if back.Valid {
			f.target = src - back.Int64
			wanted = append(wanted, f.target)
		}
		links = append(links, f)
		return nil
	})
	if err != nil {
		return err
	}
	refs, err := r.refs(ctx, wanted, nil)
	if err != nil {
		return err
	}
	for _, f := range links {
		if f.target != math.MinInt64 {
			f.link.To = refs[f.target]
		}
		e := &events[f.event]
		e.Links = append(e.Links, f.link)
	}
	return nil
}

// Links lists the links of one event, the preferred cause first, those that
// lead nowhere with what is wrong with them.
func (r *Reader) Links(ctx context.Context, session, pos int64) ([]model.Link, error) {
	e, _, err := r.EventAt(ctx, session, pos)
	return e.Links, err
}

// LinksOf lists the links of several events of a session, by pos.
func (r *Reader) LinksOf(ctx context.Context, session int64, positions []int64) (map[int64][]model.Link, error) {
	events, err := r.eventsAt(ctx, session, positions, true)
	if err != nil {
		return nil, err
	}
	out := make(map[int64][]model.Link, len(events))
	for pos, e := range events {
		out[pos] = e.Links
	}
	return out, nil
}

// Cursor marks a place in a list of links; the zero Cursor is before its start.
type Cursor struct {
	src, n  int64
	started bool
}

// Incoming is a link seen from its target: the event that it starts from.
type Incoming struct {
	Session   int64 // key
	Pos       int64
	From      model.Ref
	Link      model.Link // To is not filled: it is the event that was asked about
	Preferred bool       // it is that event's preferred cause
	Cursor    Cursor     // of this entry
}

const linkedFrom = `SELECT src, n, code FROM (
SELECT key AS src, -1 AS n, flags >> 16 & 15 AS code FROM events WHERE key - cause = ?1 AND cause IS NOT NULL
UNION ALL
SELECT src, n, code FROM links WHERE src - back = ?1 AND back IS NOT NULL AND code >> 4 & 3 = 0)
WHERE (src, n) > (?2, ?3) AND ?4 >> (code & 7) & 1 = 1 ORDER BY src, n LIMIT ?5`

// LinkedFrom lists the whole links that lead to an event, in the order of the
// events that they start from. No reasons means all. To read on, pass the Cursor
// of the last one.
func (r *Reader) LinkedFrom(ctx context.Context, session, pos int64, reasons []model.Reason, after Cursor, limit int) ([]Incoming, error) {
	mask := int64(0)
	for _, reason := range reasons {
		mask |= 1 << (reason & 7)
	}
	if len(reasons) == 0 {
		mask = 0xff
	}
	if !after.started {
		after = Cursor{src: math.MinInt64, n: math.MinInt64}
	}
	var out []Incoming
	var wanted []int64
	args := []any{keyOf(session, pos), after.src, after.n, mask, limit}
	err := r.each(ctx, "links", linkedFrom, args, func(rows *sql.Rows) error {
		var src, n, code int64
		if err := rows.Scan(&src, &n, &code); err != nil {
			return err
		}
		wanted = append(wanted, src)
		out = append(out, Incoming{Session: sessionOf(src), Pos: posOf(src), Link: unpackLink(code), Preferred: n < 0, Cursor: Cursor{src, n, true}})
		return nil
	})
	if err != nil {
		return nil, err
	}
	refs, err := r.refs(ctx, wanted, nil)
	for i := range out {
		out[i].From = refs[wanted[i]]
	}
	return out, err
}

// BrokenLink is a recorded link that leads nowhere, and whose it is.
type BrokenLink struct {
	Pos  int64
	Link model.Link
}

// Broken lists links of a session whose target is missing, in pos order.
func (r *Reader) Broken(ctx context.Context, session int64, limit int) (out []BrokenLink, err error) {
	a, b := keys(session)
	const text = "SELECT src, code, to_id FROM links WHERE src BETWEEN ? AND ? AND code >> 4 & 3 = 1 ORDER BY src, n LIMIT ?"
	err = r.each(ctx, "links", text, []any{a, b, limit}, func(rows *sql.Rows) error {
		var src, code int64
		var id any
		err := rows.Scan(&src, &code, &id)
		l := unpackLink(code)
		l.ToID = unpackID(id)
		out = append(out, BrokenLink{posOf(src), l})
		return err
	})
	return out, err
}
