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

// troubled is a stream of three sessions with lines that come late or twice,
// and links that lead nowhere.
func troubled(t *testing.T, seed uint64, events int64) []byte {
	t.Helper()
	return generated(t, stream.Options{
		Format: stream.Eventlog, Events: events, Seed: seed, Sessions: 3, Size: 400,
		Faults: stream.Faults{Disorder: 0.02, Dangling: 0.01, Forward: 0.01, NoSource: 0.05, NoSeq: 0.01, Copy: 0.01, Broken: 0.005},
	})
}

func TestSameStatesWhateverTheBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, troubled(t, 21, 600))
	want := written(t, openAll(t, t.TempDir(), Options{}, path))
	for _, batch := range []int{1, 7, 100} {
		got := written(t, openAll(t, t.TempDir(), Options{batch: batch}, path))
		sameContent(t, fmt.Sprintf("batches of %d", batch), want, got)
	}
}

func TestSameStatesWhateverTheOrderOfLines(t *testing.T) {
	data := generated(t, stream.Options{Format: stream.Eventlog, Events: 600, Seed: 22, Sessions: 2, Size: 400})
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, data)
	want := written(t, openAll(t, t.TempDir(), Options{}, path))
	lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	lines[len(lines)-1] = append(bytes.Clone(lines[len(lines)-1]), '\n')
	r := rand.New(rand.NewPCG(5, 6))
	for range 2 {
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		writeFile(t, path, bytes.Join(lines, nil))
		sameContent(t, "shuffled lines", want, written(t, openAll(t, t.TempDir(), Options{batch: 64}, path)))
	}
}

// A dump that is opened again and again while it grows has the states of one
// that was there at once, however its sessions had to be put in order.
func TestSameStatesGrownInSteps(t *testing.T) {
	data := troubled(t, 23, 1000)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, data)
	want := written(t, openAll(t, t.TempDir(), Options{}, path))
	r := rand.New(rand.NewPCG(7, 8))
	for _, batch := range []int{0, 40} {
		cache := t.TempDir()
		for at := 0; at < len(data); {
			at = min(len(data), at+1+r.IntN(len(data)/4))
			writeFile(t, path, data[:at])
			openAll(t, cache, Options{batch: batch}, path).Close()
		}
		sameContent(t, "grown in steps", want, written(t, openAll(t, cache, Options{batch: batch}, path)))
	}
}

func TestSameStatesFollowed(t *testing.T) {
	data := troubled(t, 24, 500)
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, data)
	want := written(t, openAll(t, t.TempDir(), Options{}, path))
	writeFile(t, path, data[:len(data)/5])
	x := openAll(t, t.TempDir(), Options{batch: 30}, path)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- x.Follow(ctx) }()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := rand.New(rand.NewPCG(9, 10))
	for rest := data[len(data)/5:]; len(rest) > 0; {
		n := min(len(rest), 1+r.IntN(len(data)/8))
		if _, err := f.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
		time.Sleep(20 * time.Millisecond)
	}
	waitFor(t, "all states are there", func() bool { return written(t, x) == want })
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}

// A fold that is stopped behind any of its commits goes on to the same states.
func TestSameStatesStoppedAnywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, troubled(t, 25, 900))
	want := written(t, openAll(t, t.TempDir(), Options{}, path))
	for _, stop := range []int{1, 2, 3, 5, 8} {
		cache := t.TempDir()
		t.Setenv("XDG_CACHE_HOME", cache)
		folded := false
		for runs := 0; !folded; runs++ {
			if runs > 100 {
				t.Fatal("it never ends")
			}
			x, err := Open(context.Background(), []string{path}, Options{batch: 50})
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
			for seen := 0; seen < stop+runs/10; seen++ { // more each time, or a large state never gets behind its last one
				changed := x.Changed()
				if folded = x.Status().Folded; folded {
					break
				}
				<-changed
			}
			x.Close()
		}
		x := openAll(t, cache, Options{batch: 50}, path)
		sameContent(t, fmt.Sprintf("stopped every %d commits", stop), want, written(t, x))
		x.Close()
	}
}
