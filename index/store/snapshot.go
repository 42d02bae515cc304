package store

import (
	"context"
	"database/sql"
	"errors"
)

// snapshot answers several questions from one commit. It holds one of the
// reader's few connections.
type snapshot struct {
	r      *Reader
	tx     *sql.Tx
	wanted []string // statements to keep from now on

	rowKey int64 // the row of writes that was read last; 0: none
	row    []byte
}

// snapshot runs f on one commit. Statements do not watch ctx, which costs more
// than most of them; f asks between long ones.
func (r *Reader) snapshot(ctx context.Context, what string, f func(context.Context, *snapshot) error) (err error) {
	if err := ctx.Err(); err != nil {
		return wrap(what, err)
	}
	still := context.WithoutCancel(ctx)
	tx, err := r.db.BeginTx(still, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return wrap(what, err)
	}
	q := &snapshot{r: r, tx: tx}
	err = f(still, q)
	tx.Rollback()
	for _, text := range q.wanted {
		r.kept(still, text, 0)
	}
	return wrap(what, err)
}

// query uses a statement that is kept. Preparing one takes another of the few
// connections, which is not safe to wait for while this one is held.
func (q *snapshot) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	q.r.mu.Lock()
	st := q.r.stmts[text]
	q.r.mu.Unlock()
	if st != nil {
		return q.tx.StmtContext(ctx, st).QueryContext(ctx, args...)
	}
	q.wanted = append(q.wanted, text)
	return q.tx.QueryContext(ctx, text, args...)
}

// errStop ends a query before its last row.
var errStop = errors.New("enough")

// each calls f with every row until it returns errStop.
func (q *snapshot) each(ctx context.Context, text string, args []any, f func(*sql.Rows) error) error {
	rows, err := q.query(ctx, text, args)
	if err != nil {
		return err
	}
	return eachRow(rows, f)
}

func eachRow(rows *sql.Rows, f func(*sql.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		switch err := f(rows); err {
		case nil:
		case errStop:
			return nil
		default:
			return err
		}
	}
	return rows.Err()
}

// ask scans the first row of a query.
func (q *snapshot) ask(ctx context.Context, text string, args []any, dest ...any) (ok bool, err error) {
	err = q.each(ctx, text, args, func(rows *sql.Rows) error {
		ok = true
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		return errStop
	})
	return ok, err
}
