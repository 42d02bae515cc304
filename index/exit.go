package index

import (
	"errors"

	"hindcast/index/importer"
	"hindcast/index/source"
	"hindcast/index/store"
)

// DialectError is a forced dialect that does not exist.
type DialectError struct {
	Name  string
	Known []string
}

// Error lists the dialects that exist.
func (e *DialectError) Error() string {
	msg := "no dialect " + e.Name + "; known are"
	for _, k := range e.Known {
		msg += " " + k
	}
	return msg
}

// ExitCode is the exit code that an error of this package stands for (DESIGN:
// command line).
func ExitCode(err error) int {
	var address *AddressError
	var session *SessionError
	var dialect *DialectError
	var file *source.Error
	var read *source.ReadError
	var version *store.VersionError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &address), errors.As(err, &session), errors.As(err, &dialect):
		return 2
	case errors.As(err, &file), errors.As(err, &read), errors.Is(err, importer.ErrNoEvents):
		return 4
	case errors.As(err, &version), errors.Is(err, store.ErrForeign), errors.Is(err, store.ErrLocked),
		errors.Is(err, store.ErrFull), errors.Is(err, store.ErrReadOnly), errors.Is(err, store.ErrCorrupt):
		return 5
	}
	return 5 // a fault of the program or of the machine: nothing that was asked is answered
}
