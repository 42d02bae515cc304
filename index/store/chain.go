package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// Step is one event of a causal chain: its session's key and its pos.
type Step struct{ Session, Pos int64 }

// Chain follows the preferred causes of an event: at most limit steps, nearest
// first, across sessions. Causes are earlier events within a session, so only
// links between sessions could close a ring; limit ends that too.
func (r *Reader) Chain(ctx context.Context, session, pos int64, limit int) (out []Step, err error) {
	const text = `WITH RECURSIVE chain(n, key, cause) AS (
SELECT 0, key, cause FROM events WHERE key=?1
UNION ALL SELECT n+1, e.key, e.cause FROM chain, events e WHERE e.key = chain.key - chain.cause AND n < ?2)
SELECT key FROM chain WHERE n > 0`
	err = r.each(ctx, "chain", text, []any{keyOf(session, pos), limit}, func(rows *sql.Rows) error {
		var key int64
		err := rows.Scan(&key)
		out = append(out, Step{sessionOf(key), posOf(key)})
		return err
	})
	return out, err
}

// LinkedEventsAt is EventsAt with all links.
func (r *Reader) LinkedEventsAt(ctx context.Context, session int64, positions []int64) (map[int64]model.Event, error) {
	return r.eventsAt(ctx, session, positions, true)
}
