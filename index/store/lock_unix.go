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
	for {
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
		if !stillNamed(f, path) {
			f.Close() // its last holder deleted it meanwhile
			continue
		}
		// Only a hint for the message above; a lock without it is as good.
		if f.Truncate(0) == nil {
			f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		}
		return &lock{f}, nil
	}
}

func stillNamed(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

func holder(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 32))
	pid, bad := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || bad != nil {
		return "another process"
	}
	return "process " + strconv.Itoa(pid)
}

// release deletes the file while it is still held: whoever opened it before
// finds that it has lost its name, and makes a new one.
func (l *lock) release() {
	os.Remove(l.f.Name())
	l.f.Close()
}
