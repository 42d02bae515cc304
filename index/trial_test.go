package index

import (
	"bytes"
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Several rebuilds of one dump at once all end, and end with the same index.
func TestRebuildsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, faulty(t, 51, 800))
	want := content(t, openAll(t, t.TempDir(), Options{}, path), true)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 3 {
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				x, err := Open(ctx, []string{path}, Options{Rebuild: true, batch: 50})
				if err != nil {
					t.Errorf("open: %v", err)
					return
				}
				defer x.Close()
				if err := x.Wait(ctx); err != nil {
					t.Errorf("wait: %v", err)
				}
			})
		}
		wg.Wait()
	}
	x, err := Open(ctx, []string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if err := x.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	sameContent(t, "rebuilt by several", want, content(t, x, true))
}

// NULs at the start of a file, as a crash leaves them, cost nothing else.
func TestNULsBeforeTheRecords(t *testing.T) {
	for _, nuls := range []int{100, 300_000, 5 << 20} {
		path := filepath.Join(t.TempDir(), "run.jsonl")
		writeFile(t, path, append(append(make([]byte, nuls), '\n'), parentLog...))
		x := openAll(t, t.TempDir(), Options{}, path)
		got := tallyOf(t, x)
		if want := (tally{"eventlog", 1, 2, 0, 0, 1}); got != want {
			t.Errorf("%d NULs: holds %+v, want %+v", nuls, got, want)
		}
		checkAccounting(t, x)
	}
}

// A chunk of very many tiny records is worked off in pieces.
func TestTinyRecords(t *testing.T) {
	const n = 30_000
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, bytes.Repeat([]byte("{}\n"), n))
	x := openAll(t, t.TempDir(), Options{}, path)
	if got := tallyOf(t, x); got.events != n || got.quarantined != 0 {
		t.Errorf("holds %+v", got)
	}
	checkAccounting(t, x)
	checkRaw(t, x)
}
