package source

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// Weigh tells how many bytes the values in a table of a database hold, numbers
// as they are written. Long ones are not read for it: SQLite knows their length
// from the row's head. Errors are those of Reader.
func (d *Dump) Weigh(ctx context.Context, i int) (int64, error) {
	m := d.member(i)
	if m == nil || m.in == nil || m.in.db == nil {
		return 0, fmt.Errorf("weigh file %d: no table of a database", i)
	}
	n, err := m.in.db.weigh(ctx, m.in.table)
	if err != nil && ctx.Err() == nil {
		err = &ReadError{Name: m.name, Err: err}
	}
	return n, err
}

func (b *database) weigh(ctx context.Context, t *table) (sum int64, err error) {
	s, err := b.use(ctx)
	if err != nil {
		return 0, err
	}
	columns, err := s.columns(ctx, t)
	if err != nil {
		return 0, err
	}
	lengths, places := make([]string, len(columns)), make([]any, len(columns))
	sums := make([]sql.NullInt64, len(columns)) // null where nothing stands
	for i, c := range columns {
		lengths[i], places[i] = "sum(octet_length("+quoteName(c.name)+"))", &sums[i]
	}
	text := "SELECT " + strings.Join(lengths, ", ") + " FROM main." + quoteName(t.name) + " NOT INDEXED"
	if err := s.each(ctx, text, nil, func(rows *sql.Rows) error { return rows.Scan(places...) }); err != nil {
		return 0, err
	}
	for _, n := range sums {
		sum += n.Int64
	}
	return sum, b.still(s)
}
