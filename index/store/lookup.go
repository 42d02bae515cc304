package store

import (
	"context"
	"database/sql"
	"fmt"
)

type scanner interface{ Scan(...any) error }

// Lookup finds the first event of a session with an id, else the one that has
// it as alias. Before BuildIndexes an id that is no alias costs a scan of the
// session: ResolveIDs finds many in one.
func (w *Writer) Lookup(ctx context.Context, session int64, id string) (Found, bool, error) {
	if id == "" {
		return Found{}, false, nil
	}
	a, b := keys(session)
	f, ok, err := w.found(ctx, foundByID, packID(id), a, b)
	if ok || err != nil {
		return f, ok, err
	}
	return w.byAlias(ctx, session, id)
}

// LookupPos finds an event by pos.
func (w *Writer) LookupPos(ctx context.Context, session, pos int64) (Found, bool, error) {
	return w.found(ctx, foundByPos, keyOf(session, pos))
}

func (w *Writer) byAlias(ctx context.Context, session int64, id string) (Found, bool, error) {
	st, err := w.stmt(ctx, foundAlias)
	if err != nil {
		return Found{}, false, err
	}
	var pos int64
	switch err := st.QueryRowContext(ctx, session, packID(id)).Scan(&pos); err {
	case nil:
		return w.LookupPos(ctx, session, pos)
	case sql.ErrNoRows:
		return Found{}, false, nil
	default:
		return Found{}, false, w.lookupError(err)
	}
}

func (w *Writer) found(ctx context.Context, text string, args ...any) (Found, bool, error) {
	st, err := w.stmt(ctx, text)
	if err != nil {
		return Found{}, false, w.lookupError(err)
	}
	f, err := scanFound(st.QueryRowContext(ctx, args...))
	switch err {
	case nil:
		return f, true, nil
	case sql.ErrNoRows:
		return Found{}, false, nil
	}
	return Found{}, false, w.lookupError(err)
}

func (w *Writer) lookupError(err error) error {
	return fmt.Errorf("look up event in index %s: %w", w.s.path, classify(err))
}

// ResolveIDs looks up many ids of a session at once; ids that name nothing are
// not in the answer. Without indexes it reads the session's ids once, however
// many are asked for.
func (w *Writer) ResolveIDs(ctx context.Context, session int64, ids []string) (map[string]Found, error) {
	out := make(map[string]Found, len(ids))
	if w.indexed {
		for _, id := range ids {
			f, ok, err := w.Lookup(ctx, session, id)
			if err != nil {
				return nil, err
			}
			if ok {
				out[id] = f
			}
		}
		return out, nil
	}
	if err := w.scanIDs(ctx, session, ids, out); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, ok := out[id]; ok || id == "" {
			continue
		}
		f, ok, err := w.byAlias(ctx, session, id)
		if err != nil {
			return nil, err
		}
		if ok {
			out[id] = f
		}
	}
	return out, nil
}

func (w *Writer) scanIDs(ctx context.Context, session int64, ids []string, out map[string]Found) error {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	a, b := keys(session)
	rows, err := w.conn.QueryContext(ctx, "SELECT key, id FROM events WHERE key BETWEEN ? AND ? AND id IS NOT NULL ORDER BY key", a, b)
	if err != nil {
		return w.lookupError(err)
	}
	hits := map[string]int64{}
	for rows.Next() {
		var key int64
		var id any
		if err := rows.Scan(&key, &id); err != nil {
			rows.Close()
			return w.lookupError(err)
		}
		if text := unpackID(id); wanted[text] {
			delete(wanted, text)
			hits[text] = key
		}
	}
	if err := rows.Close(); err != nil {
		return w.lookupError(err)
	}
	if err := rows.Err(); err != nil {
		return w.lookupError(err)
	}
	for id, key := range hits {
		f, ok, err := w.LookupPos(ctx, session, posOf(key))
		if err != nil {
			return err
		}
		if ok {
			out[id] = f
		}
	}
	return nil
}
