package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

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
func (r *Reader) Members(ctx context.Context, session int64, collection string, at int64, after string, limit int) ([]Member, error) {
	return r.members(ctx, session, func(ctx context.Context, q *snapshot) ([]standing, error) {
		return q.standing(ctx, session, collection, at, after, orAll(limit))
	})
}

// MemberPaths lists the paths of all members of a collection that are there
// after the event at pos at, bytewise. It reads no values.
func (r *Reader) MemberPaths(ctx context.Context, session int64, collection string, at int64) (out []string, err error) {
	err = r.snapshot(ctx, "members", func(ctx context.Context, q *snapshot) (err error) {
		if livesOf(collection) == nil {
			out, err = q.cellPaths(ctx, session, collection, at)
			return err
		}
		found, err := q.standing(ctx, session, collection, at, "", orAll(0))
		for i := range found {
			out = append(out, found[i].path)
		}
		return err
	})
	return out, err
}

// Member reads what a cell holds after the event at pos at; ok is false where it
// is not there.
func (r *Reader) Member(ctx context.Context, session int64, path string, at int64) (m Member, ok bool, err error) {
	found, err := r.members(ctx, session, func(ctx context.Context, q *snapshot) ([]standing, error) {
		c, err := q.resolve(ctx, session, path)
		if err != nil {
			return nil, err
		}
		p, ok, err := c.postBefore(ctx, q, at)
		if err != nil || !ok || p.gone() {
			return nil, err
		}
		s := standing{sought: sought{key: cellKey{class: classOther, n: c.id}, segment: c.segment}, path: path, pos: p.pos()}
		for i := range c.lives {
			if last, ok := c.lives[i].at(at); ok && last == p {
				s.key = c.lives[i].key
			}
		}
		return []standing{s}, nil
	})
	if len(found) > 0 {
		m, ok = found[0], true
	}
	return m, ok, err
}

// Leaves gives what some cells hold after the event at pos at, in the order of
// their paths; those that are not there are left out. None is of a message or a
// call.
func (r *Reader) Leaves(ctx context.Context, session int64, paths []string, at int64) ([]Member, error) {
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, err
	}
	const text = "SELECT c.path, c.id, p.pos, p.data FROM json_each(?1) j CROSS JOIN cells c ON c.session=?2 AND c.path=CAST(j.value AS BLOB)" + lastPosts + "WHERE c.born<=?3"
	return r.members(ctx, session, func(ctx context.Context, q *snapshot) ([]standing, error) {
		return q.standingPosts(ctx, text, []any{string(list), session, at}, at, len(paths))
	})
}

// members reads the values of what stands somewhere.
func (r *Reader) members(ctx context.Context, session int64, find func(context.Context, *snapshot) ([]standing, error)) (out []Member, err error) {
	err = r.snapshot(ctx, "members", func(ctx context.Context, q *snapshot) error {
		found, err := find(ctx, q)
		if err != nil {
			return err
		}
		looks := make([]look, len(found))
		for i := range found {
			looks[i] = look{pos: found[i].pos, cell: &found[i].sought}
		}
		if err := q.look(ctx, session, looks); err != nil {
			return err
		}
		for i := range found {
			s := &found[i]
			out = append(out, Member{Path: s.path, Value: model.Value{JSON: s.value}, Pos: s.pos})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// orAll is a limit of which 0 and less means all.
func orAll(limit int) int {
	if limit <= 0 {
		return int(posMask)
	}
	return limit
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
	sought
	path string
	pos  int64
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
func byAge(a, b standing) int  { return cmp.Or(cmp.Compare(a.pos, b.pos), byPath(a, b)) }

// belowCells finds the members that may be there at a moment, ?3: those that
// died for good and those to come are passed over.
const belowCells = "c.session=?1 AND c.path>=?2 AND c.path<?4 AND c.born<=?3 AND (c.gone IS NULL OR c.gone>?3)"

// lastPosts joins cells with the chunks that hold their last posts by then.
const lastPosts = " CROSS JOIN posts p ON p.cell=c.id AND p.pos=(SELECT max(pos) FROM posts WHERE cell=c.id AND pos<=?3) "

// countCells counts those that never died before by their rows alone.
func (q *snapshot) countCells(ctx context.Context, session int64, collection string, at int64) (n int64, err error) {
	lo, hi := pathsBelow(collection, "")
	const text = "SELECT count(*) FILTER (WHERE died IS NULL OR died>?3), json_group_array(id) FILTER (WHERE died<=?3) FROM cells c WHERE " + belowCells
	var ids string
	if _, err := q.ask(ctx, text, []any{session, lo, at, hi}, &n, &ids); err != nil || len(ids) <= len("[]") {
		return n, err
	}
	const died = "SELECT p.pos, p.data FROM json_each(?1) j CROSS JOIN posts p ON p.cell=j.value AND p.pos=(SELECT max(pos) FROM posts WHERE cell=j.value AND pos<=?2)"
	err = q.each(ctx, died, []any{ids, at}, func(rows *sql.Rows) error {
		var first int64
		var data sql.RawBytes
		if err := rows.Scan(&first, &data); err != nil {
			return err
		}
		p, _, err := postIn(first, data, at)
		if !p.gone() {
			n++
		}
		return err
	})
	return n, err
}

// cellPaths lists the paths of the numbered cells that are there: those that never
// died before by their rows alone.
func (q *snapshot) cellPaths(ctx context.Context, session int64, collection string, at int64) (out []string, err error) {
	const text = "SELECT path, id, died<=?3 FROM cells c WHERE " + belowCells + " ORDER BY path"
	lo, hi := pathsBelow(collection, "")
	doubtful := map[string]int64{}
	err = q.each(ctx, text, []any{session, lo, at, hi}, func(rows *sql.Rows) error {
		var path sql.RawBytes
		var id int64
		var died sql.NullBool
		err := rows.Scan(&path, &id, &died)
		if out = append(out, string(path)); died.Bool {
			doubtful[string(path)] = id
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out = slices.DeleteFunc(out, func(path string) bool {
		id, ok := doubtful[path]
		if !ok || err != nil {
			return false
		}
		var p post
		p, _, err = q.cellPost(ctx, id, at)
		return p.gone()
	})
	return out, err
}

// standingCells looks through the numbered cells of a collection in order.
func (q *snapshot) standingCells(ctx context.Context, session int64, collection string, at int64, after string, limit int) ([]standing, error) {
	const text = "SELECT c.path, c.id, p.pos, p.data FROM cells c" + lastPosts + "WHERE " + belowCells + " ORDER BY c.path"
	lo, hi := pathsBelow(collection, after)
	return q.standingPosts(ctx, text, []any{session, lo, at, hi}, at, limit)
}

// standingPosts reads cells with the chunks that hold their last posts at or
// before a moment, until so many of them are there.
func (q *snapshot) standingPosts(ctx context.Context, text string, args []any, at int64, limit int) (out []standing, err error) {
	err = q.each(ctx, text, args, func(rows *sql.Rows) error {
		s := standing{sought: sought{key: cellKey{class: classOther}}}
		var path, data sql.RawBytes
		var first int64
		if err := rows.Scan(&path, &s.key.n, &first, &data); err != nil {
			return err
		}
		p, ok, err := postIn(first, data, at)
		if err != nil || !ok || p.gone() {
			return err
		}
		s.path, s.pos = string(path), p.pos()
		if out = append(out, s); len(out) >= limit {
			return errStop
		}
		return nil
	})
	return out, err
}
