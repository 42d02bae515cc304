package source

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// fingerprintLen is how many bytes of each end are hashed.
const fingerprintLen = 64 << 10

// ErrNoFingerprint says that a pipe cannot be read to be hashed.
var ErrNoFingerprint = errors.New("a pipe has no fingerprint")

// Fingerprint hashes (xxhash64) the first and the last of the first upto bytes
// of file i, 64 KiB of each, or all where there are fewer. Where the file is
// not Addressable, the packed file around it is hashed instead, all of it as
// it is now, and upto means nothing. Of a table in a database on disk, head is
// the database and tail its log, as they were just before they were read. A
// file shorter than upto is ErrChanged.
func (d *Dump) Fingerprint(i int, upto int64) (head, tail uint64, err error) {
	m := d.member(i)
	if m == nil || upto < 0 {
		return 0, 0, fmt.Errorf("hash file %d up to %d: no such place", i, upto)
	}
	head, tail, err = d.fingerprint(m, upto)
	if err != nil {
		err = &ReadError{Name: m.name, Err: err}
	}
	return head, tail, err
}

func (d *Dump) fingerprint(m *member, upto int64) (head, tail uint64, err error) {
	if m.in != nil && m.in.db != nil && m.in.db.onDisk() {
		marks, err := m.in.db.known()
		return marks.base, marks.log, err
	}
	path := m.path()
	if path == "" {
		if m.in == nil || m.in.data == nil {
			return 0, 0, ErrNoFingerprint
		}
		data := m.in.data
		n := min(len(data), fingerprintLen)
		return xxhash.Sum64(data[:n]), xxhash.Sum64(data[len(data)-n:]), nil
	}
	d.settle(m)
	d.mu.RLock()
	packed := m.in != nil || len(m.layers) > 0
	d.mu.RUnlock()
	f, fi, err := openDisk(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	if packed {
		upto = fi.Size()
	}
	if fi.Size() < upto {
		return 0, 0, fmt.Errorf("%w: it ends at byte %d", ErrChanged, fi.Size())
	}
	n := min(upto, fingerprintLen)
	if head, err = hashRange(f, 0, n); err != nil || n == upto {
		return head, head, err
	}
	tail, err = hashRange(f, upto-n, n)
	return head, tail, err
}

func hashRange(r io.ReaderAt, off, n int64) (uint64, error) {
	buf := make([]byte, n)
	k, err := r.ReadAt(buf, off)
	if int64(k) < n {
		if err == io.EOF {
			err = ErrChanged
		}
		return 0, err
	}
	return xxhash.Sum64(buf), nil
}

// File is a plain file of a dump, open for ranges.
type File struct {
	f    *os.File
	path string
}

// OpenFile opens a plain file. Where there is none the error wraps ErrGone.
func OpenFile(path string) (*File, error) {
	f, _, err := openDisk(path)
	if err != nil {
		return nil, &ReadError{Name: path, Err: err}
	}
	return &File{f: f, path: path}, nil
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Read reads n bytes at an offset. Where the file holds fewer the error wraps
// ErrChanged.
func (f *File) Read(off, n int64) ([]byte, error) {
	fail := func(err error) ([]byte, error) { return nil, &ReadError{Name: f.path, Offset: off, Err: err} }
	if off < 0 || n < 0 {
		return fail(errors.New("no such place"))
	}
	fi, err := f.f.Stat()
	if err != nil {
		return fail(sourceError(err))
	}
	// Before the buffer is made: a wrong length must not cost its memory.
	if size := fi.Size(); off > size || n > size-off {
		return fail(fmt.Errorf("%w: it ends at byte %d", ErrChanged, size))
	}
	buf := make([]byte, n)
	k, err := f.f.ReadAt(buf, off)
	if int64(k) < n {
		if err == io.EOF {
			err = ErrChanged
		}
		return fail(err)
	}
	return buf, nil
}
