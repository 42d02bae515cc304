package eventlog

import (
	"bytes"
	"testing"

	"hindcast/fixtures/gen/stream"
	"hindcast/model"
)

func records(b *testing.B, events int64) (lines [][]byte, size int64) {
	b.Helper()
	var buf bytes.Buffer
	if _, err := stream.Write(&buf, stream.Options{Events: events, Seed: 7}); err != nil {
		b.Fatal(err)
	}
	lines = bytes.Split(bytes.TrimSpace(buf.Bytes()), []byte("\n"))
	return lines, int64(buf.Len())
}

func BenchmarkDecode(b *testing.B) {
	lines, size := records(b, 2_000)
	s := &model.Stream{Session: "s1"}
	b.SetBytes(size / int64(len(lines)))
	b.ReportAllocs()
	rec := model.Record{Stream: s}
	n := 0
	for b.Loop() {
		rec.Raw = lines[n%len(lines)]
		if err := New().Decode(&rec, func(*model.Event) {}); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkLink(b *testing.B) {
	lines, _ := records(b, 2_000)
	var events []*model.Event
	rec := model.Record{Stream: &model.Stream{Session: "s1"}}
	for i, raw := range lines {
		rec.Raw = raw
		if err := New().Decode(&rec, func(e *model.Event) { e.Pos = int64(i + 1); events = append(events, e) }); err != nil {
			b.Fatal(err)
		}
	}
	look := &indexed{byID: make(map[string]int64), events: events}
	for _, e := range events {
		look.byID[e.ID] = e.Pos
	}
	b.ReportAllocs()
	n := 0
	l := New().NewLinker(&model.Stream{}, "s1")
	for b.Loop() {
		if n == len(events) {
			n, l = 0, New().NewLinker(&model.Stream{}, "s1")
		}
		e := *events[n]
		e.Links = append([]model.Link(nil), e.Links...)
		l.Link(&e, look)
		n++
	}
}

type indexed struct {
	byID   map[string]int64
	events []*model.Event
}

func (x *indexed) ByID(id string) (model.Brief, bool) {
	pos, ok := x.byID[id]
	if !ok {
		return model.Brief{}, false
	}
	return x.At(pos)
}

func (x *indexed) At(pos int64) (model.Brief, bool) {
	e := x.events[pos-1]
	return model.Brief{Pos: e.Pos, Seq: e.Seq, Kind: e.Kind}, true
}
