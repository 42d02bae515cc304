package source

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// What SQLite keeps beside a database (https://sqlite.org/tempfiles.html).
const (
	sideLog     = "-wal"     // commits that do not stand in the database yet
	sideShared  = "-shm"     // where readers and writers of the log meet
	sideJournal = "-journal" // what a commit that did not end had overwritten
)

// sideOf is the database that a file belongs to by its name; empty where none.
func sideOf(name string) string {
	for _, side := range []string{sideLog, sideShared, sideJournal} {
		if base, ok := strings.CutSuffix(name, side); ok {
			return base
		}
	}
	return ""
}

// stamp is what the file system says of a file; zero where there is none.
type stamp struct {
	size, mtime, ctime int64
	inode              uint64
}

func stampOf(fi fs.FileInfo) stamp {
	s := stamp{size: fi.Size(), mtime: fi.ModTime().UnixNano()}
	s.ctime, s.inode = identity(fi)
	return s
}

// sides is a database on disk with what lies beside it.
type sides struct {
	base, log, journal stamp
	shared             bool
}

// lookBeside asks the file system about a database.
func lookBeside(path string) (sides, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return sides{}, err
	}
	if !fi.Mode().IsRegular() {
		return sides{}, ErrChanged
	}
	s := sides{base: stampOf(fi)}
	if fi, ok := regular(path + sideLog); ok {
		s.log = stampOf(fi)
		s.log.ctime = 0 // SQLite gives a log the owner of its database whenever root opens it
	}
	if fi, ok := regular(path + sideJournal); ok {
		s.journal = stampOf(fi)
	}
	_, s.shared = regular(path + sideShared)
	return s, nil
}

// same reports whether nothing was written in between. An empty log says as
// much as none.
func (s sides) same(o sides) bool {
	return s.base == o.base && s.journal.size == o.journal.size && (s.log == o.log || s.log.size == 0 && o.log.size == 0)
}

// access says how a database is read in that state.
func (s sides) access() access {
	switch {
	case s.journal.size > 0:
		return accessCopy // to be rolled back first, perhaps
	case s.log.inode == 0 && s.log.size == 0:
		return accessImmutable
	case s.shared:
		return accessLive
	case s.log.size == 0:
		return accessImmutable
	}
	return accessCopy
}

// latest is when the database or its log was written last, ns since 1970.
func (s sides) latest() int64 { return max(s.base.mtime, s.log.mtime) }

// marks tell a state of a database from another: hashes of its ends, and of
// those of its log, whose frames carry a running checksum.
type marks struct{ base, log uint64 }

// mark hashes database and log. It must not be called while this process has
// the database open: closing a file drops the locks that SQLite has on it.
func (b *database) mark(s sides) (m marks, err error) {
	if m.base, err = hashEnds(b.path()); err != nil || s.log.size == 0 {
		return m, err
	}
	if m.log, err = hashEnds(b.path() + sideLog); errors.Is(err, ErrGone) {
		err = nil // folded back meanwhile
	}
	return m, err
}

// known gives the marks of what was read, or of what is there where nothing
// was read since it was last looked at.
func (b *database) known() (marks, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	state, m := b.seen()
	if m != nil {
		return *m, nil
	}
	if err := b.note(state); err != nil { // no snapshot: one has marks
		return marks{}, err
	}
	_, m = b.seen()
	return *m, nil
}

// look compares the database with what was last seen of it. One that was
// written is read anew from then on.
func (b *database) look() (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, err := lookBeside(b.path())
	seen, _ := b.seen()
	if err != nil || seen.same(now) {
		return false
	}
	b.drop()
	b.looking.Lock()
	b.state, b.marks = now, nil
	b.looking.Unlock()
	return true
}

// dropSides takes what belongs to databases out of a listing, noting what was
// not noted with them.
func (d *Dump) dropSides(r *root, all []*member) []*member {
	d.mu.RLock()
	bases := map[string]*database{}
	for _, b := range d.bases {
		if b.onDisk() && b.m.root == r {
			bases[b.m.rel] = b
		}
	}
	noted := map[string]bool{}
	for _, s := range d.skipped {
		noted[s.Name] = true
	}
	d.mu.RUnlock()
	if len(bases) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(m *member) bool {
		b := bases[sideOf(m.rel)]
		if b == nil || m.in != nil {
			return false
		}
		if !noted[m.raw] {
			d.skip(m.raw, "it belongs to the database "+b.label)
		}
		return true
	})
}

func hashEnds(path string) (uint64, error) {
	f, fi, err := openDisk(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n := min(fi.Size(), fingerprintLen)
	head, err := hashRange(f, 0, n)
	if err != nil {
		return 0, err
	}
	tail, err := hashRange(f, fi.Size()-n, n)
	if err != nil {
		return 0, err
	}
	var all [24]byte
	for i, v := range []uint64{uint64(fi.Size()), head, tail} {
		binary.BigEndian.PutUint64(all[8*i:], v)
	}
	return xxhash.Sum64(all[:]), nil
}

// regular tells whether a name is a regular file, without following a link.
func regular(path string) (fs.FileInfo, bool) {
	fi, err := os.Lstat(path)
	return fi, err == nil && fi.Mode().IsRegular()
}
