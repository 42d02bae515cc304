package index

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hindcast/fixtures/gen/stream"
)

// waitFor polls until ok, for as long as a slow machine may need.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited in vain until %s", what)
}

func lines(t *testing.T, seed uint64, events int64) [][]byte {
	t.Helper()
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, stream.Options{Format: stream.Eventlog, Events: events, Seed: seed, Size: 400}); err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(buf.Bytes(), []byte("\n"))
}

func TestFollowAGrowingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	all := lines(t, 1, 60)
	writeFile(t, path, bytes.Join(all[:20], nil))
	x := openAll(t, t.TempDir(), Options{}, path)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- x.Follow(ctx) }()

	count := func() int64 { return x.Status().Events }
	if count() != 20 {
		t.Fatalf("%d events before growth", count())
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A line in three pieces, cut anywhere, is one event once it is whole.
	for _, piece := range [][]byte{all[20][:30], all[20][30:77], all[20][77:]} {
		if _, err := f.Write(piece); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	waitFor(t, "the line in pieces is there", func() bool { return count() == 21 })
	for _, l := range all[21:] {
		if _, err := f.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "all lines are there", func() bool { return count() == 60 })

	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	short := lines(t, 2, 7)
	writeFile(t, path, bytes.Join(short, nil))
	waitFor(t, "the truncated file is read anew", func() bool { return count() == 7 && len(allEvents(t, x)) == 7 })

	// Its first line comes in pieces: what it is shows only later.
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the empty file is seen", func() bool { return len(allEvents(t, x)) == 0 })
	for _, piece := range [][]byte{[]byte("{\"event_id\":\"evt_1\"}\n"), bytes.Join(lines(t, 4, 5), nil)} {
		if _, err := f.Write(piece); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	waitFor(t, "it is read as what it is", func() bool {
		s, err := x.Sessions(context.Background())
		return err == nil && len(s) > 0 && s[0].Dialect == "eventlog" && count() == 6
	})

	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, bytes.Join(lines(t, 3, 9), nil))
	waitFor(t, "the rotated file is read anew", func() bool { return count() == 9 && len(allEvents(t, x)) == 9 })
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	x.Close()
	want := content(t, openAll(t, t.TempDir(), Options{}, path), true)
	sameContent(t, "followed", want, content(t, openAll(t, t.TempDir(), Options{}, path), true))
}

func TestFollowAFolder(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(unpackFixtures(t), "openhands", "v1-clean")
	var files []string
	if err := filepath.WalkDir(src, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, p)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	put := func(p string) {
		rel, err := filepath.Rel(src, p)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, to, data)
	}
	half := len(files) / 2
	for _, p := range files[:half] {
		put(p)
	}
	cache := t.TempDir()
	openAll(t, cache, Options{}, dir).Close()
	t.Setenv("XDG_CACHE_HOME", cache)
	x, err := Open(context.Background(), []string{dir}, Options{}) // it is known now, and checked while it is followed
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go x.Follow(ctx)
	for _, p := range files[half:] {
		put(p)
	}
	want := len(allEvents(t, openAll(t, t.TempDir(), Options{}, src)))
	waitFor(t, "the new files are there", func() bool { return len(allEvents(t, x)) == want })
}
