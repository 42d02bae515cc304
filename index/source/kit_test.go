package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// What tests build dumps from, and what they look at.

func gz(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	must(t, second(w.Write(data)))
	must(t, w.Close())
	return b.Bytes()
}

func zst(t testing.TB, data []byte, opts ...zstd.EOption) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, opts...)
	must(t, err)
	defer w.Close()
	return w.EncodeAll(data, nil)
}

type pair struct {
	name string
	data []byte
}

func zipOf(t testing.TB, files ...pair) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		m, err := w.Create(f.name)
		must(t, err)
		must(t, second(m.Write(f.data)))
	}
	must(t, w.Close())
	return b.Bytes()
}

func tarOf(t testing.TB, files ...pair) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		must(t, w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: 0o644, Typeflag: tar.TypeReg}))
		must(t, second(w.Write(f.data)))
	}
	must(t, w.Close())
	return b.Bytes()
}

// lay writes files below a new folder and returns it.
func lay(t testing.TB, files ...pair) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		put(t, dir, f.name, f.data)
	}
	return dir
}

func put(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, data, 0o644))
	return path
}

// opened opens dumps and checks, when the test ends, that nothing of theirs
// was changed, nothing was written beside them, and no goroutine was left.
func opened(t testing.TB, o Options, args ...string) *Dump {
	t.Helper()
	d, err := open(t, o, args...)
	if err != nil {
		t.Fatalf("Open(%q) = %v", args, err)
	}
	return d
}

func open(t testing.TB, o Options, args ...string) (*Dump, error) {
	t.Helper()
	before := map[string]string{}
	for _, a := range args {
		before[a] = picture(t, a)
	}
	routines := runtime.NumGoroutine()
	if o.TempDir == "" {
		o.TempDir = filepath.Join(t.TempDir(), "spool")
	}
	d, err := Open(context.Background(), args, o)
	t.Cleanup(func() {
		if d != nil {
			if err := d.Close(); err != nil {
				t.Errorf("Close() = %v", err)
			}
		}
		for a, want := range before {
			if got := picture(t, a); got != want {
				t.Errorf("%s was changed:\n%s\nwas\n%s", a, got, want)
			}
		}
		if left, _ := os.ReadDir(o.TempDir); len(left) > 0 {
			t.Errorf("temporary files left: %v", left)
		}
		until(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= routines })
	})
	return d, err
}

// picture tells names, contents, modes and times of everything below a path.
func picture(t testing.TB, path string) string {
	t.Helper()
	var b strings.Builder
	filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		fi, err := e.Info()
		if err != nil {
			return nil
		}
		b.WriteString(p + " " + fi.Mode().String() + " " + fi.ModTime().Format(time.RFC3339Nano))
		if fi.Mode().IsRegular() {
			if data, err := os.ReadFile(p); err == nil {
				sum := sha256.Sum256(data)
				b.WriteString(" " + string(sum[:]))
			}
		}
		b.WriteString("\n")
		return nil
	})
	return b.String()
}

func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Errorf("waited in vain: %s", what)
}

// slurp reads a file from an offset to its end.
func slurp(d *Dump, i int, from int64) ([]byte, error) {
	r, err := d.Reader(context.Background(), i, from)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func names(d *Dump) []string {
	var all []string
	for _, f := range d.Files() {
		all = append(all, f.Name)
	}
	return all
}

func find(t testing.TB, d *Dump, name string) int {
	t.Helper()
	for i, f := range d.Files() {
		if f.Name == name {
			return i
		}
	}
	t.Fatalf("no file %q among %q", name, names(d))
	return -1
}

func reason(d *Dump, name string) string {
	for _, s := range d.Skipped() {
		if s.Name == name {
			return s.Reason
		}
	}
	return ""
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }

func wantError(t testing.TB, err error, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("error = %v, want one that is %v", err, target)
	}
}

// zipZstd packs by zip's method 93, as newer writers of large logs do.
func zipZstd(t testing.TB, files ...pair) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for _, f := range files {
		m, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zstd.ZipMethodWinZip})
		must(t, err)
		must(t, second(m.Write(f.data)))
	}
	must(t, w.Close())
	return b.Bytes()
}

func itoa(n int) string { return strconv.Itoa(n) }

func octal6(n int) string { return fmt.Sprintf("%06o", n) }

func newSeed() maphash.Seed { return maphash.MakeSeed() }

// readAt opens a plain file for one range of it.
func readAt(path string, off, n int64) ([]byte, error) {
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Read(off, n)
}
