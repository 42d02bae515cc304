package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// What can be wrong with bytes that were opened. They are wrapped by the
// errors of Reader and File, which name the file and the offset.
var (
	// ErrTruncated: the packed data ends before its own end mark. What came
	// before it was delivered.
	ErrTruncated = errors.New("the packed data is cut short")
	// ErrCorrupt: the packed data breaks its format or its checksum.
	ErrCorrupt = errors.New("the packed data is damaged")
	// ErrTrailing: bytes that are not packed data follow after the end of it.
	// All of the packed data was delivered.
	ErrTrailing = errors.New("other bytes follow after the packed data")
	// ErrChanged: the file is no longer the one that was listed.
	ErrChanged = errors.New("the source has changed")
	// ErrGone: the file does not exist any more.
	ErrGone = errors.New("the source has gone")
	// ErrConsumed: a pipe was asked for bytes that it gave away already.
	ErrConsumed = errors.New("a pipe can be read only once")
)

// Error is a dump that cannot be opened, with what to do about it.
type Error struct {
	Path   string // as the user named it
	Reason string // one clause, lower case
	Hint   string // what to do; may be empty
	Err    error  // the cause, where there is one
}

// Error gives path and reason; the hint is left to the caller to place.
func (e *Error) Error() string { return "open " + e.Path + ": " + e.Reason }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// ReadError is a failure at a place of a file.
type ReadError struct {
	Name   string // as offered
	Offset int64  // of the first byte that could not be given, in the unpacked file
	Err    error
}

// Error gives name, offset and cause.
func (e *ReadError) Error() string {
	return fmt.Sprintf("read %s at byte %d: %v", e.Name, e.Offset, e.Err)
}

// Unwrap gives the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// rootError turns a failure to open an argument into words.
func rootError(path string, err error) *Error {
	e := &Error{Path: path, Err: err, Reason: plainReason(err)}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Hint = "check the path; a dump is a file, a folder, an archive, - for stdin, or demo:"
	case errors.Is(err, fs.ErrPermission):
		e.Hint = "give yourself the right to read it, or copy it to a place that you own"
	case errors.Is(err, syscall.ELOOP):
		e.Hint = "name the file itself instead of the link"
	case errors.Is(err, syscall.EMFILE):
		e.Hint = "raise the limit of open files (ulimit -n)"
	}
	return e
}

// plainReason says why a file cannot be opened, without repeating its path.
func plainReason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ELOOP):
		return "a link that leads in a circle"
	}
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// sourceError says of a listed file that it changed or went, where that is
// what an error of the file system means.
func sourceError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%w: %w", ErrGone, err)
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%w: %w", ErrChanged, err)
	}
	return err
}
