package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// made writes an index with n events and closes it.
func made(t testing.TB, n int64) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "index.db")
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Writer()
	if err != nil {
		t.Fatal(err)
	}
	b := &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}}
	for pos := int64(1); pos <= n; pos++ {
		b.Events = append(b.Events, EventRow{Session: 1, Event: event(pos)})
	}
	appendBatch(t, w, b)
	if err := w.BuildIndexes(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// foreignDB is a database of another program.
func foreignDB(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA application_id=77; CREATE TABLE precious(x); INSERT INTO precious VALUES(1)"); err != nil {
		t.Fatal(err)
	}
}

// TestOpenRefuses: what is not an index of this version is named and left
// exactly as it was, in both modes.
func TestOpenRefuses(t *testing.T) {
	version := func(t *testing.T, path string) {
		b := read(t, made(t, 3))
		b[63] = schemaVersion + 4 // user_version stands at 60, big-endian
		write(t, path, b)
	}
	cases := []struct {
		name string
		make func(t *testing.T, path string)
		err  error // nil: *VersionError
	}{
		{"text", func(t *testing.T, path string) { write(t, path, []byte("dear diary\n")) }, ErrForeign},
		{"long text", func(t *testing.T, path string) { write(t, path, bytes.Repeat([]byte("dear diary\n"), 1000)) }, ErrForeign},
		{"another program's database", foreignDB, ErrForeign},
		{"header only", func(t *testing.T, path string) { write(t, path, read(t, made(t, 3))[:100]) }, ErrCorrupt},
		{"folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, ErrForeign},
		{"fifo", func(t *testing.T, path string) {
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Skip("cannot make a FIFO here: ", err)
			}
		}, ErrForeign},
		{"newer version", version, nil},
	}
	for _, c := range cases {
		for _, ro := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, read-only %v", c.name, ro), func(t *testing.T) {
				dir := t.TempDir()
				path := filepath.Join(dir, "index.db")
				c.make(t, path)
				info, _ := os.Stat(path)
				var before []byte
				if info.Mode().IsRegular() {
					before = read(t, path)
				}
				s, err := Open(path, Options{ReadOnly: ro})
				if err == nil {
					s.Close()
					t.Fatal("opened")
				}
				var newer *VersionError
				switch {
				case c.err != nil && !errors.Is(err, c.err):
					t.Errorf("error %v, want %v", err, c.err)
				case c.err == nil && (!errors.As(err, &newer) || newer.Found != schemaVersion+4 || newer.Wanted != schemaVersion):
					t.Errorf("error %v, want both versions named", err)
				}
				if !strings.Contains(err.Error(), path) {
					t.Errorf("error %q does not name the file", err)
				}
				if before != nil && !bytes.Equal(before, read(t, path)) {
					t.Error("the file was changed")
				}
				if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
					t.Errorf("files were left beside it: %q", names)
				}
			})
		}
	}
}

// TestEmptyFile: a file of no bytes is an index to be.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	write(t, path, nil)
	if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("read-only: error %v, want %v", err, ErrCorrupt)
	}
	s, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestMissingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "no", "index.db")
	if _, err := Open(path, Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a read-only open made a folder")
	}
}

// TestDamage cuts an index at every page and flips single bytes: whatever
// comes out is an error or the right answer, and never a panic.
func TestDamage(t *testing.T) {
	whole := read(t, made(t, 400))
	const page = 8192
	path := filepath.Join(t.TempDir(), "index.db")
	damaged := 0
	try := func(name string, b []byte) {
		write(t, path, b)
		s, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			damaged++
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) && !errors.Is(err, ErrReadOnly) && !errors.As(err, new(*VersionError)) {
				t.Errorf("%s: unclear error %v", name, err)
			}
			return
		}
		defer s.Close()
		if _, err := lookAround(s); err != nil {
			damaged++
		}
	}
	for at := page; at < len(whole); at += page {
		try(fmt.Sprintf("cut at %d", at), whole[:at])
	}
	for i := 0; i < len(whole); i += 3989 {
		b := bytes.Clone(whole)
		b[i] ^= 0x55
		try(fmt.Sprintf("byte %d", i), b)
	}
	if damaged == 0 {
		t.Error("no damage was noticed at all")
	}
}

// lookAround asks a bit of everything.
func lookAround(s *Store) (n int, err error) {
	ctx, r := context.Background(), s.Reader()
	events, _, err := r.Page(ctx, PageSpec{Session: 1, WithLinks: true})
	_, e1 := r.Stats(ctx, 0)
	_, _, e2 := r.Find(ctx, 1, "evt_0100")
	_, e3 := r.LinkedFrom(ctx, 1, 5, nil, Cursor{}, 10)
	_, e4 := r.SessionRows(ctx)
	_, e5 := r.ByPrefix(ctx, 1, "evt_01", 10)
	return len(events), errors.Join(err, e1, e2, e3, e4, e5)
}

// TestOddPaths: no character of a path is syntax to SQLite or to a URI.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a#b?c%20 d.db", "new\nline.db", "?mode=memory", "'\"; --.db", "ünï.db", "file:x.db", ":memory:", "%00", "a&b=c;d"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			for _, o := range []Options{{}, {}, {ReadOnly: true}} {
				s, err := Open(path, o)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := os.Stat(path); err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			// A reader leaves SQLite's side files: it may not delete them.
			names, _ := os.ReadDir(dir)
			for _, f := range names {
				if rest, ok := strings.CutPrefix(f.Name(), name); !ok || rest != "" && rest != "-wal" && rest != "-shm" {
					t.Errorf("left in the folder: %v", f)
				}
			}
		})
	}
}

// TestModes: files are their owner's alone from the first byte, whatever the
// umask, and a wider mode is taken back.
func TestModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "index.db")
	check := func() {
		t.Helper()
		s, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w, err := s.Writer()
		if err != nil {
			t.Fatal(err)
		}
		appendBatch(t, w, &Batch{Meta: map[string]string{"a": "b"}})
		list, err := os.ReadDir(dir)
		if err != nil || len(list) < 3 {
			t.Fatalf("files %v, %v; want the index with its log", list, err)
		}
		for _, f := range list {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v", f.Name(), info.Mode(), err)
			}
		}
	}
	check()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder has mode %v, %v", info.Mode(), err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	check()
}

// TestReadOnly reads without being able to write beside the index.
func TestReadOnly(t *testing.T) {
	path := made(t, 20)
	before := read(t, path)
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(path), 0o700)
	s, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := lookAround(s); n != 20 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	if _, err := s.Writer(); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Writer: error %v, want %v", err, ErrReadOnly)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("the index was changed")
	}
}
