package index

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"hindcast/fixtures/gen/stream"
)

// faulty is a stream with a bit of everything that goes wrong.
func faulty(t *testing.T, seed uint64, events int64) []byte {
	t.Helper()
	var buf bytes.Buffer
	_, err := stream.Write(&buf, stream.Options{
		Format: stream.Eventlog, Events: events, Seed: seed, Sessions: 3, Size: 400,
		Faults: stream.Faults{Disorder: 0.02, Dangling: 0.01, Forward: 0.01, Self: 0.005, NoSource: 0.05, Copy: 0.01, Broken: 0.005},
	})
	if err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestSameContentWhateverTheBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, faulty(t, 1, 3000))
	want := content(t, openAll(t, t.TempDir(), Options{}, path), true)
	for _, batch := range []int{1, 7, 100, 100_000} {
		got := content(t, openAll(t, t.TempDir(), Options{batch: batch}, path), true)
		sameContent(t, fmt.Sprintf("batches of %d", batch), want, got)
	}
	got := content(t, openAll(t, t.TempDir(), Options{ids: 100, batch: 50}, path), true)
	sameContent(t, "ids asked of the index", want, got)
}

func TestSameContentWhateverTheOrderOfLines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.jsonl")
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, stream.Options{Format: stream.Eventlog, Events: 2000, Seed: 5, Size: 400}); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, buf.Bytes())
	want := content(t, openAll(t, t.TempDir(), Options{}, path), false)
	lines := bytes.Split(bytes.TrimSuffix(buf.Bytes(), []byte("\n")), []byte("\n"))
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		writeFile(t, path, append(bytes.Join(lines, []byte("\n")), '\n'))
		sameContent(t, "shuffled lines", want, content(t, openAll(t, t.TempDir(), Options{}, path), false))
	}
}

func TestGrowthInSteps(t *testing.T) {
	data := faulty(t, 2, 2000)
	whole := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, whole, data)
	want := content(t, openAll(t, t.TempDir(), Options{}, whole), true)

	r := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "run.jsonl")
	cache := t.TempDir()
	for at := 0; at < len(data); {
		at = min(len(data), at+1+r.IntN(len(data)/5))
		writeFile(t, path, data[:at])
		x := openAll(t, cache, Options{}, path)
		x.Close()
	}
	sameContent(t, "grown in steps", want, content(t, openAll(t, cache, Options{}, path), true))
}

func TestStoppedAnywhereContinues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, faulty(t, 4, 6000))
	want := content(t, openAll(t, t.TempDir(), Options{}, path), true)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	for stop := 1; ; stop++ {
		x, err := Open(context.Background(), []string{path}, Options{batch: 300})
		if err != nil {
			t.Fatal(err)
		}
		done := false
		for seen := 0; seen < stop && !done; {
			changed := x.Changed()
			select {
			case <-changed:
				seen++
			case <-time.After(50 * time.Millisecond):
			}
			done = x.Status().Done
		}
		x.Close()
		if done && stop > 5 {
			break
		}
	}
	sameContent(t, "stopped and continued", want, content(t, openAll(t, cache, Options{}, path), true))
}

func TestReopenDoesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, faulty(t, 9, 500))
	cache := t.TempDir()
	x := openAll(t, cache, Options{}, path)
	want := content(t, x, true)
	index := x.Path()
	x.Close()
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	x = openAll(t, cache, Options{}, path)
	sameContent(t, "opened again", want, content(t, x, true))
	x.Close()
	after, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Error("opening an index that is up to date changed it")
	}
}

func TestReplacedSourceIsImportedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	cache := t.TempDir()
	writeFile(t, path, faulty(t, 10, 400))
	openAll(t, cache, Options{}, path).Close()
	writeFile(t, path, faulty(t, 11, 300))
	got := content(t, openAll(t, cache, Options{}, path), true)
	sameContent(t, "replaced source", content(t, openAll(t, t.TempDir(), Options{}, path), true), got)
}

func TestRawBytesAreTheSources(t *testing.T) {
	data := faulty(t, 6, 1500)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, data)
	x := openAll(t, t.TempDir(), Options{}, path)
	ctx := context.Background()
	for _, e := range allEvents(t, x) {
		raw, err := x.Raw(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(raw, data[e.Span.Offset:e.Span.End()]) {
			t.Fatalf("event %d: other bytes than the source's", e.Pos)
		}
	}
	var out bytes.Buffer
	if err := x.CopySource(ctx, "", &out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), data) {
		t.Error("the source is not copied byte for byte")
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, data) {
		t.Error("the source has changed")
	}
}
