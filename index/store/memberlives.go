package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"hindcast/model"
)

// selectLives reads blocks that are found by a narrow index: the rows
// themselves are long, and most are passed over.
const selectLives = `SELECT d.block, d.data FROM lives s INDEXED BY lives_span
CROSS JOIN lives d ON d.session=s.session AND d.kind=s.kind AND d.block=s.block WHERE s.session=?1 AND s.kind=?2 `

// standingLives looks through the blocks that have members at that moment.
// Those of messages by pos stand in the order of their paths, so that a page
// ends the search; of the others all that are there are looked at.
func (q *snapshot) standingLives(ctx context.Context, session int64, class cellClass, at int64, after string, limit int) (out []standing, err error) {
	const text = selectLives + "AND s.block>=?3 AND s.born<=?4 AND (s.last>?4 OR s.alive>0) ORDER BY s.block"
	from := int64(0)
	ordered := class == classPosMessage
	if ordered {
		from = firstKey(after) >> livesBits
	}
	err = q.each(ctx, text, []any{session, int64(class), from, at}, func(rows *sql.Rows) error {
		var block int64
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		return eachLife(class, block, data, at, func(s standing) bool {
			if s.path > after {
				out = append(out, s)
			}
			return !ordered || len(out) < limit
		})
	})
	if !ordered {
		slices.SortFunc(out, byPath)
	}
	return out, err
}

// eachLife calls yield with the members of a block that are there at a moment,
// until it returns false: then it gives errStop.
func eachLife(class cellClass, block int64, data []byte, at int64, yield func(standing) bool) error {
	w := walkLives(class, block, data)
	for w.next() {
		p, ok := w.life.at(at)
		if !ok || p.gone() {
			continue
		}
		s := standing{sought: sought{key: cellKey{class, w.n, w.k}, segment: string(w.segment)}, pos: p.pos()}
		if class == classPosMessage {
			s.segment = model.MessageKey(w.n)
		}
		if s.path = memberPath(class, s.segment); !yield(s) {
			return errStop
		}
	}
	return w.rest.err()
}

// firstKey is the lowest number that a message by pos behind a path can have.
func firstKey(after string) int64 {
	key, ok := strings.CutPrefix(after, underMessages)
	if !ok {
		return 0
	}
	n, i := int64(0), 0
	for ; i < 10 && i < len(key) && key[i]-'0' <= 9; i++ {
		n = n*10 + int64(key[i]-'0')
	}
	for ; i < 10; i++ {
		n *= 10
	}
	return n
}

// countLives counts from the columns of blocks that do not change any more at
// that moment, and looks into the others.
func (q *snapshot) countLives(ctx context.Context, session int64, class cellClass, at int64) (n int64, err error) {
	var settled sql.NullInt64
	const sum = "SELECT sum(alive) FROM lives INDEXED BY lives_span WHERE session=? AND kind=? AND last<=?"
	if _, err := q.ask(ctx, sum, []any{session, int64(class), at}, &settled); err != nil {
		return 0, err
	}
	n = settled.Int64
	const text = selectLives + "AND s.born<=?3 AND s.last>?3"
	err = q.each(ctx, text, []any{session, int64(class), at}, func(rows *sql.Rows) error {
		var block int64
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		w := walkLives(class, block, data)
		for w.next() {
			if p, ok := w.life.at(at); ok && !p.gone() {
				n++
			}
		}
		return w.rest.err()
	})
	return n, err
}

// Calls lists the calls that are open after the event at pos at in the order of
// their last writes, and then of paths: limit of them, from behind the one of
// the path after on.
func (r *Reader) Calls(ctx context.Context, session, at int64, after string, limit int) ([]Member, error) {
	return r.members(ctx, session, func(ctx context.Context, q *snapshot) ([]standing, error) {
		from := standing{path: after}
		if after != "" {
			c, err := q.resolve(ctx, session, after)
			if err != nil {
				return nil, err
			}
			if from.pos, _, err = c.before(ctx, q, at); err != nil {
				return nil, err
			}
		}
		return q.oldestCalls(ctx, session, at, from, limit)
	})
}

// oldestCalls walks over the blocks until the rest can only be younger: no call
// was written before it came.
func (q *snapshot) oldestCalls(ctx context.Context, session, at int64, after standing, limit int) (out []standing, err error) {
	const text = selectLives + "AND s.born<=?3 AND s.last>=?4 AND (s.last>?3 OR s.alive>0) ORDER BY s.block"
	err = q.each(ctx, text, []any{session, int64(classPending), at, after.pos}, func(rows *sql.Rows) error {
		var block int64
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		older := 0
		for i := range out {
			if out[i].pos < block<<livesBits {
				older++
			}
		}
		if older >= limit {
			return errStop
		}
		return eachLife(classPending, block, data, at, func(s standing) bool {
			if byAge(s, after) > 0 {
				out = append(out, s)
			}
			return true
		})
	})
	slices.SortFunc(out, byAge)
	return out[:min(limit, len(out))], err
}
