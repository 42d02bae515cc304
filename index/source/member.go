package source

import (
	"archive/zip"
	"io/fs"
	"strings"
)

// root is one argument: what a dump, or a part of it, was opened from.
type root struct {
	arg    string // as the user named it
	index  int    // among the arguments
	kind   rootKind
	path   string // absolute, links resolved; empty for pipes and the demo
	prefix string // stands before the names where several dumps are open
}

type rootKind uint8

const (
	rootFile rootKind = iota
	rootFolder
	rootPipe
	rootDemo
)

// join puts the root's prefix before a relative name.
func (r *root) join(rel string) string {
	if r.prefix == "" || rel == "" {
		return r.prefix + rel
	}
	return r.prefix + "/" + rel
}

// member is one file that a dump offers. A folder may hold a million of them,
// so what only some need stands in inner. The fields under "state" are guarded
// by Dump.mu, the others do not change once the member is offered.
type member struct {
	name string // as offered
	raw  string // the same with the packing's endings; unique in the dump
	rel  string // path below the root; empty where the root is the file
	root *root
	in   *inner // nil for a file on disk

	// state
	layers []form // around the bytes, outermost first
	probed bool   // layers is settled; otherwise it is looked at when first read
	gone   bool
	size   int64 // bytes of the packed file, or of the member as its archive says
	mtime  int64 // ns since 1970
	ctime  int64
	inode  uint64
}

// inner says where the bytes of a member are that is no file on disk.
type inner struct {
	box   *archive
	off   int64     // of a tar's member in box
	zf    *zip.File // of a zip's member
	data  []byte    // of an embedded file
	pipe  *pipe
	fault error // what stands in place of the end, where the bytes are cut
	db    *database
	table *table // of db; its rows are the bytes
}

// path is the file on disk that holds the bytes; empty where there is none.
func (m *member) path() string {
	if m.in != nil {
		if m.in.box != nil && m.in.box.file != nil {
			return m.in.box.file.path()
		}
		if m.in.db != nil && m.in.db.m.in == nil {
			return m.in.db.path()
		}
		return ""
	}
	return m.root.pathOf(m.rel)
}

func (m *member) stat(fi fs.FileInfo) {
	m.size, m.mtime = fi.Size(), fi.ModTime().UnixNano()
	m.ctime, m.inode = identity(fi)
}

// unpackedSize is what model.File tells: -1 where it takes unpacking to know.
func (m *member) unpackedSize() int64 {
	if len(m.layers) > 0 || (m.in != nil && m.in.pipe != nil) {
		return -1
	}
	return m.size
}

// packing is the word for what lies around the bytes: gzip, zip, tar.gzip, ...
func (m *member) packing() string {
	var words []string
	if m.in != nil && m.in.box != nil {
		words = append(words, m.in.box.label)
	}
	if m.in != nil && m.in.db != nil {
		for _, l := range m.in.db.m.layers {
			words = append(words, l.String())
		}
		words = append(words, formSQLite.String())
	}
	for _, l := range m.layers {
		words = append(words, l.String())
	}
	return strings.Join(words, "+")
}

// Entry is a file of a dump with what an index needs to find it again.
type Entry struct {
	Name string
	// Path is the file on disk that holds the bytes: the file itself, or the
	// packed file around it. Empty for pipes and the demo.
	Path string
	Size int64 // bytes unpacked, -1 where unknown
	// Packed is how many bytes the file at Path has; -1 where there is none.
	Packed     int64
	ModTime    int64 // of the file at Path, ns since 1970; 0 where unknown
	ChangeTime int64 // likewise, of the inode
	Inode      uint64
	// Addressable: a plain file of which File gives any range. What is not
	// must be kept elsewhere by whoever wants ranges.
	Addressable bool
	Compressed  string // what lies around the bytes, outermost first: gzip, zip, tar+gzip; empty where nothing
	// Database: a table of a database that may be live. ModTime is the later one
	// of the database and its log, and what they held is Fingerprint's to tell.
	Database bool
	Root     int  // index of the argument
	Gone     bool // listed once, vanished since
}

// Skipped is a file that is not offered.
type Skipped struct {
	Name   string // like File.Name
	Reason string
}

func (m *member) entry() Entry {
	e := Entry{
		Name: m.name, Path: m.path(), Size: m.unpackedSize(), Packed: m.size,
		ModTime: m.mtime, ChangeTime: m.ctime, Inode: m.inode,
		Addressable: m.in == nil && len(m.layers) == 0, Compressed: m.packing(), Root: m.root.index, Gone: m.gone,
	}
	switch {
	case m.in == nil:
	case m.in.box != nil && m.in.box.file != nil:
		f := m.in.box.file.m
		e.Packed, e.ModTime, e.ChangeTime, e.Inode = f.size, f.mtime, f.ctime, f.inode
	case m.in.db != nil && m.in.db.onDisk():
		state, _ := m.in.db.seen()
		e.Database, e.Packed, e.Inode = true, state.base.size+state.log.size, state.base.inode
		e.ModTime, e.ChangeTime = state.latest(), state.base.ctime
	case m.in.db != nil && m.in.db.m.in == nil:
		f := m.in.db.m
		e.Packed, e.ModTime, e.ChangeTime, e.Inode = f.size, f.mtime, f.ctime, f.inode
	default:
		e.Packed = -1
	}
	return e
}
