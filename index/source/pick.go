package source

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Pick asks for some rows of a table.
type Pick struct {
	Columns []string // those that the table has of these; empty: all
	// Where is a column, and Equal the text that it must have; without Where any
	// row will do.
	Where, Equal string
	// Order is a column of integers: the largest come first. Empty: the rows that
	// were stored last.
	Order string
	Limit int // rows at most
	// Cell is how many bytes a row's texts may have together; longer rows are left
	// out. 0: no limit.
	Cell int64
}

// Rows gives some rows of file i, which is a table, as the lines that its
// Reader would give for them, the latest first. It holds up no writer.
func (d *Dump) Rows(ctx context.Context, i int, p Pick) ([]byte, error) {
	m := d.member(i)
	if m == nil || m.in == nil || m.in.db == nil {
		return nil, fmt.Errorf("pick rows: file %d is no table", i)
	}
	s, err := m.in.db.use(ctx)
	if err != nil {
		return nil, err
	}
	text, keys, args, err := s.pick(ctx, m.in.table, p)
	if err != nil {
		return nil, err
	}
	rows, err := s.conn.QueryContext(context.Background(), text, args...)
	if err != nil {
		return nil, databaseError(err)
	}
	defer rows.Close()
	data, err := io.ReadAll(newRowReader(rows, keys, func() error { return m.in.db.still(s) }))
	if err == nil {
		err = ctx.Err()
	}
	return data, err
}

// pick is the question, and the keys of the objects that its rows become.
func (s *snapshot) pick(ctx context.Context, t *table, p Pick) (text string, keys []string, args []any, err error) {
	columns, err := s.columns(ctx, t)
	if err != nil {
		return "", nil, nil, err
	}
	var named, sizes []string
	for _, c := range columns {
		if len(p.Columns) == 0 || slices.Contains(p.Columns, c.name) {
			keys = append(keys, c.name)
			named = append(named, "+"+quoteName(c.name)) // see query
			sizes = append(sizes, "coalesce(octet_length("+quoteName(c.name)+"),0)")
		}
	}
	if len(keys) == 0 {
		return "", nil, nil, fmt.Errorf("pick rows: the table %s has none of the columns %s", t.name, strings.Join(p.Columns, ", "))
	}
	var where []string
	if p.Where != "" {
		where, args = append(where, quoteName(p.Where)+"=?"), append(args, p.Equal)
	}
	if p.Cell > 0 { // which reads the sizes alone
		where, args = append(where, strings.Join(sizes, "+")+"<=?"), append(args, p.Cell)
	}
	order, err := s.latest(ctx, t, columns, p.Order)
	if err != nil {
		return "", nil, nil, err
	}
	from := " FROM main." + quoteName(t.name)
	if len(where) > 0 {
		from += " WHERE " + strings.Join(where, " AND ")
	}
	if order != "" {
		from += " ORDER BY " + order + " DESC"
	}
	return "SELECT " + strings.Join(named, ", ") + from + " LIMIT ?", keys, append(args, p.Limit), nil
}

// latest is the expression that is largest in the latest row.
func (s *snapshot) latest(ctx context.Context, t *table, columns []column, wanted string) (string, error) {
	if slices.ContainsFunc(columns, func(c column) bool { return c.name == wanted }) {
		return quoteName(wanted), nil
	}
	rowid, _, err := s.rowid(ctx, t, columns)
	return rowid, err
}
