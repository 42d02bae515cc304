package source

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
)

// spool is the one temporary file of a dump. Its name is taken away as soon as
// it is open, so nothing of it stays behind however the program ends.
type spool struct {
	dir  string
	turn sync.Mutex // held by the one who writes
	size int64      // guarded by turn

	mu    sync.Mutex
	f     *os.File
	named bool // its name could not be taken away yet
}

// write appends all of r and tells where it stands. What was written before an
// error stays.
func (s *spool) write(ctx context.Context, r io.Reader) (off, n int64, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	f, err := s.open()
	if err != nil {
		return 0, 0, err
	}
	off = s.size
	buf := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return off, n, err
		}
		k, rerr := r.Read(buf)
		if _, err := f.WriteAt(buf[:k], s.size); err != nil {
			return off, n, fmt.Errorf("unpack into a temporary file (TMPDIR says where): %w", err)
		}
		n += int64(k)
		s.size += int64(k)
		if rerr == io.EOF {
			return off, n, nil
		}
		if rerr != nil {
			return off, n, rerr
		}
	}
}

func (s *spool) open() (*os.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f != nil {
		return s.f, nil
	}
	if s.dir != "" {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return nil, fmt.Errorf("make a folder for temporary files: %w", err)
		}
	}
	f, err := os.CreateTemp(s.dir, "hindcast-*") // made with mode 0600
	if err != nil {
		return nil, fmt.Errorf("make a temporary file (TMPDIR says where): %w", err)
	}
	s.f = f
	s.named = os.Remove(f.Name()) != nil // open files cannot be removed everywhere
	return f, nil
}

// ReadAt reads what was written.
func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	s.mu.Lock()
	f := s.f
	s.mu.Unlock()
	if f == nil {
		return 0, os.ErrClosed
	}
	return f.ReadAt(p, off)
}

func (s *spool) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f == nil {
		return nil
	}
	err := s.f.Close()
	if s.named {
		os.Remove(s.f.Name())
	}
	s.f = nil
	return err
}
