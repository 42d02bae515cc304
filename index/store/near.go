package store

import (
	"context"
	"database/sql"
	"strings"

	"hindcast/model"
)

// Near finds the nearest event behind (back: before) pos that wrote a cell; 0:
// there is none. It reads positions alone.
func (r *Reader) Near(ctx context.Context, session int64, path string, pos int64, back bool) (at int64, err error) {
	err = r.snapshot(ctx, "write", func(ctx context.Context, q *snapshot) error {
		c, err := q.resolve(ctx, session, path)
		if err != nil {
			return err
		}
		at, err = c.near(ctx, q, pos, back)
		return err
	})
	return at, err
}

func (c *readCell) near(ctx context.Context, q *snapshot, pos int64, back bool) (int64, error) {
	if back {
		at, _, err := c.before(ctx, q, pos-1)
		return at, err
	}
	posts, err := c.behind(ctx, q, pos)
	if err != nil || len(posts) == 0 {
		return 0, err
	}
	return posts[0].pos(), nil
}

// fewCells is how many cells below a path are asked one by one for their nearest
// write, however far away that is. Of more some will be near: they are looked for
// among the events.
const fewCells = 64

// How many events are looked through at once: the nearest first, then more, as
// many as stand in a page of rows wherever they begin.
const (
	firstWindow = writesSpan
	lastWindow  = (rangeRows - 1) * writesSpan
)

// NearBelow is Near for all cells below a path; an empty one stands above all.
func (r *Reader) NearBelow(ctx context.Context, session int64, prefix string, pos int64, back bool) (at int64, err error) {
	var cells []string
	few := false
	var last int64
	err = r.snapshot(ctx, "write", func(ctx context.Context, q *snapshot) error {
		if cells, few, err = q.fewBelow(ctx, session, prefix, fewCells); err != nil {
			return err
		}
		last, err = q.lastWrite(ctx, session)
		return err
	})
	if err != nil {
		return 0, err
	}
	if few {
		return r.nearestOf(ctx, session, cells, pos, back)
	}
	n := nearBelow{session: session, prefix: prefix, ids: map[int64]bool{}, back: back}
	for window := int64(firstWindow); ; window = min(4*window, lastWindow) {
		from, to := pos, min(pos+window, last)
		if back {
			to = min(pos-1, last)
			from = max(to-window, 0)
		}
		if to <= from {
			return 0, nil
		}
		err := r.snapshot(ctx, "write", func(ctx context.Context, q *snapshot) error { return n.window(ctx, q, from, to) })
		if err != nil || n.found > 0 {
			return n.found, err
		}
		if pos = to; back {
			pos = from + 1
		}
	}
}

func (r *Reader) nearestOf(ctx context.Context, session int64, cells []string, pos int64, back bool) (nearest int64, err error) {
	err = r.snapshot(ctx, "write", func(ctx context.Context, q *snapshot) error {
		for _, path := range cells {
			c, err := q.resolve(ctx, session, path)
			if err != nil {
				return err
			}
			at, err := c.near(ctx, q, pos, back)
			if err != nil {
				return err
			}
			if at > 0 && (nearest == 0 || (at > nearest) == back) {
				nearest = at
			}
		}
		return nil
	})
	return nearest, err
}

// nearBelow looks through events for a write below a path.
type nearBelow struct {
	session int64
	prefix  string
	back    bool
	ids     map[int64]bool // of numbered cells: they stand below it
	found   int64
}

// window looks through the events of a window, which fits into one page of rows.
func (n *nearBelow) window(ctx context.Context, q *snapshot, from, to int64) error {
	type hit struct{ pos, id int64 } // id 0: it stands below for sure
	var hits []hit
	var unknown []int64
	_, err := q.events(ctx, n.session, from, to, func(w *recordWalk) error {
		var rec record
		for w.next(&rec) {
			switch {
			case rec.cell.class == classOther:
				if _, known := n.ids[rec.cell.n]; !known {
					n.ids[rec.cell.n] = false
					unknown = append(unknown, rec.cell.n)
				}
				hits = append(hits, hit{w.pos, rec.cell.n})
			case overlaps(n.prefix, rec.cell.class):
				hits = append(hits, hit{pos: w.pos})
			}
		}
		return w.rest.err()
	})
	if err != nil {
		return err
	}
	paths, err := q.pathsOf(ctx, n.session, unknown)
	if err != nil {
		return err
	}
	for id, path := range paths {
		n.ids[id] = strings.HasPrefix(path, n.prefix+"/")
	}
	for _, h := range hits {
		if h.id > 0 && !n.ids[h.id] {
			continue
		}
		if n.found = h.pos; !n.back {
			return nil
		}
	}
	return nil
}

// overlaps reports that all members of a class stand below a path.
func overlaps(prefix string, class cellClass) bool {
	return strings.HasPrefix(memberPath(class, ""), prefix+"/")
}

// fewBelow lists the cells below a path that were ever written, if they are at
// most so many.
func (q *snapshot) fewBelow(ctx context.Context, session int64, prefix string, most int) (out []string, few bool, err error) {
	lo, hi := pathsBelow(prefix, "")
	err = q.each(ctx, "SELECT path FROM cells WHERE session=? AND path>=? AND path<? LIMIT ?", []any{session, lo, hi, most + 1}, func(rows *sql.Rows) error {
		var path sql.RawBytes
		err := rows.Scan(&path)
		out = append(out, string(path))
		return err
	})
	for _, class := range []cellClass{classPosMessage, classMessage, classPending} {
		if err != nil || len(out) > most {
			break
		}
		if overlaps(prefix, class) {
			out, err = q.livesBelow(ctx, session, class, out, most)
		}
	}
	return out, len(out) <= most, err
}

// livesBelow adds the paths of lives of a class until there are too many.
func (q *snapshot) livesBelow(ctx context.Context, session int64, class cellClass, out []string, most int) ([]string, error) {
	seen := map[string]bool{}
	err := q.each(ctx, "SELECT block, data FROM lives WHERE session=? AND kind=? ORDER BY block", []any{session, int64(class)}, func(rows *sql.Rows) error {
		var block int64
		var data sql.RawBytes
		if err := rows.Scan(&block, &data); err != nil {
			return err
		}
		w := walkLives(class, block, data)
		for w.next() {
			segment := string(w.segment)
			if class == classPosMessage {
				segment = model.MessageKey(w.n)
			}
			if seen[segment] {
				continue
			}
			seen[segment] = true
			if out = append(out, memberPath(class, segment)); len(out) > most {
				return errStop
			}
		}
		return w.rest.err()
	})
	return out, err
}
