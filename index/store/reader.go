package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"hindcast/model"
)

// Reader answers questions from the last commit, beside a writer. It is safe
// for use from many goroutines.
type Reader struct {
	db     *sql.DB
	shapes shapes

	mu    sync.Mutex
	stmts map[string]*sql.Stmt // short questions that come again and again
}

func newReader(db *sql.DB) *Reader {
	return &Reader{db: db, shapes: shapes{db: db}, stmts: map[string]*sql.Stmt{}}
}

// Which statements stay prepared, and how many: compiling one costs more than
// running it. They close with their handle.
const (
	keptStmts  = 64
	keptParams = 6
)

func (r *Reader) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	st := r.kept(ctx, text, len(args))
	if st == nil {
		return r.db.QueryContext(ctx, text, args...)
	}
	return st.QueryContext(ctx, args...)
}

// kept finds or prepares a statement; nil where it is not worth keeping, or
// does not compile, which running it will tell.
func (r *Reader) kept(ctx context.Context, text string, params int) *sql.Stmt {
	r.mu.Lock()
	defer r.mu.Unlock()
	if st := r.stmts[text]; st != nil || params > keptParams || len(r.stmts) >= keptStmts {
		return st
	}
	st, err := r.db.PrepareContext(ctx, text)
	if err != nil {
		return nil
	}
	r.stmts[text] = st
	return st
}

// place is the key of a row, that of its cause, or the row's own, and the
// number of its shape.
type place struct{ key, cause, shape int64 }

// eventColumns is what an eventScan reads; leanColumns leaves out what only
// people look at.
const (
	eventColumns = "key,flags,seq,time,id,call,source,offset,length,hash,cause,mate,title,root,depth"
	leanColumns  = "key,flags,seq,time,id,call,source,offset,length,hash,cause,mate"
)

// eventScan reads rows of eventColumns, or of leanColumns. What the driver
// gives is taken as it is: converting it costs more than reading it.
type eventScan struct {
	key, flags, seq, time, id, call, source, offset, length, hash, cause, mate any
	title, root, depth                                                         any
	lean                                                                       bool
	dest                                                                       []any
}

// newEventScan makes what serves all rows of a query; extra takes the columns
// behind those of events.
func newEventScan(lean bool, extra ...any) *eventScan {
	s := &eventScan{lean: lean}
	s.dest = []any{&s.key, &s.flags, &s.seq, &s.time, &s.id, &s.call, &s.source, &s.offset, &s.length, &s.hash, &s.cause, &s.mate}
	if !lean {
		s.dest = append(s.dest, &s.title, &s.root, &s.depth)
	}
	s.dest = append(s.dest, extra...)
	return s
}

// event reads a row.
func (s *eventScan) event(row scanner) (e model.Event, at place, err error) {
	if err := row.Scan(s.dest...); err != nil {
		return e, at, err
	}
	key, flags := integer(s.key), integer(s.flags)
	pos := posOf(key)
	e = model.Event{
		Pos: pos, Seq: pos + integer(s.seq), ID: unpackID(s.id), Call: unpackID(s.call),
		Time: timeOf(flags, integer(s.time)), Span: model.Span{Source: integer(s.source), Offset: integer(s.offset), Length: integer(s.length)},
		Hash: uint64(integer(s.hash)),
	}
	if !s.lean {
		e.Title, e.Root, e.Depth = unpackText(s.title), pos-integer(s.root), integer(s.depth)
	}
	if s.mate != nil {
		e.Mate = pos + integer(s.mate)
	}
	unpackFlags(flags, &e)
	at = place{key, key, flags >> shiftShape}
	if s.cause != nil {
		l := unpackVia(flags)
		at.cause -= integer(s.cause)
		l.To.Pos = posOf(at.cause)
		e.Cause = &l
	}
	return e, at, nil
}

// integer is one as the driver gives it; 0 for NULL.
func integer(v any) int64 {
	n, _ := v.(int64)
	return n
}

// wrap names what was read.
func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("read %s from index: %w", what, classify(err))
}

// each calls f with every row of a query. f must not ask the Reader anything:
// the query holds one of its few connections until it ends.
func (r *Reader) each(ctx context.Context, what, text string, args []any, f func(*sql.Rows) error) error {
	rows, err := r.query(ctx, text, args)
	if err != nil {
		return wrap(what, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return wrap(what, err)
		}
	}
	return wrap(what, rows.Err())
}

// one scans the first row of a query; ok is false where there is none.
func (r *Reader) one(ctx context.Context, what, text string, args []any, dest ...any) (ok bool, err error) {
	rows, err := r.query(ctx, text, args)
	if err != nil {
		return false, wrap(what, err)
	}
	defer rows.Close()
	if !rows.Next() {
		return false, wrap(what, rows.Err())
	}
	if err := rows.Scan(dest...); err != nil {
		return false, wrap(what, err)
	}
	return true, wrap(what, rows.Close())
}

// EventAt reads one event with all its links. ok is false where the session
// has no such pos.
func (r *Reader) EventAt(ctx context.Context, session, pos int64) (e model.Event, ok bool, err error) {
	rows, _, err := r.Page(ctx, PageSpec{Session: session, From: pos, Limit: 1, WithLinks: true})
	if err != nil || len(rows) == 0 || rows[0].Pos != pos {
		return model.Event{}, false, err
	}
	return rows[0], true, nil
}

// HasIndexes reports whether the secondary indexes stand; without them finding
// by id and following links forwards cost a scan.
func (r *Reader) HasIndexes(ctx context.Context) (bool, error) {
	var n int
	_, err := r.one(ctx, "indexes", "SELECT count(*) FROM sqlite_schema WHERE type='index' AND name='links_target'", nil, &n)
	return n > 0, err
}
