package generic

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// dump is files in memory.
type dump struct {
	names []string
	texts map[string]string
}

func dumpOf(namesAndTexts ...string) *dump {
	d := &dump{texts: make(map[string]string)}
	for i := 0; i < len(namesAndTexts); i += 2 {
		d.names = append(d.names, namesAndTexts[i])
		d.texts[namesAndTexts[i]] = namesAndTexts[i+1]
	}
	return d
}

func (d *dump) Files() []model.File {
	var files []model.File
	for _, name := range d.names {
		files = append(files, model.File{Name: name, Size: int64(len(d.texts[name]))})
	}
	return files
}

func (d *dump) Head(i, n int) []byte {
	text := d.texts[d.names[i]]
	return []byte(text[:min(n, len(text), longHead)])
}

// read decodes a stream as the importer does, and returns its events and the
// reasons for which bytes were put aside.
func read(t *testing.T, text string, s *model.Stream) (events []*model.Event, broken []string) {
	t.Helper()
	splitter := jsonscan.NewSplitter(strings.NewReader(text), 0, s.Framing, false)
	for {
		c, err := splitter.Next()
		if err == io.EOF {
			return events, broken
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, sp := range c.Spans {
			b := c.Data[sp.Start:sp.End]
			if sp.Broken != "" {
				broken = append(broken, sp.Broken)
				continue
			}
			for {
				start, end, err := jsonscan.Value(b)
				if err == io.EOF {
					break
				}
				if err != nil {
					broken = append(broken, err.Error())
					break
				}
				rec := &model.Record{Stream: s, Raw: b[start:end]}
				if err := New().Decode(rec, func(e *model.Event) { events = append(events, e) }); err != nil {
					broken = append(broken, err.Error())
				}
				b = b[end:]
			}
		}
	}
}

// readOne claims and reads a dump of one file.
func readOne(t *testing.T, text string) ([]*model.Event, []string, model.Stream) {
	t.Helper()
	streams := New().Claim(dumpOf("run.jsonl", text), false)
	if len(streams) != 1 {
		t.Fatalf("%d streams of %.100q", len(streams), text)
	}
	events, broken := read(t, text, &streams[0])
	return events, broken, streams[0]
}

// brief is what the tables compare.
func brief(e *model.Event) string {
	parts := []string{e.Kind.String(), e.Type, e.ID, e.Session, e.Tool, e.Call, e.Title}
	for _, l := range e.Links {
		parts = append(parts, l.Reason.String()+">"+l.ToID)
	}
	if e.Outcome != model.OutcomeUnknown {
		parts = append(parts, map[bool]string{true: "failed", false: "ok"}[e.Outcome.Failed()])
	}
	if e.Time.Known {
		parts = append(parts, e.Time.String())
	}
	return strings.Join(parts, "|")
}

func TestDecode(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", `{}`, "other||||||{}"},
		{"plain log", `{"ts":1772359200.5,"level":"info","msg":"started\nall"}`, "other|info|||||started all|2026-03-01T10:00:00.5Z"},
		{"error log", `{"@timestamp":"2026-03-01T10:00:00Z","level":"ERROR","message":"boom"}`, "error|ERROR|||||boom|failed|2026-03-01T10:00:00Z"},
		{"message", `{"role":"user","content":[{"type":"text","text":"hi there"}]}`, "message|user|||||hi there"},
		{"call", `{"id":"e1","type":"tool_call","tool":"bash","call_id":"c1","args":{"cmd":"ls"}}`, `action|tool_call|e1||bash|c1|bash {"cmd":"ls"}`},
		{"result", `{"id":"e2","type":"tool_result","call_id":"c1","output":"a b","exit_code":0}`, "observation|tool_result|e2|||c1|a b|ok"},
		{"failed result", `{"id":"e2","type":"tool_result","call_id":"c1","output":"a","exit_code":2}`, "observation|tool_result|e2|||c1|a|failed"},
		{"tool message", `{"role":"tool","tool_call_id":"c1","content":"done"}`, "observation|tool||||c1|done"},
		{"causes", `{"event_id":7,"event_type":"x","caused_by":["a","b"],"parent_id":"p"}`, `other|x|7||||{"event_id":7,"event_type":"x","caused_by":["a","b"],"parent_id":"p"}|source>a|source>b|parent>p`},
		{"parent alone", `{"uuid":"u","parentUuid":"p","name":"n"}`, "other|n|u||||n|source>p"},
		{"parent null", `{"uuid":"u","parentUuid":null,"name":"n"}`, "other|n|u||||n"},
		{"span", `{"span_id":"s","trace_id":"t","parent_span_id":"","name":"get","status":{"code":"ERROR"}}`, "error|get|s|t|||get|failed"},
		{"nested", `{"payload":{"type":"x","id":"i","session_id":"s","message":"m"},"time":"2026-03-01"}`, "other|x|i|s|||m|2026-03-01T00:00:00"},
		{"own before nested", `{"data":{"id":"inner","type":"t"},"id":"outer"}`, `other|t|outer||||{"data":{"id":"inner","type":"t"},"id":"outer"}`},
		{"plain fields", `{"seq":3,"type":"Placed","data":{"order":7,"by":"ann","lines":[1]},"paid":false}`, "other|Placed|||||paid=false order=7 by=ann"},
		{"container order", `{"payload":{"type":"p"},"data":{"type":"d"},"title":"x"}`, "other|d|||||x"},
		{"no error", `{"type":"x","error":null,"err":"","title":"y"}`, "other|x|||||y"},
		{"error object", `{"type":"x","error":{"message":"no space","code":28}}`, "error|x|||||no space|failed"},
		{"error flag", `{"type":"x","title":"t","is_error":false}`, "other|x|||||t|ok"},
		{"failed type", `{"eventType":"PaymentFailed","title":"t"}`, "error|PaymentFailed|||||t|failed"},
		{"keys by exact case", `{"ID":"a","Type":"b","title":"t"}`, "other||||||t"},
		{"big id", `{"id":9007199254740993,"title":"t"}`, "other||9007199254740993||||t"},
		{"id as written", `{"id":"\ud800","title":"t"}`, `other||\ud800||||t`},
		{"duplicate key", `{"id":"a","id":"b","title":"t"}`, "other||b||||t"},
		{"no time", `{"time":0,"ts":-1,"date":"soon","title":"t"}`, "other||||||t"},
		{"second time", `{"ts":0,"time":"2026-03-01T10:00:00Z","title":"t"}`, "other||||||t|2026-03-01T10:00:00Z"},
	}
	for _, tt := range tests {
		var got []string
		err := New().Decode(&model.Record{Raw: []byte(tt.in)}, func(e *model.Event) { got = append(got, brief(e)) })
		if err != nil || len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: %s\n got %q, %v\nwant %q", tt.name, tt.in, got, err, tt.want)
		}
	}
}

func TestDecodeAliases(t *testing.T) {
	var got *model.Event
	raw := `{"span_id":"s","message_id":"m","id":"i"}`
	if err := New().Decode(&model.Record{Raw: []byte(raw)}, func(e *model.Event) { got = e }); err != nil {
		t.Fatal(err)
	}
	if got.ID != "i" || strings.Join(got.Aliases, " ") != "s m" {
		t.Errorf("id %q, aliases %q", got.ID, got.Aliases)
	}
}

func TestDecodeNoObject(t *testing.T) {
	for in, want := range map[string]string{
		"null": "null", "42": "a number", `"x"`: "a string", "true": "true", "false": "false",
		"[]": "an array", "[1]": "an array", `[{},1]`: "an array",
	} {
		err := New().Decode(&model.Record{Raw: []byte(in)}, func(*model.Event) { t.Errorf("%s gave an event", in) })
		if err == nil || err.Error() != "not an object: "+want {
			t.Errorf("%s: %v, want it named %s", in, err, want)
		}
	}
}

func TestDecodeArray(t *testing.T) {
	raw := `[ {"id":"a"} , {"id":"b","x":[{}]}]`
	var got []string
	err := New().Decode(&model.Record{Raw: []byte(raw)}, func(e *model.Event) {
		got = append(got, e.ID+raw[e.Span.Offset:e.Span.End()])
	})
	if want := `a{"id":"a"} b{"id":"b","x":[{}]}`; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestClaim(t *testing.T) {
	tests := []struct {
		name, in string
		mode     model.FramingMode
		member   string
		order    model.Order
		events   int
		broken   int
	}{
		{"lines", "{\"a\":1}\n{\"a\":2}\n", model.FrameLines, "", model.OrderArrival, 2, 0},
		{"lines with sequence", "{\"seq\":2}\n{\"seq\":1}\n", model.FrameLines, "", model.OrderSeq, 2, 0},
		{"equal sequences", "{\"seq\":1}\n{\"seq\":1}\n", model.FrameLines, "", model.OrderArrival, 2, 0},
		{"strange sequences", "{\"seq\":7.0}\n{\"seq\":\"8\"}\n{\"seq\":1e3}", model.FrameLines, "", model.OrderSeq, 3, 0},
		{"one sequence missing", "{\"seq\":1}\n{}\n{\"seq\":2}", model.FrameLines, "", model.OrderArrival, 3, 0},
		{"sequence within", "{\"data\":{\"index\":2}}\n{\"data\":{\"index\":1}}\n", model.FrameLines, "", model.OrderSeq, 2, 0},
		{"scalars", "null\n42\n\"x\"\n", model.FrameLines, "", model.OrderArrival, 0, 3},
		{"a log with some JSON", "starting up\n{\"a\":1}\nbye\n", model.FrameLines, "", model.OrderArrival, 1, 2},
		{"array", `[{"id":1},{"id":2}]`, model.FrameElements, "", model.OrderArrival, 2, 0},
		{"array of arrays", `[[{"id":1}],[{"id":2},{"id":3}]]`, model.FrameElements, "", model.OrderArrival, 3, 0},
		{"empty array", `[]`, model.FrameElements, "", model.OrderArrival, 0, 0},
		{"wrapper", `{"info":{},"history":[{"id":1},{"id":2}]}`, model.FrameMember, "history", model.OrderArrival, 2, 0},
		{"two wrappers", `{"data":[{"id":1}],"events":[{"id":1},{"id":2}]}`, model.FrameMember, "events", model.OrderArrival, 2, 0},
		{"no wrapper", `{"events":["a"],"id":1}`, model.FrameLines, "", model.OrderArrival, 1, 0},
		{"one object", "{\n \"a\": {\"x\": 1},\n \"b\": {\"x\": 2}\n}\n", model.FrameValues, "", model.OrderArrival, 1, 0},
		{"objects", "{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n", model.FrameValues, "", model.OrderArrival, 2, 0},
		{"empty object", `{}`, model.FrameLines, "", model.OrderArrival, 1, 0},
	}
	for _, tt := range tests {
		events, broken, s := readOne(t, tt.in)
		if s.Framing.Mode != tt.mode || s.Framing.Member != tt.member || s.Order != tt.order {
			t.Errorf("%s: framing %v, order %v, want %v %q, %v", tt.name, s.Framing, s.Order, tt.mode, tt.member, tt.order)
		}
		if len(events) != tt.events || len(broken) != tt.broken {
			t.Errorf("%s: %d events, %q broken, want %d and %d", tt.name, len(events), broken, tt.events, tt.broken)
		}
		if s.Confidence != 1 || s.Dialect != "generic" || s.Session != "run" || s.Reason == "" {
			t.Errorf("%s: stream %+v", tt.name, s)
		}
		for _, e := range events {
			if e.HasSeq != (tt.order == model.OrderSeq) {
				t.Errorf("%s: HasSeq = %v in a stream of order %v", tt.name, e.HasSeq, s.Order)
			}
		}
	}
	if got := New().Claim(dumpOf("a.txt", "hello", "b.jsonl", "", "c.png", "\x89PNG\r\n\x1a\n"), false); len(got) != 0 {
		t.Errorf("claimed %+v of files without JSON", got)
	}
	if got := New().Claim(dumpOf("a", "{}"), true); len(got) != 1 || got[0].Confidence != 100 {
		t.Errorf("forced: %+v, want confidence 100", got)
	}
}

// TestClaimLongHead has the records' array behind more than the first look.
func TestClaimLongHead(t *testing.T) {
	in := `{"about":"` + strings.Repeat("x", 200<<10) + `","steps":[{"id":1},{"id":2}]}`
	events, _, s := readOne(t, in)
	if s.Framing.Member != "steps" || len(events) != 2 {
		t.Errorf("framing %v, %d events", s.Framing, len(events))
	}
}

func TestSessions(t *testing.T) {
	repeat := func(text string) string { return strings.Repeat(text, 10) }
	tests := []struct{ name, in, want string }{
		{"none", `{"id":1}`, ""},
		{"by session", repeat("{\"session_id\":\"s\",\"run_id\":\"r\"}\n"), "s"},
		{"the most telling of the first records", "{\"run_id\":\"r\"}\n{\"session_id\":\"s\"}\n", " s"},
		{"names requests, not runs", "{\"trace_id\":1}\n{\"trace_id\":2}\n{\"trace_id\":3}\n{\"trace_id\":4}\n{\"trace_id\":5}\n{\"trace_id\":6}\n{\"trace_id\":7}\n{\"trace_id\":8}\n", ""},
		{"within", repeat("{\"payload\":{\"thread_id\":\"t\"}}\n"), "t"},
	}
	for _, tt := range tests {
		events, _, _ := readOne(t, tt.in)
		var got []string
		for _, e := range events {
			if len(got) == 0 || got[len(got)-1] != e.Session {
				got = append(got, e.Session)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: sessions %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSessionNames(t *testing.T) {
	files := []model.File{{Name: "a/run.jsonl.gz"}, {Name: "b/events.json"}, {Name: "c/events.json"}, {Name: "d/x.json"}, {Name: "d/x.jsonl"}, {Name: ".json"}, {Name: "v1.2"}}
	want := []string{"run", "b/events", "c/events", "d/x.json", "d/x.jsonl", ".json", "v1.2"}
	for i, got := range sessionNames(files) {
		if got != want[i] {
			t.Errorf("%s: session %q, want %q", files[i].Name, got, want[i])
		}
	}
}

func TestTitle(t *testing.T) {
	long := strings.Repeat("wörter ", 2000)
	escaped := `{"message":"` + strings.Repeat(`\"\ud83d\ude00`, 2000) + `"}`
	for _, in := range []string{`{"message":"` + long + `"}`, escaped, `{"x":"` + long + `"}`, `{"tool":"t","type":"tool_call","args":"` + long + `"}`} {
		var got string
		err := New().Decode(&model.Record{Raw: []byte(in)}, func(e *model.Event) { got = e.Title })
		if err != nil || len(got) > model.TitleLimit || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") || len(got) < model.TitleLimit-8 {
			t.Errorf("title of %.40q is %q (%d bytes), %v", in, got, len(got), err)
		}
	}
}

func TestLinker(t *testing.T) {
	l := New().NewLinker(nil, "s")
	link := func(e model.Event) model.Event { l.Link(&e, nil); return e }
	link(model.Event{Pos: 1, Kind: model.KindMessage, Title: "fix it"})
	link(model.Event{Session: "s", Pos: 2, Seq: 20, ID: "e2", Kind: model.KindAction, Call: "c", Tool: "bash"})
	link(model.Event{Pos: 3, Kind: model.KindAction, Call: "d"})
	state, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	l = New().NewLinker(nil, "s")
	if err := l.Load(state); err != nil {
		t.Fatal(err)
	}
	got := link(model.Event{Session: "s", Pos: 4, Kind: model.KindObservation, Call: "c"})
	want := model.Link{Reason: model.ReasonAction, ToID: "e2", To: model.Ref{Session: "s", Seq: 20, Pos: 2, ID: "e2"}}
	if got.Tool != "bash" || len(got.Links) != 1 || got.Links[0] != want {
		t.Errorf("result: %+v, want a link to the call", got)
	}
	if other := link(model.Event{Pos: 5, Kind: model.KindObservation, Call: "x"}); other.Links != nil {
		t.Errorf("a result without call has links: %+v", other.Links)
	}
	if s := l.Summary(); s.OpenCalls != 1 || s.Title != "fix it" {
		t.Errorf("summary %+v, want one open call", s)
	}
	if err := l.Load([]byte("{")); err == nil {
		t.Error("a broken state was loaded")
	}
}

// TestSharedData reads every file of JSON in the collection of real dumps.
func TestSharedData(t *testing.T) {
	root := sharedData(t)
	files, events := 0, 0
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || entry.IsDir() || ext != ".json" && ext != ".jsonl" && ext != ".traj" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(strings.TrimSpace(string(text))) == 0 {
			return err
		}
		streams := New().Claim(dumpOf("f.json", string(text)), false)
		if len(streams) != 1 {
			t.Errorf("%s: %d streams", path, len(streams))
			return nil
		}
		got, broken := read(t, string(text), &streams[0])
		if len(got) == 0 && len(broken) == 0 && len(text) > 200 {
			t.Errorf("%s: %v of %d bytes gives nothing", path, streams[0].Framing, len(text))
		}
		files++
		events += len(got)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 900 || events < files {
		t.Errorf("%d files with %d events: the collection was not read", files, events)
	}
	t.Logf("%d files, %d events", files, events)
}

// sharedData finds the collection of real dumps beside the project's folder.
func sharedData(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			data := filepath.Join(dir, "..", "shared", "data")
			if _, err := os.Stat(data); err != nil {
				t.Skip("the collection of real dumps, ../shared/data, is not here")
			}
			return data
		}
		dir = filepath.Dir(dir)
	}
	t.Skip("no go.mod above: cannot find ../shared/data")
	return ""
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"id":"a","data":{"type":"x","error":{"message":"m"}},"content":[{"text":"t"}]}`))
	f.Add([]byte(`[{"id":1},{"ts":1772359200}]`))
	f.Add([]byte("{\"a\":1}\n{\"seq\":2,\"session_id\":\"\\ud800\"}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range New().Claim(dumpOf("f", string(b)), false) {
			events, _ := read(t, string(b), &s)
			for _, e := range events {
				if len(e.Title) > model.TitleLimit || strings.ContainsAny(e.Title, "\n\r") {
					t.Fatalf("title %q", e.Title)
				}
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	raw := []byte(`{"id":"evt-1","timestamp":"2026-03-01T10:00:00.123456Z","type":"tool_result","seq":7,"session_id":"s","call_id":"c","parent_id":"p","data":{"exit_code":0,"output":"` + strings.Repeat(`line of output\n`, 250) + `"}}`)
	rec := &model.Record{Raw: raw}
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if err := New().Decode(rec, func(*model.Event) {}); err != nil {
			b.Fatal(err)
		}
	}
}
