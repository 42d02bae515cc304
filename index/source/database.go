package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	_ "modernc.org/sqlite" // the driver, for dumps; indexes have the store's
)

// database is a SQLite file, whose tables are offered as files of JSON lines.
//
// It is read in one transaction that begins with the first read and lasts
// until Dump.LetGo, so that all tables are of one moment. A live database is
// opened so that neither it nor what lies beside it changes: a reader of a
// write-ahead log holds up no writer, only the folding back of the log. Where
// that cannot be, a private copy is read.
type database struct {
	d     *Dump
	m     *member // the file: on disk, packed, in an archive, or from a pipe
	wal   *member // of one in an archive: the log beside it; nil where none
	name  string  // before the names of its tables
	label string  // for people

	mu   sync.Mutex
	snap *snapshot

	looking sync.Mutex // after mu
	state   sides      // as of before snap began, or as last looked at
	marks   *marks     // of state; nil where they are not known yet
}

// snapshot is an open database in a transaction.
type snapshot struct {
	db   *sql.DB
	conn *sql.Conn
	way  access
	torn bool   // opened in spite of damage that concerns it as a whole
	dir  string // of a private copy whose name could not be taken away
}

// access is how a database is read without touching it.
type access uint8

const (
	accessImmutable access = iota // no log beside it: as a file that nobody changes, without locks
	accessLive                    // a log and its shared memory beside it: as one reader of many
	accessCopy                    // a private copy of database and log
)

// onDisk reports whether the database is a plain file, which may be live.
func (b *database) onDisk() bool { return b.m.in == nil && len(b.m.layers) == 0 }

func (b *database) path() string { return b.m.root.pathOf(b.m.rel) }

// use gives the snapshot, and begins one where there is none.
func (b *database) use(ctx context.Context) (*snapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.snap != nil {
		return b.snap, nil
	}
	way := accessCopy
	if b.onDisk() {
		state, err := lookBeside(b.path())
		if err != nil {
			return nil, sourceError(err)
		}
		if err := b.note(state); err != nil {
			return nil, err
		}
		way = state.access()
	}
	noCopy := b.d.o.NoCopy && b.onDisk()
	if noCopy && way == accessCopy {
		return nil, errNoCopy
	}
	s, err := b.begin(ctx, way, false)
	if err != nil && way == accessLive && !damaged(err) && !noCopy {
		s, err = b.begin(ctx, accessCopy, false) // its shared memory cannot be used
	}
	if damaged(err) {
		s, err = b.begin(ctx, way, true)
	}
	if err != nil {
		return nil, err
	}
	b.snap = s
	return s, nil
}

// note takes a look at what is about to be read: what is written from then on
// makes it another state, whether the snapshot holds it or not.
func (b *database) note(state sides) error {
	m, err := b.mark(state)
	if err != nil {
		return err
	}
	b.looking.Lock()
	b.state, b.marks = state, &m
	b.looking.Unlock()
	return nil
}

// seen is the state of the snapshot, or what was last looked at. Its marks are
// nil where nothing was read in that state.
func (b *database) seen() (sides, *marks) {
	b.looking.Lock()
	defer b.looking.Unlock()
	return b.state, b.marks
}

// begin opens the database in a way and starts the transaction. Torn says not
// to mind that the file is cut, or a table's definition garbled.
func (b *database) begin(ctx context.Context, way access, torn bool) (_ *snapshot, err error) {
	s := &snapshot{way: way, torn: torn}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	path := ""
	if way == accessCopy {
		if s.dir, err = b.d.privateFolder(); err != nil {
			return nil, err
		}
		path = filepath.Join(s.dir, "copy.db")
		if err := b.copyTo(ctx, path); err != nil {
			return nil, err
		}
	} else {
		path = b.path()
	}
	if s.db, err = sql.Open("sqlite", databaseDSN(path, s)); err != nil {
		return nil, err
	}
	s.db.SetMaxOpenConns(1)
	// The reader's context must not end the transaction that others read in.
	if s.conn, err = s.db.Conn(context.Background()); err != nil {
		return nil, databaseError(err)
	}
	var tables int64
	_, err = s.conn.ExecContext(context.Background(), "BEGIN")
	if err == nil {
		err = s.conn.QueryRowContext(context.Background(), "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	}
	if err != nil {
		return nil, databaseError(err)
	}
	if s.dir != "" && os.RemoveAll(s.dir) == nil {
		s.dir = "" // what is open stays readable, and nothing stays behind
	}
	return s, nil
}

// letGo ends the transaction on a database that others may write. A private
// copy holds up nobody and is kept.
func (b *database) letGo() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.snap != nil && b.snap.way != accessCopy {
		b.drop()
	}
}

// drop closes the snapshot. It is called with mu held.
func (b *database) drop() {
	if b.snap != nil {
		b.snap.close()
		b.snap = nil
	}
}

func (b *database) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.drop()
}

func (s *snapshot) close() {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.db != nil {
		s.db.Close()
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// databasePragmas are for data of strangers. Nothing of a database's schema is
// trusted with functions, and pages are checked as they are read. None of them
// reads the schema, which may be what is damaged.
var databasePragmas = []string{"busy_timeout(1000)", "trusted_schema(0)", "cell_size_check(1)", "query_only(1)"}

// databaseDSN spells a path as a URI. readonly_shm: the shared memory beside a
// live database is read, and neither made nor written.
func databaseDSN(path string, s *snapshot) string {
	q := url.Values{"mode": {"ro"}, "_pragma": slices.Clone(databasePragmas)}
	if s.torn {
		q.Add("_pragma", "writable_schema(1)") // SQLite's word for that; nothing is written
	}
	switch s.way {
	case accessImmutable:
		q.Set("immutable", "1")
	case accessLive:
		q.Set("readonly_shm", "1")
	case accessCopy:
		q.Set("mode", "rw")
		q.Add("_pragma", "locking_mode(exclusive)") // the log's index in memory
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: q.Encode()}
	return u.String()
}

// ErrDamaged says that a database, or a table of it, cannot be read on.
var ErrDamaged = errors.New("the database is damaged")

// errNoCopy: see Options.NoCopy.
var errNoCopy = errors.New("it was not closed in order, and can only be read from a copy")

// coder is an error of SQLite with its result code (https://sqlite.org/rescode.html).
type coder interface{ Code() int }

const (
	codeCorrupt = 11
	codeNotADB  = 26
)

func damaged(err error) bool {
	var e coder
	return errors.As(err, &e) && (e.Code()&0xff == codeCorrupt || e.Code()&0xff == codeNotADB)
}

// databaseError puts what SQLite says into this package's words.
func databaseError(err error) error {
	switch {
	case err == nil || errors.Is(err, ErrDamaged):
		return err
	case damaged(err), strings.Contains(err.Error(), "malformed database schema"):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// LetGo ends the transactions on databases that others may write. The next
// read begins a new one, of what stands there then.
func (d *Dump) LetGo() {
	d.mu.RLock()
	bases := d.bases
	d.mu.RUnlock()
	for _, b := range bases {
		b.letGo()
	}
}
