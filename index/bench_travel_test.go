package index

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"hindcast/fixtures/gen/stream"
	"hindcast/model"
)

// travelEvents sizes the stream that BenchmarkTravel asks about:
//
//	go test ./index -run '^$' -bench Travel -args -travel.events 600000
//
// A dump that fixtures/gen made, and where to keep its index, name another one:
//
//	go test ./index -run '^$' -bench Travel -args -travel.dump run.jsonl -travel.index run.db
var travelEvents = flag.Int64("travel.events", 20_000, "events of the stream of BenchmarkTravel; of 600,000 some 500,000 messages are dead")

// BenchmarkTravel asks a session with hundreds of files and many dead messages
// about random moments. p50-ms and p95-ms are the times that so many of 100 answers take at
// most.
func BenchmarkTravel(b *testing.B) {
	path := *partsDump
	if path == "" {
		path = filepath.Join(b.TempDir(), "run.jsonl")
		events := *travelEvents
		writeFile(b, path, generated(b, stream.Options{
			Events: events, Seed: 7, Checkpoints: 20_000, Files: int(events / 200), Versions: events / 50, Costs: true,
		}))
	}
	begun := time.Now()
	x := openAll(b, b.TempDir(), Options{IndexPath: *partsIndex}, path)
	ctx := context.Background()
	row, _, err := x.st.Reader().Session(ctx, 1)
	if err != nil {
		b.Fatal(err)
	}
	events := row.LastPos
	b.Logf("%d events imported and folded in %v", events, time.Since(begun).Round(time.Millisecond))
	last := pointAt(b, x, events)
	files, err := x.Children(ctx, last, model.PathFiles, "", int(events))
	if err != nil {
		b.Fatal(err)
	}

	ask := func(name string, f func(r *rand.Rand, at model.Event) error) {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var took []time.Duration
			for b.Loop() {
				b.StopTimer()
				at := pointAt(b, x, 1+r.Int64N(events))
				b.StartTimer()
				begun := time.Now()
				if err := f(r, at); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
	leaf := func(r *rand.Rand) string {
		leaves := []string{"/usage/input_tokens", "/shell/command", "/errors/count", "/context/forgotten", "/tasks/1/status", "/shell/exit_code"}
		return leaves[r.IntN(len(leaves))]
	}
	file := func(r *rand.Rand) string { return files.Items[r.IntN(len(files.Items))].Path }
	known := func(err error) error { // a path may not be there yet
		if _, absent := err.(*PathError); absent {
			return nil
		}
		return err
	}
	ask("StateOfPath", func(r *rand.Rand, at model.Event) error {
		_, err := x.StateValue(ctx, at, leaf(r))
		return known(err)
	})
	ask("StateOfFile", func(r *rand.Rand, at model.Event) error {
		_, err := x.StateValue(ctx, at, file(r))
		return known(err)
	})
	for name, path := range map[string]string{"Document": "", "Files": model.PathFiles, "Messages": model.PathMessages, "Pending": model.PathPending} {
		ask("Children"+name, func(r *rand.Rand, at model.Event) error {
			_, err := x.Children(ctx, at, path, "", 50)
			return err
		})
	}
	ask("Context", func(r *rand.Rand, at model.Event) error {
		_, err := x.Context(ctx, ContextQuery{At: at})
		return err
	})
	ask("Blame", func(r *rand.Rand, at model.Event) error {
		_, err := x.Blame(ctx, at, leaf(r))
		return known(err)
	})
	ask("NextWrite", func(r *rand.Rand, at model.Event) error {
		_, _, err := x.WriteNear(ctx, at.Session, leaf(r), at.Pos, false)
		return err
	})
	ask("LastFileWrite", func(r *rand.Rand, at model.Event) error {
		_, _, err := x.WriteNear(ctx, at.Session, model.PathFiles, at.Pos, true)
		return err
	})
	ask("DiffOf1000", func(r *rand.Rand, at model.Event) error {
		_, err := x.Diff(ctx, at, model.Event{Session: at.Session, Pos: max(at.Pos-1000, 0)}, "")
		return err
	})
	ask("DiffOfOne", func(r *rand.Rand, at model.Event) error {
		_, err := x.Diff(ctx, model.Event{Session: at.Session, Pos: at.Pos - 1}, at, "")
		return err
	})
	b.Run("FileBlame", func(b *testing.B) {
		versions := 0
		for i := 0; b.Loop(); i++ {
			name := model.UnescapePointer(files.Items[i%len(files.Items)].Path[len(model.PathFiles)+1:])
			if _, err := x.BlameFile(ctx, last, name, 0); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			history, err := x.st.Reader().History(ctx, 1, files.Items[i%len(files.Items)].Path, 0, 0)
			if err != nil {
				b.Fatal(err)
			}
			versions += len(history)
			b.StartTimer()
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(versions), "ms/version")
	})
}

func pointAt(t testing.TB, x *Index, pos int64) model.Event {
	t.Helper()
	e, err := x.Event(context.Background(), "s1", pos)
	if err != nil {
		t.Fatal(fmt.Errorf("event %d: %w", pos, err))
	}
	return e
}
