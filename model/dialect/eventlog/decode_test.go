package eventlog

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

func TestTitleKindOutcome(t *testing.T) {
	for _, c := range []struct {
		name, typ, payload string
		kind               model.Kind
		outcome            model.Outcome
		source, tool, want string
	}{
		{"user", "UserInput", `{"content":"\n  Fix the port.\nThen test."}`, model.KindMessage, model.OutcomeOK, "user", "", "user: Fix the port.…"},
		{"user parts", "UserInput", `{"content":[{"type":"image"},{"type":"text","text":"Look here"}]}`, model.KindMessage, model.OutcomeOK, "user", "", "user: Look here"},
		{"user empty", "UserInput", `{}`, model.KindMessage, model.OutcomeOK, "user", "", "user: "},
		{"respond", "AgentAction", `{"action_type":"respond","params":{"content":"Done."}}`, model.KindMessage, model.OutcomeOK, "agent", "", "agent: Done."},
		{"read", "AgentAction", `{"action_type":"read_file","params":{"limit":3,"path":"config/app.yaml"}}`, model.KindAction, model.OutcomeOK, "agent", "read_file", "read_file config/app.yaml"},
		{"bash", "AgentAction", `{"action_type":"bash","params":{"path":"x","command":"go test ./...\necho done"}}`, model.KindAction, model.OutcomeOK, "agent", "bash", "bash go test ./...…"},
		{"move", "AgentAction", `{"action_type":"move_file","params":{"from":"a","to":"b"}}`, model.KindAction, model.OutcomeOK, "agent", "move_file", "move_file a -> b"},
		{"tasks", "AgentAction", `{"action_type":"update_tasks","params":{"tasks":[{},{},{}]}}`, model.KindAction, model.OutcomeOK, "agent", "update_tasks", "update_tasks 3 tasks"},
		{"own tool", "AgentAction", `{"action_type":"deploy","params":{"to":"x","n":1,"stage":"blue"}}`, model.KindAction, model.OutcomeOK, "agent", "deploy", "deploy x"},
		{"no params", "AgentAction", `{"action_type":"wait"}`, model.KindAction, model.OutcomeOK, "agent", "wait", "wait"},
		{"no action type", "AgentAction", `{}`, model.KindAction, model.OutcomeOK, "agent", "", "AgentAction"},
		{"result lines", "ToolResult", `{"tool_name":"read_file","status":"ok","output":"a\nb\nc\n"}`, model.KindObservation, model.OutcomeOK, "tool", "read_file", "read_file ok 3 lines"},
		{"result line", "ToolResult", `{"tool_name":"write_file","status":"ok","output":"wrote 12 lines\n"}`, model.KindObservation, model.OutcomeOK, "tool", "write_file", "write_file ok: wrote 12 lines"},
		{"result silent", "ToolResult", `{"tool_name":"write_file","status":"ok","output":""}`, model.KindObservation, model.OutcomeOK, "tool", "write_file", "write_file ok"},
		{"exit", "ToolResult", `{"tool_name":"bash","status":"error","exit_code":1,"error":"exit code 1","output":"ok  a\n--- FAIL: TestPort\nFAIL"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash exit 1: --- FAIL: TestPort"},
		{"exit beats ok", "ToolResult", `{"tool_name":"bash","status":"ok","exit_code":2,"output":"nothing of note"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash exit 2: nothing of note"},
		{"exit only", "ToolResult", `{"tool_name":"bash","exit_code":0,"output":"x"}`, model.KindObservation, model.OutcomeOK, "tool", "bash", "bash exit 0: x"},
		{"timeout", "ToolResult", `{"tool_name":"bash","status":"timeout","error":"Error:\nno answer after 30 s"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash timeout: no answer after 30 s"},
		{"denied", "ToolResult", `{"tool_name":"bash","status":"denied"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash denied"},
		{"only boilerplate", "ToolResult", `{"tool_name":"bash","status":"failed","error":"Exit code 1"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash failed: Exit code 1"},
		{"traceback", "ToolResult", `{"tool_name":"bash","status":"error","output":"Traceback (most recent call last):\n  File \"a.py\", line 3\nValueError: bad port"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash error: ValueError: bad port"},
		{"compiler", "ToolResult", `{"tool_name":"bash","status":"error","exit_code":1,"error":"exit code 1","output":"# greeter\n./config.go:27:9: not enough return values\n\twant (config, error)"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash exit 1: ./config.go:27:9: not enough return values"},
		{"address is no place", "ToolResult", `{"tool_name":"bash","status":"error","output":"asking http://127.0.0.1:80:\n2026/03/02 09:14:31 up\nconnection refused"}`, model.KindObservation, model.OutcomeFailed, "tool", "bash", "bash error: connection refused"},
		{"unsaid", "ToolResult", `{"tool_name":"bash","output":"hello"}`, model.KindObservation, model.OutcomeUnknown, "tool", "bash", "bash no status: hello"},
		{"status null", "ToolResult", `{"tool_name":"bash","status":null}`, model.KindObservation, model.OutcomeUnknown, "tool", "bash", "bash no status"},
		{"session", "SessionEvent", `{"state":"running","reason":"resumed by user"}`, model.KindSession, model.OutcomeOK, "runtime", "", "session running (resumed by user)"},
		{"session plain", "SessionEvent", `{"state":"crashed","reason":null}`, model.KindSession, model.OutcomeOK, "runtime", "", "session crashed"},
		{"rebuilt", "SessionEvent", `{"state":"context_rebuilt","reason":"window","kept_event_ids":["a","b"]}`, model.KindSession, model.OutcomeOK, "runtime", "", "session context_rebuilt, keeps 2 events (window)"},
		{"checkpoint", "Checkpoint", `{"snapshot_id":"snap_3","base_event_seq":86}`, model.KindCheckpoint, model.OutcomeOK, "runtime", "", "checkpoint snap_3 at 86"},
		{"error", "SystemError", `{"error_code":"disk_warning","message":"read timeout"}`, model.KindError, model.OutcomeFailed, "system", "", "disk_warning: read timeout"},
		{"error code number", "SystemError", `{"error_code":503}`, model.KindError, model.OutcomeFailed, "system", "", "503"},
		{"error bare", "SystemError", `{}`, model.KindError, model.OutcomeFailed, "system", "", "system error"},
		{"other", "AgentHeartbeat", `{"name":"beat 3"}`, model.KindOther, model.OutcomeOK, "", "", "AgentHeartbeat: beat 3"},
		{"payload of text", "UserInput", `"hello"`, model.KindMessage, model.OutcomeOK, "user", "", "user: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := decodeAll(t, `{"event_id":"e","event_type":"`+c.typ+`","sequence":1,"payload":`+c.payload+`}`)[0]
			if e.Title != c.want {
				t.Errorf("title %q, want %q", e.Title, c.want)
			}
			if e.Kind != c.kind || e.Outcome != c.outcome || e.Source != c.source || e.Tool != c.tool {
				t.Errorf("kind %v outcome %v source %q tool %q, want %v %v %q %q", e.Kind, e.Outcome, e.Source, e.Tool, c.kind, c.outcome, c.source, c.tool)
			}
		})
	}
}

func TestSequence(t *testing.T) {
	for _, c := range []struct {
		text string
		seq  int64
		has  bool
	}{
		{`7`, 7, true}, {`7.0`, 7, true}, {`1e3`, 1000, true}, {`"7"`, 7, true}, {`-1`, -1, true}, {`1000000000000`, 1e12, true},
		{`7.5`, 0, false}, {`null`, 0, false}, {`true`, 0, false}, {`[]`, 0, false}, {`1e400`, 0, false}, {`9223372036854775808`, 0, false},
	} {
		e := decodeAll(t, `{"event_type":"UserInput","sequence":`+c.text+`}`)[0]
		if e.HasSeq != c.has || c.has && e.Seq != c.seq {
			t.Errorf("sequence %s: %d %v, want %d %v", c.text, e.Seq, e.HasSeq, c.seq, c.has)
		}
	}
	if e := decodeAll(t, `{"event_type":"UserInput"}`)[0]; e.HasSeq {
		t.Error("an absent sequence was taken for one")
	}
}

func TestIdentity(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"evt_1"`, "evt_1"}, {`9007199254740993`, "9007199254740993"}, {`9007199254740992`, "9007199254740992"},
		{`7`, "7"}, {`"007"`, "007"}, {`1.0`, "1.0"}, {`null`, ""}, {`"\ud800"`, `\ud800`}, {`"\ud801"`, `\ud801`},
		{`"a\u0000b"`, "a\x00b"}, {`["a"]`, `["a"]`}, {`true`, "true"}, {`"\u0065vt"`, "evt"},
	} {
		e := decodeAll(t, `{"event_type":"UserInput","sequence":1,"event_id":`+c.text+`}`)[0]
		if e.ID != c.want {
			t.Errorf("event_id %s: %q, want %q", c.text, e.ID, c.want)
		}
	}
}

// Keys match by exact case, and of duplicates the last wins (C-121, C-122).
func TestKeys(t *testing.T) {
	e := decodeAll(t, `{"event_id":"a","event_id":"b","EVENT_ID":"c","Event_Id":"d","event_type":"UserInput","Sequence":5,"sequence":4,"payload":{"Content":"no","content":"yes"}}`)[0]
	if e.ID != "b" || e.Seq != 4 || e.Title != "user: yes" {
		t.Errorf("id %q seq %d title %q", e.ID, e.Seq, e.Title)
	}
}

func TestNoEvent(t *testing.T) {
	for _, raw := range []string{`{}`, `{"a":1}`, `{"session_id":"s"}`, `[]`, `null`, `42`, `"x"`, `true`} {
		rec := &model.Record{Stream: &model.Stream{}, Raw: []byte(raw)}
		err := New().Decode(rec, func(e *model.Event) { t.Errorf("%s became an event %q", raw, e.Title) })
		if err == nil || !strings.HasPrefix(err.Error(), "not an event: ") {
			t.Errorf("%s: error %v", raw, err)
		}
	}
}

func TestSessionName(t *testing.T) {
	decode := func(s *model.Stream, name, raw string) string {
		var got string
		rec := &model.Record{Stream: s, Name: name, Raw: []byte(raw)}
		if err := New().Decode(rec, func(e *model.Event) { got = e.Session }); err != nil {
			t.Fatal(err)
		}
		return got
	}
	one, many := &model.Stream{Session: "run"}, &model.Stream{Session: "run", Meta: sessionByFile(true)}
	for _, c := range []struct {
		s               *model.Stream
		name, raw, want string
	}{
		{one, "run.jsonl", `{"event_type":"UserInput","event_id":"a"}`, ""},
		{one, "run.jsonl", `{"event_type":"UserInput","event_id":"a","session_id":"run"}`, ""},
		{one, "run.jsonl", `{"event_type":"UserInput","event_id":"a","session_id":"s1"}`, "s1"},
		{one, "run.jsonl", `{"event_type":"UserInput","event_id":"a","session_id":17}`, "17"},
		{one, "run.jsonl", `{"event_type":"UserInput","event_id":"a","session_id":null}`, ""},
		{many, "x/second.jsonl.gz", `{"event_type":"UserInput","event_id":"a"}`, "second"},
		{many, "-", `{"event_type":"UserInput","event_id":"a"}`, "stdin"},
		{many, ".hidden", `{"event_type":"UserInput","event_id":"a"}`, ".hidden"},
	} {
		if got := decode(c.s, c.name, c.raw); got != c.want {
			t.Errorf("%s %s: session %q, want %q", c.name, c.raw, got, c.want)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, c := range []struct {
		text string
		want *model.Usage
	}{
		{`{"input_tokens":120,"output_tokens":40,"cost_usd":0.25}`, &model.Usage{Input: 120, Output: 40, CostUSD: 0.25, Told: model.ToldInput | model.ToldOutput | model.ToldCost}},
		{`{"cost_usd":0.5}`, &model.Usage{CostUSD: 0.5, Told: model.ToldCost}},
		{`{"input_tokens":1e400}`, nil}, {`{"cost_usd":1e400}`, nil}, {`{}`, nil}, {`null`, nil}, {`{"input_tokens":-4}`, nil},
	} {
		e := decodeAll(t, `{"event_type":"AgentAction","sequence":1,"payload":{"action_type":"respond","usage":`+c.text+`}}`)[0]
		switch {
		case (e.Usage == nil) != (c.want == nil):
			t.Errorf("usage %s: %v, want %v", c.text, e.Usage, c.want)
		case e.Usage != nil && *e.Usage != *c.want:
			t.Errorf("usage %s: %+v, want %+v", c.text, *e.Usage, *c.want)
		}
	}
}

func TestTitleLimit(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"ascii", strings.Repeat("a", 5000)},
		{"three bytes a rune", strings.Repeat("数", 400)},
		{"four bytes a rune", "a" + strings.Repeat("🙂", 400)},
		{"escapes", strings.Repeat(`\u6570`, 400)},
		{"spaces before", strings.Repeat(" ", 159) + strings.Repeat("é", 200)},
		{"pairs", strings.Repeat(`\ud83d\ude42`, 300)},
	} {
		e := decodeAll(t, `{"event_type":"UserInput","sequence":1,"payload":{"content":"`+c.text+`"}}`)[0]
		if len(e.Title) > model.TitleLimit || !strings.HasSuffix(e.Title, "…") || !utf8.ValidString(e.Title) {
			t.Errorf("%s: title of %d bytes: %q", c.name, len(e.Title), e.Title)
		}
	}
	exact := "user: " + strings.Repeat("a", model.TitleLimit-len("user: "))
	if e := decodeAll(t, `{"event_type":"UserInput","sequence":1,"payload":{"content":"`+exact[6:]+`"}}`)[0]; e.Title != exact {
		t.Errorf("a title that just fits became %q", e.Title)
	}
}

// A name of the dump may hold anything, and a title stays one line.
func TestTitleStaysOneLine(t *testing.T) {
	events, _ := linkAll(t, `{"event_id":"a","event_type":"AgentAction","sequence":1,"payload":{"action_type":"b\nc"}}`+
		`{"event_id":"r","event_type":"ToolResult","sequence":2,"source_event_id":"a","payload":{"status":"ok"}}`+
		`{"event_id":"x","event_type":"y\nz","sequence":3,"payload":{}}`)
	for i, want := range []string{"b c", "b c ok", "y z"} {
		if events[i].Title != want {
			t.Errorf("title %q, want %q", events[i].Title, want)
		}
	}
}

func TestCountLines(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{`""`, 0}, {`"a"`, 1}, {`"a\n"`, 1}, {`"a\nb"`, 2}, {`"\n"`, 1}, {`"\n\n"`, 2}, {`"a\\nb"`, 1}, {`"a\\\nb"`, 2},
		{`"a\u000ab"`, 2}, {`"a\u000Ab\""`, 2}, {`"\t"`, 1}, {`7`, 0}, {`null`, 0}, {`"\ud83d\ude42\nx"`, 2}, {`"\ud800\n\n"`, 2},
	} {
		if got := countLines([]byte(c.text)); got != c.want {
			t.Errorf("countLines(%s) = %d, want %d", c.text, got, c.want)
		}
	}
}

// FuzzDecode: whatever JSON comes, decoding neither panics nor breaks the
// limits of what it emits, and the lines of a text are those of its decoding.
func FuzzDecode(f *testing.F) {
	for _, payload := range []string{
		`{"content":"a\nb"}`, `{"action_type":"bash","params":{"command":"x"}}`, `{"tool_name":"bash","status":"error","output":"\ud800\n\\"}`,
		`{"state":"x","kept_event_ids":[1]}`, `{"snapshot_id":[],"base_event_seq":1e3}`, `{"error_code":{},"message":"m"}`,
	} {
		for _, typ := range []string{typeUser, typeAction, typeResult, typeSession, typeCheckpoint, typeError, "X"} {
			f.Add([]byte(`{"event_id":"e","event_type":"` + typ + `","sequence":1,"source_event_id":"d","payload":` + payload + `}`))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		start, end, err := jsonscan.Value(raw)
		if err != nil {
			return
		}
		rec := &model.Record{Stream: &model.Stream{Session: "s"}, Raw: raw[start:end]}
		_ = New().Decode(rec, func(e *model.Event) {
			if len(e.Title) > model.TitleLimit || strings.ContainsRune(e.Title, '\n') {
				t.Errorf("title of %d bytes: %q", len(e.Title), e.Title)
			}
			New().NewLinker(rec.Stream, "s").Link(e, &fakeLookup{})
		})
		checkLines(t, raw[start:end])
		checkMembers(t, raw[start:end])
	})
}

func checkLines(t *testing.T, v []byte) {
	text, ok := jsonscan.Text(v)
	if !ok {
		return
	}
	want := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		want = nil
	}
	if got := countLines(v); got != len(want) {
		t.Errorf("countLines(%s) = %d, want %d", v, got, len(want))
	}
	l := linesOf(v)
	for _, w := range want {
		got, ok := l.next(nil, len(v))
		if !ok || string(got) != strings.TrimSuffix(w, "\r") {
			t.Errorf("line of %s: %q, want %q", v, got, w)
		}
	}
}

// checkMembers: the walker sees what jsonscan.Fields sees.
func checkMembers(t *testing.T, v []byte) {
	var got, want []string
	members(v, func(key, value []byte) { got = append(got, string(key), string(value)) })
	jsonscan.Fields(v, func(key string, value []byte) bool {
		want = append(want, key, string(value))
		return true
	})
	if !slices.Equal(got, want) {
		t.Errorf("members of %s: %q, want %q", v, got, want)
	}
}
