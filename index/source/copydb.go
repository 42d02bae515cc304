package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// privateFolder makes a folder that only its owner can enter.
func (d *Dump) privateFolder() (string, error) {
	if d.o.TempDir != "" {
		if err := os.MkdirAll(d.o.TempDir, 0o700); err != nil {
			return "", fmt.Errorf("make a folder for temporary files: %w", err)
		}
	}
	dir, err := os.MkdirTemp(d.o.TempDir, "hindcast-db-*")
	if err != nil {
		return "", fmt.Errorf("make a folder for a copy (TMPDIR says where): %w", err)
	}
	return dir, nil
}

// copyTries is how often a database is copied that is written meanwhile.
const copyTries = 5

// copyTo copies the database, with its log, to a path of ours.
func (b *database) copyTo(ctx context.Context, path string) error {
	if !b.onDisk() {
		err := b.copyMember(ctx, b.m, path)
		if err == nil && b.wal != nil {
			err = b.copyMember(ctx, b.wal, path+sideLog)
		}
		return err
	}
	for range copyTries {
		before, err := lookBeside(b.path())
		if err != nil {
			return sourceError(err)
		}
		for _, side := range []string{"", sideLog, sideJournal} {
			if err := copyFile(ctx, b.path()+side, path+side); err != nil && !(side != "" && errors.Is(err, ErrGone)) {
				return err
			}
		}
		after, err := lookBeside(b.path())
		if err != nil {
			return sourceError(err)
		}
		if before.same(after) {
			return nil
		}
		for _, side := range []string{sideLog, sideJournal} {
			os.Remove(path + side)
		}
	}
	return fmt.Errorf("%w: it is written faster than it can be copied", ErrChanged)
}

func (b *database) copyMember(ctx context.Context, m *member, path string) error {
	r, err := b.d.open(ctx, m, 0)
	if err != nil {
		return err
	}
	defer r.Close()
	var in io.Reader = r
	if m.in == nil || m.in.pipe != nil {
		in = b.d.within(r, b.label) // what stands in an archive is counted by it
	}
	return writeFile(path, in)
}

func copyFile(ctx context.Context, from, to string) error {
	f, _, err := openDisk(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return writeFile(to, stopper{ctx, f})
}

func writeFile(path string, r io.Reader) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}
