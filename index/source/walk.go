package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
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
		infos := statAll(batch)
		for i, e := range batch {
			rel := e.Name()
			if dir != "" {
				rel = dir + "/" + rel
			}
			if err := r.walkEntry(rel, full, e, infos[i], &below, v); err != nil {
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

func (r *root) walkEntry(rel, dir string, e fs.DirEntry, info statted, below *[]string, v visitor) error {
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
	if info.err != nil {
		v.skip(rel, plainReason(info.err))
		return nil
	}
	if !readable(filepath.Join(dir, e.Name()), info.fi) {
		v.skip(rel, "permission denied")
		return nil
	}
	return v.file(rel, info.fi)
}

// statted is what the file system says of a name.
type statted struct {
	fi  fs.FileInfo
	err error
}

// statShare is how many names are worth a goroutine.
const statShare = 256

// statAll asks about every regular file of a batch, on all cores: in a large
// folder that is most of the work.
func statAll(batch []fs.DirEntry) []statted {
	all := make([]statted, len(batch))
	some := func(from, to int) {
		for i := from; i < to; i++ {
			if batch[i].Type().IsRegular() {
				all[i].fi, all[i].err = batch[i].Info()
			}
		}
	}
	var wg sync.WaitGroup
	share := max(statShare, (len(batch)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	for from := share; from < len(batch); from += share {
		wg.Go(func() { some(from, min(from+share, len(batch))) })
	}
	some(0, min(share, len(batch)))
	wg.Wait()
	return all
}
