package opencode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// script writes a log by hand, a row after another.
type script struct {
	rows []string
	time int
}

func (s *script) add(typ, data string) {
	s.rows = append(s.rows, fmt.Sprintf(`{"id":"evt_%012dAAAAAAAAAAAAAA","aggregate_id":"ses_1","seq":%d,"type":"%s.1","data":%s}`, len(s.rows), len(s.rows), typ, data))
}

// begin makes the session.
func begin() *script {
	s := &script{time: 1_700_000_000_000}
	s.session("created", "")
	return s
}

// session writes the whole session, with more members.
func (s *script) session(what, more string) {
	s.add("session."+what, fmt.Sprintf(`{"sessionID":"ses_1","info":{"id":"ses_1","slug":"a","projectID":"p","directory":"/w","title":"t","version":"1.18.34"%s,"time":{"created":1,"updated":%d}}}`, more, s.time))
}

// message writes a message; its time is that of its first row.
func (s *script) message(id, members string) {
	created := s.time
	for i, r := range s.rows {
		if strings.Contains(r, `"info":{"id":"`+id+`"`) {
			created = 1_700_000_000_000 + i + 1
			break
		}
	}
	if created == s.time {
		created = 1_700_000_000_000 + len(s.rows) + 1
	}
	s.add("message.updated", fmt.Sprintf(`{"sessionID":"ses_1","info":{"id":"%s","sessionID":"ses_1",%s,"time":{"created":%d}}}`, id, members, created))
}

func (s *script) user(id string) { s.message(id, `"role":"user"`) }
func (s *script) answer(id, members string) {
	s.message(id, `"role":"assistant","path":{"cwd":"/w"}`+members)
}
func (s *script) part(id, msg, members string) {
	s.add("message.part.updated", fmt.Sprintf(`{"sessionID":"ses_1","part":{"id":"%s","messageID":"%s","sessionID":"ses_1",%s},"time":%d}`, id, msg, members, s.time))
}

func (s *script) text(id, msg, text string) {
	s.part(id, msg, fmt.Sprintf(`"type":"text","text":%q,"time":{"start":1700000000000,"end":1700000000009}`, text))
}

// call writes a call that runs and comes to its end.
func (s *script) call(id, msg, tool, input, result string) {
	s.part(id, msg, fmt.Sprintf(`"type":"tool","callID":"call_%s","tool":%q,"state":{"status":"running","input":%s,"time":{"start":1700000000000}}`, id, tool, input))
	if result != "" {
		s.result(id, msg, tool, input, result)
	}
}

func (s *script) result(id, msg, tool, input, result string) {
	s.part(id, msg, fmt.Sprintf(`"type":"tool","callID":"call_%s","tool":%q,"state":{"input":%s,%s}`, id, tool, input, result))
}

// turn writes a prompt and an answer.
func (s *script) turn(n string) {
	s.user("msg_" + n + "a")
	s.text("prt_"+n+"a", "msg_"+n+"a", "ask "+n)
	s.answer("msg_"+n+"b", "")
	s.part("prt_"+n+"b0", "msg_"+n+"b", `"type":"step-start"`)
	s.text("prt_"+n+"b1", "msg_"+n+"b", "say "+n)
	s.answer("msg_"+n+"b", `,"finish":"stop"`)
}

func (s *script) read(t *testing.T) *trial.Session {
	t.Helper()
	return importAll(t, trial.NewDump(map[string]string{"rows.json": "[" + strings.Join(s.rows, ",\n") + "]"}))["ses_1"]
}

func (s *script) fold(t *testing.T) *folded {
	t.Helper()
	r := s.read(t)
	if r == nil || len(r.Events) != len(s.rows) {
		t.Fatalf("the rows did not open: %+v", r)
	}
	return &folded{r.Fold(t, false)}
}

// said is the request that would go out after the last row, a line a message.
func (f *folded) said(pos int) (lines []string, exact bool) {
	c := New().(model.Teller).Messages(f.Viewed(int64(pos)), true)
	for _, m := range c.Messages {
		lines = append(lines, m.Role.String()+": "+m.Text)
	}
	return lines, c.Exact
}

func (f *folded) wantSaid(t *testing.T, want ...string) {
	t.Helper()
	got, exact := f.said(len(f.Events))
	if !slices.Equal(got, want) || !exact {
		t.Errorf("request (exact %v):\n%s\nwant:\n%s", exact, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func (s *script) compaction(n string) {
	s.user("msg_" + n)
	s.part("prt_"+n, "msg_"+n, `"type":"compaction","auto":true`)
	s.answer("msg_"+n+"s", `,"summary":true,"parentID":"msg_`+n+`"`)
	s.text("prt_"+n+"s", "msg_"+n+"s", "sum "+n)
}

func (s *script) summed(n string) {
	s.answer("msg_"+n+"s", `,"summary":true,"finish":"stop","parentID":"msg_`+n+`"`)
}

func (s *script) tail(n, from string) {
	s.part("prt_"+n, "msg_"+n, `"type":"compaction","auto":true,"tail_start_id":"`+from+`"`)
}

func TestCompaction(t *testing.T) {
	s := begin()
	s.turn("1")
	s.turn("2")
	s.compaction("3")
	s.fold(t).wantSaid(t, "user: ask 1", "assistant: say 1", "user: ask 2", "assistant: say 2", "user: "+askedFor, "assistant: sum 3")
	s.summed("3")
	s.fold(t).wantSaid(t, "user: "+askedFor, "assistant: sum 3")
	s.tail("3", "msg_2a")
	s.turn("4")
	f := s.fold(t)
	f.wantSaid(t, "user: "+askedFor, "assistant: sum 3", "user: ask 2", "assistant: say 2", "user: ask 4", "assistant: say 4")
	if got := f.Cell(t, int64(len(f.Events)), "/checkpoint").(map[string]any)["id"]; got != "prt_3" {
		t.Errorf("checkpoint %v", got)
	}
	s.compaction("5")
	s.summed("5")
	s.tail("5", "msg_4b")
	s.fold(t).wantSaid(t, "user: "+askedFor, "assistant: sum 5", "assistant: say 4")
}

// The chain of causes goes through a compaction: the request for it came of what
// filled the context, and the prompt that lets the run go on of the summary.
func TestCausesGoThroughACompaction(t *testing.T) {
	s := begin()
	s.turn("1")
	s.compaction("2")
	s.summed("2")
	s.user("msg_3")
	s.part("prt_3", "msg_3", `"type":"text","synthetic":true,"text":"Continue.","time":{"start":1700000000000,"end":1700000000009}`)
	f := s.fold(t)
	source := func(e *model.Event) string {
		for _, l := range e.Links {
			if l.Reason == model.ReasonSource {
				return fmt.Sprint(f.Events[l.To.Pos-1].Title, " ", l.Inferred)
			}
		}
		return ""
	}
	asked, prompt := 0, len(f.Events)-1
	for i, e := range f.Events {
		if e.Title == "compaction requested (auto)" {
			asked = i
		}
	}
	if got := source(f.Events[asked]); got != "assistant: say 1 true" {
		t.Errorf("the request came of %q", got)
	}
	if e := f.Events[prompt]; e.Kind != model.KindMessage || e.Source != "synthetic" {
		t.Errorf("a prompt that nobody typed is a %s of %q", e.Kind, e.Source)
	}
	if got := source(f.Events[prompt]); got != "compaction: a summary stands for what came before true" {
		t.Errorf("the prompt came of %q", got)
	}
}

// A compaction that fails leaves its question where it was asked.
func TestCompactionThatFails(t *testing.T) {
	s := begin()
	s.turn("1")
	s.compaction("2")
	s.answer("msg_2s", `,"summary":true,"parentID":"msg_2","error":{"name":"APIError","data":{"message":"no","statusCode":500}}`)
	s.turn("3")
	s.fold(t).wantSaid(t, "user: ask 1", "assistant: say 1", "user: "+askedFor, "user: ask 3", "assistant: say 3")
}

// A tail that names nothing takes nothing out.
func TestTailThatIsNotThere(t *testing.T) {
	s := begin()
	s.turn("1")
	s.compaction("2")
	s.summed("2")
	s.tail("2", "msg_x")
	s.fold(t).wantSaid(t, "user: ask 1", "assistant: say 1", "user: "+askedFor, "assistant: sum 2")
}

func TestCallsThatDoNotEnd(t *testing.T) {
	s := begin()
	s.user("msg_1")
	s.text("prt_1", "msg_1", "go")
	s.answer("msg_2", "")
	s.part("prt_20", "msg_2", `"type":"step-start"`)
	s.part("prt_21", "msg_2", `"type":"tool","callID":"call_prt_21","tool":"bash","state":{"status":"pending","input":{},"raw":""}`)
	s.call("prt_22", "msg_2", "bash", `{"command":"ls"}`, "")
	s.call("prt_23", "msg_2", "bash", `{"command":"pwd"}`, `"status":"completed","output":"/w","metadata":{"exit":0},"time":{"start":1700000000000,"end":1700000000009}`)
	s.call("prt_24", "msg_2", "bash", `{"command":"x"}`, `"status":"error","error":"stopped","metadata":{"interrupted":true,"output":"half"},"time":{"start":1700000000000,"end":1700000000009}`)
	f := s.fold(t)
	f.wantSaid(t, "user: go", "assistant: ", "tool: "+callInterrupted, "tool: "+callInterrupted, "tool: /w", "tool: half")
	var open []string
	for path := range f.Log.At(int64(len(f.Events))) {
		if name, ok := strings.CutPrefix(path, model.PathPending+"/"); ok {
			open = append(open, name)
		}
	}
	slices.Sort(open)
	if !slices.Equal(open, []string{"call_prt_21", "call_prt_22"}) {
		t.Errorf("open calls: %v", open)
	}
}

func TestErrors(t *testing.T) {
	s := begin()
	s.turn("1")
	for n, err := range []string{`{"name":"APIError","data":{"message":"no","statusCode":400}}`, `{"name":"MessageAbortedError","data":{"message":"stop"}}`} {
		for _, said := range []string{"text", "reasoning"} {
			id := fmt.Sprintf("msg_%d%s", n+2, said)
			s.answer(id, "")
			s.part("prt_"+id, id, `"type":"`+said+`","text":"half `+id+`","time":{"start":1700000000000,"end":1700000000009}`)
			s.answer(id, `,"error":`+err)
		}
	}
	f := s.fold(t)
	f.wantSaid(t, "user: ask 1", "assistant: say 1", "assistant: half msg_3text")
	if got := f.Cell(t, int64(len(f.Events)), "/status/execution"); got != "interrupted" {
		t.Errorf("status %v", got)
	}
}

const done = `"status":"completed","output":"ok","time":{"start":1700000000000,"end":1700000000009},"metadata":{}`

func TestRevert(t *testing.T) {
	s := begin()
	s.turn("1")
	s.call("prt_1b2", "msg_1b", "write", `{"filePath":"/w/a","content":"one\n"}`, done)
	s.call("prt_1b3", "msg_1b", "bash", `{"command":"seq 9"}`, `"status":"completed","output":"9","time":{"start":1700000000000,"end":1700000000009},"metadata":{"exit":0}`)
	s.turn("2")
	s.call("prt_2b2", "msg_2b", "write", `{"filePath":"/w/a","content":"two\n"}`, done)
	s.call("prt_2b3", "msg_2b", "write", `{"filePath":"/outside","content":"out\n"}`, done)
	s.part("prt_2b4", "msg_2b", `"type":"patch","hash":"h","files":["/w/a"]`)
	s.result("prt_1b3", "msg_1b", "bash", `{"command":"seq 9"}`, `"status":"completed","output":"9","time":{"start":1700000000000,"end":1700000000009,"compacted":1700000000010},"metadata":{"exit":0}`)
	before := len(s.rows)
	s.session("updated", `,"revert":{"messageID":"msg_2a","snapshot":"x"}`)
	staged := len(s.rows)
	s.session("updated", "")
	undone := len(s.rows)
	s.session("updated", `,"revert":{"messageID":"msg_2a","snapshot":"x"}`)
	for _, id := range []string{"msg_2a", "msg_2b"} {
		s.add("message.removed", `{"sessionID":"ses_1","messageID":"`+id+`"}`)
	}
	s.session("updated", "")
	f := s.fold(t)
	first := []string{"user: ask 1", "assistant: say 1", "tool: ok", "tool: " + outputCleared}
	whole := append(slices.Clone(first), "user: ask 2", "assistant: say 2", "tool: ok", "tool: ok")
	for _, w := range []struct {
		pos  int
		said []string
		file string
	}{{before, whole, "two\n"}, {staged, first, "one\n"}, {undone, whole, "two\n"}, {len(s.rows), first, "one\n"}} {
		if got, _ := f.said(w.pos); !slices.Equal(got, w.said) {
			t.Errorf("after row %d: %q, want %q", w.pos, got, w.said)
		}
		if text, _, ok := f.File(t, int64(w.pos), "/w/a"); !ok || *text != w.file {
			t.Errorf("file after row %d: %v, want %q", w.pos, text, w.file)
		}
		if text, _, ok := f.File(t, int64(w.pos), "/outside"); !ok || *text != "out\n" {
			t.Errorf("file outside of the work tree after row %d: %v", w.pos, text)
		}
	}
}

// Partial rows of older versions keep what they do not name.
func TestPartialSession(t *testing.T) {
	s := begin()
	s.add("session.updated", `{"sessionID":"ses_1","info":{"title":"new"}}`)
	s.add("session.updated", `{"sessionID":"ses_1","info":{"agent":"plan","share":{"url":"u","secret":"no"}}}`)
	s.add("session.updated", `{"sessionID":"ses_1","info":{"share":null}}`)
	f := s.fold(t)
	got := f.Cell(t, int64(len(s.rows)), "/vars/session")
	want := map[string]any{"title": "new", "agent": "plan", "slug": "a", "projectID": "p", "directory": "/w", "version": "1.18.34"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if b, _ := json.Marshal(f.Log.At(3)); strings.Contains(string(b), "no") && strings.Contains(string(b), "secret") {
		t.Error("a secret is in the state")
	}
}

// TestStops folds every sample again with the working state saved and loaded
// before each row.
func TestStops(t *testing.T) {
	s := begin()
	s.turn("1")
	s.compaction("2")
	s.summed("2")
	s.tail("2", "msg_1b")
	s.call("prt_9", "msg_2s", "bash", `{"command":"ls"}`, done)
	r := s.read(t)
	if a, b := r.Fold(t, false), r.Fold(t, true); !reflect.DeepEqual(a.Effects, b.Effects) || !reflect.DeepEqual(a.Views, b.Views) {
		t.Error("a fold that stops differs")
	}
}

// Parts without their message are left of one that was removed: its commands
// ran, but nobody has in view what it said, and its files were taken back.
func TestPartsWithoutTheirMessage(t *testing.T) {
	files := map[string]string{
		"storage/session/p/ses_1.json":     `{"id":"ses_1","projectID":"p","directory":"/w","title":"t","version":"1.1.65","time":{"created":1700000000000,"updated":1700000000001}}`,
		"storage/message/ses_1/msg_1.json": `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1700000000001}}`,
	}
	part := func(id, msg, members string) {
		files["storage/part/"+msg+"/"+id+".json"] = `{"id":"` + id + `","sessionID":"ses_1","messageID":"` + msg + `",` + members + `}`
	}
	part("prt_1", "msg_1", `"type":"text","text":"go"`)
	part("prt_2", "msg_2", `"type":"text","text":"gone"`)
	part("prt_3", "msg_2", `"type":"tool","tool":"write","callID":"a","state":{"input":{"filePath":"/w/f","content":"x"},`+done+`}`)
	part("prt_4", "msg_2", `"type":"tool","tool":"bash","callID":"b","state":{"input":{"command":"ls"},`+done+`}`)
	f := &folded{importAll(t, trial.NewDump(files))["ses_1"].Fold(t, false)}
	end := len(f.Events)
	if got, _ := f.said(end); !slices.Equal(got, []string{"user: go"}) {
		t.Errorf("request: %q", got)
	}
	if _, _, ok := f.File(t, int64(end), "/w/f"); ok {
		t.Error("the file is there")
	}
	if got := f.Cell(t, int64(end), "/shell/command"); got != "ls" {
		t.Errorf("command %v", got)
	}
}
