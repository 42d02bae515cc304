package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// What a caller branches on. All errors of Open name the file.
var (
	// ErrForeign: the file is not an index; nothing in it was touched.
	ErrForeign = errors.New("not an index of hindcast")
	// ErrCorrupt: the index is damaged; it can be rebuilt from its source.
	ErrCorrupt = errors.New("the index is damaged; rebuild it from its source")
	// ErrLocked: another process imports into this index.
	ErrLocked = errors.New("the index is locked")
	// ErrFull: no room is left; the index stands at its last commit.
	ErrFull = errors.New("no room left for the index")
	// ErrReadOnly: the index was opened or lies where it cannot be written.
	ErrReadOnly = errors.New("the index is read-only")
)

// VersionError says that an index was written by a newer hindcast.
type VersionError struct {
	Path          string
	Found, Wanted int // schema versions
}

// Error names both versions.
func (e *VersionError) Error() string {
	return fmt.Sprintf("open index %s: written by a newer hindcast: its schema is version %d, this program knows up to %d", e.Path, e.Found, e.Wanted)
}

// Result codes of SQLite (https://sqlite.org/rescode.html); the last two are
// extended ones: no room for the side file that readers and writer share.
const (
	codePerm, codeBusy, codeLocked, codeReadOnly = 3, 5, 6, 8
	codeCorrupt, codeFull, codeCantOpen          = 11, 13, 14
	codeNotADB                                   = 26
	codeShmSize, codeShmMap                      = 10 | 19<<8, 10 | 21<<8
)

// classify adds the sentinel that belongs to an error of SQLite.
func classify(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	var kind error
	switch code := e.Code(); {
	case code&0xff == codeBusy, code&0xff == codeLocked:
		kind = ErrLocked
	case code&0xff == codeCorrupt, code&0xff == codeNotADB:
		kind = ErrCorrupt
	case code&0xff == codeFull, code == codeShmSize, code == codeShmMap:
		kind = ErrFull
	case code&0xff == codeReadOnly, code&0xff == codePerm:
		kind = ErrReadOnly
	default:
		return err
	}
	return &kindError{kind, err}
}

// kindError keeps SQLite's own words behind the sentinel's.
type kindError struct{ kind, err error }

func (e *kindError) Error() string   { return e.kind.Error() + " (" + e.err.Error() + ")" }
func (e *kindError) Unwrap() []error { return []error{e.kind, e.err} }

func codeOf(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}
