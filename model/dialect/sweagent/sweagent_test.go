package sweagent_test

import (
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/sweagent"
)

func TestFixture(t *testing.T) {
	s := trial.Import(t, sweagent.New(), trial.Fixture(t, "sweagent")).Session(t, "run")
	want := `message system: You fix code.
message user: Add a tax function.
action str_replace_editor create /repo/tax.py --file_text 'def tax(x):
observation File created successfully at: /repo/tax.py
action str_replace_editor str_replace /repo/tax.py --old_str 'return x' --new_str 'return x * 0.07'
observation The file /repo/tax.py has been edited.
message agent: Done, I think.
observation No action was found.
session exit: exit_cost
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c := s.Events[8].Cause; c == nil || c.To.Pos != 8 || !c.Inferred {
		t.Errorf("what the exit comes from: %+v", c)
	}
	if got := s.Texts(4)["/repo/tax.py"]; got != "def tax(x):\n    return x\n" {
		t.Errorf("after the first edit: %q", got)
	}
	if got := s.Texts(6)["/repo/tax.py"]; got != "def tax(x):\n    return x * 0.07\n" {
		t.Errorf("after the second edit: %q", got)
	}
	if got := s.Cell(t, 4, "/shell/cwd"); got != "/repo" {
		t.Errorf("cwd %v", got)
	}
	if got := s.Cell(t, 9, "/usage/cost_usd"); got != 0.25 {
		t.Errorf("cost %v", got)
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 9 {
		t.Errorf("failed %v", got)
	}
	c, ok := s.Request(5)
	if !ok || !c.Exact || len(c.Messages) != 4 || c.Messages[3].Results[0] != "c1" {
		t.Errorf("request %v %+v", ok, c)
	}
	if cause := s.Events[3].Cause; cause == nil || cause.To.Pos != 3 || cause.Inferred {
		t.Errorf("cause of the observation %+v", cause)
	}
	if cause := s.Events[4].Cause; cause == nil || cause.To.Pos != 4 || !cause.Inferred {
		t.Errorf("source of the action %+v", cause)
	}
}

func TestOldTrajectory(t *testing.T) {
	im := trial.Import(t, sweagent.New(), trial.Data(t, "swe-agent/test-repo-i1-v0/input"))
	s := im.Session(t, "test-repo-i1-v0")
	if got := s.Linker.Summary().Title; got != "SyntaxError: invalid syntax" {
		t.Errorf("title %q is not the issue's", got)
	}
	if len(s.Events) != 2+2*5+1 || s.Links(model.ReasonAction) != 5 || s.Failed() != nil {
		t.Errorf("%d events, %d links, failed %v\n%s", len(s.Events), s.Links(model.ReasonAction), s.Failed(), s.Titles())
	}
	if got := s.Cell(t, int64(len(s.Events)), "/status/reason"); got != "submitted" {
		t.Errorf("exit status %v", got)
	}
	if u := s.Linker.Summary().Usage; u.Input != 52861 || u.Output != 326 || u.CostUSD != 0.53839 {
		t.Errorf("usage %+v", u)
	}
	if got := s.Cell(t, 4, "/shell/cwd"); got != "/klieret__swe-agent-test-repo" {
		t.Errorf("cwd %v", got)
	}
}

// TestWhatTheStepsTellIsEvidence: the history behind the prompt, and a
// demonstration in it, are read and are no events.
func TestWhatTheStepsTellIsEvidence(t *testing.T) {
	const demo, again = `{"role":"user","is_demo":true,"content":"so"}`, `{"role":"assistant","content":"I look"}`
	rec := &model.Record{Raw: []byte(`{"trajectory":[{"action":"ls","observation":"a","response":"I look"}],"history":[` + demo + `,{"role":"user","content":"Go"},` + again + `]}`)}
	events := 0
	if err := sweagent.New().Decode(rec, func(*model.Event) { events++ }); err != nil || events != 3 || rec.Evidence != int64(len(demo+again)) {
		t.Errorf("%d events, %d bytes of evidence, %v", events, rec.Evidence, err)
	}
}

func TestDemonstration(t *testing.T) {
	s := trial.Import(t, sweagent.New(), trial.Data(t, "swe-agent/function-calling-simple/input")).Session(t, "function_calling_simple")
	if len(s.Events) != 12 || s.Failed() != nil {
		t.Fatalf("%d events, failed %v", len(s.Events), s.Failed())
	}
	for i := 3; i < 12; i += 2 { // history[i] answers history[i-1]
		if c := s.Events[i].Cause; c == nil || c.To.Pos != int64(i) || c.Inferred || c.Reason != model.ReasonAction {
			t.Errorf("history[%d]: %+v", i, c)
		}
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fixtures.FS.ReadFile("sweagent/run.traj")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, sweagent.New(), "run.traj", string(b),
		`{"trajectory":[{"action":"edit 1:2\n'","observation":[],"response":1,"messages":[{}]}],"history":[{"role":"x","agent":"m","action":"y"},{"role":"user"}],"info":{"model_stats":1}}`)
}
