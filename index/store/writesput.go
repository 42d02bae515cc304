package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"hindcast/model"
	"hindcast/model/varint"
)

var (
	errWritesOrder = errors.New("it does not stand behind what is stored")
	errNoValue     = errors.New("it has neither an old nor a new value")
)

// event packs an event's writes behind those that wait.
func (f *folder) event(ctx context.Context, s *foldSession, e *EventWrites) error {
	if e.Pos <= s.last || e.Pos <= s.pos || e.Pos > posMask {
		return errWritesOrder
	}
	if len(e.Writes) == 0 {
		return nil
	}
	if s.last > 0 && writesKey(s.key, e.Pos) != writesKey(s.key, s.last) {
		if s.open {
			if err := f.addRow(ctx, s); err != nil {
				return err
			}
		}
		s.row = make([]byte, 0, len(s.row)+len(s.row)/4)
	}
	s.records = s.records[:0]
	var comings [classPending + 1]int64
	for i := range e.Writes {
		if err := f.write(ctx, s, e.Pos, &e.Writes[i], &comings); err != nil {
			return fmt.Errorf("%s: %w", e.Writes[i].Path, err)
		}
	}
	s.row = appendEvent(s.row, e.Pos, e.Seq, s.records)
	s.last, s.open = e.Pos, true
	s.writes += int64(len(e.Writes))
	s.marked = true
	return nil
}

// write packs one write and posts it at its cell.
func (f *folder) write(ctx context.Context, s *foldSession, pos int64, wr *model.Write, comings *[classPending + 1]int64) error {
	if wr.Old.Absent() && wr.New.Absent() {
		return errNoValue
	}
	class, segment, number := classOf(wr.Path)
	r := record{previous: -1, restores: wr.Restores, lost: wr.Lost}
	var err error
	if class.lives() {
		err = f.postLife(ctx, s, pos, wr, class, segment, number, &r, comings)
	} else {
		err = f.postCell(ctx, s, pos, wr, class, &r)
	}
	if err != nil {
		return err
	}
	if wr.Old.Absent() {
		r.previous = -1 // nothing of it is asked for
	}
	at := valuePlace{pos: pos, cell: class, segment: segment}
	s.values = s.values[:0]
	if !wr.New.Absent() {
		r.newKind, s.values = packValue(s.values, wr.New.JSON, at)
	}
	if r.hasOld = r.previous < 0 && !wr.Old.Absent(); r.hasOld {
		kind, old := packValue(nil, wr.Old.JSON, at)
		s.values = append(append(s.values, kind), old...)
	}
	r.values = s.values
	var head [64]byte
	packed := appendRecord(head[:0], pos, &r)
	s.records = varint.AppendText(s.records, packed)
	return nil
}

// postCell posts a write of a numbered cell.
func (f *folder) postCell(ctx context.Context, s *foldSession, pos int64, wr *model.Write, class cellClass, r *record) error {
	c, err := f.cell(ctx, s, wr.Path, pos)
	if err != nil {
		return err
	}
	r.cell = cellKey{class: classOther, n: c.id}
	if c.count > 0 {
		r.previous = c.last
	}
	second := c.count > 0 && c.last == pos
	if err := f.postTo(ctx, c, postAt(pos, wr.New.Absent())); err != nil {
		return err
	}
	if class == classFile && !wr.New.Absent() {
		return f.text(ctx, s, c, pos, second, wr)
	}
	return nil
}

// postLife posts a write of a member that comes and goes.
func (f *folder) postLife(ctx context.Context, s *foldSession, pos int64, wr *model.Write, class cellClass, segment string, number int64, r *record, comings *[classPending + 1]int64) error {
	p := postAt(pos, wr.New.Absent())
	key := cellKey{class: class, n: number}
	if class != classPosMessage {
		var known bool
		var err error
		if !wr.Old.Absent() {
			if key, known, err = f.living(ctx, s, wr.Path, class, segment); err != nil {
				return err
			}
		}
		if !known {
			key = cellKey{class: class, n: pos, k: comings[class]}
			comings[class]++
			r.comes, r.segment = true, segment
			at := coming{pos >> comingBits, wr.Path}
			s.coming[at] = packUint(s.coming[at], pos)
		}
		s.alive[wr.Path] = key
		if p.gone() {
			delete(s.alive, wr.Path)
		}
	}
	r.cell = key
	b, err := f.block(ctx, s, blockKey{class, key.n >> livesBits})
	if err != nil {
		return err
	}
	if i, found := b.find(key); found {
		l := &b.lives[i]
		r.previous = l.last().pos()
		l.post(p)
	} else {
		b.lives = slices.Insert(b.lives, i, life{n: key.n, segment: segment, first: p})
	}
	b.dirty = true
	return nil
}

func (f *folder) notes(ctx context.Context, b *FoldBatch) error {
	const text = "INSERT INTO notes(session,pos,n,kind,path,text) SELECT ?1,?2,coalesce((SELECT max(n)+1 FROM notes WHERE session=?1 AND pos=?2),0),?3,?4,?5"
	for _, n := range b.Notes {
		if err := f.w.exec(ctx, text, b.Session, n.Pos, int64(n.Kind), []byte(n.Path), packText(n.Text)); err != nil {
			return err
		}
	}
	return nil
}

// keptFolds is how many states are kept of a session.
const keptFolds = 3

func (f *folder) state(ctx context.Context, b *FoldBatch) error {
	if err := f.w.exec(ctx, "INSERT OR REPLACE INTO folds(session,pos,state) VALUES(?,?,?)", b.Session, b.Folded, b.State); err != nil {
		return err
	}
	return f.w.exec(ctx, "DELETE FROM folds WHERE session=?1 AND pos NOT IN (SELECT pos FROM folds WHERE session=?1 ORDER BY pos DESC LIMIT ?2)", b.Session, keptFolds)
}
