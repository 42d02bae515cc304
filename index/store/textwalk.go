package store

import (
	"context"
	"database/sql"
)

// How much of a text's versions is read at once: rows, and about as many packed
// bytes of them.
const (
	textRows  = 256
	textBytes = 1 << 20
)

// TextVersion is a version of a file's text, told by what it changed of the
// version before.
type TextVersion struct {
	Pos   int64 // of the event
	Known bool  // false: nothing is known from there on, and the rest is zero

	// So many bytes of the version before stay at its start and at its end, as
	// many as do, and Middle stands between them. Of a version that is stored
	// whole nothing is said to stay.
	Prefix, Suffix int
	Middle         string
}

// apply makes the version's text from the one before.
func (v *TextVersion) apply(before string) (string, error) {
	if v.Prefix > len(before) || v.Suffix > len(before)-v.Prefix {
		return "", errPacked
	}
	return before[:v.Prefix] + v.Middle + before[len(before)-v.Suffix:], nil
}

// TextVersions reads the versions of a file's text in order, some rows ahead. A
// write that keeps the text has no version.
type TextVersions struct {
	r       *Reader
	session int64
	path    string
	upTo    int64
	cell    int64
	last    int64     // the moment of the version that was given last
	ahead   []textRow // packed
	end     bool      // there are none behind them
}

// textRow is a version as it is stored.
type textRow struct {
	at   int64
	data []byte
}

// moment is when a version came, as the table has it.
func moment(pos int64, second bool) int64 {
	if second {
		return pos<<1 | 1
	}
	return pos << 1
}

// TextVersions begins before the first version of a file's text, of those by
// events up to upTo, which must be folded; path is that of the cell.
func (r *Reader) TextVersions(session int64, path string, upTo int64) *TextVersions {
	return &TextVersions{r: r, session: session, path: path, upTo: moment(min(upTo, posMask), true), last: -1}
}

// Next gives the next version, if the event at pos or one before it made it; of
// that event's two writes, where it found another text than was recorded, the
// first unless second is true. ok is false where there is none.
func (t *TextVersions) Next(ctx context.Context, pos int64, second bool) (v TextVersion, ok bool, err error) {
	if len(t.ahead) == 0 && !t.end {
		if err := t.r.snapshot(ctx, "file", t.read); err != nil {
			return v, false, err
		}
	}
	if len(t.ahead) == 0 || t.ahead[0].at > moment(pos, second) {
		return v, false, nil
	}
	row := t.ahead[0]
	t.ahead[0] = textRow{}
	t.ahead, t.last = t.ahead[1:], row.at
	if v, err = t.version(ctx, row); err != nil {
		return v, false, wrap("file", err)
	}
	return v, true, nil
}

// read reads the rows behind the last version.
func (t *TextVersions) read(ctx context.Context, q *snapshot) error {
	if t.cell == 0 {
		c, err := q.resolve(ctx, t.session, t.path)
		if err != nil {
			return err
		}
		if t.cell = c.id; t.cell == 0 {
			t.end = true
			return nil
		}
	}
	rows, bytes := 0, 0
	const text = "SELECT at, data FROM texts WHERE cell=? AND at>? AND at<=? ORDER BY at LIMIT ?"
	err := q.each(ctx, text, []any{t.cell, t.last, t.upTo, textRows}, func(s *sql.Rows) error {
		var row textRow
		if err := s.Scan(&row.at, &row.data); err != nil {
			return err
		}
		t.ahead = append(t.ahead, row)
		rows++
		if bytes += len(row.data); bytes >= textBytes {
			return errStop
		}
		return nil
	})
	t.end = rows < textRows && bytes < textBytes
	return err
}

// version unpacks a row.
func (t *TextVersions) version(ctx context.Context, row textRow) (v TextVersion, err error) {
	if len(row.data) < 2 {
		return v, errPacked
	}
	v = TextVersion{Pos: row.at >> 1, Known: true}
	u := unpack(row.data[2:])
	var text []byte
	switch row.data[0] {
	case textNone:
		v.Known = false
	case textWhole:
		text, err = unpackContent(&u)
	case textSplice:
		v.Prefix, v.Suffix = int(u.Count()), int(u.Count())
		text, err = unpackContent(&u)
	case textSame:
		cell, at := u.Count(), u.Count()
		if err := u.err(); err != nil {
			return v, err
		}
		err = t.r.snapshot(ctx, "file", func(ctx context.Context, q *snapshot) (err error) {
			text, err = readText(ctx, q, cell, at)
			return err
		})
	default:
		return v, errPacked
	}
	v.Middle = string(text)
	return v, err
}
