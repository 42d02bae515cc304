package store

import (
	"context"
	"database/sql"
	"slices"

	"hindcast/model"
)

// textRows is how many versions of a text are read at once.
const textRows = 256

// Texts calls yield with the versions of a file's text by events up to and
// including upTo, in order, each made from the one before: pos is the event's,
// second tells that it is what the event left where it had found another text.
// text is nil where nothing is known from there on. A write that keeps the text
// has no version.
func (r *Reader) Texts(ctx context.Context, session int64, path string, upTo int64, yield func(pos int64, second bool, text *string) bool) error {
	v := textWalk{last: -1}
	for more := true; more; {
		err := r.snapshot(ctx, "file", func(ctx context.Context, q *snapshot) error {
			c, err := q.resolve(ctx, session, path)
			if err != nil || c.class != classOther {
				more = false
				return err
			}
			more, err = v.page(ctx, q, c.id, min(upTo, posMask)<<1|1, yield)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// textWalk stands at a version.
type textWalk struct {
	last int64
	text []byte
}

func (v *textWalk) page(ctx context.Context, q *snapshot, cell, upTo int64, yield func(int64, bool, *string) bool) (more bool, err error) {
	type row struct {
		at   int64
		data []byte
	}
	var rows []row
	err = q.each(ctx, "SELECT at, data FROM texts WHERE cell=? AND at>? AND at<=? ORDER BY at LIMIT ?", []any{cell, v.last, upTo, textRows}, func(s *sql.Rows) error {
		var x row
		if err := s.Scan(&x.at, &x.data); err != nil {
			return err
		}
		rows = append(rows, x)
		return nil
	})
	if err != nil {
		return false, err
	}
	for _, x := range rows {
		known, err := v.next(ctx, q, x.data)
		if err != nil {
			return false, err
		}
		var text *string
		if known {
			s := string(v.text)
			text = &s
		}
		if v.last = x.at; !yield(x.at>>1, x.at&1 == 1, text) {
			return false, nil
		}
	}
	return len(rows) == textRows, nil
}

// next makes the next version of the text.
func (v *textWalk) next(ctx context.Context, q asker, data []byte) (known bool, err error) {
	if len(data) < 2 {
		return false, errPacked
	}
	u := unpacker{b: data[2:]}
	switch data[0] {
	case textNone:
		v.text = nil
		return false, nil
	case textWhole:
		content, err := unpackContent(&u)
		v.text = slices.Clone(content)
		return true, err
	case textSplice:
		v.text, err = applySplices(v.text, [][]byte{data[2:]})
		return true, err
	case textSame:
		cell, at := u.uint(), u.uint()
		if err := u.err(); err != nil {
			return false, err
		}
		v.text, err = readText(ctx, q, cell, at)
		return true, err
	}
	return false, errPacked
}

// fileTexts is the history of a file with its texts: writes as History gives
// them, each with the text before and after it.
func fileTexts(writes []model.Write, versions []textVersion) {
	var now *string
	next := 0
	for i := range writes {
		w := &writes[i]
		at := w.Pos << 1
		if i > 0 && writes[i-1].Pos == w.Pos {
			at++
		}
		if !w.Old.Absent() {
			w.Old.Text = now
		}
		for next < len(versions) && versions[next].at <= at {
			now = versions[next].text
			next++
		}
		if !w.New.Absent() {
			w.New.Text = now
		}
	}
}

type textVersion struct {
	at   int64
	text *string
}

// FileHistory reads all writes of a file up to and including the event at upTo,
// with the texts before and after each.
func (r *Reader) FileHistory(ctx context.Context, session int64, path string, upTo int64) ([]model.Write, error) {
	writes, err := r.History(ctx, session, path, 0, 0)
	if err != nil {
		return nil, err
	}
	for len(writes) > 0 && writes[len(writes)-1].Pos > upTo {
		writes = writes[:len(writes)-1]
	}
	var versions []textVersion
	err = r.Texts(ctx, session, path, upTo, func(pos int64, second bool, text *string) bool {
		at := pos << 1
		if second {
			at++
		}
		versions = append(versions, textVersion{at, text})
		return true
	})
	fileTexts(writes, versions)
	return writes, err
}
