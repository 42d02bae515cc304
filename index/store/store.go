package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Options say how to open an index.
type Options struct {
	ReadOnly bool // never write, not even to create or migrate
	// Alone leaves one file behind on Close, that needs no log beside it and can
	// be read where nothing can be written: for an index that is kept or sent.
	Alone bool
}

// Store is an open index. Its methods may be called from many goroutines.
type Store struct {
	path     string
	readOnly bool
	alone    bool
	write    *sql.DB // nil when read-only
	read     *sql.DB
	reader   *Reader

	mu     sync.Mutex
	writer *Writer // the one that is open
}

// Open opens the index at path, creating or migrating it unless ReadOnly. A
// file that is not an index is left untouched (ErrForeign), and so is one of a
// newer version (*VersionError); ErrCorrupt says that it should be rebuilt.
func Open(path string, o Options) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", path, err)
	}
	s := &Store{path: abs, readOnly: o.ReadOnly, alone: o.Alone}
	if err := s.open(); err != nil {
		s.closeHandles()
		var version *VersionError
		if errors.As(err, &version) {
			return nil, err
		}
		return nil, fmt.Errorf("open index %s: %w", path, classify(err))
	}
	return s, nil
}

func (s *Store) open() error {
	if err := registerFunctions(); err != nil {
		return err
	}
	fresh, err := s.inspect()
	if err != nil {
		return err
	}
	if s.readOnly {
		return s.openReader()
	}
	if fresh {
		if err := createPrivate(s.path); err != nil {
			return err
		}
	} else if err := keepPrivate(s.path); err != nil {
		return err
	}
	if err := s.prepare(); err != nil {
		return err
	}
	if s.write, err = openDB(dsn(s.path, "rw", false, writePragmas), 1); err != nil {
		return err
	}
	if err := s.write.Ping(); err != nil {
		return err
	}
	return s.openReader()
}

// Path is the absolute path of the index file.
func (s *Store) Path() string { return s.path }

// Reader answers questions from the last commit.
func (s *Store) Reader() *Reader { return s.reader }

// Close closes the writer, if one is open, and all handles.
func (s *Store) Close() error {
	s.mu.Lock()
	w := s.writer
	s.mu.Unlock()
	var err error
	if w != nil {
		err = w.Close()
	}
	if e := s.closeHandles(); err == nil {
		err = e
	}
	return err
}

// closeHandles closes the reader first: the last handle to close folds the
// write-ahead log back into the file, which only the writer may.
func (s *Store) closeHandles() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db == nil {
			continue
		}
		if db == s.write && s.alone {
			_, err := db.Exec("PRAGMA journal_mode=delete")
			errs = append(errs, err)
		}
		errs = append(errs, db.Close())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close index %s: %w", s.path, classify(err))
	}
	return nil
}

// inspect looks at the file without touching it, and tells whether it is yet
// to be filled.
func (s *Store) inspect() (fresh bool, err error) {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, os.ErrNotExist) && !s.readOnly:
		return true, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%w: it is not a regular file", ErrForeign)
	case info.Size() == 0 && s.readOnly:
		return false, fmt.Errorf("%w: it is empty", ErrCorrupt)
	case info.Size() == 0:
		return true, nil
	}
	app, version, err := s.peek()
	switch {
	case err != nil:
		return false, s.explain(err)
	case app == 0 && !s.noLog() && !s.readOnly:
		// Being made: its marks stand in the log, where checkMarks looks. A reader
		// takes it for another program's, beside which it must not make a file.
		return false, nil
	case app != applicationID:
		return false, ErrForeign
	case version > schemaVersion:
		return false, &VersionError{Path: s.path, Found: version, Wanted: schemaVersion}
	}
	return false, nil
}

// peek reads the marks of a database through SQLite, because closing a file
// that this process has open elsewhere would drop its locks. An immutable
// handle takes no lock and makes no file.
func (s *Store) peek() (app, version int, err error) {
	db, err := openDB(dsn(s.path, "ro", true, readPragmas), 1)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	if err := db.QueryRow("PRAGMA application_id").Scan(&app); err != nil {
		return 0, 0, err
	}
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	return app, version, err
}

// explain tells a damaged index from another program's file by the first
// bytes; nobody can have it open as a database.
func (s *Store) explain(cause error) error {
	f, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 100)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	const magic = "SQLite format 3\x00"
	if n < 72 || string(head[:len(magic)]) != magic || string(head[68:72]) != string(bigEndian(applicationID)) {
		return ErrForeign
	}
	return classify(cause)
}

func bigEndian(n uint32) []byte { return []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)} }

// createPrivate makes an empty file that only its owner can read, in a folder
// that only its owner can enter. SQLite gives its side files the same mode.
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return keepPrivate(path)
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// keepPrivate takes the file and its side files from other users if a wider
// mode was left on them.
func keepPrivate(path string) error {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		info, err := os.Stat(path + suffix)
		switch {
		case errors.Is(err, os.ErrNotExist) && suffix != "":
			continue
		case err != nil:
			return err
		case info.Mode().Perm()&0o077 == 0:
			continue
		}
		if err := os.Chmod(path+suffix, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// openReader opens the reading handle. Where the folder cannot be written
// SQLite cannot make the side files that reading a WAL database needs; without
// a log left behind nothing can change under an immutable handle.
func (s *Store) openReader() error {
	db, err := openDB(dsn(s.path, "ro", false, readPragmas), readConns)
	if err != nil {
		return err
	}
	_, _, err = marks(db)
	if code := codeOf(err) & 0xff; (code == codeCantOpen || code == codeReadOnly) && s.readOnly && s.noLog() {
		db.Close()
		if db, err = openDB(dsn(s.path, "ro", true, readPragmas), readConns); err != nil {
			return err
		}
	}
	s.read = db
	s.reader = newReader(db)
	return s.checkMarks()
}

// readConns bounds the readers beside a writer: SQLite answers in microseconds.
const readConns = 4

func (s *Store) noLog() bool {
	info, err := os.Stat(s.path + "-wal")
	return errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0
}

// checkMarks asks again through a handle that sees the log.
func (s *Store) checkMarks() error {
	app, version, err := marks(s.read)
	switch {
	case err != nil:
		return err
	case app != applicationID:
		return ErrForeign
	case version > schemaVersion:
		return &VersionError{Path: s.path, Found: version, Wanted: schemaVersion}
	case version < schemaVersion:
		return fmt.Errorf("%w: its schema is version %d and must be migrated to %d", ErrReadOnly, version, schemaVersion)
	}
	return nil
}

func marks(db *sql.DB) (app, version int, err error) {
	if err = db.QueryRow("PRAGMA application_id").Scan(&app); err == nil {
		err = db.QueryRow("PRAGMA user_version").Scan(&version)
	}
	return app, version, err
}
