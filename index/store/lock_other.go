//go:build !unix

package store

import (
	"fmt"
	"os"
)

// lock is a file that exists while a writer is open, held open so that the
// system refuses to open it for another.
type lock struct{ f *os.File }

func takeLock(path string) (*lock, error) {
	// Where nobody holds it a file left behind can be removed.
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("%w by another process", ErrLocked)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w by another process", ErrLocked)
	}
	return &lock{f}, nil
}

func (l *lock) release() {
	l.f.Close()
	os.Remove(l.f.Name())
}
