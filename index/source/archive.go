package source

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// archive is an opened zip or tar. Its members are read in place where it is a
// plain file, else from the spool.
type archive struct {
	raw    string      // its name among the dump's files
	prefix string      // before the names of its members; empty where it is the dump
	label  string      // its layers and form, for people
	depth  int         // packings, its own among them
	file   *sharedFile // on disk, whether read in place or not; nil on a pipe
	at     io.ReaderAt // where members stand: file or the spool
	place  bool        // at is file, which must be acquired
	size   int64       // of what at holds of it
}

// join makes the name of a member a name among the dump's files.
func (b *archive) join(name string) string {
	if b.prefix == "" {
		return name
	}
	return b.prefix + "/" + name
}

func (b *archive) acquire() error {
	if !b.place {
		return nil
	}
	return b.file.acquire()
}

func (b *archive) release() {
	if b.place {
		b.file.release()
	}
}

func (b *archive) drop() {
	if b.file != nil {
		b.file.close()
	}
}

// openArchive lists an archive's members as files under prefix. What is wrong
// inside of it is listed as skipped; an error means that nothing of it can be
// read.
func (d *Dump) openArchive(ctx context.Context, m *member, f form, prefix string) ([]*member, error) {
	box := &archive{raw: m.raw, prefix: prefix, file: &sharedFile{m: m, size: m.size, mtime: m.mtime, ctime: m.ctime, inode: m.inode}}
	box.describe(m.layers, f)
	if d.depth(m, m.layers)+1 > d.o.Limits.Nesting {
		return nil, &LimitError{Limit: "nesting", Value: int64(d.o.Limits.Nesting), Name: m.raw}
	}
	var all []*member
	var err error
	if len(m.layers) == 0 {
		box.place, box.at, box.size = true, box.file, m.size
		if err := box.acquire(); err != nil {
			return nil, err
		}
		defer box.release()
		all, err = d.contents(ctx, box, f, nil)
	} else {
		var b *body
		if b, err = d.open(ctx, m, 0); err != nil {
			return nil, err
		}
		defer b.Close()
		all, err = d.contents(ctx, box, f, b)
	}
	if err != nil {
		return nil, err
	}
	d.adopt(box, m.root, all)
	return all, nil
}

func (b *archive) describe(layers []form, f form) {
	b.depth = 1
	for _, l := range layers {
		b.label += l.String() + "+"
		b.depth++
	}
	b.label += f.String()
}

// contents lists what is in box; r gives its bytes where they must be spooled.
func (d *Dump) contents(ctx context.Context, box *archive, f form, r io.Reader) ([]*member, error) {
	if r != nil {
		box.at = d.spool
	}
	if f == formTar {
		return d.listTar(ctx, box, r)
	}
	if r == nil {
		return d.listZip(ctx, box, box.at, box.size)
	}
	off, n, err := d.spool.write(ctx, d.within(r, box.raw))
	if err != nil && n == 0 || ctx.Err() != nil {
		return nil, err
	}
	box.size = n
	return d.listZip(ctx, box, io.NewSectionReader(d.spool, off, n), n)
}

// adopt gives an archive's members their place in the dump. Members that are
// themselves compressed are offered unpacked.
func (d *Dump) adopt(box *archive, r *root, all []*member) {
	d.mu.Lock()
	if d.boxed != nil { // nil once the dump is closed
		d.boxed[box.raw] = box
	}
	d.mu.Unlock()
	for _, m := range all {
		m.root = r
		m.name, m.raw = box.join(m.name), box.join(m.raw)
	}
}

// settleMembers undoes the compression of members, and drops those that turn
// out to be archives.
func (d *Dump) settleMembers(ctx context.Context, box *archive, all []*member) ([]*member, error) {
	var kept []*member
	for _, m := range all {
		if !looksPacked(m.raw) {
			kept = append(kept, m)
			continue
		}
		one, err := d.unwrapMember(ctx, box, m, all)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			d.skip(box.join(m.raw), skipReason(err))
			continue
		}
		kept = append(kept, one...)
	}
	return slices.DeleteFunc(kept, func(m *member) bool {
		return slices.ContainsFunc(kept, func(o *member) bool { return o.in.db != nil && o.in.db.wal == m })
	}), nil
}

// unwrapMember is unwrap for a member of an archive, which may hold the log of
// a database beside it.
func (d *Dump) unwrapMember(ctx context.Context, box *archive, m *member, all []*member) ([]*member, error) {
	form, err := d.probe(ctx, m)
	if err != nil || form != formSQLite || len(m.layers) > 0 {
		return d.unwrap(ctx, m, "")
	}
	var log *member
	if i := slices.IndexFunc(all, func(o *member) bool { return o.raw == m.raw+sideLog }); i >= 0 {
		log = all[i]
	}
	return d.openDatabase(ctx, m, log, box.join(m.raw))
}

// lastOfName drops all but the last member of a name, as the programs that
// write archives mean it: a later member replaces an earlier one.
func (d *Dump) lastOfName(box *archive, all []*member) []*member {
	last := make(map[string]int, len(all))
	for i, m := range all {
		last[m.raw] = i
	}
	kept := all[:0]
	for i, m := range all {
		if last[m.raw] != i {
			d.skip(box.join(m.raw), "a later member of the archive has the same name")
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// within holds what is unpacked to Limits.Unpacked over all archives.
func (d *Dump) within(r io.Reader, name string) io.Reader {
	return &budget{d: d, r: r, name: name}
}

type budget struct {
	d    *Dump
	r    io.Reader
	name string
}

func (b *budget) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if !b.d.spend(int64(n)) {
		return n, &LimitError{Limit: "unpacked", Value: b.d.o.Limits.Unpacked, Name: b.name}
	}
	return n, err
}

// spend takes n bytes from what archives may unpack to; false if that is used
// up.
func (d *Dump) spend(n int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n < 0 || n > d.o.Limits.Unpacked-d.spent {
		return false
	}
	d.spent += n
	return true
}

// sharedFile is an archive on disk, open while anyone reads from it. It serves
// only the file that was listed: once that was replaced, ErrChanged.
type sharedFile struct {
	m                  *member
	size, mtime, ctime int64
	inode              uint64

	mu    sync.Mutex
	f     *os.File
	users int
}

func (s *sharedFile) path() string { return s.m.root.pathOf(s.m.rel) }

// pathOf is the path on disk of a file below the root.
func (r *root) pathOf(rel string) string {
	if rel == "" {
		return r.path
	}
	return filepath.Join(r.path, filepath.FromSlash(rel))
}

// same reports whether fi is still the listed file.
func (s *sharedFile) same(fi fs.FileInfo) bool {
	_, inode := identity(fi)
	return fi.Size() == s.size && fi.ModTime().UnixNano() == s.mtime && inode == s.inode
}

func (s *sharedFile) acquire() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f == nil {
		f, fi, err := openDisk(s.path())
		if err != nil {
			return err
		}
		if !s.same(fi) {
			f.Close()
			return fmt.Errorf("%w: the archive is not the one that was opened", ErrChanged)
		}
		s.f = f
	}
	s.users++
	return nil
}

func (s *sharedFile) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users = max(s.users-1, 0)
	if s.users == 0 && s.f != nil {
		s.f.Close()
		s.f = nil
	}
}

func (s *sharedFile) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.f != nil {
		s.f.Close()
		s.f, s.users = nil, 0
	}
}

// ReadAt reads from the archive, which must be acquired.
func (s *sharedFile) ReadAt(p []byte, off int64) (int, error) {
	s.mu.Lock()
	f := s.f
	s.mu.Unlock()
	if f == nil {
		return 0, os.ErrClosed
	}
	return f.ReadAt(p, off)
}
