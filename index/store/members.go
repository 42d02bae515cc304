package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"hindcast/model"
)

// Member is a member of a collection at some moment.
type Member struct {
	Path  string
	Value model.Value // without its text
	Pos   int64       // of its last write
}

// Members lists the members of a collection that are there after the event at
// pos at, bytewise by path, from behind the path after on. limit is how many; 0
// and less: all. Collections are model.PathMessages and its like.
func (r *Reader) Members(ctx context.Context, session int64, collection string, at int64, after string, limit int) (out []Member, err error) {
	if limit <= 0 {
		limit = int(posMask)
	}
	err = r.snapshot(ctx, "members", func(ctx context.Context, q *snapshot) error {
		found, err := q.standing(ctx, session, collection, at, after, limit)
		if err != nil {
			return err
		}
		for i := range found {
			s := &found[i]
			value, err := q.value(ctx, &readCell{session: session, segment: s.segment}, s.key, s.pos)
			if err != nil {
				return err
			}
			out = append(out, Member{Path: s.path, Value: model.Value{JSON: value}, Pos: s.pos})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// MemberCount counts the members of a collection that are there after the
// event at pos at.
func (r *Reader) MemberCount(ctx context.Context, session int64, collection string, at int64) (n int64, err error) {
	err = r.snapshot(ctx, "members", func(ctx context.Context, q *snapshot) error {
		for _, class := range livesOf(collection) {
			count, err := q.countLives(ctx, session, class, at)
			if err != nil {
				return err
			}
			n += count
		}
		if len(livesOf(collection)) > 0 {
			return nil
		}
		n, err = q.countCells(ctx, session, collection, at)
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// livesOf lists the classes whose lives are members of a collection.
func livesOf(collection string) []cellClass {
	switch collection {
	case model.PathMessages:
		return []cellClass{classPosMessage, classMessage}
	case model.PathPending:
		return []cellClass{classPending}
	}
	return nil
}

// standing is a member that is there, and where its value was written.
type standing struct {
	path, segment string
	key           cellKey
	pos           int64
}

func (q *snapshot) standing(ctx context.Context, session int64, collection string, at int64, after string, limit int) ([]standing, error) {
	classes := livesOf(collection)
	if classes == nil {
		return q.standingCells(ctx, session, collection, at, after, limit)
	}
	var out []standing
	for _, class := range classes {
		found, err := q.standingLives(ctx, session, class, at, after, limit)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if len(classes) > 1 {
		slices.SortFunc(out, byPath)
	}
	return out[:min(limit, len(out))], nil
}

func byPath(a, b standing) int { return cmp.Compare(a.path, b.path) }

// selectCells finds the members that may be there: those that died for good
// and those to come are passed over.
const selectCells = "SELECT path, id FROM cells WHERE session=?1 AND path>=?2 AND path<?3 AND born<=?4 AND (gone IS NULL OR gone>?4) "

// countCells counts those that never died before by their rows alone.
func (q *snapshot) countCells(ctx context.Context, session int64, collection string, at int64) (n int64, err error) {
	lo, hi := pathsBelow(collection, "")
	args := []any{session, lo, hi, at}
	const steady = "SELECT count(*) FROM cells WHERE session=?1 AND path>=?2 AND path<?3 AND born<=?4 AND (died IS NULL OR died>?4)"
	if _, err := q.ask(ctx, steady, args, &n); err != nil {
		return 0, err
	}
	var ids []int64
	err = q.each(ctx, selectCells+"AND died<=?4", args, func(rows *sql.Rows) error {
		var path sql.RawBytes
		var id int64
		err := rows.Scan(&path, &id)
		ids = append(ids, id)
		return err
	})
	for _, id := range ids {
		if err != nil {
			break
		}
		var p post
		if p, _, err = q.cellPost(ctx, id, at); !p.gone() {
			n++
		}
	}
	return n, err
}

// standingCells looks through the numbered cells of a collection in order.
func (q *snapshot) standingCells(ctx context.Context, session int64, collection string, at int64, after string, limit int) (out []standing, err error) {
	const text = selectCells + "ORDER BY path LIMIT ?5"
	lo, hi := pathsBelow(collection, after)
	for len(out) < limit {
		const page = 512
		var found []standing
		err := q.each(ctx, text, []any{session, lo, hi, at, min(page, limit-len(out))}, func(rows *sql.Rows) error {
			s := standing{key: cellKey{class: classOther}}
			var path []byte
			if err := rows.Scan(&path, &s.key.n); err != nil {
				return err
			}
			s.path = string(path)
			lo = append(path, 0) // the next path that can be
			found = append(found, s)
			return nil
		})
		if err != nil || len(found) == 0 {
			return out, err
		}
		for _, s := range found {
			p, ok, err := q.cellPost(ctx, s.key.n, at)
			if err != nil {
				return nil, err
			}
			if ok && !p.gone() {
				s.pos = p.pos()
				out = append(out, s)
			}
		}
	}
	return out, nil
}

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
		w := walkLives(class, block, data)
		for w.next() {
			p, ok := w.life.at(at)
			if !ok || p.gone() {
				continue
			}
			s := standing{key: cellKey{class, w.n, w.k}, pos: p.pos(), segment: string(w.segment)}
			if ordered {
				s.segment = model.MessageKey(w.n)
			}
			if s.path = memberPath(class, s.segment); s.path <= after {
				continue
			}
			if out = append(out, s); ordered && len(out) >= limit {
				return errStop
			}
		}
		return w.rest.err()
	})
	if !ordered {
		slices.SortFunc(out, byPath)
	}
	return out, err
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
