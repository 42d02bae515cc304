package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Refresh lists the dump again and reports whether anything is different:
// files that grew, shrank or were replaced, new ones, which are appended, and
// vanished ones, which stay and are marked. Known files keep their indexes and
// names. An archive is not listed again: a changed one shows in its members'
// Entry, and reading them fails with ErrChanged until the dump is opened anew.
func (d *Dump) Refresh(ctx context.Context) (changed bool, err error) {
	d.refreshing.Lock()
	defer d.refreshing.Unlock()
	for _, r := range d.roots {
		if r.kind != rootFile && r.kind != rootFolder {
			continue
		}
		f := d.newRefresher(r)
		if r.kind == rootFile {
			err = f.lookAtFile()
		} else {
			err = f.lookAtFolder(ctx)
		}
		if err == nil {
			err = f.lookAtBases(ctx)
		}
		if err != nil {
			return changed, err
		}
		changed = f.finish() || changed
	}
	return changed, nil
}

// refresher compares one root with what is known of it.
type refresher struct {
	d       *Dump
	root    *root
	known   map[string]int         // members that are files on disk, by path below the root
	boxes   map[string]*sharedFile // archives, likewise
	bases   map[string]*database   // databases, likewise
	skipped map[string]bool
	seen    map[string]bool
	fresh   []*member
	dirs    []string
	changed bool
}

func (d *Dump) newRefresher(r *root) *refresher {
	d.mu.RLock()
	defer d.mu.RUnlock()
	f := &refresher{d: d, root: r, known: map[string]int{}, boxes: map[string]*sharedFile{}, bases: map[string]*database{},
		skipped: map[string]bool{}, seen: map[string]bool{}}
	for i, m := range d.members {
		if m.in == nil && m.root == r {
			f.known[m.rel] = i
		}
	}
	for _, b := range d.boxed {
		if b.file != nil && b.file.m.root == r {
			f.boxes[b.file.m.rel] = b.file
		}
	}
	for _, b := range d.bases {
		if b.m.in == nil && b.m.root == r {
			f.bases[b.m.rel] = b
		}
	}
	for _, s := range d.skipped {
		f.skipped[s.Name] = true
	}
	return f
}

func (f *refresher) lookAtFile() error {
	fi, err := os.Lstat(f.root.path)
	switch {
	case err == nil && fi.Mode().IsRegular():
		f.knownFile("", fi)
	case err == nil || errors.Is(err, fs.ErrNotExist):
		// Away, or a folder in its place: between two files of a rotation, too.
	default:
		return rootError(f.root.arg, err)
	}
	return nil
}

func (f *refresher) lookAtFolder(ctx context.Context) error {
	err := f.root.walk(ctx, visitor{
		folder: func(path string) { f.dirs = append(f.dirs, path) },
		skip:   f.skip,
		file: func(rel string, fi fs.FileInfo) error {
			if f.knownFile(rel, fi) || f.skipped[f.root.join(rel)] {
				return nil
			}
			return f.newFile(ctx, rel, fi)
		},
	})
	switch {
	case err == errFull:
		f.d.full(f.root.arg)
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return rootError(f.root.arg, err)
	}
	return nil
}

func (f *refresher) skip(rel, reason string) {
	name := f.root.join(rel)
	if i, ok := f.known[rel]; ok && !f.d.memberGone(i) {
		return // finish marks it gone
	}
	if f.skipped[name] || !f.d.admit() {
		return
	}
	f.skipped[name] = true
	f.d.skip(name, reason)
}

func (d *Dump) memberGone(i int) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.members[i].gone
}

// knownFile takes note of a file that was listed before; false if it was not.
func (f *refresher) knownFile(rel string, fi fs.FileInfo) bool {
	d := f.d
	if box := f.boxes[rel]; box != nil {
		d.mu.Lock()
		f.changed = box.notice(fi) || f.changed
		d.mu.Unlock()
		return true
	}
	if f.bases[rel] != nil {
		f.seen[rel] = true
		return true
	}
	i, ok := f.known[rel]
	if !ok {
		return false
	}
	f.seen[rel] = true
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.members[i]
	was := *m
	m.stat(fi)
	m.gone = false
	if was.size == m.size && was.mtime == m.mtime && was.ctime == m.ctime && was.inode == m.inode && !was.gone {
		return true
	}
	f.changed, d.stale = true, true
	if was.inode != m.inode || m.size < was.size || was.size == 0 {
		m.layers, m.probed = nil, false // other content: another form, perhaps
	}
	d.heads.drop(i)
	return true
}

func (f *refresher) newFile(ctx context.Context, rel string, fi fs.FileInfo) error {
	if !f.d.admit() {
		return errFull
	}
	all, err := f.d.found(ctx, f.root, rel, fi)
	f.fresh = append(f.fresh, all...)
	return err
}

// lookAtBases finds the tables that came and went. Where a database cannot be
// read now, as between two files of a rotation, they stay as they are.
func (f *refresher) lookAtBases(ctx context.Context) error {
	for rel, b := range f.bases {
		if f.seen[rel] {
			if err := f.lookAtBase(ctx, b); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *refresher) lookAtBase(ctx context.Context, b *database) error {
	if !b.onDisk() || !b.look() {
		return nil
	}
	f.changed = true
	tables, err := b.tables(ctx)
	b.letGo()
	if err != nil {
		return ctx.Err()
	}
	there := map[string]bool{}
	for _, t := range tables {
		there[t.name] = !t.virtual
	}
	d := f.d
	d.mu.Lock()
	for i, m := range d.members {
		if m.in != nil && m.in.db == b {
			m.gone = !there[m.in.table.name]
			delete(there, m.in.table.name)
			d.heads.drop(i)
		}
	}
	d.mu.Unlock()
	for _, t := range tables {
		if there[t.name] {
			if !d.admit() {
				return nil
			}
			f.fresh = append(f.fresh, b.member(t))
		}
	}
	return nil
}

// finish appends what is new and marks what is gone.
func (f *refresher) finish() bool {
	d := f.d
	f.fresh = d.dropSides(f.root, f.fresh)
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, m := range d.members {
		if m.in != nil && m.in.db != nil && f.bases[m.in.db.m.rel] == m.in.db && !f.seen[m.in.db.m.rel] && !m.gone {
			m.gone, f.changed = true, true
			d.heads.drop(i)
		}
	}
	for rel, i := range f.known {
		if m := d.members[i]; !f.seen[rel] && !m.gone {
			m.gone, f.changed = true, true
			d.heads.drop(i)
		}
	}
	if len(f.fresh) > 0 {
		f.changed, d.stale = true, true
		f.nameApart()
		d.members = append(slices.Clip(d.members), f.fresh...)
	}
	if f.root.kind == rootFolder {
		others := slices.DeleteFunc(slices.Clone(d.dirs), f.root.owns)
		d.dirs = append(others, f.dirs...)
	}
	return f.changed
}

// nameApart gives new files names that no known file has.
func (f *refresher) nameApart() {
	taken := make(map[string]bool, len(f.d.members))
	for _, m := range f.d.members {
		taken[m.name] = true
	}
	for _, m := range f.fresh {
		if taken[m.name] {
			m.name = m.raw
		}
	}
	nameApart(f.fresh)
}

// owns reports whether a path on disk is the root or lies below it.
func (r *root) owns(path string) bool {
	return path == r.path || strings.HasPrefix(path, strings.TrimSuffix(r.path, string(os.PathSeparator))+string(os.PathSeparator))
}

// notice compares an archive with what was last seen of it. It is called with
// Dump.mu held.
func (s *sharedFile) notice(fi fs.FileInfo) bool {
	now := member{}
	now.stat(fi)
	was := *s.m
	s.m.size, s.m.mtime, s.m.ctime, s.m.inode = now.size, now.mtime, now.ctime, now.inode
	return was.size != now.size || was.mtime != now.mtime || was.ctime != now.ctime || was.inode != now.inode
}

func (h *headCache) drop(i int) {
	h.bytes -= len(h.kept[i].data)
	delete(h.kept, i)
}
