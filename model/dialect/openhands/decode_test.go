package openhands

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

var update = flag.Bool("update", false, "write the golden files anew")

// decodeAll decodes one record of a stream of lines.
func decodeAll(raw string) ([]model.Event, error) {
	var all []model.Event
	rec := &model.Record{Stream: &model.Stream{Session: "s"}, Index: 1, Raw: []byte(raw)}
	err := New().Decode(rec, func(e *model.Event) { all = append(all, *e) })
	return all, err
}

// TestDecode reads each kind of record in testdata/records.jsonl and compares
// what comes out with the golden file beside it.
func TestDecode(t *testing.T) {
	in, err := os.ReadFile(filepath.Join("testdata", "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(in)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			fmt.Fprintln(&got, line)
			continue
		}
		all, err := decodeAll(line)
		if err != nil {
			fmt.Fprintf(&got, "unread: %v\n", err)
		}
		for _, e := range all {
			fmt.Fprintln(&got, draw(&e))
		}
	}
	golden := filepath.Join("testdata", "records.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := at(gotLines, i), at(wantLines, i)
		if g != w {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g, w)
		}
	}
}

func at(all []string, i int) string {
	if i < len(all) {
		return all[i]
	}
	return "(none)"
}

var outcomeNames = map[model.Outcome]string{model.OutcomeUnknown: "-", model.OutcomeOK: "ok", model.OutcomeFailed: "FAILED"}

// draw writes a decoded event in a line.
func draw(e *model.Event) string {
	parts := []string{e.Kind.String(), e.Type, outcomeNames[e.Outcome], fmt.Sprintf("%q", e.Title)}
	add := func(name, v string) {
		if v != "" {
			parts = append(parts, name+"="+v)
		}
	}
	add("id", e.ID)
	if e.HasSeq {
		add("seq", fmt.Sprint(e.Seq))
	}
	add("time", e.Time.String())
	add("source", e.Source)
	add("tool", e.Tool)
	add("call", e.Call)
	add("session", e.Session)
	add("aliases", strings.Join(e.Aliases, ","))
	for _, l := range e.Links {
		add(l.Reason.String(), l.ToID)
	}
	if e.Noise {
		parts = append(parts, "noise")
	}
	if e.Usage != nil {
		add("usage", fmt.Sprintf("%d+%d+%d+%d+%d $%v", e.Usage.Input, e.Usage.Output, e.Usage.CacheRead, e.Usage.CacheWrite, e.Usage.Reasoning, e.Usage.CostUSD))
	}
	if e.Span.Length > 0 {
		add("span", fmt.Sprintf("%d+%d", e.Span.Offset, e.Span.Length))
	}
	return strings.Join(parts, " ")
}

// TestDecodeRefuses quarantines what is no object.
func TestDecodeRefuses(t *testing.T) {
	for _, raw := range []string{`1`, `"x"`, `null`, `true`} {
		if all, err := decodeAll(raw); err == nil || len(all) > 0 {
			t.Errorf("%s: %d events, error %v", raw, len(all), err)
		}
	}
}

// TestDecodeSpans points each event of a container at its own bytes.
func TestDecodeSpans(t *testing.T) {
	inner := []string{v1User(1), v1Call(2, "c")}
	for _, raw := range []string{
		` {"a":[1], "items": [ ` + inner[0] + ` ,` + inner[1] + ` ] }`,
		`{"items":[],"items":` + list(inner...) + `}`,
		`{"instance_id":"i","history":` + list(inner...) + `,"x":"\"history\":["}`,
		`[[` + inner[0] + `,null],[` + inner[1] + `]]`,
	} {
		all, err := decodeAll(raw)
		if err != nil || len(all) != len(inner) {
			t.Fatalf("%s: %d events, error %v", raw, len(all), err)
		}
		for i, e := range all {
			if got := raw[e.Span.Offset:e.Span.End()]; got != inner[i] {
				t.Errorf("event %d is %s, want %s", i, got, inner[i])
			}
		}
	}
}

// TestDecodeTogether decodes from many goroutines at once.
func TestDecodeTogether(t *testing.T) {
	d := New()
	records := []string{v1Call(2, "c"), `{"items":` + list(v1User(1), v1Call(2, "c")) + `}`, `{"type":"durable","seq":1,"event":` + v1User(3) + `}`}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				for i, want := range []string{"2", "12", "3"} {
					got := ""
					err := d.Decode(&model.Record{Raw: []byte(records[i])}, func(e *model.Event) { got += e.ID[len(e.ID)-1:] })
					if err != nil || got != want {
						t.Errorf("record %d gives %s, want %s (%v)", i, got, want, err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// TestDecodeDepth stops at nestLimit and keeps what is deeper as one event.
func TestDecodeDepth(t *testing.T) {
	raw := v1User(1)
	for range 50 {
		raw = `{"items":[` + raw + `]}`
	}
	all, err := decodeAll(raw)
	if err != nil || len(all) != 1 || all[0].Kind != model.KindOther {
		t.Errorf("%d events, error %v", len(all), err)
	}
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	if all, err := decodeAll(deep); err != nil || len(all) > 0 {
		t.Errorf("deep array: %d events, error %v", len(all), err)
	}
}

// FuzzDecode feeds any JSON: no panic, spans inside the record, titles short,
// times and notes that can be read.
func FuzzDecode(f *testing.F) {
	if in, err := os.ReadFile(filepath.Join("testdata", "records.jsonl")); err == nil {
		for line := range strings.Lines(string(in)) {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte(`{"items":[` + v1User(1) + `]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		start, end, err := jsonscan.Value(b)
		if err != nil {
			return
		}
		raw := b[start:end]
		before := string(raw)
		var arrived []model.Event
		_ = New().Decode(&model.Record{Raw: raw}, func(e *model.Event) {
			if e.Span.Offset < 0 || e.Span.Length < 0 || e.Span.End() > int64(len(raw)) {
				t.Fatalf("span %+v of a record of %d bytes", e.Span, len(raw))
			}
			if len(e.Title) > model.TitleLimit {
				t.Fatalf("title of %d bytes", len(e.Title))
			}
			arrived = append(arrived, *e)
		})
		r := trial.Link(New(), &model.Stream{}, "s", arrived, nil)
		r.Linker.Summary()
		for _, e := range r.Events {
			if len(e.Title) > model.TitleLimit {
				t.Fatalf("linked title of %d bytes", len(e.Title))
			}
			for _, l := range e.Links {
				if l.To.Pos >= e.Pos {
					t.Fatalf("event %d links forward to %d", e.Pos, l.To.Pos)
				}
			}
		}
		if string(raw) != before {
			t.Fatal("the record was changed")
		}
	})
}

// FuzzClaim feeds any bytes under names of each packaging.
func FuzzClaim(f *testing.F) {
	f.Add([]byte(v1User(1)), uint8(0))
	f.Add([]byte(`{"items":[`), uint8(3))
	f.Add([]byte(stateFile), uint8(4))
	names := []string{"a.jsonl", "c/events/event-00000-0123456789.json", "event_000000_0123456789.json", "x.json", "base_state.json", "events/1.json", hexA + ".json", "event_cache/0-25.json"}
	f.Fuzz(func(t *testing.T, b []byte, n uint8) {
		d := trial.NewDump(map[string]string{names[int(n)%len(names)]: string(b), "other.jsonl": v1User(2)})
		checkStreams(t, d, New().Claim(d, n >= 128))
	})
}

// generated is a conversation of rounds of two calls and two results, as the
// lines of a log.
func generated(rounds int) [][]byte {
	var all [][]byte
	text := strings.Repeat("line of output with some words\\n", 60)
	for i := range rounds {
		for j := range 2 {
			all = append(all, fmt.Appendf(nil, `{"id":"%08d-0000-4000-8000-00000000000%d","timestamp":"2026-01-01T10:00:00.%06d","source":"agent","thought":[{"type":"text","text":"next"}],"thinking_blocks":[],"action":{"command":"go test ./... -run Test%d","is_input":false,"reset":false,"kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"toolu_%d_%d","tool_call":{"id":"toolu_%d_%d","name":"terminal","arguments":"{\"command\":\"go test\"}","origin":"completion"},"llm_response_id":"resp-%d","security_risk":"LOW","kind":"ActionEvent"}`, i, j, i%1000000, i, i, j, i, j, i))
		}
		for j := range 2 {
			all = append(all, fmt.Appendf(nil, `{"id":"%08d-0000-4000-8000-00000000001%d","timestamp":"2026-01-01T10:00:00.%06d","source":"environment","tool_name":"terminal","tool_call_id":"toolu_%d_%d","observation":{"content":[{"cache_prompt":false,"type":"text","text":"%s"}],"is_error":false,"command":"go test","exit_code":0,"timeout":false,"metadata":{"exit_code":0,"pid":-1,"working_dir":"/w"},"kind":"TerminalObservation"},"action_id":"%08d-0000-4000-8000-00000000000%d","kind":"ObservationEvent"}`, i, j, i%1000000, i, j, text, i, j))
		}
	}
	return all
}

func BenchmarkDecode(b *testing.B) {
	all := generated(256)
	size := 0
	for _, raw := range all {
		size += len(raw)
	}
	d, s := New(), &model.Stream{Session: "s"}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for i, raw := range all {
			if err := d.Decode(&model.Record{Stream: s, Index: int64(i), Raw: raw}, func(*model.Event) {}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(len(all))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkLink(b *testing.B) {
	var events []model.Event
	for _, raw := range generated(2500) {
		all, err := decodeAll(string(raw))
		if err != nil {
			b.Fatal(err)
		}
		events = append(events, all...)
	}
	b.ReportAllocs()
	for b.Loop() {
		trial.Link(New(), nil, "s", events, nil)
	}
	b.ReportMetric(float64(len(events))*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
