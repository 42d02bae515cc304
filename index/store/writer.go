package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Writer appends to the index. There is one at a time, over all processes; it
// is not safe for use from several goroutines.
type Writer struct {
	s       *Store
	conn    *sql.Conn
	lock    *lock
	shapes  interner
	events  *bulk
	links   *bulk
	aliases *bulk
	spool   *bulk
	pending []aliasRow
	stmts   map[string]*sql.Stmt
	indexed bool
	fold    *folder
}

const (
	insertEvents = "INSERT INTO events(key,flags,seq,time,id,title,call,source,offset,length,hash,cause,root,depth,mate) VALUES"
	insertLinks  = "INSERT INTO links(src,n,code,back,to_id) VALUES"
	insertAlias  = "INSERT INTO aliases(session,alias,pos) VALUES"
	firstAlias   = " ON CONFLICT(session,alias) DO UPDATE SET pos=excluded.pos WHERE excluded.pos<pos"
	insertSpool  = "INSERT INTO spool(source,offset,raw,data) VALUES"
	sameSpool    = " ON CONFLICT(source,offset) DO UPDATE SET raw=excluded.raw, data=excluded.data"
)

// Writer opens the one writer. ErrLocked: another has it.
func (s *Store) Writer() (*Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.write == nil {
		return nil, fmt.Errorf("write index %s: %w", s.path, ErrReadOnly)
	}
	if s.writer != nil {
		return nil, fmt.Errorf("write index %s: %w by this program", s.path, ErrLocked)
	}
	l, err := takeLock(s.path + ".lock")
	if err != nil {
		return nil, fmt.Errorf("write index %s: %w", s.path, err)
	}
	conn, err := s.write.Conn(context.Background())
	if err != nil {
		l.release()
		return nil, fmt.Errorf("write index %s: %w", s.path, classify(err))
	}
	w := &Writer{s: s, conn: conn, lock: l, shapes: interner{conn: conn}, stmts: map[string]*sql.Stmt{}}
	w.events = newBulk(conn, insertEvents, 15, "")
	w.links = newBulk(conn, insertLinks, 5, "")
	w.aliases = newBulk(conn, insertAlias, 3, firstAlias)
	w.spool = newBulk(conn, insertSpool, 4, sameSpool)
	w.fold = newFolder(w)
	if w.indexed, err = w.hasIndexes(context.Background()); err != nil {
		w.Close()
		return nil, fmt.Errorf("write index %s: %w", s.path, classify(err))
	}
	s.writer = w
	return w, nil
}

// Close gives the writer back. What Append has returned from stays.
func (w *Writer) Close() error {
	var errs []error
	for _, st := range w.stmts {
		errs = append(errs, st.Close())
	}
	for _, b := range w.bulks() {
		errs = append(errs, b.close())
	}
	errs = append(errs, w.conn.Close())
	w.lock.release()
	if w.s.writer == w {
		w.s.mu.Lock()
		w.s.writer = nil
		w.s.mu.Unlock()
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close writer of %s: %w", w.s.path, classify(err))
	}
	return nil
}

func (w *Writer) bulks() []*bulk {
	return append(w.fold.bulks(), w.events, w.links, w.aliases, w.spool)
}

// Append brings a batch in one transaction: after an error nothing of it is
// there. ErrFull says that no room is left.
func (w *Writer) Append(ctx context.Context, b *Batch) error {
	err := w.transact(ctx, func(ctx context.Context) error { return w.apply(ctx, b) })
	if err != nil {
		return fmt.Errorf("append to index %s: %w", w.s.path, err)
	}
	return nil
}

// Replace deletes the events of a session from a pos on, as a Cut of a batch
// does, in a transaction of its own.
func (w *Writer) Replace(ctx context.Context, session, from int64) error {
	return w.Append(ctx, &Batch{Cuts: []Cut{{session, from}}})
}

// transact runs f between BEGIN and COMMIT. f gets a context that cannot be
// cancelled: watching one costs a fifth of the speed, so ctx is looked at
// between statements by w.apply.
func (w *Writer) transact(ctx context.Context, f func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	still := context.WithoutCancel(ctx)
	if _, err := w.conn.ExecContext(still, "BEGIN IMMEDIATE"); err != nil {
		return classify(err)
	}
	err := f(still)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		if _, err = w.conn.ExecContext(still, "COMMIT"); err == nil {
			return nil
		}
	}
	w.shapes.forget()
	w.fold.forget()
	for _, b := range w.bulks() {
		b.reset()
	}
	// After some errors SQLite has rolled back by itself; then this one is an
	// error that tells nothing.
	w.conn.ExecContext(still, "ROLLBACK")
	return classify(err)
}

// exec runs a prepared statement of the writer's connection.
func (w *Writer) exec(ctx context.Context, text string, args ...any) error {
	st, err := w.stmt(ctx, text)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx, args...)
	return err
}

func (w *Writer) stmt(ctx context.Context, text string) (*sql.Stmt, error) {
	if st := w.stmts[text]; st != nil {
		return st, nil
	}
	st, err := w.conn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	w.stmts[text] = st
	return st, nil
}

// Finish folds the write-ahead log into the file, so that opening it again
// costs nothing. A reader that stands in its way is not an error.
func (w *Writer) Finish(ctx context.Context) error {
	var busy, log, done int
	err := w.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(truncate)").Scan(&busy, &log, &done)
	if err != nil && codeOf(err)&0xff != codeBusy {
		return fmt.Errorf("finish index %s: %w", w.s.path, classify(err))
	}
	return nil
}

// HasIndexes reports whether the secondary indexes stand.
func (w *Writer) HasIndexes() bool { return w.indexed }

// BuildIndexes builds the secondary indexes; from then on Append keeps them.
// Building them behind a load is twice as fast as keeping them during it.
func (w *Writer) BuildIndexes(ctx context.Context) error {
	if w.indexed {
		return nil
	}
	w.sortBeside(ctx)
	// As writePragmas have it.
	defer w.conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA temp_store=memory; PRAGMA cache_size=-32768")
	err := w.transact(ctx, func(context.Context) error {
		// A long statement: this one watches ctx.
		_, err := w.conn.ExecContext(ctx, indexSQL)
		return err
	})
	if err != nil {
		return fmt.Errorf("build indexes of %s: %w", w.s.path, err)
	}
	w.indexed = true
	return nil
}

// sortBeside makes SQLite sort in files, because what it sorts grows with the
// dump, and in files beside the index instead of the system's folder for
// temporary files, which is often small and shared. The folder is a setting of
// the process; where it is refused the system's serves. A run that is sorted in
// memory is as large as the cache may be, and held twice while it grows.
func (w *Writer) sortBeside(ctx context.Context) {
	dir := strings.ReplaceAll(filepath.Dir(w.s.path), "'", "''")
	w.conn.ExecContext(ctx, "PRAGMA temp_store=file; PRAGMA cache_size=-8192")
	w.conn.ExecContext(ctx, "PRAGMA temp_store_directory = '"+dir+"'")
}

func (w *Writer) hasIndexes(ctx context.Context) (bool, error) {
	var n int
	err := w.conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE type='index' AND name='links_target'").Scan(&n)
	return n > 0, err
}
