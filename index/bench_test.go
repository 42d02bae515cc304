package index

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"hindcast/fixtures/gen/stream"
)

// BenchmarkImport imports 50,000 eventlog events of about 1 KB into a fresh
// index.
func BenchmarkImport(b *testing.B) {
	const events = 50_000
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, stream.Options{Format: stream.Eventlog, Events: events, Seed: 7}); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	b.ReportAllocs()
	var size int64
	for b.Loop() {
		x, err := Open(context.Background(), []string{path}, Options{IndexPath: filepath.Join(b.TempDir(), "run.db"), Rebuild: true})
		if err != nil {
			b.Fatal(err)
		}
		if err := x.Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(x.Path())
		if err != nil {
			b.Fatal(err)
		}
		size = info.Size()
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(events*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(size)/events, "index-B/event")
}
