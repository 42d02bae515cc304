package store

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"hindcast/model"
)

// Net reads what the events behind from, up to and including to, changed in
// all: for each path one write, bytewise, with the value before them and the
// value and event of the last write. A member that came and went between them is
// left out. Texts are filled where a file has another one than before. It makes no
// values but these, and reads what stood before from as few rows as hold it.
func (r *Reader) Net(ctx context.Context, session, from, to int64) ([]model.Write, error) {
	n := net{session: session, from: max(from, 0), to: min(to, posMask), cells: map[cellKey]*netCell{}, left: map[uint64]bool{}}
	for at := n.from; at < n.to; {
		err := r.snapshot(ctx, "writes", func(ctx context.Context, q *snapshot) (err error) {
			at, err = q.events(ctx, session, at, n.to, n.event)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	cells := make([]*netCell, 0, len(n.cells))
	for _, c := range n.cells {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b *netCell) int { return compareKeys(a.key, b.key) })
	for part := range slices.Chunk(cells, netCells) {
		err := r.snapshot(ctx, "writes", func(ctx context.Context, q *snapshot) error { return n.complete(ctx, q, part) })
		if err != nil {
			return nil, err
		}
	}
	out := joined(cells)
	return out, n.mend(ctx, r, out)
}

// netCells is how many cells are completed from one commit.
const netCells = 4096

// net gathers the writes of a range of events.
type net struct {
	session, from, to int64
	cells             map[cellKey]*netCell
	left              map[uint64]bool // hashes of the segments of lives that are left out
}

// netCell is a cell that was written in the range. Its sought value is that
// before it.
type netCell struct {
	sought
	write    model.Write
	first    int64 // pos of the first write
	previous int64 // pos of the one before, of which the value is asked; below 0: of none
	last     int64 // pos of the last write
	rec      record
	values   []byte // of rec, which outlives the row
}

// event takes in the records of one event.
func (n *net) event(w *recordWalk) error {
	var rec record
	for w.next(&rec) {
		c := n.cells[rec.cell]
		if c == nil {
			c = &netCell{sought: sought{key: rec.cell}, first: w.pos, previous: rec.previous}
			n.cells[rec.cell] = c
			if rec.hasOld {
				var err error
				if _, c.value, err = rec.newValue(w.pos, rec.segment); err != nil {
					return err
				}
			}
		}
		if rec.comes || rec.cell.class == classPosMessage {
			c.segment = rec.segment
		}
		c.values = append(c.values[:0], rec.values...)
		c.last, c.rec = w.pos, rec
		c.rec.values = c.values
		if rec.newKind == valueAbsent && c.value == nil && c.previous < 0 {
			delete(n.cells, rec.cell)
			if rec.cell.class != classOther {
				n.left[xxhash.Sum64String(c.segment)] = true
			}
		}
	}
	return w.rest.err()
}

// complete finds names, old values and texts, and makes the writes.
func (n *net) complete(ctx context.Context, q *snapshot, cells []*netCell) error {
	var looks []look
	var ids []int64
	for _, c := range cells {
		switch {
		case c.key.class == classOther:
			ids = append(ids, c.key.n)
		case c.key.class != classPosMessage && c.key.n <= n.from:
			looks = append(looks, look{pos: c.key.n, name: true, cell: &c.sought})
		}
		if c.previous >= 0 {
			looks = append(looks, look{pos: c.previous, cell: &c.sought})
		}
	}
	paths, err := q.pathsOf(ctx, n.session, ids)
	if err != nil {
		return err
	}
	if err := q.look(ctx, n.session, looks); err != nil {
		return err
	}
	for _, c := range cells {
		value, _, err := c.rec.newValue(c.last, c.segment)
		if err != nil {
			return err
		}
		c.write = model.Write{
			Path: paths[c.key.n], Pos: c.last, Old: model.Value{JSON: c.value}, New: model.Value{JSON: value},
			Restores: c.rec.restores, Lost: c.rec.lost,
		}
		if c.key.class != classOther {
			c.write.Path = memberPath(c.key.class, c.segment)
		} else if err := n.texts(ctx, q, c); err != nil {
			return err
		}
	}
	return nil
}

// texts reads the texts of a file whose text has changed.
func (n *net) texts(ctx context.Context, q *snapshot, c *netCell) (err error) {
	w := &c.write
	if hash := textSum(w.New.JSON); !strings.HasPrefix(w.Path, underFiles) || hash != "" && hash == textSum(w.Old.JSON) {
		return nil
	}
	if !w.Old.Absent() {
		if w.Old.Text, err = q.textAt(ctx, c.key.n, n.from<<1|1); err != nil {
			return err
		}
	}
	if !w.New.Absent() {
		w.New.Text, err = q.textAt(ctx, c.key.n, n.to<<1|1)
	}
	return err
}

// textSum is the hash in a file's value; empty where nothing of its text is known.
func textSum(file []byte) string {
	const name = `"sha256":"`
	i := bytes.Index(file, []byte(name))
	if i < 0 {
		return ""
	}
	sum, _, _ := bytes.Cut(file[i+len(name):], []byte{'"'})
	return string(sum)
}

// joined gives the writes by path. Cells of one path are lives of one member.
func joined(cells []*netCell) []model.Write {
	slices.SortFunc(cells, func(a, b *netCell) int {
		return cmp.Or(cmp.Compare(a.write.Path, b.write.Path), cmp.Compare(a.first, b.first))
	})
	out := make([]model.Write, 0, len(cells))
	for _, c := range cells {
		w := c.write
		if end := len(out) - 1; end >= 0 && out[end].Path == w.Path {
			w.Old, out = out[end].Old, out[:end]
		}
		out = append(out, w)
	}
	return slices.DeleteFunc(out, func(w model.Write) bool { return w.Old.Absent() && w.New.Absent() })
}

// mend finds the last write of members that went, came again and went again: of
// the lives after the first nothing is kept.
func (n *net) mend(ctx context.Context, r *Reader, writes []model.Write) error {
	for i := range writes {
		w := &writes[i]
		class, segment, _ := classOf(w.Path)
		if !w.New.Absent() || !class.lives() || !n.left[xxhash.Sum64String(segment)] {
			continue
		}
		last, _, err := r.WriteAt(ctx, n.session, w.Path, n.to)
		if err != nil {
			return err
		}
		w.Pos, w.Restores, w.Lost = last.Pos, last.Restores, last.Lost
	}
	return nil
}

func compareKeys(a, b cellKey) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.n, b.n), cmp.Compare(a.k, b.k))
}
