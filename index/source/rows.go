package source

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// openTable opens the rows of a table at an offset of what they are written as.
func (d *Dump) openTable(ctx context.Context, m *member, from int64) (*body, error) {
	b := &body{ctx: ctx, name: m.name}
	s, err := m.in.db.use(ctx)
	if err != nil {
		return nil, err
	}
	text, keys, err := s.query(ctx, m.in.table)
	if err != nil {
		return nil, err
	}
	// Not the reader's context: its end would interrupt all who read here.
	rows, err := s.conn.QueryContext(context.Background(), text)
	if err != nil {
		return nil, databaseError(err)
	}
	b.shut = append(b.shut, func() { rows.Close() })
	b.r = newRowReader(rows, keys, func() error { return m.in.db.still(s) })
	if err := b.skipTo(nil, from); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// still reports whether a database that is read without locks is as it was
// when the snapshot began.
func (b *database) still(s *snapshot) error {
	if s.way != accessImmutable {
		return nil
	}
	now, err := lookBeside(b.path())
	if err != nil {
		return sourceError(err)
	}
	if seen, _ := b.seen(); now.base != seen.base || now.journal.size > 0 {
		return fmt.Errorf("%w: the database was written while it was read", ErrChanged)
	}
	return nil
}

// rowReader gives rows as JSON lines. It holds one row at a time.
type rowReader struct {
	rows   *sql.Rows
	keys   []string // as they stand in the line: separator, name, colon
	cells  []any
	places []any // pointers to cells
	check  func() error
	line   []byte
	given  int // of line
	err    error
}

// keptLine is the size up to which the room for a line is used again.
const keptLine = 1 << 20

func newRowReader(rows *sql.Rows, names []string, check func() error) *rowReader {
	r := &rowReader{rows: rows, check: check, cells: make([]any, len(names)), places: make([]any, len(names)), keys: rowKeys(names)}
	for i := range r.cells {
		r.places[i] = &r.cells[i]
	}
	return r
}

// rowKeys are the pieces of a line before its values.
func rowKeys(names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		before := ","
		if i == 0 {
			before = "{"
		}
		keys[i] = before + string(appendText(nil, strings.ToValidUTF8(name, "\ufffd"))) + ":"
	}
	return keys
}

// Read gives what is left of the row at hand, or the next one.
func (r *rowReader) Read(p []byte) (int, error) {
	if r.given == len(r.line) {
		if r.err == nil {
			r.err = r.next()
		}
		if r.err != nil {
			return 0, r.err
		}
	}
	n := copy(p, r.line[r.given:])
	r.given += n
	return n, nil
}

func (r *rowReader) next() error {
	if cap(r.line) > keptLine {
		r.line = nil
	}
	r.line, r.given = r.line[:0], 0
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return databaseError(err)
		}
		if err := r.check(); err != nil {
			return err
		}
		return io.EOF
	}
	if err := r.rows.Scan(r.places...); err != nil {
		return databaseError(err)
	}
	r.line = appendRow(r.line, r.keys, r.cells)
	clear(r.cells)
	return nil
}

// appendRow writes a row as a line of JSON.
func appendRow(b []byte, keys []string, cells []any) []byte {
	for i, key := range keys {
		b = append(b, key...)
		b = appendCell(b, cells[i])
	}
	return append(b, '}', '\n')
}

// appendCell writes a value: what SQLite stores is null, an integer, a real, a
// text or bytes. Text that is none, since it is not UTF-8, is written as bytes.
func appendCell(b []byte, cell any) []byte {
	switch v := cell.(type) {
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return appendReal(b, v)
	case string:
		if utf8.ValidString(v) {
			return appendText(b, v)
		}
		return appendBytes(b, []byte(v))
	case []byte:
		return appendBytes(b, v)
	}
	return append(b, "null"...)
}

// appendReal keeps a real one: 1 is written 1.0. JSON has no infinity; like
// sqlite3 -json it is written as a number too large for any.
func appendReal(b []byte, v float64) []byte {
	switch {
	case math.IsInf(v, 1):
		return append(b, "9.0e+999"...)
	case math.IsInf(v, -1):
		return append(b, "-9.0e+999"...)
	case math.IsNaN(v):
		return append(b, "null"...)
	}
	at := len(b)
	b = strconv.AppendFloat(b, v, 'g', -1, 64)
	for _, c := range b[at:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}

func appendBytes(b, v []byte) []byte {
	b = append(b, `{"$base64":"`...)
	b = base64.StdEncoding.AppendEncode(b, v)
	return append(b, `"}`...)
}

const hexDigits = "0123456789abcdef"

// appendText writes valid UTF-8 as a JSON string, with no more escapes than
// JSON asks for.
func appendText(b []byte, v string) []byte {
	b = append(b, '"')
	for {
		var n int
		if b, n = appendPlain(b, v); n == len(v) {
			return append(b, '"')
		}
		switch c := v[n]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		v = v[n+1:]
	}
}

// appendPlain writes what stands before the first byte that must be escaped, and
// tells how much that is. It copies eight bytes at a time: in JSON that becomes a
// string there is such a byte every few.
func appendPlain(b []byte, v string) ([]byte, int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	b = slices.Grow(b, len(v))
	at, out := len(b), b[:cap(b)]
	i := 0
	for ; i+8 <= len(v); i += 8 {
		w := v[i : i+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		binary.LittleEndian.PutUint64(out[at+i:], x)
		quote, slash, del := x^ones*'"', x^ones*'\\', x^ones*0x7f
		// Of each ASCII byte that is a control or one of the three the high bit is
		// set; a borrow can only spoil bytes behind the first of them.
		if found := ((x - ones*' ') | (quote - ones) | (slash - ones) | (del - ones)) &^ x & highs; found != 0 {
			i += bits.TrailingZeros64(found) >> 3
			return out[:at+i], i
		}
	}
	for ; i < len(v); i++ {
		c := v[i]
		if c < ' ' || c == '"' || c == '\\' || c == 0x7f {
			break
		}
		out[at+i] = c
	}
	return out[:at+i], i
}
