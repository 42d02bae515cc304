package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model"
)

// benchFold makes the writes of a long run: every event a message, tokens and
// usage; calls that open and close; one event in 50 edits one of many files; of
// the messages half are forgotten again, a thousand at once.
type benchFold struct {
	rng    *rand.Rand
	pos    int64
	oldest int64
	values map[string]model.Value
	texts  []string
	writes int
}

const benchFiles = 5000

func newBenchFold() *benchFold {
	b := &benchFold{rng: rand.New(rand.NewPCG(5, 6)), oldest: 1, values: map[string]model.Value{}}
	for i := range 50 {
		var s strings.Builder
		for j := range 150 {
			fmt.Fprintf(&s, "func part%d_%d() int { return %d }\n", i, j, b.rng.IntN(1e6))
		}
		b.texts = append(b.texts, s.String())
	}
	return b
}

func (b *benchFold) put(e *EventWrites, path string, v model.Value) {
	e.Writes = append(e.Writes, model.Write{Path: path, Pos: e.Pos, Old: b.values[path], New: v})
	if b.values[path] = v; v.Absent() {
		delete(b.values, path)
	}
	b.writes++
}

func (b *benchFold) leaf(e *EventWrites, path string, n int64) {
	if b.values[path].Absent() {
		b.values[path] = model.Value{JSON: []byte("null")}
	}
	b.put(e, path, model.Value{JSON: fmt.Appendf(nil, "%d", n)})
}

func (b *benchFold) batch(n int) FoldBatch {
	out := FoldBatch{Session: 1}
	for range n {
		b.pos++
		pos := b.pos
		e := EventWrites{Pos: pos, Seq: pos - 1}
		key := model.MessageKey(pos)
		b.put(&e, underMessages+key, model.Value{JSON: fmt.Appendf(nil, `{"key":"%s","seq":%d,"pos":%d,"event":"evt_%07d","role":"assistant","tokens":%d,"chars":%d,"summary":false}`,
			key, pos-1, pos, pos, b.rng.IntN(900), b.rng.IntN(4000))})
		b.leaf(&e, "/context/tokens", pos*400+int64(b.rng.IntN(300)))
		b.leaf(&e, "/usage/input_tokens", pos*900+int64(b.rng.IntN(300)))
		b.leaf(&e, "/usage/output_tokens", pos*90+int64(b.rng.IntN(30)))
		if pos%2 == 1 {
			call := fmt.Sprintf("call_%08x%04d", uint32(pos)*2654435761, pos%10000)
			b.put(&e, underPending+call, model.Value{JSON: fmt.Appendf(nil, `{"call":"%s","seq":%d,"pos":%d,"tool":"bash"}`, call, pos-1, pos)})
		} else {
			call := fmt.Sprintf("call_%08x%04d", uint32(pos-1)*2654435761, (pos-1)%10000)
			b.put(&e, underPending+call, model.Value{})
		}
		if pos%50 == 0 {
			b.edit(&e)
		}
		if pos%2000 == 0 {
			for range 1000 {
				b.put(&e, underMessages+model.MessageKey(b.oldest), model.Value{})
				b.oldest++
			}
		}
		out.Events = append(out.Events, e)
	}
	out.Folded = b.pos
	return out
}

func (b *benchFold) edit(e *EventWrites) {
	i := b.rng.IntN(benchFiles)
	path := fmt.Sprintf("/files/src~1pkg%d~1file%d.go", i%90, i)
	text := b.texts[i%len(b.texts)]
	if old := b.values[path].Text; old != nil {
		at := b.rng.IntN(len(*old) - 40)
		text = (*old)[:at] + fmt.Sprintf("\n// changed %d\n", e.Pos) + (*old)[at+b.rng.IntN(40):]
	}
	v := model.Value{Text: &text, JSON: fmt.Appendf(nil, `{"certainty":"known","lines":%d,"sha256":"%064x","written_by":%d,"written_pos":%d}`,
		strings.Count(text, "\n"), b.rng.Uint64(), e.Seq, e.Pos)}
	b.put(e, path, v)
}

const benchBatch = 8192

// BenchmarkAppendWrites reports writes per second of appending alone, and bytes
// an event.
func BenchmarkAppendWrites(b *testing.B) {
	const n = 16 * benchBatch
	writes, size := 0, int64(0)
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
		fold := newBenchFold()
		for range n / benchBatch {
			batch := fold.batch(benchBatch)
			b.StartTimer()
			appendWrites(b, w, batch)
			b.StopTimer()
		}
		writes += fold.writes
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		size = fileSize(b, s.Path())
		b.StartTimer()
	}
	b.ReportMetric(float64(writes)/b.Elapsed().Seconds(), "writes/s")
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(float64(size)/n, "bytes/event")
}

// benchEventsRead is how many events the index of BenchmarkReadWrites has.
const benchEventsRead = 32 * benchBatch

func BenchmarkReadWrites(b *testing.B) {
	s, w := open(b)
	fold := newBenchFold()
	for fold.pos < benchEventsRead {
		appendWrites(b, w, fold.batch(benchBatch))
	}
	ctx, r := context.Background(), s.Reader()
	rng := rand.New(rand.NewPCG(7, 8))
	pos := func() int64 { return 1 + rng.Int64N(fold.pos) }
	fail := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	run := func(name string, f func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				fail(b, f())
			}
		})
	}
	run("path", func() error { _, _, err := r.WriteAt(ctx, 1, "/usage/input_tokens", pos()); return err })
	run("message", func() error { _, _, err := r.WriteAt(ctx, 1, underMessages+model.MessageKey(pos()), pos()); return err })
	run("next", func() error { _, _, err := r.WriteAfter(ctx, 1, "/context/tokens", pos()); return err })
	run("page of messages", func() error { _, err := r.Members(ctx, 1, model.PathMessages, pos(), "", 50); return err })
	run("last page of messages", func() error {
		at := pos()
		_, err := r.Members(ctx, 1, model.PathMessages, at, underMessages+model.MessageKey(at-50), 50)
		return err
	})
	run("count of messages", func() error { _, err := r.MemberCount(ctx, 1, model.PathMessages, pos()); return err })
	run("pending", func() error { _, err := r.Members(ctx, 1, model.PathPending, pos(), "", 50); return err })
	run("page of files", func() error { _, err := r.Members(ctx, 1, model.PathFiles, pos(), "", 50); return err })
	run("count of files", func() error { _, err := r.MemberCount(ctx, 1, model.PathFiles, pos()); return err })
	run("text", func() error {
		i := rng.IntN(benchFiles)
		_, _, err := r.FileText(ctx, 1, fmt.Sprintf("/files/src~1pkg%d~1file%d.go", i%90, i), pos())
		return err
	})
	b.Run("range", func(b *testing.B) {
		n := 0
		for b.Loop() {
			at := pos()
			fail(b, r.Writes(ctx, 1, at, at+10_000, func(model.Write) bool { n++; return true }))
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "writes/s")
	})
}
