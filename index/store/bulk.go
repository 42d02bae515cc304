package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
)

// bulkRows is how many rows one INSERT carries. Each of them journals a page
// once that it adds many rows to; beyond this the statement itself gets too
// large for the processor's caches.
const bulkRows = 128

// bulk inserts rows into one table through the driver itself: database/sql
// would look at every one of the parameters of a full statement again.
type bulk struct {
	conn  *sql.Conn
	head  string // INSERT INTO t(...) VALUES
	tail  string // what follows the rows
	cols  int
	many  driver.Stmt // bulkRows rows
	one   driver.Stmt
	args  []driver.NamedValue // of the rows that wait
	alone []driver.NamedValue
}

func newBulk(conn *sql.Conn, head string, cols int, tail string) *bulk {
	b := &bulk{conn: conn, head: head, tail: tail, cols: cols}
	b.args = make([]driver.NamedValue, 0, cols*bulkRows)
	b.alone = make([]driver.NamedValue, cols)
	return b
}

// add takes one column's value; a row is cols of them, ended by row.
func (b *bulk) add(v driver.Value) {
	b.args = append(b.args, driver.NamedValue{Ordinal: len(b.args) + 1, Value: v})
}

// row ends a row and writes when enough wait.
func (b *bulk) row(ctx context.Context) error {
	if len(b.args) < b.cols*bulkRows {
		return nil
	}
	err := b.exec(ctx, &b.many, bulkRows, b.args)
	b.reset()
	return err
}

// flush writes the rows that wait.
func (b *bulk) flush(ctx context.Context) error {
	defer b.reset()
	for at := 0; at < len(b.args); at += b.cols {
		for i := range b.alone {
			b.alone[i] = driver.NamedValue{Ordinal: i + 1, Value: b.args[at+i].Value}
		}
		if err := b.exec(ctx, &b.one, 1, b.alone); err != nil {
			return err
		}
	}
	return nil
}

func (b *bulk) reset() {
	clear(b.args)
	b.args = b.args[:0]
}

var errDriver = errors.New("the database driver lacks prepared statements")

func (b *bulk) exec(ctx context.Context, stmt *driver.Stmt, rows int, args []driver.NamedValue) error {
	return b.conn.Raw(func(raw any) error {
		if *stmt == nil {
			c, ok := raw.(driver.ConnPrepareContext)
			if !ok {
				return errDriver
			}
			s, err := c.PrepareContext(ctx, b.text(rows))
			if err != nil {
				return err
			}
			*stmt = s
		}
		s, ok := (*stmt).(driver.StmtExecContext)
		if !ok {
			return errDriver
		}
		_, err := s.ExecContext(ctx, args)
		return err
	})
}

func (b *bulk) text(rows int) string {
	row := "(" + strings.Repeat(",?", b.cols)[1:] + ")"
	return b.head + strings.Repeat(","+row, rows)[1:] + b.tail
}

func (b *bulk) close() error {
	return b.conn.Raw(func(any) error {
		var errs []error
		for _, s := range []driver.Stmt{b.many, b.one} {
			if s != nil {
				errs = append(errs, s.Close())
			}
		}
		return errors.Join(errs...)
	})
}
