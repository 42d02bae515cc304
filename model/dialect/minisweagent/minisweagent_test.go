package minisweagent_test

import (
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/minisweagent"
)

func TestFixture(t *testing.T) {
	s := trial.Import(t, minisweagent.New(), trial.Fixture(t, "minisweagent")).Session(t, "run")
	want := `message system: You run commands.
message user: List the files.
action bash ls; cat none
observation ok, exit 0, a.txt
observation exit 1, cat: none: No such file or directory
other critic: a role that no version names
session exit: Submitted
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for pos, want := range map[int64]any{4: "ls", 5: "cat none"} {
		if got := s.Cell(t, pos, "/shell/command"); got != want {
			t.Errorf("command at %d: %v", pos, got)
		}
	}
	if got := s.Cell(t, 5, "/shell/exit_code"); got != 1.0 {
		t.Errorf("exit code %v", got)
	}
	if s.Cell(t, 3, "/pending/c2") == nil || s.Cell(t, 5, "/pending/c2") != nil {
		t.Error("the second call does not open and close")
	}
	if got := s.Cell(t, 7, "/shell/cwd"); got != "/repo" {
		t.Errorf("cwd %v", got)
	}
	if got := s.Events[2].Time.String(); got != "2026-03-01T10:00:00.25Z" {
		t.Errorf("time %s", got)
	}
	if c := s.Talk(5); !c.Exact || len(c.Messages) != 5 || c.Messages[4].Results[0] != "c2" {
		t.Errorf("context %+v", c)
	}
}

func TestToolCalls(t *testing.T) {
	s := trial.Import(t, minisweagent.New(), trial.Data(t, "mini-swe-agent/mini-1.1-toolcall/input")).Session(t, "mini-1.1-toolcall")
	if len(s.Events) != 14 {
		t.Fatalf("%d events", len(s.Events))
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 8 { // messages[7]
		t.Errorf("failed %v", got)
	}
	for i, exit := range map[int]float64{3: 0, 5: 0, 7: 1, 9: 0, 11: 0} {
		e := s.Events[i]
		if e.Cause == nil || e.Cause.To.Pos != int64(i) || e.Cause.Reason != model.ReasonAction || e.Cause.Inferred {
			t.Errorf("messages[%d]: %+v", i, e.Cause)
		}
		if got := s.Cell(t, e.Pos, "/shell/exit_code"); got != exit {
			t.Errorf("messages[%d]: exit code %v", i, got)
		}
	}
	if u := s.Linker.Summary(); u.Usage.CostUSD != 6 || u.Outcome != "Submitted" || u.OpenCalls != 0 {
		t.Errorf("summary %+v", u)
	}
}

func TestBareList(t *testing.T) {
	s := trial.Import(t, minisweagent.New(), trial.Data(t, "mini-swe-agent/local-v0-list/input")).Session(t, "local-v0-list")
	if len(s.Events) != 6 || s.Failed() != nil {
		t.Fatalf("%d events, failed %v", len(s.Events), s.Failed())
	}
	if got := s.Events[5].Title; got != "(no output)" {
		t.Errorf("a result without a word: %q", got)
	}
	if c := s.Events[3].Cause; c == nil || c.To.Pos != 3 || !c.Inferred {
		t.Errorf("the result answers by its place: %+v", c)
	}
	if n := s.Linker.Summary().OpenCalls; n != 0 {
		t.Errorf("%d open calls", n)
	}
	if got := s.Cell(t, 4, "/shell/command"); got != "echo 'hello world'" {
		t.Errorf("command %v", got)
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fixtures.FS.ReadFile("minisweagent/run.traj.json")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, minisweagent.New(), "run.traj.json", string(b),
		"[{\"role\":\"assistant\",\"content\":\"```mswea_bash_command\\nls\\n```\"},{\"role\":\"user\",\"content\":\"<returncode>x</returncode>\"}]")
}
