package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
)

// sought is a cell of which something is looked for in the rows of writes.
type sought struct {
	key     cellKey
	segment string // that its coming names, where it was looked for
	value   []byte // that an event left in it; nil: nothing
}

// look is a look for a cell at the event at pos.
type look struct {
	pos  int64
	name bool // for its segment, which its value then needs
	cell *sought
}

// selectRows reads many rows of writes with one statement, in the order of
// their keys, which stand in an array.
const selectRows = "SELECT w.key, w.data FROM json_each(?) j CROSS JOIN writes w ON w.key=j.value"

// look answers looks, in the order of their positions: each row is read once,
// however many events and cells of it are looked at.
func (q *snapshot) look(ctx context.Context, session int64, looks []look) error {
	slices.SortFunc(looks, func(a, b look) int {
		if c := cmp.Compare(a.pos, b.pos); c != 0 || a.name == b.name {
			return c
		}
		if a.name {
			return -1
		}
		return 1
	})
	for len(looks) > 0 {
		keys, n := lookedRows(session, looks)
		left := looks[:n]
		looks = looks[n:]
		err := q.each(ctx, selectRows, []any{listOf(keys)}, func(rows *sql.Rows) (err error) {
			var key int64
			var data sql.RawBytes
			if err := rows.Scan(&key, &data); err != nil {
				return err
			}
			left, err = lookInRow(key, data, left)
			return err
		})
		if err == nil && len(left) > 0 {
			err = errPacked // its row is not there
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lookedRows lists the keys of the rows that the first n looks need, as many as
// are read at once.
func lookedRows(session int64, looks []look) (keys []int64, n int) {
	for ; n < len(looks); n++ {
		key := writesKey(session, looks[n].pos)
		if len(keys) > 0 && keys[len(keys)-1] == key {
			continue
		}
		if len(keys) == rangeRows {
			break
		}
		keys = append(keys, key)
	}
	return keys, n
}

// lookInRow answers the looks at a row's events, which are the first, and gives
// the others.
func lookInRow(key int64, data []byte, looks []look) ([]look, error) {
	e := eventWalk{first: posOf(key), rest: unpack(data)}
	var w recordWalk
	for e.next(&w) && len(looks) > 0 {
		n := 0
		for n < len(looks) && looks[n].pos == w.pos {
			n++
		}
		if err := lookInEvent(w, looks[:n]); err != nil {
			return nil, err
		}
		looks = looks[n:]
	}
	return looks, e.rest.err()
}

// lookInEvent answers the looks at one event. Of two writes of a cell the second
// counts.
func lookInEvent(w recordWalk, looks []look) error {
	found := make([]bool, len(looks))
	var rec record
	for len(looks) > 0 && w.next(&rec) {
		for i, l := range looks {
			if l.cell.key != rec.cell || l.name && !rec.comes {
				continue
			}
			if found[i] = true; l.name {
				l.cell.segment = rec.segment
				continue
			}
			var err error
			if l.cell.value, _, err = rec.newValue(w.pos, l.cell.segment); err != nil {
				return err
			}
		}
	}
	if w.rest.Bad || slices.Contains(found, false) {
		return errPacked
	}
	return nil
}

// pathsOf reads the paths of numbered cells with one statement.
func (q *snapshot) pathsOf(ctx context.Context, session int64, ids []int64) (map[int64]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	const text = "SELECT c.id, c.path FROM json_each(?) j CROSS JOIN cells c ON c.id=j.value WHERE c.session=?"
	paths := make(map[int64]string, len(ids))
	err := q.each(ctx, text, []any{listOf(ids), session}, func(rows *sql.Rows) error {
		var id int64
		var path sql.RawBytes
		if err := rows.Scan(&id, &path); err != nil {
			return err
		}
		paths[id] = string(path)
		return nil
	})
	if err == nil && len(paths) < len(ids) {
		err = errPacked
	}
	return paths, err
}
