package store

import (
	"context"
	"database/sql"
	"sync"

	"hindcast/model"
)

// shape is what events have in common: who says what kind of thing with which
// tool. A dump has a few dozen of them, so an event names one in a byte.
type shape struct{ Type, Source, Tool string }

// shapeCache bounds what is kept of shapes in memory, for dumps in which every
// event has a type of its own.
const shapeCache = 1 << 16

// interner gives out the numbers of shapes to the writer. Numbers given out
// in a transaction that fails are forgotten with it.
type interner struct {
	conn *sql.Conn
	ids  map[shape]int64
	last shape // of the event before; most often the same again
	id   int64
}

func (in *interner) forget() { in.ids, in.id, in.last = nil, 0, shape{} }

func (in *interner) number(ctx context.Context, e *model.Event) (int64, error) {
	s := shape{e.Type, e.Source, e.Tool}
	if in.id != 0 && s == in.last {
		return in.id, nil
	}
	id, ok := in.ids[s]
	if !ok {
		var err error
		if id, err = in.find(ctx, s); err != nil {
			return 0, err
		}
		if len(in.ids) >= shapeCache || in.ids == nil {
			in.ids = map[shape]int64{}
		}
		in.ids[s] = id
	}
	in.last, in.id = s, id
	return id, nil
}

const (
	findShape = "SELECT id FROM shapes WHERE type IS ? AND source IS ? AND tool IS ?"
	addShape  = "INSERT INTO shapes(type, source, tool) VALUES(?,?,?)"
)

func (in *interner) find(ctx context.Context, s shape) (int64, error) {
	typ, source, tool := packText(s.Type), packText(s.Source), packText(s.Tool)
	var id int64
	err := in.conn.QueryRowContext(ctx, findShape, typ, source, tool).Scan(&id)
	if err != sql.ErrNoRows {
		return id, err
	}
	res, err := in.conn.ExecContext(ctx, addShape, typ, source, tool)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// shapes is the readers' side of it. A number never changes its meaning.
type shapes struct {
	db *sql.DB
	mu sync.RWMutex
	by map[int64]shape
}

func (c *shapes) get(ctx context.Context, id int64) (shape, error) {
	c.mu.RLock()
	s, ok := c.by[id]
	c.mu.RUnlock()
	if ok {
		return s, nil
	}
	var typ, source, tool any
	err := c.db.QueryRowContext(ctx, "SELECT type, source, tool FROM shapes WHERE id=?", id).Scan(&typ, &source, &tool)
	if err == sql.ErrNoRows {
		return shape{}, ErrCorrupt
	}
	if err != nil {
		return shape{}, err
	}
	s = shape{unpackText(typ), unpackText(source), unpackText(tool)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil || len(c.by) >= shapeCache {
		c.by = map[int64]shape{}
	}
	c.by[id] = s
	return s, nil
}
