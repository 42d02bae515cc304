package installed

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hindcast/index/source"
	"hindcast/model"
)

// How much of a session's file is read to learn where it stands: a little, which
// mostly tells, then more.
var traceBytes = []int{8 << 10, 64 << 10}

// path is the match on disk.
func (r *Row) path() string {
	return filepath.Join(filepath.FromSlash(r.place.Folder), filepath.FromSlash(r.match))
}

// inTree reports a session that is a file among those of all sessions.
func (r *Row) inTree() bool { return r.Many && r.place.Table == nil }

// open lists what to open for a row. It looks at names only.
func (r *Row) open() []string {
	if r.place.Open == nil {
		return []string{r.path()}
	}
	var all []string
	for _, rel := range r.place.Open(r.match) {
		full := filepath.Join(filepath.FromSlash(r.place.Folder), filepath.FromSlash(rel))
		if fi, err := os.Lstat(full); err == nil && (fi.IsDir() || fi.Mode().IsRegular()) {
			all = append(all, full)
		}
	}
	return all
}

// trace reads where the session stands.
func (r *Row) trace(ctx context.Context, o source.Options) (t model.Trace) {
	path := r.path()
	if r.place.Head != "" {
		path = filepath.Join(path, r.place.Head)
	}
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() {
		return t
	}
	d, err := source.Open(ctx, []string{path}, o)
	if err != nil {
		return t
	}
	defer d.Close()
	for _, n := range traceBytes {
		enough := false
		if t, enough = r.place.Trace(d.Head(0, n)); enough {
			break
		}
	}
	return t
}

// rootsOf is the root of the repository that a folder stands in, or the folder
// where it stands in none, as it is named and with links resolved.
func rootsOf(folder string) []string {
	if folder == "" {
		return nil
	}
	roots := []string{repository(folder)}
	if real, err := filepath.EvalSymlinks(folder); err == nil && real != folder {
		roots = append(roots, repository(real))
	}
	return slices.Compact(roots)
}

func repository(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return folder
		}
	}
}

// within reports whether a directory is one of the roots or below it.
func within(dir string, roots []string) bool {
	return dir != "" && slices.ContainsFunc(roots, func(root string) bool {
		rest, ok := strings.CutPrefix(filepath.Clean(filepath.FromSlash(dir)), root)
		return ok && (rest == "" || os.IsPathSeparator(rest[0]) || strings.HasSuffix(root, string(filepath.Separator)))
	})
}
