package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// Found is what is known of an event without its texts.
type Found struct {
	Session int64 // key
	Pos     int64
	Seq     int64
	Kind    model.Kind
	ID      string // the event's own, or the alias by which it was found
	Hash    uint64 // of the record's bytes
	Stream  int64  // of the source that it was read from

	Root, Depth, Mate int64 // as on the event
	Cause             int64 // pos of the preferred cause; 0 none
	CauseSession      int64 // key of its session
	CauseInferred     bool
}

// foundColumns is what scanFound reads.
const foundColumns = "key,seq,flags,id,hash,(SELECT stream FROM sources WHERE sources.id=events.source),root,depth,mate,cause"

func scanFound(row scanner) (Found, error) {
	var key, seq, flags int64
	var id any
	var hash, stream, root, depth, mate, cause sql.NullInt64
	if err := row.Scan(&key, &seq, &flags, &id, &hash, &stream, &root, &depth, &mate, &cause); err != nil {
		return Found{}, err
	}
	pos := posOf(key)
	f := Found{
		Session: sessionOf(key), Pos: pos, Seq: seq + pos, Kind: model.Kind(flags >> shiftKind & 15), ID: unpackID(id),
		Hash: uint64(hash.Int64), Stream: stream.Int64, Root: pos - root.Int64, Depth: depth.Int64,
	}
	if mate.Valid {
		f.Mate = pos + mate.Int64
	}
	if cause.Valid {
		f.Cause, f.CauseSession = posOf(key-cause.Int64), sessionOf(key-cause.Int64)
		f.CauseInferred = unpackVia(flags).Inferred
	}
	return f, nil
}

const (
	foundByID  = "SELECT " + foundColumns + " FROM events WHERE id=? AND key BETWEEN ? AND ? ORDER BY key LIMIT 1"
	foundByPos = "SELECT " + foundColumns + " FROM events WHERE key=?"
	foundAny   = "SELECT " + foundColumns + " FROM events WHERE id=? AND flags >> 13 & 3 <> 2 ORDER BY key LIMIT ?"
	foundAlias = "SELECT pos FROM aliases WHERE session=? AND alias=?"
)

// Find finds the first event of a session with an id, else the one that has
// it as alias.
func (r *Reader) Find(ctx context.Context, session int64, id string) (Found, bool, error) {
	f, ok, err := r.ByID(ctx, session, id)
	if ok || err != nil {
		return f, ok, err
	}
	return r.ByAlias(ctx, session, id)
}

// ByID finds the first event of a session whose own id it is.
func (r *Reader) ByID(ctx context.Context, session int64, id string) (Found, bool, error) {
	if id == "" {
		return Found{}, false, nil
	}
	a, b := keys(session)
	return r.found(ctx, foundByID, packID(id), a, b)
}

// Aliases gives the aliases of a session's events.
func (r *Reader) Aliases(ctx context.Context, session int64, f func(pos int64, alias string)) error {
	return r.each(ctx, "aliases", "SELECT pos,alias FROM aliases WHERE session=?", []any{session}, func(row *sql.Rows) error {
		var pos int64
		var alias any
		err := row.Scan(&pos, &alias)
		if err == nil {
			f(pos, unpackID(alias))
		}
		return err
	})
}

// ByAlias finds the event that has an alias.
func (r *Reader) ByAlias(ctx context.Context, session int64, alias string) (Found, bool, error) {
	if alias == "" {
		return Found{}, false, nil
	}
	var pos int64
	ok, err := r.one(ctx, "event", foundAlias, []any{session, packID(alias)}, &pos)
	if !ok || err != nil {
		return Found{}, false, err
	}
	f, ok, err := r.FindPos(ctx, session, pos)
	f.ID = alias
	return f, ok, err
}

// FindPos finds an event by pos.
func (r *Reader) FindPos(ctx context.Context, session, pos int64) (Found, bool, error) {
	return r.found(ctx, foundByPos, keyOf(session, pos))
}

func (r *Reader) found(ctx context.Context, text string, args ...any) (f Found, ok bool, err error) {
	err = r.each(ctx, "event", text, args, func(rows *sql.Rows) error {
		var err error
		f, err = scanFound(rows)
		ok = err == nil
		return err
	})
	return f, ok, err
}

// ByIDAnySession finds events of an id over all sessions, in key order, each in
// the session whose own it is.
func (r *Reader) ByIDAnySession(ctx context.Context, id string, limit int) (out []Found, err error) {
	if id == "" {
		return nil, nil
	}
	err = r.each(ctx, "events", foundAny, []any{packID(id), limit}, func(rows *sql.Rows) error {
		f, err := scanFound(rows)
		out = append(out, f)
		return err
	})
	return out, err
}

// ByPrefix finds events of a session whose id, or else an alias, begins with a
// prefix: at most limit, ordered by id, each event once.
func (r *Reader) ByPrefix(ctx context.Context, session int64, prefix string, limit int) (out []Found, err error) {
	a, b := keys(session)
	seen := map[int64]bool{}
	add := func(f Found) {
		if !seen[f.Pos] && len(out) < limit {
			seen[f.Pos] = true
			out = append(out, f)
		}
	}
	for _, c := range prefixRanges("id", prefix) {
		text := "SELECT " + foundColumns + " FROM events WHERE id IS NOT NULL AND " + c.text + " AND key BETWEEN ? AND ? ORDER BY id, key LIMIT ?"
		err = r.each(ctx, "events", text, append(c.args, a, b, limit), func(rows *sql.Rows) error {
			f, err := scanFound(rows)
			add(f)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, c := range prefixRanges("alias", prefix) {
		if err = r.aliasPrefix(ctx, session, c, limit, add); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r *Reader) aliasPrefix(ctx context.Context, session int64, c condition, limit int, add func(Found)) error {
	type hit struct {
		alias string
		pos   int64
	}
	var hits []hit
	text := "SELECT alias, pos FROM aliases WHERE session=? AND " + c.text + " ORDER BY alias LIMIT ?"
	args := append(append([]any{session}, c.args...), limit)
	err := r.each(ctx, "aliases", text, args, func(rows *sql.Rows) error {
		var alias any
		var h hit
		err := rows.Scan(&alias, &h.pos)
		h.alias = unpackID(alias)
		hits = append(hits, h)
		return err
	})
	if err != nil {
		return err
	}
	for _, h := range hits {
		f, ok, err := r.FindPos(ctx, session, h.pos)
		if err != nil {
			return err
		}
		if ok {
			f.ID = h.alias
			add(f)
		}
	}
	return nil
}

// condition is a piece of SQL with its parameters.
type condition struct {
	text string
	args []any
}

// prefixRanges are the ranges of a column of identifiers that hold those with
// a prefix, one for each stored form.
func prefixRanges(column, prefix string) []condition {
	var out []condition
	lo, hi := textRange(prefix)
	if packed, ok := packID(prefix + "x").(string); ok && packed == prefix+"x" {
		c := condition{column + ">=? AND " + column + "<?", []any{lo, hi}}
		if hi == nil {
			c = condition{column + ">=?", []any{lo}}
		}
		out = append(out, c)
	}
	if a, b, ok := uuidRange(prefix); ok {
		out = append(out, condition{column + ">=? AND " + column + "<=?", []any{a, b}})
	}
	raw, end := append([]byte{blobRaw}, lo...), any([]byte{blobRaw + 1})
	if s, ok := hi.(string); ok {
		end = append([]byte{blobRaw}, s...)
	}
	return append(out, condition{column + ">=? AND " + column + "<?", []any{raw, end}})
}
