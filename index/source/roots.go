package source

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// resolve turns arguments into roots: sorted by path, so that neither names nor
// order of files depend on the order of the arguments, and none inside another.
func (d *Dump) resolve(args []string) ([]*root, error) {
	if len(args) == 0 {
		return nil, &Error{Path: "nothing", Reason: "no dump was named",
			Hint: "name a file, a folder, an archive, - for stdin, or demo:"}
	}
	var roots []*root
	for i, arg := range args {
		r, err := d.resolveOne(arg)
		if err != nil {
			return nil, err
		}
		r.index = i
		roots = append(roots, r)
	}
	slices.SortStableFunc(roots, func(a, b *root) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.arg, b.arg))
	})
	roots = d.dropNested(roots)
	prefixes(roots)
	return roots, nil
}

func (d *Dump) resolveOne(arg string) (*root, error) {
	switch arg {
	case "-":
		if d.o.Stdin == nil {
			return nil, &Error{Path: arg, Reason: "there is no standard input", Hint: "pipe a dump into the command"}
		}
		return &root{arg: arg, kind: rootPipe}, nil
	case "demo:":
		if len(d.o.Embedded) == 0 {
			return nil, &Error{Path: arg, Reason: "this build holds no demo", Hint: "name a dump of your own"}
		}
		return &root{arg: arg, kind: rootDemo}, nil
	}
	fi, err := os.Stat(arg)
	if err != nil && strings.Contains(arg, "://") {
		return nil, &Error{Path: arg, Reason: "addresses are not opened", Hint: "save what it answers as a file, or pipe it into the command with - as the dump", Err: err}
	}
	if err != nil {
		return nil, rootError(arg, err)
	}
	if fi.Mode()&fs.ModeNamedPipe != 0 && isDescriptor(arg) {
		return &root{arg: arg, kind: rootPipe}, nil
	}
	if why := oddFile(fi.Mode()); why != "" && !fi.IsDir() {
		return nil, &Error{Path: arg, Reason: "it is " + why, Hint: "a dump is a regular file, a folder, or - for stdin"}
	}
	path, err := filepath.EvalSymlinks(arg)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, rootError(arg, err)
	}
	r := &root{arg: arg, path: path, kind: rootFile}
	if fi.IsDir() {
		r.kind = rootFolder
	}
	return r, nil
}

// isDescriptor tells an open pipe by its path, as a shell's <(command) makes
// it, from a named pipe on disk, which might wait for a writer for ever.
func isDescriptor(path string) bool {
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// oddFile says what a file is that is neither regular nor a folder; empty
// where it is one of them.
func oddFile(mode fs.FileMode) string {
	switch {
	case mode.IsRegular(), mode.IsDir():
		return ""
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	}
	return "not a regular file"
}

// dropNested leaves out a root that stands in another one or is named twice.
func (d *Dump) dropNested(roots []*root) []*root {
	var kept []*root
	for _, r := range roots {
		outer := slices.IndexFunc(kept, func(k *root) bool { return k.holds(r) })
		if outer >= 0 {
			d.skip(r.arg, "it is part of "+kept[outer].arg+", which is open as well")
			continue
		}
		kept = append(kept, r)
	}
	return kept
}

func (r *root) holds(other *root) bool {
	if r.path == "" || other.path == "" {
		return r.arg == other.arg
	}
	if r.path == other.path {
		return true
	}
	rel, err := filepath.Rel(r.path, other.path)
	return r.kind == rootFolder && err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// prefixes gives each of several roots a name of its own.
func prefixes(roots []*root) {
	if len(roots) < 2 {
		return
	}
	used := map[string]bool{}
	for _, r := range roots {
		base := r.base()
		name := base
		for n := 2; used[name]; n++ {
			name = base + "-" + strconv.Itoa(n)
		}
		used[name] = true
		r.prefix = name
	}
}

// base is the name of a root that holds one file.
func (r *root) base() string {
	switch r.kind {
	case rootPipe:
		return "stdin"
	case rootDemo:
		return "demo"
	}
	if base := filepath.Base(r.path); base != string(filepath.Separator) {
		return base
	}
	return "root"
}

// linkReason says why a link inside of a folder is not followed.
func (r *root) linkReason(path string) string {
	target, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "a link that leads nowhere"
	case err != nil:
		return "a link that leads in a circle or cannot be read"
	case r.holds(&root{path: target}):
		return "a link to what is read under its own name"
	}
	return "a link that leads out of the folder"
}
