package opencode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// request is what stands behind the message of an id.
func (f *folded) request(t *testing.T, id string) model.Conversation {
	t.Helper()
	pos := f.Find(id)
	if pos == 0 {
		t.Fatalf("no message %s", id)
	}
	c, ok := New().(model.Requester).Request(*f.Events[pos-1], f.Viewed(pos-1), f.Session)
	if !ok {
		c = New().(model.Teller).Messages(f.Viewed(pos-1), true)
	}
	return c
}

// Behind a summary stands one text: without what stays, outputs cut.
func TestRequestForASummary(t *testing.T) {
	s := begin()
	s.user("msg_0a")
	s.text("prt_0a", "msg_0a", "ask 0")
	s.part("prt_0b", "msg_0a", `"type":"file","mime":"text/plain","filename":"a.txt","url":"file:///a.txt"`)
	s.answer("msg_0b", "")
	s.part("prt_0b0", "msg_0b", `"type":"step-start"`)
	s.part("prt_0b1", "msg_0b", `"type":"reasoning","text":"think","time":{"start":1700000000000,"end":1700000000009}`)
	s.call("prt_0b2", "msg_0b", "bash", `{ "command": "x" }`, result(strings.Repeat("é", 2001), ""))
	s.call("prt_0b3", "msg_0b", "read", `{"filePath":"no"}`, `"status":"error","error":"no file","time":{"start":1700000000000,"end":1700000000009}`)
	s.turn("1")
	s.compaction("2")
	s.summed("2")
	s.tail("2", "msg_1a")
	s.compaction("3")
	s.summed("3")
	f := s.fold(t)
	want := "Here is the conversation so far:\n\n<conversation>\n[User]: ask 0\n[Attached text/plain: a.txt]\n\n[Assistant reasoning]: think\n" +
		"[Assistant tool call]: bash({\"command\":\"x\"})\n[Tool result]: " + strings.Repeat("é", 2000) + "\n[truncated]\n" +
		"[Assistant tool call]: read({\"filePath\":\"no\"})\n[Tool error]: no file\n</conversation>\n\n" + askFirst + askTemplate
	c := f.request(t, "msg_2s")
	if len(c.Messages) != 1 || c.Messages[0].Text != want || !c.Exact {
		t.Errorf("exact %v, %d messages: %s", c.Exact, len(c.Messages), c.Messages[0].Text)
	}
	c = f.request(t, "msg_3s")
	want = "Here is the conversation so far:\n\n<conversation>\n[User]: ask 1\n\n[Assistant]: say 1\n</conversation>\n\n" + askAgain("sum 2") + askTemplate
	if len(c.Messages) != 1 || c.Messages[0].Text != want {
		t.Errorf("%d messages: %s", len(c.Messages), c.Messages[0].Text)
	}
}

// A version whose words for a summary are not known says that it is not sure.
func TestRequestForASummaryOfAnotherVersion(t *testing.T) {
	s := begin()
	s.turn("1")
	s.compaction("2")
	for i, r := range s.rows {
		s.rows[i] = strings.ReplaceAll(r, "1.18.34", "1.15.13")
	}
	f := s.fold(t)
	if c := f.request(t, "msg_2s"); c.Exact || len(c.Messages) != 3 {
		t.Errorf("exact %v, %d messages", c.Exact, len(c.Messages))
	}
	if c := f.request(t, "msg_1b"); !c.Exact {
		t.Error("the request for an answer is not exact")
	}
}

// A log that begins in the middle of a session does not tell the context.
func TestCutLogIsNotExact(t *testing.T) {
	s := begin()
	s.turn("1")
	s.turn("2")
	s.rows = s.rows[5:]
	f := s.fold(t)
	if _, exact := f.said(len(f.Events)); exact {
		t.Error("the request is said to be exact")
	}
}

func TestMessagesOfTheComingModel(t *testing.T) {
	s := begin()
	add := func(what, data string) {
		s.add("session.next."+what, `{"sessionID":"ses_1","timestamp":1700000000000,`+data+`}`)
	}
	const step = `"assistantMessageID":"msg_2"`
	add("prompted", `"messageID":"msg_1","prompt":{"text":"go"}`)
	add("step.started", step)
	add("text.started", step+`,"textID":"text-0"`)
	add("tool.input.started", step+`,"callID":"c1","name":"write"`)
	add("tool.called", step+`,"callID":"c1","tool":"write","input":{"path":"/w/a","content":"x\n"}`)
	add("tool.success", step+`,"callID":"c1","structured":{},"content":[{"type":"text","text":"ok"}]`)
	add("text.ended", step+`,"textID":"text-0","text":"writing"`)
	add("step.ended", step+`,"finish":"stop","cost":0.5,"tokens":{"input":7,"output":2}`)
	f := s.fold(t)
	got, exact := f.said(len(f.Events))
	if want := []string{"user: go", "assistant: writing", "tool: ok"}; !slices.Equal(got, want) || exact {
		t.Errorf("exact %v: %q", exact, got)
	}
	end := int64(len(f.Events))
	if text, _, ok := f.File(t, end, "/w/a"); !ok || *text != "x\n" {
		t.Error("the file is not known")
	}
	if a, b := f.Cell(t, end, "/usage/input_tokens"), f.Cell(t, end, "/status/execution"); a != 7.0 || b != "idle" {
		t.Errorf("usage %v, status %v", a, b)
	}
	add("compaction.ended", `"text":"sum","recent":""`)
	f = s.fold(t)
	if got, _ := f.said(len(f.Events)); !slices.Equal(got, []string{"user: sum"}) {
		t.Errorf("after a compaction: %q", got)
	}
}

// The old Go program keeps calls and results within messages.
func TestMessagesOfTheGoProgram(t *testing.T) {
	row := func(id, role, parts string) string {
		return fmt.Sprintf(`{"id":%q,"session_id":"s","role":%q,"parts":%q,"model":"","created_at":1700000000,"updated_at":1700000000,"finished_at":null}`, id, role, parts)
	}
	d := trial.NewDump(map[string]string{
		"old.db/sessions":         `{"id":"s","parent_session_id":null,"title":"t","message_count":4,"prompt_tokens":0,"completion_tokens":0,"cost":0,"updated_at":1700000000,"created_at":1700000000,"summary_message_id":null}`,
		"old.db/goose_db_version": `{"id":1}`,
		"old.db/files":            `{"id":"f1","session_id":"s","path":"/w/a","content":"x","version":"v1","created_at":1700000001,"updated_at":1700000001}`,
		"old.db/messages": strings.Join([]string{
			row("m1", "user", `[{"type":"text","data":{"text":"go"}}]`),
			row("m2", "assistant", `[{"type":"text","data":{"text":"ok"}},{"type":"tool_call","data":{"id":"c1","name":"bash","input":"{\"command\":\"ls\"}"}},{"type":"finish","data":{"reason":"tool_use"}}]`),
			row("m3", "tool", `[{"type":"tool_result","data":{"tool_call_id":"c1","content":"a","is_error":false}}]`),
			row("m4", "assistant", `[{"type":"text","data":{"text":"done"}},{"type":"finish","data":{"reason":"end_turn"}}]`),
		}, "\n")})
	r := importAll(t, d)["s"]
	if r == nil {
		t.Fatal("the database did not open")
	}
	f := &folded{r.Fold(t, false)}
	end := int64(len(f.Events))
	got, exact := f.said(int(end))
	if want := []string{"user: go", "assistant: ok", "tool: a", "assistant: done"}; !slices.Equal(got, want) || exact {
		t.Errorf("exact %v: %q", exact, got)
	}
	if a, b := f.Cell(t, end, "/shell/command"), f.Cell(t, end, "/shell/running"); a != "ls" || b != false {
		t.Errorf("shell %v, running %v", a, b)
	}
	if text, _, ok := f.File(t, end, "/w/a"); !ok || *text != "x" {
		t.Error("the file is not known")
	}
}

// A record by itself tells all that it may say in a request.
func TestRecordByItself(t *testing.T) {
	s := begin()
	s.turn("1")
	s.call("prt_1b2", "msg_1b", "read", `{"filePath":"f"}`, result("the text", ""))
	f := s.fold(t)
	e, raw, _ := f.Record(int64(len(f.Events)))
	c := New().(model.Teller).Messages([]model.Viewed{{Record: e, Raw: raw}}, true)
	if len(c.Messages) != 1 || c.Messages[0].Text != "the text" || len(c.Messages[0].Calls) != 1 {
		t.Errorf("got %+v", c.Messages)
	}
}
