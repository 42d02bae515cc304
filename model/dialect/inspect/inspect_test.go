package inspect_test

import (
	"fmt"
	"io/fs"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/inspect"
)

func TestFixture(t *testing.T) {
	im := trial.Import(t, inspect.New(), trial.Fixture(t, "inspect"))
	s := im.Session(t, "tax/1")
	want := `session span_begin: agent coder
message user: Make the tests pass.
state store: add /tried, add /a~1b
action bash npm test
observation bash: timeout: Command timed out.
state store: add /tried/-, remove /a~1b
other seance
message assistant: They take too long.
delta span_end
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i, want := range map[int]string{0: "false ", 1: "false user", 7: "false assistant", 8: "true "} {
		if got := fmt.Sprint(s.Events[i].Noise, " ", s.Events[i].Source); got != want {
			t.Errorf("%q hidden, and said by: %s, want %s", s.Events[i].Title, got, want)
		}
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 5 {
		t.Errorf("failed: %v", got)
	}
	if a, p := s.Links(model.ReasonAction), s.Links(model.ReasonParent); a != 1 || p != 8 || s.Events[4].Cause.To.Pos != 4 {
		t.Errorf("%d action links, %d parent links", a, p)
	}
	if u := s.Linker.Summary().Usage; u.Input != 100 || u.Output != 14 {
		t.Errorf("usage %+v", u)
	}
	if got := fmt.Sprint(s.Cell(t, 5, "/vars/tried"), s.Cell(t, 6, "/vars/tried"), s.Cell(t, 5, "/vars/a~1b"), s.Cell(t, 6, "/vars/a~1b")); got != "[round] [round floor] 1 <nil>" {
		t.Errorf("store: %s", got)
	}
	if c, ok := s.Request(4); !ok || !c.Exact || len(c.Messages) != 2 || c.Messages[0].Text != "Be brief." {
		t.Errorf("request %v %+v", ok, c)
	}
	if c := s.Talk(8); len(c.Messages) != 4 || c.Messages[1].Calls[0].ID != "c1" || c.Messages[2].Results[0] != "c1" {
		t.Errorf("context %+v", c)
	}
	list := im.Session(t, "tax/2")
	want = "message user: Make the tests pass.\naction bash npm test\nobservation bash: ok 1\nmessage assistant: They pass.\n"
	if got := list.Titles(); got != want || list.Links(model.ReasonAction) != 1 || list.Linker.Summary().OpenCalls != 0 {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestToolErrors(t *testing.T) {
	im := trial.Import(t, inspect.New(), trial.Data(t, "inspect/log-tool-call-error/input"))
	s := im.Session(t, "1/4")
	if len(im.Sessions) != 1 || len(s.Events) != 11 || len(s.Failed()) != 11 || s.Events[0].Type != "tool" {
		t.Errorf("%d sessions, %d events, failed %v", len(im.Sessions), len(s.Events), s.Failed())
	}
}

func TestSampleFile(t *testing.T) {
	im := trial.Import(t, inspect.New(), trial.NewDump(map[string]string{
		"log/samples/a_epoch_1.json": `{"id":"a","epoch":1,"input":"x","events":[{"event":"error","error":{"message":"boom"}}]}`,
	}))
	if got := im.Session(t, "a/1").Titles(); got != "error error: boom\n" {
		t.Errorf("got %s", got)
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fs.ReadFile(fixtures.FS, "inspect/log.json")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, inspect.New(), "log.json", string(b),
		`{"id":1,"epoch":1,"input":[],"events":[{"event":"state","changes":[{"op":"add","path":"/a/0/b","value":[]},{"op":"move","from":"/a","path":"/a/b"}]},{"event":"store","changes":[{"op":"replace","path":"/","value":1}]}]}`)
}
