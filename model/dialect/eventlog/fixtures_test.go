package eventlog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/gen/stream"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// fixtureDump reads a file or folder of the fixtures as a dump.
func fixtureDump(t *testing.T, root string) *fakeDump {
	t.Helper()
	files := make(map[string]string)
	err := fs.WalkDir(fixtures.FS, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fixtures.FS.ReadFile(name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".gz") {
			data = unzip(t, data)
		}
		short := strings.TrimPrefix(strings.TrimPrefix(name, root), "/")
		if short == "" {
			short = name[strings.LastIndexByte(name, '/')+1:]
		}
		files[short] = string(data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return newDump(files)
}

func unzip(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// imported is what a plain reader finds in a dump: the events of each session
// in replay order, linked, and what it could not read.
type imported struct {
	sessions    map[string][]*model.Event
	linkers     map[string]model.Linker
	copies      int64
	quarantined int64
}

// importAll reads a dump in memory the way an importer does: split, decode,
// sort by sequence, link.
func importAll(t *testing.T, d *fakeDump) imported {
	t.Helper()
	in := imported{sessions: make(map[string][]*model.Event), linkers: make(map[string]model.Linker)}
	seen := make(map[string]bool)
	for _, s := range New().Claim(d, false) {
		for _, file := range s.Files {
			split(t, d.bytes[file], s.Framing, func(raw []byte, bad bool) {
				if bad {
					in.quarantined++
					return
				}
				rec := &model.Record{Stream: &s, File: file, Name: d.files[file].Name, Raw: raw}
				if New().Decode(rec, func(e *model.Event) { in.add(&s, e, raw, seen) }) != nil {
					in.quarantined++
				}
			})
		}
	}
	for id, events := range in.sessions {
		in.linkers[id] = linkSession(id, events)
	}
	return in
}

func (in *imported) add(s *model.Stream, e *model.Event, raw []byte, seen map[string]bool) {
	if e.Session == "" {
		e.Session = s.Session
	}
	key := e.Session + "\x00" + string(raw)
	if e.ID != "" && seen[key] {
		in.copies++
		return
	}
	seen[key] = true
	in.sessions[e.Session] = append(in.sessions[e.Session], e)
}

func linkSession(id string, events []*model.Event) model.Linker {
	last := int64(0)
	for _, e := range events {
		if !e.HasSeq {
			e.Seq = last
		}
		last = e.Seq
	}
	slices.SortStableFunc(events, func(a, b *model.Event) int { return int(a.Seq - b.Seq) })
	l := New().NewLinker(&model.Stream{}, id)
	look := &indexed{byID: make(map[string]int64)}
	for i, e := range events {
		e.Pos = int64(i + 1)
		l.Link(e, look)
		look.events = append(look.events, e)
		if _, ok := look.byID[e.ID]; !ok && e.ID != "" {
			look.byID[e.ID] = e.Pos
		}
	}
	return l
}

// split gives each record, and each run of bytes that is none.
func split(t *testing.T, data []byte, f model.Framing, give func(raw []byte, bad bool)) {
	t.Helper()
	s := jsonscan.NewSplitter(bytes.NewReader(data), 0, f, false)
	for {
		chunk, err := s.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range chunk.Spans {
			raw := bytes.Clone(chunk.Data[span.Start:span.End])
			if span.Broken != "" {
				give(raw, true)
				continue
			}
			for {
				start, end, err := jsonscan.Value(raw)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					give(raw, true)
					break
				}
				give(raw[start:end], false)
				raw = raw[end:]
			}
		}
		chunk.Free()
	}
}

// TestFixtures holds the dialect to the counts that stand beside the fixtures.
func TestFixtures(t *testing.T) {
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range cases {
		if c.Dialect != Name || strings.HasPrefix(c.Input, "utf16") { // other encodings are the source's to convert
			continue
		}
		n++
		t.Run(c.Path, func(t *testing.T) {
			in := importAll(t, fixtureDump(t, c.Path))
			got := fixtures.Case{
				Path: c.Path, Input: c.Input, Dialect: c.Dialect, Note: c.Note,
				Sessions: int64(len(in.sessions)), Copies: in.copies, Quarantined: in.quarantined,
			}
			for _, events := range in.sessions {
				for _, e := range events {
					if e.Origin == model.OriginCopied {
						got.Copies++
						continue
					}
					got.Events++
					if e.Outcome.Failed() {
						got.Failed++
					}
				}
			}
			if got != c {
				t.Errorf("found %+v\nwant  %+v", got, c)
			}
		})
	}
	if n < 15 {
		t.Errorf("only %d fixtures of this dialect were found", n)
	}
}

// TestOtherFixtures: what other programs wrote is not taken.
func TestOtherFixtures(t *testing.T) {
	cases, err := fixtures.Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.Dialect == Name {
			continue
		}
		if streams := New().Claim(fixtureDump(t, c.Path), false); len(streams) > 0 {
			t.Errorf("%s: claimed: %s", c.Path, streams[0].Reason)
		}
	}
}

// expectedDemo is the part of demo/expected.json that the dialect answers for.
type expectedDemo struct {
	Sessions []struct {
		ID          string
		Parent      string
		Events      int
		Kinds       map[string]int
		Failed      []int64
		Turns       []int64
		OpenCalls   []int64 `json:"open_calls"`
		Outcome     string
		Checkpoints []struct{ Seq, Base int64 }
		Usage       struct {
			Input  int64   `json:"input_tokens"`
			Output int64   `json:"output_tokens"`
			Cost   float64 `json:"cost_usd"`
		}
	}
	Why struct {
		Error struct {
			Seq   int64
			Chain []struct {
				Seq int64
				Via string
			}
		}
	}
}

func TestDemo(t *testing.T) {
	files := make(map[string]string)
	for name, data := range fixtures.Demo() {
		files[name] = string(data)
	}
	in := importAll(t, newDump(files))
	want := readDemo(t)
	if len(in.sessions) != len(want.Sessions) {
		t.Fatalf("%d sessions, want %d", len(in.sessions), len(want.Sessions))
	}
	for _, s := range want.Sessions {
		events := in.sessions[s.ID]
		kinds := make(map[string]int)
		var failed, turns []int64
		for _, e := range events {
			kinds[e.Kind.String()]++
			if e.Outcome.Failed() {
				failed = append(failed, e.Seq)
			}
			if e.Source == "user" {
				turns = append(turns, e.Seq)
			}
		}
		if len(events) != s.Events || !reflect.DeepEqual(kinds, s.Kinds) || !slices.Equal(failed, s.Failed) || !slices.Equal(turns, s.Turns) {
			t.Errorf("%s: %d events, %v, failed %v, turns %v", s.ID, len(events), kinds, failed, turns)
		}
		sum := in.linkers[s.ID].Summary()
		if sum.Outcome != s.Outcome || sum.Parent != s.Parent || sum.OpenCalls != int64(len(s.OpenCalls)) {
			t.Errorf("%s: summary %+v", s.ID, sum)
		}
		if sum.Usage.Input != s.Usage.Input || sum.Usage.Output != s.Usage.Output || int64(sum.Usage.CostUSD*1e6+0.5) != int64(s.Usage.Cost*1e6+0.5) {
			t.Errorf("%s: usage %+v, want %+v", s.ID, sum.Usage, s.Usage)
		}
		for _, c := range s.Checkpoints {
			if e := events[c.Seq-1]; linkText(e) != "base>"+itoa(c.Base) {
				t.Errorf("checkpoint %d: links %q", c.Seq, linkText(e))
			}
		}
	}
	checkChain(t, in.sessions["greeter"], want)
}

// checkChain follows the preferred cause from the last failure.
func checkChain(t *testing.T, events []*model.Event, want expectedDemo) {
	t.Helper()
	last := events[0]
	for _, e := range events {
		if e.Outcome.Failed() {
			last = e
		}
	}
	if last.Seq != want.Why.Error.Seq || last.Type != typeError {
		t.Fatalf("the last failure is %d, a %s", last.Seq, last.Type)
	}
	at := last
	for _, step := range want.Why.Error.Chain {
		best := model.PreferredCause(at.Links)
		if best < 0 {
			t.Fatalf("the chain ends at %d", at.Seq)
		}
		l := at.Links[best]
		if l.To.Seq != step.Seq || l.Reason.String() != step.Via || l.Inferred {
			t.Errorf("from %d to %d via %v, want %d via %s", at.Seq, l.To.Seq, l.Reason, step.Seq, step.Via)
		}
		at = events[l.To.Pos-1]
	}
	if model.PreferredCause(at.Links) >= 0 {
		t.Errorf("the chain goes on beyond %d", at.Seq)
	}
}

func itoa(n int64) string {
	b, _ := json.Marshal(n)
	return string(b)
}

func readDemo(t *testing.T) (want expectedDemo) {
	t.Helper()
	data, err := fixtures.FS.ReadFile("demo/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// TestGenerated: the reader finds what the generator says that it wrote, and
// links agree with a plain look at source_event_id.
func TestGenerated(t *testing.T) {
	faults := stream.Faults{Disorder: 0.03, Dangling: 0.01, Forward: 0.01, Self: 0.01, Copy: 0.01, Broken: 0.005}
	for seed := range uint64(3) {
		var buf bytes.Buffer
		totals, err := stream.Write(&buf, stream.Options{Events: 4000, Seed: seed, Sessions: int(seed) + 1, Size: 500, Faults: faults})
		if err != nil {
			t.Fatal(err)
		}
		in := importAll(t, newDump(map[string]string{"gen.jsonl": buf.String()}))
		var got stream.Totals
		got.Sessions, got.Copies, got.Broken = len(in.sessions), in.copies, in.quarantined
		for id, events := range in.sessions {
			got.Events += int64(len(events))
			got.Open += in.linkers[id].Summary().OpenCalls
			for _, e := range events {
				tally(&got, e)
			}
		}
		want := stream.Totals{
			Sessions: totals.Sessions, Copies: totals.Copies, Broken: totals.Broken, Events: totals.Events, Failed: totals.Failed,
			Checkpoints: totals.Checkpoints, Calls: totals.Calls, Self: totals.Self, Dangling: totals.Dangling + totals.Forward,
			Open: got.Open, // results whose link is broken leave their calls open
		}
		if got != want {
			t.Errorf("seed %d: found %+v\nwant %+v", seed, got, want)
		}
		if got.Open < totals.Open {
			t.Errorf("seed %d: %d calls open, at least %d expected", seed, got.Open, totals.Open)
		}
	}
}

func tally(got *stream.Totals, e *model.Event) {
	if e.Outcome.Failed() {
		got.Failed++
	}
	switch e.Kind {
	case model.KindCheckpoint:
		got.Checkpoints++
	case model.KindAction:
		got.Calls++
	}
	for _, l := range e.Links {
		switch {
		case l.Broken == model.LinkSelf:
			got.Self++
		case l.ToID != "" && !l.Resolved():
			got.Dangling++
		}
	}
}
