package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"hindcast/model"
	"hindcast/model/query"
)

// benchEvents makes rows as a long run of an agent writes them: call and
// result by turns, each with its cause, ids counted, some user messages,
// errors and checkpoints between.
func benchEvents(n int) []EventRow {
	rng := rand.New(rand.NewPCG(1, 2))
	tools := []string{"read_file", "edit_file", "bash", "update_tasks", "grep"}
	events := make([]model.Event, n)
	rows := make([]EventRow, n)
	offset, now := int64(0), int64(1719253000123e6)
	for i := range events {
		pos := int64(i + 1)
		now += int64(rng.IntN(4000)) * 1e6
		length := int64(600 + rng.IntN(800))
		e := &events[i]
		*e = model.Event{
			Pos: pos, Seq: pos - 1, HasSeq: true, ID: fmt.Sprintf("evt_%07d", pos), Time: model.Time{Nanos: now, Known: true, Digits: 3},
			Span: model.Span{Source: 1, Offset: offset, Length: length}, Hash: rng.Uint64(), Root: max(1, pos-int64(rng.IntN(400))), Depth: int64(rng.IntN(60)),
		}
		offset += length + 1
		tool := tools[rng.IntN(len(tools))]
		switch {
		case i%101 == 0:
			e.Type, e.Kind, e.Source, e.Title = "UserInput", model.KindMessage, "user", "please fix the failing test"
		case i%997 == 0:
			e.Type, e.Kind, e.Source, e.Title = "Checkpoint", model.KindCheckpoint, "runtime", "snapshot"
		case i%2 == 1:
			e.Type, e.Kind, e.Source, e.Tool, e.Mate = "AgentAction", model.KindAction, "agent", tool, pos+1
			e.Title = fmt.Sprintf("%s src/pkg%d/file%d.go", tool, rng.IntN(90), rng.IntN(1000))
		default:
			e.Type, e.Kind, e.Source, e.Tool, e.Mate = "ToolResult", model.KindObservation, "environment", tool, max(1, pos-1)
			e.Title, e.Outcome = fmt.Sprintf("%d lines", rng.IntN(4000)), model.OutcomeOK
			if rng.IntN(12) == 0 {
				e.Title, e.Outcome = "exit status 1: undefined: frobnicate", model.OutcomeFailed
			}
		}
		if pos > 1 {
			to := max(1, pos-1-int64(rng.IntN(3)*rng.IntN(3)))
			e.Links = []model.Link{{Reason: model.ReasonSource, To: model.Ref{Pos: to}}}
			e.Cause = &e.Links[0]
		}
		rows[i] = EventRow{Session: 1, Event: e}
	}
	return rows
}

func fileSize(t testing.TB, path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// fill appends rows in batches of the importer's size.
func fill(t testing.TB, w *Writer, rows []EventRow) {
	const batch = 8192
	for at := 0; at < len(rows); at += batch {
		row := sessionRow(1, "s1")
		row.LastPos = int64(min(at+batch, len(rows)))
		appendBatch(t, w, &Batch{Sessions: []SessionRow{row}, Events: rows[at:min(at+batch, len(rows))]})
	}
}

// BenchmarkAppend reports events per second of appending alone, and bytes an
// event of the finished index.
func BenchmarkAppend(b *testing.B) {
	const n = 200_000
	rows := benchEvents(n)
	b.ReportAllocs()
	size := int64(0)
	for b.Loop() {
		b.StopTimer()
		s, err := Open(filepath.Join(b.TempDir(), "index.db"), Options{})
		if err != nil {
			b.Fatal(err)
		}
		w, err := s.Writer()
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		fill(b, w, rows)
		b.StopTimer()
		if err := w.BuildIndexes(context.Background()); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		size = fileSize(b, s.Path())
		b.StartTimer()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(size)/n, "bytes/event")
}

// BenchmarkBuildIndexes measures building the secondary indexes behind a load.
func BenchmarkBuildIndexes(b *testing.B) {
	const n = 200_000
	rows := benchEvents(n)
	for b.Loop() {
		b.StopTimer()
		_, w := open(b)
		fill(b, w, rows)
		b.StartTimer()
		if err := w.BuildIndexes(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		w.Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkRead(b *testing.B) {
	const n = 200_000
	s, w := open(b)
	fill(b, w, benchEvents(n))
	if err := w.BuildIndexes(context.Background()); err != nil {
		b.Fatal(err)
	}
	ctx, r := context.Background(), s.Reader()
	fail := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("page", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _, err := r.Page(ctx, PageSpec{Session: 1, From: 90_000, Limit: 50})
			fail(b, err)
		}
	})
	b.Run("page with links", func(b *testing.B) {
		for b.Loop() {
			_, _, err := r.Page(ctx, PageSpec{Session: 1, From: 90_000, Limit: 50, WithLinks: true})
			fail(b, err)
		}
	})
	b.Run("event", func(b *testing.B) {
		for b.Loop() {
			_, _, err := r.EventAt(ctx, 1, 90_000)
			fail(b, err)
		}
	})
	b.Run("by id", func(b *testing.B) {
		for b.Loop() {
			_, _, err := r.Find(ctx, 1, "evt_0090000")
			fail(b, err)
		}
	})
	b.Run("linked from", func(b *testing.B) {
		for b.Loop() {
			_, err := r.LinkedFrom(ctx, 1, 90_000, nil, Cursor{}, 50)
			fail(b, err)
		}
	})
	b.Run("last failed", func(b *testing.B) {
		for b.Loop() {
			_, _, _, err := r.Nth(ctx, 1, query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"}, -1)
			fail(b, err)
		}
	})
	b.Run("count title", func(b *testing.B) {
		for b.Loop() {
			_, _, _, err := r.Count(ctx, PageSpec{Session: 1, Where: query.Term{Field: query.FieldTitle, Op: query.OpContains, Text: "frob", Fold: true}}, 100)
			fail(b, err)
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	})
	b.Run("count folded type", func(b *testing.B) {
		for b.Loop() {
			_, _, _, err := r.Count(ctx, PageSpec{Session: 1, Folded: true, Where: query.Term{Field: query.FieldType, Op: query.OpMatch, Text: "Agent*"}}, 100)
			fail(b, err)
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	})
	b.Run("stats", func(b *testing.B) {
		for b.Loop() {
			_, err := r.Stats(ctx, 1)
			fail(b, err)
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	})
	b.Run("calls", func(b *testing.B) {
		for b.Loop() {
			fail(b, r.EachCall(ctx, 1, func(*Call) error { return nil }))
		}
	})
	b.Run("beats", func(b *testing.B) {
		for b.Loop() {
			fail(b, r.Beats(ctx, 1, func(Beat) error { return nil }))
		}
	})
}
