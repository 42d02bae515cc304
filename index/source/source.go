package source

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"hindcast/model"
)

// Options say what Open needs beside the arguments. The zero value opens files
// and folders.
type Options struct {
	Stdin    io.Reader         // what "-" reads
	Embedded map[string][]byte // the files of "demo:", by slash-separated name
	// TempDir is where archives are unpacked that cannot be read in place, in
	// one file that has no name; empty: os.TempDir. It is made 0700 if missing.
	TempDir string
	// NoCopy: a database on disk that only a private copy can be read of, which
	// takes as long as it is large, is an error.
	NoCopy bool
	Limits Limits
}

// Dump is an open dump. Its files keep their indexes for as long as it is
// open. It is safe for use by several goroutines.
type Dump struct {
	o     Options
	roots []*root
	dec   decoders
	spool *spool

	refreshing sync.Mutex // held by Refresh

	mu      sync.RWMutex
	members []*member
	files   []model.File // what Files returns; replaced, never changed
	stale   bool         // files must be made again
	skipped []Skipped
	spent   int64 // bytes that archives unpack to, against Limits.Unpacked
	listed  int   // files offered or skipped so far, against Limits.Entries
	dirs    []string
	pipes   []io.Closer         // opened for arguments
	boxed   map[string]*archive // opened archives, by raw name
	bases   []*database
	closed  bool
	heads   headCache
}

// Open opens one or more dumps as one: paths of files, folders and archives,
// "-" for stdin, "demo:" for the embedded demo. An argument that cannot be
// opened is an *Error; files inside of one that cannot be are listed by
// Skipped.
func Open(ctx context.Context, dumps []string, o Options) (*Dump, error) {
	o.Limits = o.Limits.orDefault()
	d := &Dump{o: o, boxed: map[string]*archive{}}
	d.spool = &spool{dir: o.TempDir}
	roots, err := d.resolve(dumps)
	if err != nil {
		return nil, err
	}
	d.roots = roots
	for _, r := range roots {
		members, err := d.list(ctx, r)
		if err == nil && len(members) == 0 {
			err = d.emptyError(r)
		}
		if err != nil {
			d.Close()
			return nil, err
		}
		d.members = append(d.members, members...)
	}
	nameApart(d.members)
	d.stale = true
	return d, nil
}

// emptyError says of a root that it holds nothing to read.
func (d *Dump) emptyError(r *root) *Error {
	e := &Error{Path: r.arg, Reason: "holds no files"}
	if r.kind == rootFolder {
		e.Reason = "the folder holds no files"
	}
	if n := len(d.skipped); n > 0 {
		first := d.skipped[0]
		e.Reason += " that can be read; skipped " + first.Name + ": " + first.Reason
		if n > 1 {
			e.Reason += ", and others"
		}
	}
	e.Hint = "name the folder or file that the program wrote its events to"
	return e
}

// nameApart gives files that would share a name once their packing's ending is
// gone that ending back, and sorts all by name, bytewise.
func nameApart(members []*member) {
	byName := func(a, b *member) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return strings.Compare(a.raw, b.raw)
	}
	for again := true; again; {
		again = false
		slices.SortFunc(members, byName)
		for i := 1; i < len(members); i++ {
			a, b := members[i-1], members[i]
			if a.name != b.name {
				continue
			}
			// raw sorts the unpacked file first: a prefix of the packed one.
			if b.name != b.raw {
				b.name, again = b.raw, true
			} else if a.name != a.raw {
				a.name, again = a.raw, true
			}
		}
	}
}

// Files lists the files by name, bytewise; files that Refresh found stand
// after those that were known. The slice must not be changed.
func (d *Dump) Files() []model.File {
	d.mu.RLock()
	files, stale := d.files, d.stale
	d.mu.RUnlock()
	if !stale {
		return files
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files = make([]model.File, len(d.members))
	for i, m := range d.members {
		d.files[i] = model.File{Name: m.name, Size: m.unpackedSize()}
		if m.in != nil && m.in.db != nil {
			d.files[i].Database = strings.TrimSuffix(m.name, "/"+m.in.table.name)
		}
	}
	d.stale = false
	return d.files
}

// Entry tells all about file i; the zero Entry where there is none.
func (d *Dump) Entry(i int) Entry {
	m := d.member(i)
	if m == nil {
		return Entry{}
	}
	d.settle(m)
	d.mu.RLock()
	defer d.mu.RUnlock()
	return m.entry()
}

// Listed is Entry as the listing tells it, without a look into the file: of one
// whose name does not say that it is packed, Size and Addressable may be wrong.
func (d *Dump) Listed(i int) Entry {
	m := d.member(i)
	if m == nil {
		return Entry{}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	return m.entry()
}

// Skipped lists what is not offered, in the order in which it was met.
func (d *Dump) Skipped() []Skipped {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Clone(d.skipped)
}

// Identity is a key of what was opened that stays the same from run to run:
// the absolute paths, links resolved, sorted, with NUL between them. It is
// empty where stdin is among them: a pipe has no identity.
func (d *Dump) Identity() string {
	var keys []string
	for _, r := range d.roots {
		switch r.kind {
		case rootPipe:
			return ""
		case rootDemo:
			keys = append(keys, r.arg)
		default:
			keys = append(keys, r.path)
		}
	}
	slices.Sort(keys)
	return strings.Join(keys, "\x00")
}

// IdentityOf is the Identity of dumps, without opening them.
func IdentityOf(dumps []string) (string, error) {
	d := &Dump{}
	roots, err := d.resolve(dumps)
	d.roots = roots
	return d.Identity(), err
}

// FolderIdentity is the Identity of a dump that is one folder, without listing
// it; ok is false for any other.
func FolderIdentity(dumps []string) (id string, ok bool) {
	if len(dumps) != 1 {
		return "", false
	}
	r, err := (&Dump{}).resolveOne(dumps[0])
	if err != nil || r.kind != rootFolder {
		return "", false
	}
	return r.path, true
}

// Close lets go of temporary files and decoders. Readers that are open must be
// closed by their owners; they fail from now on where they need the former.
func (d *Dump) Close() error {
	d.mu.Lock()
	d.closed = true
	d.heads = headCache{}
	boxes, bases := d.boxed, d.bases
	d.boxed, d.bases = nil, nil
	d.mu.Unlock()
	for _, p := range d.pipes {
		p.Close()
	}
	for _, b := range boxes {
		b.drop()
	}
	for _, b := range bases {
		b.close()
	}
	return d.spool.close()
}

func (d *Dump) member(i int) *member {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if i < 0 || i >= len(d.members) {
		return nil
	}
	return d.members[i]
}

// skip notes a file that is not offered.
func (d *Dump) skip(name, reason string) {
	d.mu.Lock()
	d.skipped = append(d.skipped, Skipped{Name: name, Reason: reason})
	d.mu.Unlock()
}

// admit counts a file against Limits.Entries; false once there is no room.
func (d *Dump) admit() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.listed >= d.o.Limits.Entries {
		return false
	}
	d.listed++
	return true
}

// full notes once for a root that the rest of it is not listed.
func (d *Dump) full(name string) {
	err := &LimitError{Limit: "entries", Value: int64(d.o.Limits.Entries), Name: name}
	d.skip(name, err.Error()+"; the rest is not listed")
}

var _ model.Dump = (*Dump)(nil)

// openDisk opens a plain file of the disk for reading and nothing else. The
// flags hold off what may stand there since it was listed.
func openDisk(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, sourceError(err)
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = ErrChanged
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}
