package store

import (
	"context"

	"hindcast/model"
)

// WriteAt reads a cell's last write by an event at or before pos; of two by one
// event the second. ok is false where there is none. Value.Text is not filled:
// FileText reads it.
func (r *Reader) WriteAt(ctx context.Context, session int64, path string, pos int64) (wr model.Write, ok bool, err error) {
	err = r.snapshot(ctx, "write", func(ctx context.Context, q *snapshot) error {
		c, err := q.resolve(ctx, session, path)
		if err != nil {
			return err
		}
		at, found, err := c.before(ctx, q, pos)
		if err != nil || !found {
			return err
		}
		list, err := q.writesOf(ctx, c, at, &cellValue{})
		if err != nil {
			return err
		}
		wr, ok = list[len(list)-1], true
		return nil
	})
	return wr, ok, err
}

// WriteAfter reads a cell's first write by an event behind pos.
func (r *Reader) WriteAfter(ctx context.Context, session int64, path string, pos int64) (wr model.Write, ok bool, err error) {
	list, err := r.History(ctx, session, path, pos, 1)
	if err != nil || len(list) == 0 {
		return model.Write{}, false, err
	}
	return list[0], true, nil
}

// History reads a cell's writes by events behind after, in order. limit is
// how many; 0 and less: all. An event that wrote twice is never torn apart: then
// one more comes.
func (r *Reader) History(ctx context.Context, session int64, path string, after int64, limit int) (out []model.Write, err error) {
	err = r.snapshot(ctx, "writes", func(ctx context.Context, q *snapshot) error {
		c, err := q.resolve(ctx, session, path)
		if err != nil {
			return err
		}
		var before cellValue
		for pos := after; limit <= 0 || len(out) < limit; {
			posts, err := c.behind(ctx, q, pos)
			if err != nil {
				return err
			}
			if len(posts) == 0 {
				return nil
			}
			for _, p := range posts {
				if limit > 0 && len(out) >= limit {
					return nil
				}
				list, err := q.writesOf(ctx, c, p.pos(), &before)
				if err != nil {
					return err
				}
				out = append(out, list...)
				pos = p.pos()
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// FileText reads the text of a file after the event at pos; path is that of
// the cell. ok is false where the file is not there, text nil where nothing of
// it is known.
func (r *Reader) FileText(ctx context.Context, session int64, path string, pos int64) (text *string, ok bool, err error) {
	return r.fileText(ctx, session, path, pos, 1)
}

// OutsideText reads the text between the two writes of an event that recorded
// a change from outside; of any other event it is that of FileText.
func (r *Reader) OutsideText(ctx context.Context, session int64, path string, pos int64) (text *string, ok bool, err error) {
	return r.fileText(ctx, session, path, pos, 0)
}

func (r *Reader) fileText(ctx context.Context, session int64, path string, pos, second int64) (text *string, ok bool, err error) {
	err = r.snapshot(ctx, "file", func(ctx context.Context, q *snapshot) error {
		c, err := q.resolve(ctx, session, path)
		if err != nil || c.class != classOther {
			return err
		}
		p, found, err := c.postBefore(ctx, q, pos)
		if err != nil || !found || p.gone() {
			return err
		}
		ok = true
		text, err = q.textAt(ctx, c.id, pos<<1|second)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	return text, ok, nil
}

// textAt is the text of a file's cell at a moment; nil where it is not known.
func (q *snapshot) textAt(ctx context.Context, cell, at int64) (*string, error) {
	b, known, err := lastText(ctx, q, cell, at)
	if err != nil || !known {
		return nil, err
	}
	text := string(b)
	return &text, nil
}

// cellValue is what an event left in a cell.
type cellValue struct {
	key  cellKey
	pos  int64 // 0: it is not known
	json []byte
}

// writesOf reads what the event at pos wrote at a cell, at least one write.
// before is a value that is at hand, and then what the event left.
func (q *snapshot) writesOf(ctx context.Context, c *readCell, pos int64, before *cellValue) ([]model.Write, error) {
	w, err := q.event(ctx, c.session, pos)
	if err != nil {
		return nil, err
	}
	var out []model.Write
	var rec record
	for w.next(&rec) {
		if !c.is(&rec) {
			continue
		}
		wr := model.Write{Path: c.path, Pos: pos, Restores: rec.restores, Lost: rec.lost}
		var old []byte
		if wr.New.JSON, old, err = rec.newValue(pos, c.segment); err != nil {
			return nil, err
		}
		switch {
		case rec.hasOld:
			wr.Old.JSON = old
		case rec.previous == pos && len(out) > 0:
			wr.Old = out[len(out)-1].New
		case rec.previous > 0 && rec.previous == before.pos && rec.cell == before.key:
			wr.Old.JSON = before.json
		case rec.previous >= 0 && rec.previous < pos:
			if wr.Old.JSON, err = q.value(ctx, c, rec.cell, rec.previous); err != nil {
				return nil, err
			}
		}
		*before = cellValue{rec.cell, pos, wr.New.JSON}
		out = append(out, wr)
	}
	if w.rest.Bad || len(out) == 0 {
		return nil, errPacked
	}
	return out, nil
}

// value reads what the event at pos left in a cell.
func (q *snapshot) value(ctx context.Context, c *readCell, key cellKey, pos int64) (value []byte, err error) {
	w, err := q.event(ctx, c.session, pos)
	if err != nil {
		return nil, err
	}
	found := false
	var rec record
	for w.next(&rec) {
		if rec.cell != key {
			continue
		}
		found = true
		if value, _, err = rec.newValue(pos, c.segment); err != nil {
			return nil, err
		}
	}
	if w.rest.Bad || !found {
		return nil, errPacked
	}
	return value, nil
}

// event finds the records of an event.
func (q *snapshot) event(ctx context.Context, session, pos int64) (w recordWalk, err error) {
	if key := writesKey(session, pos); key != q.rowKey || q.row == nil {
		var data []byte
		if _, err := q.ask(ctx, "SELECT data FROM writes WHERE key=?", []any{key}, &data); err != nil {
			return w, err
		}
		q.rowKey, q.row = key, data
	}
	w, ok := walkEvent(q.row, pos)
	if !ok {
		return w, errPacked
	}
	return w, nil
}
