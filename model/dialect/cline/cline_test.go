package cline_test

import (
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/cline"
)

func TestTaskFolder(t *testing.T) {
	im := trial.Import(t, cline.New(), trial.Fixture(t, "cline/task"))
	s := im.Session(t, "1772359200000")
	want := `other text: Set the rate
message user: Set the rate
delta request
action write_to_file tax.js
observation The content was successfully saved to tax.js.
checkpoint checkpoint abc123
action execute_command node tax.js
observation exit 1, ReferenceError: rate is not defined
action replace_in_file tax.js
observation The content was successfully saved to tax.js.
error error: Out of credits
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := s.Texts(9)["tax.js"]; got != "rate = 7" {
		t.Errorf("after the first edit: %q", got)
	}
	if got := s.Texts(11)["tax.js"]; got != "const rate = 7" {
		t.Errorf("at the end: %q", got)
	}
	if got := s.Cell(t, 8, "/shell/exit_code"); got != 1.0 {
		t.Errorf("exit code %v", got)
	}
	if got := s.Cell(t, 11, "/usage/cache_read_tokens"); got != 50.0 {
		t.Errorf("cache reads %v", got)
	}
	if c := s.Events[4].Cause; c == nil || c.To.Pos != 4 || !c.Inferred {
		t.Errorf("the result that names no call: %+v", c)
	}
	if c := s.Events[7].Cause; c == nil || c.To.Pos != 7 || c.Inferred {
		t.Errorf("the result that names its call: %+v", c)
	}
	if c := s.Events[10].Cause; c == nil || c.To.Pos != 10 || !c.Inferred {
		t.Errorf("the error of a request: %+v", c)
	}
	if got := len(s.Views[10]); got != 5 {
		t.Errorf("%d messages in view after two were dropped", got)
	}
}

func TestHiddenMessages(t *testing.T) {
	s := trial.Import(t, cline.New(), trial.NewDump(map[string]string{"tasks/1/api_conversation_history.json": `[
{"role":"user","content":"<task>\ngo\n</task>","ts":1,"condenseParent":"k"},
{"role":"assistant","content":"done","ts":2,"condenseParent":"k"},
{"role":"user","content":"so far: done","ts":3,"isSummary":true,"condenseId":"k"},
{"role":"assistant","content":"next","ts":4}]`})).Session(t, "1")
	if got := s.Events[0].Title; got != "user: go" {
		t.Errorf("the task is %q", got)
	}
	var texts []string
	for _, m := range s.Talk(4).Messages {
		texts = append(texts, m.Text)
	}
	if got := strings.Join(texts, "|"); got != "so far: done|next" || s.Events[2].Kind != model.KindCheckpoint {
		t.Errorf("context %q, %v", got, s.Events[2].Kind)
	}
}

// TestFailureLeads: of several results the one that failed is the title.
func TestFailureLeads(t *testing.T) {
	s := trial.Import(t, cline.New(), trial.NewDump(map[string]string{"tasks/1/api_conversation_history.json": `[
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read_file","input":{"path":"x"}},{"type":"tool_use","id":"b","name":"execute_command","input":{"command":"make"}}],"ts":1},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"all of x"},{"type":"tool_result","tool_use_id":"b","content":"no rule","is_error":true}],"ts":2}]`})).Session(t, "1")
	if got := s.Titles(); got != "action read_file x, execute_command make\nobservation no rule\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestSDKSession(t *testing.T) {
	s := trial.Import(t, cline.New(), trial.Data(t, "cline/sdk-session/input")).Session(t, "1784094124598_rruoq")
	if len(s.Events) != 32 || s.Links(model.ReasonAction) != 11 || s.Failed() != nil {
		t.Errorf("%d events, %d links, failed %v\n%s", len(s.Events), s.Links(model.ReasonAction), s.Failed(), s.Titles())
	}
	for _, e := range s.Events {
		if e.Kind == model.KindObservation && (e.Cause == nil || e.Cause.Inferred || e.Cause.To.Pos != e.Pos-1 || !strings.Contains(e.ID, e.Call)) {
			t.Errorf("%s answers %+v", e.ID, e.Cause)
		}
	}
	for _, n := range s.Notes {
		t.Errorf("the fold found %+v", n)
	}
	if u := s.Linker.Summary().Usage; u.Input+u.CacheRead == 0 || u.CostUSD < 1.8 {
		t.Errorf("usage %+v", u)
	}
}

func TestSDKCompaction(t *testing.T) {
	s := trial.Import(t, cline.New(), trial.Data(t, "cline/basic-compaction/input")).Session(t, "1784094124598_rruoq")
	if len(s.Events) != 10 || s.Events[0].Kind != model.KindCheckpoint || !strings.Contains(s.Events[0].Title, "22 messages removed") || s.Failed() != nil {
		t.Errorf("%d events\n%s", len(s.Events), s.Titles())
	}
}

func FuzzDecode(f *testing.F) {
	for _, file := range []string{"api_conversation_history.json", "ui_messages.json"} {
		b, err := fixtures.FS.ReadFile("cline/task/1772359200000/" + file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	trial.Fuzz(f, cline.New(), "tasks/1/api_conversation_history.json",
		`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"[{\"success\":false}]"},{"type":"file","path":"p","content":""}]}]`,
		`[{"role":"assistant","content":"<read_file><path>a</path"},{"role":"user","content":"[read_file] Result:"}]`)
}
