package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// walkBatch is how many names of a folder are read at once.
const walkBatch = 4096

// visitor is told what a walk meets. Paths are below the root, slash-separated.
type visitor struct {
	file   func(rel string, fi fs.FileInfo) error
	skip   func(rel, reason string)
	folder func(path string) // on disk, absolute
}

// walk goes through a folder without recursion and without following links.
// Only an error of the visitor, of the context, or of the root itself ends it.
func (r *root) walk(ctx context.Context, v visitor) error {
	stack := []string{""}
	for len(stack) > 0 {
		dir := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		below, err := r.walkFolder(ctx, dir, v)
		stack = append(stack, below...)
		switch {
		case err == nil:
		case ctx.Err() != nil || dir == "":
			return err
		default:
			if _, ok := err.(*fs.PathError); !ok {
				return err
			}
			v.skip(dir, "the folder cannot be read: "+plainReason(err))
		}
	}
	return nil
}

func (r *root) walkFolder(ctx context.Context, dir string, v visitor) (below []string, err error) {
	full := filepath.Join(r.path, filepath.FromSlash(dir))
	f, err := os.Open(full)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	v.folder(full)
	for {
		batch, err := f.ReadDir(walkBatch)
		for _, e := range batch {
			rel := e.Name()
			if dir != "" {
				rel = dir + "/" + rel
			}
			if err := r.walkEntry(rel, full, e, &below, v); err != nil {
				return below, err
			}
		}
		if err == io.EOF {
			return below, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return below, err
		}
	}
}

func (r *root) walkEntry(rel, dir string, e fs.DirEntry, below *[]string, v visitor) error {
	switch mode := e.Type(); {
	case mode.IsDir():
		if why := junkFolder(e.Name()); why != "" {
			v.skip(rel, why)
			return nil
		}
		*below = append(*below, rel)
		return nil
	case mode&fs.ModeSymlink != 0:
		v.skip(rel, r.linkReason(filepath.Join(dir, e.Name())))
		return nil
	case !mode.IsRegular():
		v.skip(rel, oddFile(mode))
		return nil
	}
	if why := junkReason(e.Name()); why != "" {
		v.skip(rel, why)
		return nil
	}
	fi, err := e.Info()
	if err != nil {
		v.skip(rel, plainReason(err))
		return nil
	}
	if !readable(filepath.Join(dir, e.Name()), fi) {
		v.skip(rel, "permission denied")
		return nil
	}
	return v.file(rel, fi)
}
