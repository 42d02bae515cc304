package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hindcast/fixtures/gen/stream"
)

// BenchmarkSuspects asks for the causes of an error that holds rare and common
// literals, at the end of 30,000 events.
func BenchmarkSuspects(b *testing.B) {
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, stream.Options{Format: stream.Eventlog, Events: 30_000, Seed: 3, Size: 800}); err != nil {
		b.Fatal(err)
	}
	record := buf.Bytes()[bytes.LastIndexByte(bytes.TrimSpace(buf.Bytes()), '\n')+1:]
	var last struct {
		Session string `json:"session_id"`
	}
	if err := json.Unmarshal(record, &last); err != nil {
		b.Fatal(err)
	}
	fmt.Fprintf(&buf, `{"event_id":"z","event_type":"SystemError","session_id":%q,"sequence":1000000,"payload":{"message":%q}}`+"\n",
		last.Session, `src/part1.go:3:2: undefined: zork, "nowhere else", 0.70125 !== 0.90125 at http://127.0.0.1:8765/ 'error'`)
	path := filepath.Join(b.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, buf.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	x, err := Open(ctx, []string{path}, Options{IndexPath: filepath.Join(b.TempDir(), "run.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	if err := x.Wait(ctx); err != nil {
		b.Fatal(err)
	}
	e, ok, err := x.Next(ctx, last.Session, 1<<40, true, failedEvents)
	if err != nil || !ok {
		b.Fatal(ok, err)
	}
	if _, err := x.Why(ctx, e); err != nil {
		b.Fatal(err) // which waited for the fold
	}
	for b.Loop() {
		if _, err := x.Why(ctx, e); err != nil {
			b.Fatal(err)
		}
	}
}
