package source

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// watched opens a dump whose files the test itself will change.
func watched(t testing.TB, args ...string) *Dump {
	t.Helper()
	d, err := Open(context.Background(), args, Options{TempDir: t.TempDir()})
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

func appendTo(t testing.TB, path string, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	must(t, second(f.Write(data)))
	must(t, f.Close())
}

// refresh expects a refresh to see a change, or none.
func refresh(t testing.TB, d *Dump, want bool) {
	t.Helper()
	got, err := d.Refresh(context.Background())
	if err != nil || got != want {
		t.Fatalf("Refresh() = %v, %v; want %v", got, err, want)
	}
}

func TestRefreshFile(t *testing.T) {
	path := put(t, t.TempDir(), "a.jsonl", lines)
	d := watched(t, path)
	refresh(t, d, false)
	d.Head(0, 100)
	appendTo(t, path, lines)
	refresh(t, d, true)
	refresh(t, d, false)
	if n := d.Files()[0].Size; n != int64(2*len(lines)) {
		t.Errorf("size %d after growth", n)
	}
	if got, err := slurp(d, 0, int64(len(lines))); err != nil || !bytes.Equal(got, lines) {
		t.Errorf("what was added: %q, %v", got, err)
	}
	if h := d.Head(0, 1000); len(h) != 2*len(lines) {
		t.Errorf("head is %d bytes", len(h))
	}

	must(t, os.Truncate(path, 0))
	refresh(t, d, true)
	if _, err := slurp(d, 0, 5); err == nil {
		t.Error("reading behind the end of a cut file: no error")
	} else {
		wantError(t, err, ErrChanged)
	}

	// Rotation: away, then another file, compressed at that, under the name.
	old := d.Entry(0).Inode
	must(t, os.Rename(path, path+".1"))
	refresh(t, d, true)
	if !d.Entry(0).Gone {
		t.Error("a moved file is not marked gone")
	}
	_, err := slurp(d, 0, 0)
	wantError(t, err, ErrGone)
	refresh(t, d, false)
	must(t, os.WriteFile(path, gz(t, lines), 0o644))
	refresh(t, d, true)
	if e := d.Entry(0); e.Gone || e.Inode == old || e.Compressed != "gzip" {
		t.Errorf("after rotation: %+v", e)
	}
	if got, err := slurp(d, 0, 0); err != nil || !bytes.Equal(got, lines) {
		t.Errorf("after rotation: %q, %v", got, err)
	}

	must(t, os.Remove(path))
	must(t, os.Mkdir(path, 0o755))
	refresh(t, d, true)
	_, err = slurp(d, 0, 0)
	wantError(t, err, ErrChanged)
}

// TestRefreshFolder: known files keep their indexes whatever comes and goes.
func TestRefreshFolder(t *testing.T) {
	dir := lay(t, pair{"m.jsonl", lines}, pair{"x.zip", zipOf(t, pair{"a", lines})}, pair{".DS_Store", nil})
	d := watched(t, dir)
	want := []string{"m.jsonl", "x.zip/a"}
	check := func() {
		t.Helper()
		if got := names(d); !slices.Equal(got, want) {
			t.Fatalf("files = %q, want %q", got, want)
		}
		refresh(t, d, false)
	}
	check()
	put(t, dir, "sub/b.jsonl.gz", gz(t, lines))
	put(t, dir, "a.jsonl", lines)
	put(t, dir, "m.jsonl.gz", gz(t, lines))
	put(t, dir, "y.lock", nil)
	refresh(t, d, true)
	want = append(want, "a.jsonl", "m.jsonl.gz", "sub/b.jsonl")
	check()
	if got, err := slurp(d, 4, 0); err != nil || !bytes.Equal(got, lines) {
		t.Errorf("new file: %q, %v", got, err)
	}
	if n := len(d.Skipped()); n != 2 {
		t.Errorf("skipped %v", d.Skipped())
	}

	must(t, os.Remove(filepath.Join(dir, "m.jsonl")))
	refresh(t, d, true)
	check()
	if !d.Entry(0).Gone || d.Entry(2).Gone {
		t.Error("the wrong file is marked gone")
	}
	put(t, dir, "m.jsonl", lines)
	refresh(t, d, true)
	check()
	if d.Entry(0).Gone {
		t.Error("a file that came back is marked gone")
	}

	// A changed archive is noticed, and not read as the one that was listed.
	put(t, dir, "x.zip", zipOf(t, pair{"b", lines}, pair{"a", lines}))
	before := d.Entry(1)
	refresh(t, d, true)
	check()
	if d.Entry(1).Packed == before.Packed {
		t.Error("the entry does not show that its archive changed")
	}
	_, err := slurp(d, 1, 0)
	wantError(t, err, ErrChanged)

	must(t, os.RemoveAll(dir))
	refresh(t, d, true)
	if !d.Entry(4).Gone {
		t.Error("files of a vanished folder are not marked gone")
	}
}

func TestRefreshPipe(t *testing.T) {
	d, err := Open(context.Background(), []string{"-"}, Options{Stdin: bytes.NewReader(lines)})
	must(t, err)
	defer d.Close()
	refresh(t, d, false)
	ctx, cancel := context.WithCancel(context.Background())
	w, err := Watch(ctx, d)
	must(t, err)
	cancel()
	for range w {
	}
}

// signalled waits for the watch to speak, and for it to fall silent again.
func signalled(t testing.TB, w <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-w:
	case <-time.After(10 * time.Second):
		t.Fatalf("no signal: %s", what)
	}
	for {
		select {
		case <-w:
		case <-time.After(4 * watchGap):
			return
		}
	}
}

func TestWatch(t *testing.T) {
	dir := lay(t, pair{"run/a.jsonl", lines}, pair{"alone.jsonl", lines}, pair{"other/x", nil})
	d := watched(t, filepath.Join(dir, "run"), filepath.Join(dir, "alone.jsonl"))
	routines := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	w, err := Watch(ctx, d)
	must(t, err)
	alone := filepath.Join(dir, "alone.jsonl")
	appendTo(t, alone, lines)
	signalled(t, w, "a file grew")
	refresh(t, d, true)
	must(t, os.Truncate(alone, 3))
	signalled(t, w, "a file was cut")
	refresh(t, d, true)
	must(t, os.Rename(alone, alone+".1"))
	put(t, dir, "alone.jsonl", lines)
	signalled(t, w, "a file was replaced")
	refresh(t, d, true)
	appendTo(t, alone, lines)
	signalled(t, w, "the new file grew")
	refresh(t, d, true)
	put(t, dir, "run/deep/er/b.jsonl", lines)
	signalled(t, w, "a file in a new folder")
	refresh(t, d, true)
	appendTo(t, filepath.Join(dir, "run/deep/er/b.jsonl"), lines)
	signalled(t, w, "a file in a folder made later grew")
	refresh(t, d, true)
	put(t, dir, "unrelated", lines)
	select {
	case <-w:
		t.Error("a signal for a file beside the dump")
	case <-time.After(3 * watchGap):
	}
	cancel()
	for range w {
	}
	until(t, "the watch ends", func() bool { return runtime.NumGoroutine() <= routines })
}

// TestWatchPolls: without notifications the poll alone notices.
func TestWatchPolls(t *testing.T) {
	path := put(t, t.TempDir(), "a.jsonl", lines)
	d := watched(t, path)
	w := &watcher{d: d, out: make(chan struct{}, 1), watched: map[string]bool{}}
	w.seed = newSeed()
	ctx := context.Background()
	w.last = w.look(ctx)
	poll := func(want bool, what string) {
		t.Helper()
		if got, _ := w.poll(ctx); got != want {
			t.Errorf("%s: noticed %v", what, got)
		}
	}
	poll(false, "nothing happened")
	appendTo(t, path, lines)
	poll(true, "growth")
	must(t, os.Remove(path))
	poll(true, "removal")
	poll(false, "still away")
	put(t, filepath.Dir(path), "a.jsonl", lines)
	poll(true, "a new file")
}

// TestRotation follows a file that is rotated again and again: every line that
// was written is read once.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	path := put(t, dir, "log", nil)
	d := watched(t, path)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w, err := Watch(ctx, d)
	must(t, err)
	var want, got bytes.Buffer
	for round := range 3 {
		for i := range 3 {
			line := fmt.Appendf(nil, "{\"round\":%d,\"i\":%d}\n", round, i)
			want.Write(line)
			appendTo(t, path, line)
			<-w
			refresh(t, d, true)
			part, err := slurp(d, 0, d.Entry(0).Size-int64(len(line)))
			must(t, err)
			got.Write(part)
		}
		must(t, os.Rename(path, fmt.Sprintf("%s.%d", path, round)))
		put(t, dir, "log", nil)
		<-w
		refresh(t, d, true)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("read %q\nwrote %q", got.String(), want.String())
	}
}
