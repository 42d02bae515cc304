package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// Place is where an event of a session came from.
type Place struct {
	Pos    int64
	Seq    int64
	HasSeq bool
	Span   model.Span
	Result model.Span // of the call's first result, from Spans of folded pages; Source 0: none
}

// placesPage is how many rows Places holds at once.
const placesPage = 4096

// Places calls f with every event of a session in pos order until it returns
// false.
func (r *Reader) Places(ctx context.Context, session int64, f func(Place) bool) error {
	next, end := keys(session)
	list := make([]Place, 0, placesPage)
	for {
		list = list[:0]
		const text = "SELECT key,seq,flags,source,offset,length FROM events WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?"
		err := r.each(ctx, "events", text, []any{next, end, placesPage}, func(rows *sql.Rows) error {
			var key, seq, flags int64
			var p Place
			if err := rows.Scan(&key, &seq, &flags, &p.Span.Source, &p.Span.Offset, &p.Span.Length); err != nil {
				return err
			}
			p.Pos = posOf(key)
			p.Seq, p.HasSeq = seq+p.Pos, flags&flagSeq != 0
			list = append(list, p)
			next = key + 1
			return nil
		})
		if err != nil {
			return err
		}
		for _, p := range list {
			if !f(p) {
				return nil
			}
		}
		if len(list) < placesPage {
			return nil
		}
	}
}

// Moment is what tells the moments of one record apart.
type Moment struct{ ID, Type string }

// Moments gives what tells events of a session apart, by pos.
func (r *Reader) Moments(ctx context.Context, session int64, positions []int64) (map[int64]Moment, error) {
	out := make(map[int64]Moment, len(positions))
	if len(positions) == 0 {
		return out, nil
	}
	keys := make([]int64, len(positions))
	for i, pos := range positions {
		keys[i] = keyOf(session, pos)
	}
	shapes := make(map[int64]int64, len(positions))
	const text = "SELECT key, id, flags>>21 FROM events WHERE key " + inList
	err := r.each(ctx, "events", text, []any{listOf(keys)}, func(rows *sql.Rows) error {
		var key, shape int64
		var id any
		err := rows.Scan(&key, &id, &shape)
		out[posOf(key)], shapes[posOf(key)] = Moment{ID: unpackID(id)}, shape
		return err
	})
	for pos, shape := range shapes {
		if err != nil {
			break
		}
		s, e := r.shapes.get(ctx, shape)
		out[pos], err = Moment{ID: out[pos].ID, Type: s.Type}, e
	}
	return out, err
}

// SeqRange finds the first and the last pos that carry a seq. Where the
// session's seqs never decrease with pos it is a search, else a scan.
func (r *Reader) SeqRange(ctx context.Context, session, seq int64) (first, last int64, ok bool, err error) {
	sorted, end, err := r.seqSorted(ctx, session)
	if err != nil {
		return 0, 0, false, err
	}
	if !sorted {
		a, b := keys(session)
		var lo, hi sql.NullInt64
		_, err := r.one(ctx, "events", "SELECT min(key), max(key) FROM events WHERE key BETWEEN ? AND ? AND seq+(key&4294967295)=?", []any{a, b, seq}, &lo, &hi)
		return posOf(lo.Int64), posOf(hi.Int64), lo.Valid, err
	}
	if first, err = r.firstFrom(ctx, session, end, seq); err != nil || first > end {
		return 0, 0, false, err
	}
	got, at, err := r.seqAt(ctx, session, first)
	if err != nil || got != seq {
		return 0, 0, false, err
	}
	next, err := r.firstFrom(ctx, session, end, seq+1)
	if err != nil {
		return 0, 0, false, err
	}
	return at, next - 1, true, nil
}

// LastUpTo finds the last pos whose seq is not above one; 0: there is none.
func (r *Reader) LastUpTo(ctx context.Context, session, seq int64) (pos int64, err error) {
	sorted, end, err := r.seqSorted(ctx, session)
	if err != nil {
		return 0, err
	}
	if !sorted {
		a, b := keys(session)
		var key sql.NullInt64
		_, err = r.one(ctx, "events", "SELECT max(key) FROM events WHERE key BETWEEN ? AND ? AND seq+(key&4294967295)<=?", []any{a, b, seq}, &key)
		return posOf(key.Int64), err
	}
	next, err := r.firstFrom(ctx, session, end, seq+1)
	return next - 1, err
}

// NearestSeq lists the seqs that stand nearest to one that is not there: the
// next lower and the next higher.
func (r *Reader) NearestSeq(ctx context.Context, session, seq int64) (near []int64, err error) {
	a, b := keys(session)
	var lower, higher sql.NullInt64
	const text = "SELECT max(seq+(key&4294967295)) FILTER (WHERE seq+(key&4294967295)<?1), min(seq+(key&4294967295)) FILTER (WHERE seq+(key&4294967295)>?1) FROM events WHERE key BETWEEN ?2 AND ?3"
	if _, err := r.one(ctx, "events", text, []any{seq, a, b}, &lower, &higher); err != nil {
		return nil, err
	}
	for _, n := range []sql.NullInt64{lower, higher} {
		if n.Valid {
			near = append(near, n.Int64)
		}
	}
	return near, nil
}

func (r *Reader) seqSorted(ctx context.Context, session int64) (sorted bool, end int64, err error) {
	var last sql.NullInt64
	a, b := keys(session)
	_, err = r.one(ctx, "session", "SELECT coalesce((SELECT seq_sorted FROM sessions WHERE id=?),0), (SELECT max(key) FROM events WHERE key BETWEEN ? AND ?)",
		[]any{session, a, b}, &sorted, &last)
	return sorted && last.Valid, posOf(last.Int64), err
}

// firstFrom searches the first pos with a seq not below; end+1 where none.
func (r *Reader) firstFrom(ctx context.Context, session, end, seq int64) (int64, error) {
	lo, hi := int64(1), end+1
	for lo < hi {
		mid := lo + (hi-lo)/2
		got, at, err := r.seqAt(ctx, session, mid)
		if err != nil {
			return 0, err
		}
		if got >= seq {
			hi = mid
		} else {
			lo = at + 1
		}
	}
	return lo, nil
}

// seqAt reads the seq of the first event at or after pos.
func (r *Reader) seqAt(ctx context.Context, session, pos int64) (seq, at int64, err error) {
	_, b := keys(session)
	var key int64
	_, err = r.one(ctx, "event", "SELECT key, seq FROM events WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 1", []any{keyOf(session, pos), b}, &key, &seq)
	return seq + posOf(key), posOf(key), err
}

// AtTime finds the last event in pos order that is not later than a time, in
// nanoseconds since 1970.
func (r *Reader) AtTime(ctx context.Context, session, nanos int64) (pos int64, ok bool, err error) {
	a, b := keys(session)
	var key int64
	ok, err = r.one(ctx, "event", "SELECT key FROM events WHERE key BETWEEN ? AND ? AND time<=? ORDER BY key DESC LIMIT 1", []any{a, b, nanos}, &key)
	return posOf(key), ok, err
}
