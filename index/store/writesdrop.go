package store

import (
	"context"
	"slices"
)

// dropped is what the writes behind a pos have touched.
type dropped struct {
	cells   map[int64]bool
	lives   map[cellKey]bool
	comings map[string]bool // paths
	writes  int64
}

// drop takes away all that events at or behind from brought to a session,
// whose changes are all flushed, and forgets the session.
func (f *folder) drop(ctx context.Context, session, from int64) error {
	s, err := f.session(ctx, session)
	if err != nil {
		return err
	}
	from = min(from, posMask+1)
	if s.last >= from {
		d, err := f.dropRows(ctx, session, from)
		if err != nil {
			return err
		}
		for id := range d.cells {
			if err := f.cutCell(ctx, id, from); err != nil {
				return err
			}
		}
		if err := f.cutLives(ctx, s, d, from); err != nil {
			return err
		}
		s.writes -= d.writes
	}
	for _, text := range []string{"DELETE FROM notes WHERE session=? AND pos>=?", "DELETE FROM folds WHERE session=? AND pos>=?"} {
		if err := f.w.exec(ctx, text, session, from); err != nil {
			return err
		}
	}
	s.last, s.row, s.open = 0, nil, false
	s.pos, s.marked = min(s.pos, from-1), true
	if err := f.flush(ctx); err != nil {
		return err
	}
	f.nextCell = 0
	delete(f.sessions, session)
	return nil
}

// dropRows deletes the rows of writes from a pos on and tells what they wrote.
func (f *folder) dropRows(ctx context.Context, session, from int64) (*dropped, error) {
	d := &dropped{cells: map[int64]bool{}, lives: map[cellKey]bool{}, comings: map[string]bool{}}
	_, end := keys(session)
	for key := writesKey(session, from); ; key++ {
		var data []byte
		found, err := f.w.ask(ctx, "SELECT key, data FROM writes WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 1", []any{key, end}, &key, &data)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if err := d.add(posOf(key), from, data); err != nil {
			return nil, err
		}
		if posOf(key) < from {
			if err := f.cutRow(ctx, key, cutEvents(data, from)); err != nil {
				return nil, err
			}
		}
	}
	return d, f.w.exec(ctx, "DELETE FROM writes WHERE key BETWEEN ? AND ?", keyOf(session, from), end)
}

func (f *folder) cutRow(ctx context.Context, key int64, data []byte) error {
	if len(data) == 0 {
		return f.w.exec(ctx, "DELETE FROM writes WHERE key=?", key)
	}
	return f.w.exec(ctx, "UPDATE writes SET data=? WHERE key=?", data, key)
}

// add notes the cells that a row's events from a pos on wrote.
func (d *dropped) add(first, from int64, data []byte) error {
	e := eventWalk{first: first, rest: unpack(data)}
	var w recordWalk
	var r record
	for e.next(&w) {
		if w.pos < from {
			continue
		}
		for w.next(&r) {
			d.writes++
			switch {
			case !r.cell.class.lives():
				d.cells[r.cell.n] = true
			default:
				d.lives[r.cell] = true
			}
			if r.comes && w.pos>>comingBits == from>>comingBits {
				d.comings[memberPath(r.cell.class, r.segment)] = true
			}
		}
		if err := w.rest.err(); err != nil {
			return err
		}
	}
	return e.rest.err()
}

// cutCell takes a cell's posts and texts from a pos on, and the cell itself if
// none is left.
func (f *folder) cutCell(ctx context.Context, id, from int64) error {
	for _, q := range []struct {
		text string
		from int64
	}{{"DELETE FROM posts WHERE cell=? AND pos>=?", from}, {"DELETE FROM texts WHERE cell=? AND at>=?", from << 1}} {
		if err := f.w.exec(ctx, q.text, id, q.from); err != nil {
			return err
		}
	}
	var first int64
	var chunk []byte
	found, err := f.w.ask(ctx, "SELECT pos, data FROM posts WHERE cell=? ORDER BY pos DESC LIMIT 1", []any{id}, &first, &chunk)
	if err != nil {
		return err
	}
	if !found {
		return f.w.exec(ctx, "DELETE FROM cells WHERE id=?", id)
	}
	posts, err := unpackPosts(nil, first, chunk)
	if err != nil {
		return err
	}
	posts = posts[:lastPost(posts, from-1)+1]
	if len(posts) == 0 {
		return errPacked
	}
	chunk, before, gone := nil, first, int64(0)
	for _, p := range posts {
		chunk = appendPost(chunk, before, p)
		before = p.pos()
	}
	if last := posts[len(posts)-1]; last.gone() {
		gone = last.pos()
	}
	if err := f.w.exec(ctx, "UPDATE posts SET data=? WHERE cell=? AND pos=?", chunk, id, first); err != nil {
		return err
	}
	return f.w.exec(ctx, "UPDATE cells SET gone=?1, died=CASE WHEN died<?2 THEN died END WHERE id=?3", orNil(gone), from, id)
}

// cutLives takes the posts of lives from a pos on, and lives without any.
func (f *folder) cutLives(ctx context.Context, s *foldSession, d *dropped, from int64) error {
	cut := map[blockKey]bool{}
	for key := range d.lives {
		cut[blockKey{key.class, key.n >> livesBits}] = true
	}
	for at := range cut {
		b, err := f.block(ctx, s, at)
		if err != nil {
			return err
		}
		b.dirty = true
		b.lives = slices.DeleteFunc(b.lives, func(l life) bool { return l.first.pos() >= from })
		for i := range b.lives {
			l := &b.lives[i]
			l.more = l.more[:lastPost(l.more, from-1)+1]
		}
	}
	if err := f.w.exec(ctx, "DELETE FROM comings WHERE session=? AND part>?", s.key, from>>comingBits); err != nil {
		return err
	}
	for path := range d.comings {
		if err := f.cutComings(ctx, s, path, from); err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) cutComings(ctx context.Context, s *foldSession, path string, from int64) error {
	part := from >> comingBits
	var data []byte
	if _, err := f.w.ask(ctx, "SELECT data FROM comings WHERE session=? AND part=? AND path=?", []any{s.key, part, []byte(path)}, &data); err != nil {
		return err
	}
	u := unpack(data)
	kept := 0
	for u.More() && u.Count() < from {
		kept = len(data) - len(u.Rest)
	}
	if err := u.err(); err != nil {
		return err
	}
	if kept == 0 {
		return f.w.exec(ctx, "DELETE FROM comings WHERE session=? AND part=? AND path=?", s.key, part, []byte(path))
	}
	return f.w.exec(ctx, "UPDATE comings SET data=? WHERE session=? AND part=? AND path=?", data[:kept], s.key, part, []byte(path))
}

// dropWrites deletes all writes of a session.
func (w *Writer) dropWrites(ctx context.Context, session int64) error {
	delete(w.fold.sessions, session)
	w.fold.nextCell = 0
	a, b := keys(session)
	if err := w.exec(ctx, "DELETE FROM writes WHERE key BETWEEN ? AND ?", a, b); err != nil {
		return err
	}
	for _, table := range []string{"posts", "texts"} {
		if err := w.exec(ctx, "DELETE FROM "+table+" WHERE cell IN (SELECT id FROM cells WHERE session=?)", session); err != nil {
			return err
		}
	}
	for _, table := range []string{"cells", "lives", "comings", "notes", "folds", "folded"} {
		if err := w.exec(ctx, "DELETE FROM "+table+" WHERE session=?", session); err != nil {
			return err
		}
	}
	return nil
}

// cutWrites deletes the writes of a session from a pos on: the events that made
// them go.
func (w *Writer) cutWrites(ctx context.Context, session, from int64) error {
	s, err := w.fold.session(ctx, session)
	if err != nil || s.pos < from && s.last < from {
		return err
	}
	return w.fold.drop(ctx, session, max(from, 1))
}

// writeTables are the tables of writes.sql, all emptied when the index is.
var writeTables = []string{"writes", "cells", "posts", "lives", "comings", "texts", "notes", "folds", "folded"}
