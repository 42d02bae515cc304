package store

import (
	"context"
	"database/sql"
)

// causeLink is the N of a link that is its event's preferred cause.
const causeLink = -1

// PointedAt lists the links that events of other sessions have to those of a
// session from a pos on, with their targets as they are.
func (r *Reader) PointedAt(ctx context.Context, session, from int64) (out []Pointed, err error) {
	first, last := keys(session)
	const text = `SELECT key, ?4, key - cause FROM events WHERE cause IS NOT NULL AND key - cause BETWEEN ?1 AND ?2 AND key NOT BETWEEN ?3 AND ?2
UNION ALL SELECT src, n, src - back FROM links WHERE back IS NOT NULL AND src - back BETWEEN ?1 AND ?2 AND src NOT BETWEEN ?3 AND ?2`
	err = r.each(ctx, "links", text, []any{keyOf(session, from), last, first, causeLink}, func(rows *sql.Rows) error {
		var src, n, target int64
		if err := rows.Scan(&src, &n, &target); err != nil {
			return err
		}
		out = append(out, Pointed{Session: sessionOf(src), Pos: posOf(src), N: n, ToSession: session, ToPos: posOf(target)})
		return nil
	})
	return out, err
}

// point gives a link its new target.
func (w *Writer) point(ctx context.Context, p Pointed) error {
	src := keyOf(p.Session, p.Pos)
	back := src - keyOf(p.ToSession, p.ToPos)
	if p.N == causeLink {
		return w.exec(ctx, "UPDATE events SET cause=? WHERE key=? AND cause IS NOT NULL", back, src)
	}
	return w.exec(ctx, "UPDATE links SET back=? WHERE src=? AND n=? AND back IS NOT NULL", back, src, p.N)
}
