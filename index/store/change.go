package store

import (
	"context"
	"database/sql"
	"fmt"

	"hindcast/model"
)

const addLink = `INSERT INTO links(src,n,code,back,to_id)
SELECT ?1, coalesce((SELECT max(n)+1 FROM links WHERE src=?1),0), ?2, ?3, ?4
WHERE NOT EXISTS (SELECT 1 FROM links WHERE src=?1 AND code=?2 AND back IS ?3 AND to_id IS ?4)
AND NOT EXISTS (SELECT 1 FROM events WHERE key=?1 AND flags >> 16 & 15 = ?2 AND cause=?3)
AND EXISTS (SELECT 1 FROM events WHERE key=?1)`

func (w *Writer) addLink(ctx context.Context, l Link) error {
	src := keyOf(l.Session, l.Pos)
	return w.exec(ctx, addLink, src, packLink(l.Link), backTo(src, l.Session, l.ToSession, l.Link), writtenTarget(l.Link))
}

func backTo(src, session, toSession int64, l model.Link) any {
	if l.To.Pos <= 0 {
		return nil
	}
	if toSession > 0 {
		session = toSession
	}
	return src - keyOf(session, l.To.Pos)
}

// setVia puts what packVia gives, its parameter, into the flags.
const setVia = "flags = flags & ~(15 << 16) | ?"

func (w *Writer) setCause(ctx context.Context, c Cause) error {
	src := keyOf(c.Session, c.Pos)
	back := backTo(src, c.Session, c.ToSession, c.Link)
	var code any
	via := int64(0)
	if back != nil {
		code, via = packLink(c.Link), packVia(c.Link)
	}
	e := &model.Event{Pos: c.Pos, Root: c.Root}
	if err := w.exec(ctx, "UPDATE events SET cause=?, "+setVia+", root=?, depth=? WHERE key=?", back, via, rootDelta(e), orNil(c.Depth), src); err != nil {
		return err
	}
	// The link may have stood beside the row before it was preferred.
	return w.exec(ctx, "DELETE FROM links WHERE src=? AND code=? AND back=?", src, code, back)
}

func (w *Writer) setMate(ctx context.Context, m Mate) error {
	var delta any
	if m.Mate > 0 {
		delta = m.Mate - m.Pos
	}
	return w.exec(ctx, "UPDATE events SET mate=? WHERE key=?", delta, keyOf(m.Session, m.Pos))
}

// cut deletes from a pos on. The calls to free are found from their results,
// which name them.
func (w *Writer) cut(ctx context.Context, c Cut) error {
	from, to := keyOf(c.Session, max(c.From, 1)), keyOf(c.Session, posMask)
	const (
		free    = "UPDATE events SET mate=NULL WHERE key IN (SELECT key+mate FROM events WHERE key BETWEEN ?1 AND ?2 AND mate<0 AND key+mate<?1)"
		events  = "DELETE FROM events WHERE key BETWEEN ? AND ?"
		links   = "DELETE FROM links WHERE src BETWEEN ? AND ?"
		aliases = "DELETE FROM aliases WHERE session=? AND pos>=?"
	)
	for _, text := range []string{free, events, links} {
		if err := w.exec(ctx, text, from, to); err != nil {
			return err
		}
	}
	if err := w.exec(ctx, aliases, c.Session, c.From); err != nil {
		return err
	}
	return w.cutWrites(ctx, c.Session, c.From)
}

// drop deletes a session with all that is its own.
func (w *Writer) drop(ctx context.Context, key int64) error {
	a, b := keys(key)
	for _, text := range []string{"DELETE FROM events WHERE key BETWEEN ? AND ?", "DELETE FROM links WHERE src BETWEEN ? AND ?"} {
		if err := w.exec(ctx, text, a, b); err != nil {
			return err
		}
	}
	for _, text := range []string{"DELETE FROM aliases WHERE session=?", "DELETE FROM sessions WHERE id=?"} {
		if err := w.exec(ctx, text, key); err != nil {
			return err
		}
	}
	return w.dropWrites(ctx, key)
}

// DropOrphans deletes events that belong to no session: what an interrupted
// change of order has left.
func (w *Writer) DropOrphans(ctx context.Context) error {
	err := w.transact(ctx, func(ctx context.Context) error {
		for {
			key, ok, err := w.orphan(ctx)
			if err != nil || !ok {
				return err
			}
			if err := w.drop(ctx, key); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return fmt.Errorf("clean index %s: %w", w.s.path, err)
	}
	return nil
}

// orphan finds the first session key with events or aliases but no row. It
// steps from session to session, not from event to event.
func (w *Writer) orphan(ctx context.Context) (key int64, ok bool, err error) {
	const text = `WITH RECURSIVE owners(session) AS (
SELECT (SELECT min(key) FROM events)>>32
UNION ALL SELECT (SELECT min(key) FROM events WHERE key>=(session+1)<<32)>>32 FROM owners WHERE session IS NOT NULL)
SELECT session+1 FROM owners WHERE session IS NOT NULL AND session+1 NOT IN (SELECT id FROM sessions) LIMIT 1`
	err = w.conn.QueryRowContext(ctx, text).Scan(&key)
	if err == sql.ErrNoRows {
		return 0, false, nil
	}
	return key, err == nil, err
}

// Clear empties the index: its dump is not what it was. Shapes stay, because
// readers remember their numbers.
func (w *Writer) Clear(ctx context.Context) error {
	err := w.transact(ctx, func(ctx context.Context) error {
		for _, table := range append(writeTables, "events", "links", "aliases", "sessions", "sources", "streams", "quarantine", "evidence", "skipped", "spool", "meta") {
			if err := w.exec(ctx, "DELETE FROM "+table); err != nil {
				return err
			}
		}
		w.shapes.forget()
		w.fold.forget()
		return nil
	})
	if err != nil {
		return fmt.Errorf("empty index %s: %w", w.s.path, err)
	}
	return nil
}

// mend makes a broken link whole.
func (w *Writer) mend(ctx context.Context, m Mended) error {
	src := keyOf(m.Session, m.Pos)
	back := backTo(src, m.Session, m.ToSession, m.Link)
	if back == nil {
		return nil
	}
	code := packLink(m.Link)
	const broken = "src=? AND code & 15 = ? AND code >> 4 & 3 <> 0 AND to_id IS ?"
	if !m.AsCause {
		return w.exec(ctx, "UPDATE links SET code=?, back=?, to_id=NULL WHERE "+broken, code, back, src, code&15, packID(m.Link.ToID))
	}
	if err := w.exec(ctx, "DELETE FROM links WHERE "+broken, src, code&15, packID(m.Link.ToID)); err != nil {
		return err
	}
	const keep = `INSERT INTO links(src,n,code,back)
SELECT ?1, coalesce((SELECT max(n)+1 FROM links WHERE src=?1),0), flags >> 16 & 15, cause FROM events WHERE key=?1 AND cause IS NOT NULL`
	if err := w.exec(ctx, keep, src); err != nil {
		return err
	}
	if m.ToSession == 0 || m.ToSession == m.Session {
		return w.exec(ctx, "UPDATE events SET cause=?, "+setVia+" WHERE key=?", back, packVia(m.Link), src)
	}
	// The chain leaves the session here: within it the event is a root.
	return w.exec(ctx, "UPDATE events SET cause=?, "+setVia+", root=NULL, depth=NULL WHERE key=?", back, packVia(m.Link), src)
}
