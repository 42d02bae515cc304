package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestFolder(t *testing.T) {
	dir := lay(t,
		pair{"b.jsonl", lines}, pair{"a/z.jsonl", lines}, pair{"a/z.jsonl.gz", gz(t, lines)}, pair{"a-b", lines},
		pair{"B.jsonl", lines}, pair{"empty.jsonl", nil}, pair{"-rf", lines}, pair{"new\nline\x1b[2J", lines},
		pair{"bad\xffutf8", lines}, pair{strings.Repeat("n", 255), lines}, pair{"event-10.json", lines}, pair{"event-9.json", lines},
		pair{".DS_Store", lines}, pair{"._a", lines}, pair{"x.lock", nil}, pair{"a/.eventlog.lock", nil}, pair{"w.tmp", lines},
		pair{"v.json~", lines}, pair{".git/config", lines}, pair{"odd.zip", []byte("PK\x03\x04 not a zip")},
	)
	must(t, os.Symlink("b.jsonl", filepath.Join(dir, "inside")))
	must(t, os.Symlink("/etc/hostname", filepath.Join(dir, "outside")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, os.Symlink("..", filepath.Join(dir, "a", "up")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	d := opened(t, Options{}, dir)
	want := []string{"-rf", "B.jsonl", "a-b", "a/z.jsonl", "a/z.jsonl.gz", "b.jsonl", "bad\xffutf8", "empty.jsonl",
		"event-10.json", "event-9.json", "new\nline\x1b[2J", strings.Repeat("n", 255)}
	if got := names(d); !slices.Equal(got, want) {
		t.Errorf("files = %q\nwant    %q", got, want)
	}
	for i, f := range d.Files() {
		got, err := slurp(d, i, 0)
		if f.Name != "empty.jsonl" && !bytes.Equal(got, lines) || err != nil {
			t.Errorf("%q: %q, %v", f.Name, got, err)
		}
	}
	for name, why := range map[string]string{
		".DS_Store": "file manager", "._a": "macOS", "x.lock": "lock file", "a/.eventlog.lock": "lock file", "w.tmp": "temporary",
		"v.json~": "temporary", ".git": "version control", "inside": "own name", "outside": "out of the folder", "loop": "circle",
		"a/up": "own name", "dangling": "nowhere", "fifo": "named pipe", "odd.zip": "directory cannot be read",
	} {
		if got := reason(d, name); !strings.Contains(got, why) {
			t.Errorf("%s skipped because %q, want %q", name, got, why)
		}
	}
	if n := len(d.Skipped()); n != 14 {
		t.Errorf("%d skipped: %v", n, d.Skipped())
	}
}

func TestLinkedRoot(t *testing.T) {
	dir := lay(t, pair{"real/a.jsonl", lines})
	link := filepath.Join(dir, "link")
	must(t, os.Symlink("real", link))
	a, b := opened(t, Options{}, link), opened(t, Options{}, filepath.Join(dir, "real"))
	if a.Identity() != b.Identity() || a.Identity() == "" {
		t.Errorf("identities %q and %q", a.Identity(), b.Identity())
	}
	if got := a.Entry(0).Path; got != b.Entry(0).Path {
		t.Errorf("path %q", got)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := lay(t, pair{"empty/.DS_Store", lines}, pair{"secret.json", lines}, pair{"closed/a", lines})
	must(t, os.Mkdir(filepath.Join(dir, "void"), 0o755))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644))
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	must(t, err)
	defer l.Close()
	cases := []struct{ arg, reason string }{
		{dir + "/missing.jsonl", "no such file"},
		{dir + "/secret.json/below", "not a directory"},
		{dir + "/void", "holds no files"},
		{dir + "/empty", "skipped .DS_Store"},
		{dir + "/loop", "circle"},
		{dir + "/fifo", "named pipe"},
		{dir + "/sock", "socket"},
		{"/dev/zero", "device"},
		{"-", "no standard input"},
		{"demo:", "no demo"},
		{"", "no such file"},
	}
	if os.Geteuid() != 0 {
		must(t, os.Chmod(dir+"/secret.json", 0))
		must(t, os.Chmod(dir+"/closed", 0))
		defer os.Chmod(dir+"/closed", 0o755)
		cases = append(cases, struct{ arg, reason string }{dir + "/secret.json", "permission denied"},
			struct{ arg, reason string }{dir + "/closed", "permission denied"})
	}
	for _, c := range cases {
		d, err := Open(context.Background(), []string{c.arg}, Options{})
		var e *Error
		if d != nil || !errors.As(err, &e) || e.Path != c.arg || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("Open(%q) = %v", c.arg, err)
			continue
		}
		if e.Hint == "" && c.reason != "not a directory" {
			t.Errorf("Open(%q): no hint", c.arg)
		}
	}
	if _, err := Open(context.Background(), nil, Options{}); err == nil {
		t.Error("Open of nothing: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, []string{dir}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open with an ended context: %v", err)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := lay(t, pair{"a.json", lines}, pair{"b.json", lines}, pair{"d/c.json", lines})
	must(t, os.Chmod(filepath.Join(dir, "b.json"), 0))
	must(t, os.Chmod(filepath.Join(dir, "d"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "d"), 0o755) })
	d := opened(t, Options{}, dir)
	if got := names(d); !slices.Equal(got, []string{"a.json"}) {
		t.Errorf("files = %q", got)
	}
	for _, name := range []string{"b.json", "d"} {
		if why := reason(d, name); !strings.Contains(why, "permission denied") {
			t.Errorf("%s skipped because %q", name, why)
		}
	}
}

// TestSeveral: names and order do not depend on the order of the arguments.
func TestSeveral(t *testing.T) {
	dir := lay(t, pair{"p/run/a", lines}, pair{"q/run/a", lines}, pair{"one.jsonl", lines}, pair{"z.zip", zipOf(t, pair{"m", lines})})
	args := []string{dir + "/q/run", dir + "/p/run", dir + "/one.jsonl", dir + "/z.zip", dir + "/q/run/a", dir + "/p/../one.jsonl"}
	a := opened(t, Options{}, args...)
	want := []string{"one.jsonl", "run-2/a", "run/a", "z.zip/m"}
	if got := names(a); !slices.Equal(got, want) {
		t.Fatalf("files = %q, want %q", got, want)
	}
	if e := a.Entry(1); e.Root != 0 || !strings.HasSuffix(e.Path, "/q/run/a") {
		t.Errorf("entry %+v", e)
	}
	if n := len(a.Skipped()); n != 2 {
		t.Errorf("skipped %v", a.Skipped())
	}
	slices.Reverse(args)
	b := opened(t, Options{}, args...)
	if got := names(b); !slices.Equal(got, want) {
		t.Errorf("other way round: %q", got)
	}
	if a.Identity() != b.Identity() || strings.Count(a.Identity(), "\x00") != 3 {
		t.Errorf("identities %q, %q", a.Identity(), b.Identity())
	}
}

func TestDemo(t *testing.T) {
	d := opened(t, Options{Embedded: map[string][]byte{"b/x.jsonl": lines, "a.json": []byte("{}")}}, "demo:")
	if got := names(d); !slices.Equal(got, []string{"a.json", "b/x.jsonl"}) {
		t.Fatalf("files = %q", got)
	}
	if got, err := slurp(d, 1, 8); err != nil || !bytes.Equal(got, lines[8:]) {
		t.Errorf("%q, %v", got, err)
	}
	if e := d.Entry(1); e.Addressable || e.Path != "" || e.Packed != -1 || e.Size != int64(len(lines)) {
		t.Errorf("entry %+v", e)
	}
	h1, _, err := d.Fingerprint(1, 0)
	must(t, err)
	if h2, _, _ := d.Fingerprint(0, 0); h1 == h2 || d.Identity() != "demo:" {
		t.Error("fingerprint or identity")
	}
}

// TestSharedData opens the sample dumps: everything is offered or skipped with
// a reason, and plain files read as they lie on disk.
func TestSharedData(t *testing.T) {
	dir := sharedData(t)
	d := opened(t, Options{}, filepath.Join(dir, "openhands"))
	offered := 0
	for i := range d.Files() {
		e := d.Entry(i)
		if !e.Addressable {
			continue
		}
		offered++
		want, err := os.ReadFile(e.Path)
		must(t, err)
		if got, err := slurp(d, i, 0); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
	onDisk := 0
	filepath.WalkDir(filepath.Join(dir, "openhands"), func(_ string, e fs.DirEntry, _ error) error {
		if e.Type().IsRegular() {
			onDisk++
		}
		return nil
	})
	const zips = 1
	if offered+len(d.Skipped())+zips != onDisk {
		t.Errorf("%d offered, %d skipped, %d on disk: %v", offered, len(d.Skipped()), onDisk, d.Skipped())
	}
	zip := filepath.Join(dir, "openhands", "synthetic-tree-condense", "conversation_0c0ffee0-0000-4000-8000-00000000c0de.zip")
	z := opened(t, Options{}, zip)
	if n := len(z.Files()); n != 45 || z.Files()[0].Name != "event_000000_1fddf8f8-6d25-520e-b681-5b42d980bf12.json" {
		t.Errorf("%d members, first %s", n, z.Files()[0].Name)
	}
}

// sharedData finds the folder of sample dumps beside the project.
func sharedData(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	must(t, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if data := filepath.Join(dir, "shared", "data"); isDir(data) {
			return data
		}
	}
	t.Skip("the sample dumps (shared/data beside the project) are not here")
	return ""
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

// TestLargeFolder: more files than are read and asked about in one go.
func TestLargeFolder(t *testing.T) {
	const n = walkBatch + 3*statShare
	dir := t.TempDir()
	for i := range n {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("e%05d", i)), lines[:i%9], 0o644))
	}
	d := opened(t, Options{}, dir)
	if len(d.Files()) != n {
		t.Fatalf("%d files, want %d", len(d.Files()), n)
	}
	for i, f := range d.Files() {
		if f.Name != fmt.Sprintf("e%05d", i) || f.Size != int64(i%9) {
			t.Fatalf("file %d is %+v", i, f)
		}
	}
}

// TestFindWhileFoldersGo: a folder that goes while a place is looked through, or
// becomes a file, is no problem of the place.
func TestFindWhileFoldersGo(t *testing.T) {
	dir := lay(t, pair{"a/x.jsonl", lines}, pair{"b/x.jsonl", lines}, pair{"c/x.jsonl", lines})
	f := finder{Glob: Glob{Folder: dir}, parts: []string{"*", "*.jsonl"}}
	listed, err := os.ReadDir(dir)
	must(t, err)
	must(t, os.RemoveAll(filepath.Join(dir, "a")))
	must(t, os.RemoveAll(filepath.Join(dir, "b")))
	must(t, os.WriteFile(filepath.Join(dir, "b"), nil, 0o600))
	for _, e := range listed {
		must(t, f.entry(context.Background(), e.Name(), e, 1))
	}
	if len(f.found.All) != 1 || len(f.found.Skipped) != 0 {
		t.Errorf("%+v", f.found)
	}
}

// TestFindInAPipe: what stands in a folder's place is not waited for.
func TestFindInAPipe(t *testing.T) {
	place := filepath.Join(t.TempDir(), "sessions")
	must(t, syscall.Mkfifo(place, 0o644))
	if _, err := (Glob{Folder: place, Pattern: "*"}).Find(context.Background()); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Error(err)
	}
}
