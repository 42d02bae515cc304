package store

import (
	"context"
	"database/sql"
	"slices"
)

// readCell is a cell that is asked about.
type readCell struct {
	session int64
	path    string
	class   cellClass // classOther for all numbered ones
	segment string
	id      int64   // of a numbered one; 0: nothing was ever written there
	comings []int64 // of a message by key and a call: when it came
	lives   []comeLife
	number  int64 // of a message by pos
}

// comeLife is one life of a member, between its coming and its end.
type comeLife struct {
	key cellKey
	life
}

// resolve finds where a path's positions stand.
func (q *snapshot) resolve(ctx context.Context, session int64, path string) (*readCell, error) {
	class, segment, number := classOf(path)
	c := &readCell{session: session, path: path, class: class, segment: segment, number: number}
	if !class.lives() {
		c.class = classOther
		_, err := q.ask(ctx, "SELECT id FROM cells WHERE session=? AND path=?", []any{session, []byte(path)}, &c.id)
		return c, err
	}
	if class == classPosMessage {
		return c, q.loadLives(ctx, c, number)
	}
	end, err := q.lastWrite(ctx, session)
	if err != nil {
		return nil, err
	}
	err = q.each(ctx, selectComings, []any{session, []byte(path), end >> comingBits}, func(rows *sql.Rows) error {
		var data sql.RawBytes
		if err := rows.Scan(&data); err != nil {
			return err
		}
		u := unpack(data)
		for u.More() {
			if n := u.Count(); len(c.comings) == 0 || c.comings[len(c.comings)-1] != n {
				c.comings = append(c.comings, n)
			}
		}
		return u.err()
	})
	return c, err
}

// lastWrite gives a pos behind which a session has no writes.
func (q *snapshot) lastWrite(ctx context.Context, session int64) (int64, error) {
	a, b := keys(session)
	var key sql.NullInt64
	_, err := q.ask(ctx, "SELECT max(key) FROM writes WHERE key BETWEEN ? AND ?", []any{a, b}, &key)
	return posOf(key.Int64) + writesSpan - 1, err
}

// loadLives reads the lives of the cell that begin with a number.
func (q *snapshot) loadLives(ctx context.Context, c *readCell, number int64) error {
	var data []byte
	block := number >> livesBits
	if _, err := q.ask(ctx, "SELECT data FROM lives WHERE session=? AND kind=? AND block=?", []any{c.session, int64(c.class), block}, &data); err != nil {
		return err
	}
	c.lives = c.lives[:0]
	w := walkLives(c.class, block, data)
	for w.next() && w.n <= number {
		if w.n == number && (c.class == classPosMessage || string(w.segment) == c.segment) {
			l := w.life
			l.more = slices.Clone(w.more)
			c.lives = append(c.lives, comeLife{cellKey{c.class, w.n, w.k}, l})
		}
	}
	return w.rest.err()
}

// is reports that a record is about the cell.
func (c *readCell) is(r *record) bool {
	if c.class == classOther {
		return r.cell.class == classOther && r.cell.n == c.id
	}
	return slices.ContainsFunc(c.lives, func(l comeLife) bool { return l.key == r.cell })
}

// before finds the last position at or before pos.
func (c *readCell) before(ctx context.Context, q *snapshot, pos int64) (at int64, ok bool, err error) {
	p, ok, err := c.postBefore(ctx, q, pos)
	return p.pos(), ok, err
}

func (c *readCell) postBefore(ctx context.Context, q *snapshot, pos int64) (best post, ok bool, err error) {
	switch {
	case c.class == classOther:
		return q.cellPost(ctx, c.id, pos)
	case c.class != classPosMessage:
		i, found := slices.BinarySearch(c.comings, pos)
		if found {
			i++
		}
		if i == 0 {
			return 0, false, nil
		}
		if err := q.loadLives(ctx, c, c.comings[i-1]); err != nil {
			return 0, false, err
		}
	}
	for i := range c.lives {
		if p, found := c.lives[i].at(pos); found && (!ok || p.pos() >= best.pos()) {
			best, ok = p, true
		}
	}
	return best, ok, nil
}

// cellPost finds a numbered cell's last post at or before pos.
func (q *snapshot) cellPost(ctx context.Context, id, pos int64) (p post, ok bool, err error) {
	var first int64
	var data sql.RawBytes
	err = q.each(ctx, "SELECT pos, data FROM posts WHERE cell=? AND pos<=? ORDER BY pos DESC LIMIT 1", []any{id, pos}, func(rows *sql.Rows) error {
		if err := rows.Scan(&first, &data); err != nil {
			return err
		}
		p, ok, err = postIn(first, data, pos)
		return err
	})
	return p, ok, err
}

// behind lists some of the next posts behind pos; none: there are none.
func (c *readCell) behind(ctx context.Context, q *snapshot, pos int64) ([]post, error) {
	switch {
	case c.class == classOther:
		return c.chunkBehind(ctx, q, pos)
	case c.class == classPosMessage:
		return c.livesBehind(pos), nil
	}
	// The life that was last to come may go on behind pos; then those that
	// came later.
	i, found := slices.BinarySearch(c.comings, pos)
	if !found {
		i--
	}
	for i = max(i, 0); i < len(c.comings); i++ {
		if err := q.loadLives(ctx, c, c.comings[i]); err != nil {
			return nil, err
		}
		if posts := c.livesBehind(pos); len(posts) > 0 {
			return posts, nil
		}
	}
	return nil, nil
}

func (c *readCell) livesBehind(pos int64) (posts []post) {
	for i := range c.lives {
		l := &c.lives[i]
		if l.first.pos() > pos {
			posts = append(posts, l.first)
		}
		posts = append(posts, l.more[lastPost(l.more, pos)+1:]...)
	}
	slices.Sort(posts)
	return slices.CompactFunc(posts, func(a, b post) bool { return a.pos() == b.pos() })
}

func (c *readCell) chunkBehind(ctx context.Context, q *snapshot, pos int64) (posts []post, err error) {
	const from = "SELECT pos, data FROM posts WHERE cell=?1 AND pos>=coalesce((SELECT max(pos) FROM posts WHERE cell=?1 AND pos<=?2),0) ORDER BY pos LIMIT 2"
	err = q.each(ctx, from, []any{c.id, pos}, func(rows *sql.Rows) error {
		var first int64
		var data sql.RawBytes
		if err := rows.Scan(&first, &data); err != nil {
			return err
		}
		posts, err = unpackPosts(posts, first, data)
		return err
	})
	return posts[lastPost(posts, pos)+1:], err
}
