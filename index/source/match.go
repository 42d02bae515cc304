package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Glob names files or folders of one folder, and what a look for them may cost.
type Glob struct {
	Folder  string // may be a link; below it none is followed
	Pattern string // of path.Match, for each part of the path below it
	// Marks are the names of which at least one must stand in what matches, which
	// is a folder then. Without marks a match is a regular file.
	Marks []string
	Names int // how many names may be read; 0: no limit
}

// Match is what a Glob found.
type Match struct {
	Rel     string // below the folder, slash-separated
	Size    int64  // bytes; -1 of a folder
	Changed int64  // ns since 1970: of the file, or the latest of the folder's marks
}

// Matches are what a Glob found, in the order of the folders.
type Matches struct {
	All     []Match
	Skipped []Skipped // folders that could not be read
	Cut     bool      // Names was reached
}

// Find lists what matches. Only folders on the pattern's way are opened, and no
// file is. The error is an *Error about the folder itself, or the context's.
func (g Glob) Find(ctx context.Context) (Matches, error) {
	f := finder{Glob: g, parts: strings.Split(g.Pattern, "/")}
	err := f.folder(ctx, "", 0)
	if err != nil && ctx.Err() == nil {
		err = rootError(g.Folder, err)
	}
	return f.found, err
}

type finder struct {
	Glob
	parts []string
	read  int
	found Matches
}

// folder looks through a folder that stands depth parts down the pattern.
func (f *finder) folder(ctx context.Context, rel string, depth int) error {
	dir, err := openFolder(filepath.Join(f.Folder, filepath.FromSlash(rel)), rel != "")
	if err != nil {
		return err
	}
	defer dir.Close()
	for !f.found.Cut {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := walkBatch
		if f.Names > 0 {
			n = min(n, f.Names-f.read+1) // one more shows that there are more
		}
		batch, err := dir.ReadDir(n)
		for _, e := range batch {
			if f.read++; f.Names > 0 && f.read > f.Names {
				f.found.Cut = true
				return nil
			}
			if ok, _ := path.Match(f.parts[depth], e.Name()); ok {
				if err := f.entry(ctx, path.Join(rel, e.Name()), e, depth+1); err != nil {
					return err
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entry takes a name that matches so far.
func (f *finder) entry(ctx context.Context, rel string, e fs.DirEntry, depth int) error {
	last := depth == len(f.parts)
	switch {
	case e.IsDir() && !last:
		err := f.folder(ctx, rel, depth)
		switch {
		case vanished(err):
			return nil
		case err != nil && ctx.Err() == nil:
			f.found.Skipped = append(f.found.Skipped, Skipped{rel, plainReason(err)})
			err = nil
		}
		return err
	case e.IsDir() && len(f.Marks) > 0:
		f.marked(rel)
	case e.Type().IsRegular() && last && len(f.Marks) == 0:
		if fi, err := e.Info(); err == nil { // else it has gone meanwhile
			f.found.All = append(f.found.All, Match{rel, fi.Size(), fi.ModTime().UnixNano()})
		}
	}
	return nil
}

// vanished tells a folder that went, or became something else, while it was
// looked for: what stands there now matches nothing.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, errNoFolder)
}

// marked takes a folder in which a mark stands.
func (f *finder) marked(rel string) {
	m := Match{Rel: rel, Size: -1}
	seen := false
	for _, name := range f.Marks {
		fi, err := os.Lstat(filepath.Join(f.Folder, filepath.FromSlash(rel), name))
		if err == nil && (fi.IsDir() || fi.Mode().IsRegular()) {
			seen = true
			m.Changed = max(m.Changed, fi.ModTime().UnixNano())
		}
	}
	if seen {
		f.found.All = append(f.found.All, m)
	}
}

var errNoFolder = errors.New("it is no folder")

// openFolder opens a folder to list it. Inside of one that is walked it must
// not have become a link since its name was read.
func openFolder(path string, inside bool) (*os.File, error) {
	flags := os.O_RDONLY
	if inside {
		flags |= openFlags
	} else if fi, err := os.Stat(path); err == nil && !fi.IsDir() {
		return nil, errNoFolder // a pipe would be waited for
	}
	f, err := os.OpenFile(path, flags, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.IsDir() {
		err = errNoFolder
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
