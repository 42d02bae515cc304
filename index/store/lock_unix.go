//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// lock keeps a second importer out for as long as a writer is open: SQLite's
// own locks last only for a transaction, and two importers that take turns
// would both number sessions and events.
type lock struct{ f *os.File }

func takeLock(path string) (*lock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%w by %s", ErrLocked, holder(f))
		}
		return nil, err
	}
	// Only a hint for the message above; a lock without it is as good.
	if f.Truncate(0) == nil {
		f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return &lock{f}, nil
}

func holder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 32))
	pid, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || bad != nil {
		return "another process"
	}
	return "process " + strconv.Itoa(pid)
}

// release leaves the file: to delete it would let two hold a lock of the same name.
func (l *lock) release() { l.f.Close() }
