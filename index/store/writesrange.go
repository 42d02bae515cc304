package store

import (
	"context"
	"database/sql"

	"hindcast/model"
)

// rangeRows is how many rows of writes are read at once, keptValues how many
// values a range remembers, so that what a write replaced is mostly at hand.
const (
	rangeRows  = 64
	keptValues = 1 << 15
)

// Writes calls yield with the writes of all cells by events behind from, up to
// and including to, in order, until it returns false.
func (r *Reader) Writes(ctx context.Context, session, from, to int64, yield func(model.Write) bool) error {
	return r.walkWrites(ctx, session, from, to, nil, yield)
}

// NewValues is Writes for a caller that follows some cells and needs no Old of
// theirs: it costs a fraction. Calls that are open are never wanted, and of the
// messages all or none: wanted is asked about one cell once, and about messages
// with any of their paths.
func (r *Reader) NewValues(ctx context.Context, session, from, to int64, wanted func(path string) bool, yield func(model.Write) bool) error {
	return r.walkWrites(ctx, session, from, to, wanted, yield)
}

func (r *Reader) walkWrites(ctx context.Context, session, from, to int64, wanted func(path string) bool, yield func(model.Write) bool) error {
	g := &writeRange{session: session, from: max(from, 0), to: min(to, posMask), wanted: wanted, names: map[cellKey]cellName{}, values: map[cellKey]written{}}
	for g.from < g.to {
		var page []model.Write
		err := r.snapshot(ctx, "writes", func(ctx context.Context, q *snapshot) (err error) {
			page, err = g.page(ctx, q)
			return err
		})
		if err != nil {
			return err
		}
		for _, wr := range page {
			if !yield(wr) {
				return nil
			}
		}
	}
	return nil
}

// writeRange walks over the writes of a session.
type writeRange struct {
	session, from, to int64
	wanted            func(path string) bool // nil: all cells, with their old values
	names             map[cellKey]cellName
	values            map[cellKey]written
	now               readCell // of the record at hand
	messages          want     // whether those are wanted
}

// cellName is a path, and the segment of one of lives.
type cellName struct {
	path, segment string
	want          want
}

// want is whether a cell is wanted; it is asked where that is not known yet.
type want uint8

const (
	wantUnknown want = iota
	wantNot
	wantIt
)

func (w *want) ask(wanted func(path string) bool, path string) bool {
	if *w == wantUnknown {
		if *w = wantNot; wanted(path) {
			*w = wantIt
		}
	}
	return *w == wantIt
}

type written struct {
	pos   int64
	value []byte
}

// page reads the next rows and moves from behind them.
func (g *writeRange) page(ctx context.Context, q *snapshot) (out []model.Write, err error) {
	g.from, err = q.events(ctx, g.session, g.from, g.to, func(w *recordWalk) error {
		out, err = g.event(ctx, q, w, out)
		return err
	})
	return out, err
}

// events calls f with the events of the next rows of writes behind from, up to
// and including to, and gives the pos behind which to go on: to at the end.
func (q *snapshot) events(ctx context.Context, session, from, to int64, f func(*recordWalk) error) (last int64, err error) {
	type row struct {
		first int64
		data  []byte
	}
	rows := make([]row, 0, rangeRows)
	args := []any{writesKey(session, from+1), keyOf(session, to), rangeRows}
	err = q.each(ctx, "SELECT key, data FROM writes WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?", args, func(r *sql.Rows) error {
		var key int64
		var data []byte
		if err := r.Scan(&key, &data); err != nil {
			return err
		}
		rows = append(rows, row{posOf(key), data})
		return nil
	})
	if err != nil {
		return from, err
	}
	if last = to; len(rows) == rangeRows {
		last = min(last, rows[len(rows)-1].first+writesSpan-1)
	}
	for _, x := range rows {
		e := eventWalk{first: x.first, rest: unpack(x.data)}
		var w recordWalk
		for e.next(&w) {
			if w.pos <= from || w.pos > last {
				continue
			}
			if err := f(&w); err != nil {
				return from, err
			}
		}
		if err := e.rest.err(); err != nil {
			return from, err
		}
	}
	return last, nil
}

func (g *writeRange) event(ctx context.Context, q *snapshot, w *recordWalk, out []model.Write) ([]model.Write, error) {
	var rec record
	for w.next(&rec) {
		if g.wanted != nil && g.passes(&rec) {
			continue
		}
		c, err := g.cell(ctx, q, &rec)
		if err != nil {
			return nil, err
		}
		if g.wanted != nil && !g.asked(&rec, c.path) {
			continue
		}
		wr := model.Write{Path: c.path, Pos: w.pos, Restores: rec.restores, Lost: rec.lost}
		var old []byte
		if wr.New.JSON, old, err = rec.newValue(w.pos, c.segment); err != nil {
			return nil, err
		}
		if g.wanted != nil {
			out = append(out, wr)
			continue
		}
		switch before := g.values[rec.cell]; {
		case rec.hasOld:
			wr.Old.JSON = old
		case rec.previous < 0:
		case before.value != nil && before.pos == rec.previous:
			wr.Old.JSON = before.value
		case rec.previous < w.pos:
			if wr.Old.JSON, err = q.value(ctx, c, rec.cell, rec.previous); err != nil {
				return nil, err
			}
		}
		if len(g.values) >= keptValues {
			clear(g.values)
		}
		g.values[rec.cell] = written{w.pos, wr.New.JSON}
		out = append(out, wr)
	}
	return out, w.rest.err()
}

// passes tells, without its name, that a record's cell is not wanted.
func (g *writeRange) passes(rec *record) bool {
	switch rec.cell.class {
	case classPending:
		return true
	case classPosMessage, classMessage:
		return g.messages == wantNot
	}
	return g.names[rec.cell].want == wantNot
}

// asked tells whether a record's cell is wanted.
func (g *writeRange) asked(rec *record, path string) bool {
	if rec.cell.class != classOther {
		return g.messages.ask(g.wanted, path)
	}
	name := g.names[rec.cell]
	if name.want == wantUnknown {
		name.want.ask(g.wanted, path)
		g.names[rec.cell] = name
	}
	return name.want == wantIt
}

// cell names the cell of a record.
func (g *writeRange) cell(ctx context.Context, q *snapshot, rec *record) (*readCell, error) {
	c := &g.now
	*c = readCell{session: g.session, class: rec.cell.class, segment: rec.segment}
	if c.class == classPosMessage {
		c.path = memberPath(c.class, c.segment)
		return c, nil
	}
	name, known := g.names[rec.cell]
	if rec.comes {
		name = g.name(rec.cell, rec.segment)
	} else if !known {
		text, err := q.name(ctx, g.session, rec.cell)
		if err != nil {
			return nil, err
		}
		name = g.name(rec.cell, text)
	}
	c.path = name.path
	if c.class != classOther {
		c.segment = name.segment
	}
	return c, nil
}

// name keeps the name of a cell.
func (g *writeRange) name(key cellKey, text string) cellName {
	if len(g.names) >= keptValues {
		clear(g.names)
	}
	name := cellName{path: text}
	if key.class != classOther {
		name = cellName{path: memberPath(key.class, text), segment: text}
	}
	g.names[key] = name
	return name
}

// name is the path of a numbered cell, and the segment of a member that was
// named by its coming.
func (q *snapshot) name(ctx context.Context, session int64, key cellKey) (string, error) {
	if key.class == classOther {
		var path []byte
		found, err := q.ask(ctx, "SELECT path FROM cells WHERE id=? AND session=?", []any{key.n, session}, &path)
		if err == nil && !found {
			err = errPacked
		}
		return string(path), err
	}
	w, err := q.event(ctx, session, key.n)
	if err != nil {
		return "", err
	}
	var rec record
	for w.next(&rec) {
		if rec.cell == key && rec.comes {
			return rec.segment, nil
		}
	}
	return "", errPacked
}
