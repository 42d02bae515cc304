package store

import (
	"context"
	"database/sql"
	"slices"

	"hindcast/model"
)

// Cells lists the paths of all cells below a path that were ever written,
// bytewise, from behind after on. An empty prefix stands above all. limit is
// how many; 0 and less: all.
func (r *Reader) Cells(ctx context.Context, session int64, prefix, after string, limit int) (out []string, err error) {
	if limit <= 0 {
		limit = int(posMask)
	}
	lo, hi := pathsBelow(prefix, after)
	err = r.snapshot(ctx, "paths", func(ctx context.Context, q *snapshot) error {
		add := func(rows *sql.Rows) error {
			var path []byte
			if err := rows.Scan(&path); err != nil {
				return err
			}
			out = append(out, string(path))
			return nil
		}
		err := q.each(ctx, "SELECT path FROM cells WHERE session=? AND path>=? AND path<? ORDER BY path LIMIT ?", []any{session, lo, hi, limit}, add)
		if err != nil {
			return err
		}
		if !meets(lo, hi, model.PathMessages) && !meets(lo, hi, model.PathPending) {
			return nil
		}
		end, err := q.lastWrite(ctx, session)
		if err != nil {
			return err
		}
		const comings = "SELECT path FROM comings WHERE session=? AND part=? AND path>=? AND path<? ORDER BY path LIMIT ?"
		for part := range end>>comingBits + 1 {
			if err := q.each(ctx, comings, []any{session, part, lo, hi, limit}, add); err != nil {
				return err
			}
		}
		messages, err := q.messagePaths(ctx, session, string(lo), string(hi), limit)
		out = append(out, messages...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(limit, len(out))], nil
}

// pathsBelow gives the bounds of the paths below one that stand behind after,
// the upper one excluded.
func pathsBelow(prefix, after string) (lo, hi []byte) {
	if lo = []byte(prefix + "/"); after >= string(lo) {
		lo = append([]byte(after), 0)
	}
	return lo, []byte(prefix + "0")
}

// meets reports that members of a collection may stand between two paths.
func meets(lo, hi []byte, collection string) bool {
	return string(lo) < collection+"0" && string(hi) > collection+"/"
}

// messagePaths lists the messages by pos between two paths.
func (q *snapshot) messagePaths(ctx context.Context, session int64, lo, hi string, limit int) (out []string, err error) {
	if underMessages+":" <= lo || underMessages >= hi {
		return nil, nil
	}
	const text = "SELECT block, data FROM lives WHERE session=? AND kind=? AND block>=? ORDER BY block"
	args := []any{session, int64(classPosMessage), firstKey(lo) >> livesBits}
	err = q.each(ctx, text, args, func(rows *sql.Rows) error {
		var block int64
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		w := walkLives(classPosMessage, block, data)
		for w.next() {
			path := memberPath(classPosMessage, model.MessageKey(w.n))
			if path < lo {
				continue
			}
			if path >= hi || len(out) >= limit {
				return errStop
			}
			out = append(out, path)
		}
		return w.rest.err()
	})
	return out, err
}
