package atif_test

import (
	"io/fs"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/atif"
)

func TestFixture(t *testing.T) {
	im := trial.Import(t, atif.New(), trial.Fixture(t, "atif/run"))
	s := im.Session(t, "run-7")
	want := `message user: Make the tests pass.
action bash npm test → 1 failing
action delegate find the fault → tax.js rounds down
checkpoint compaction: Context was compacted.
message user: Make the tests pass.
message user: So far: tax.js rounds down.
message agent: I round to the nearest cent.
other narrator: a source that no version names
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 2 {
		t.Errorf("failed: %v", got)
	}
	if u := s.Linker.Summary().Usage; u.Input != 1100 || u.CacheRead != 100 || u.Output != 60 {
		t.Errorf("usage %+v", u)
	}
	if got := s.Cell(t, 2, "/shell/command"); got != "npm test" {
		t.Errorf("command %v", got)
	}
	var texts []string
	for _, m := range s.Talk(7).Messages {
		texts = append(texts, m.Role.String()+" "+m.Text)
	}
	if got := strings.Join(texts, "|"); got != "user Make the tests pass.|user |assistant I round to the nearest cent." {
		t.Errorf("context after the compaction: %s", got)
	}
	child := im.Session(t, "helper-1")
	if sum := child.Linker.Summary(); sum.Parent != "run-7" {
		t.Errorf("parent %q", sum.Parent)
	}
	if l := child.Events[0].Links; len(l) != 1 || l[0].Reason != model.ReasonSpawn || l[0].ToID != "helper-1" || s.Find("helper-1") != 3 {
		t.Errorf("spawn link %+v, named by %d", l, s.Find("helper-1"))
	}
}

func TestContinuedRun(t *testing.T) {
	im := trial.Import(t, atif.New(), trial.Data(t, "atif/harbor-terminus2-continued/input"))
	s := im.Session(t, "NORMALIZED_SESSION_ID")
	kinds, copies := map[string]int{}, 0
	for _, e := range s.Events {
		kinds[e.Type]++
		if e.Origin == model.OriginCopied {
			copies++
		}
	}
	if len(im.Sessions) != 1 || kinds["user"] != 4 || kinds["agent"] != 8 || kinds["system"] != 1 || copies != 4 {
		t.Errorf("%d sessions, steps %v, %d copies", len(im.Sessions), kinds, copies)
	}
	if failed := s.Failed(); failed != nil {
		t.Errorf("failed: %v", failed)
	}
	// The first file's totals, and what the second adds without its copies.
	if u := s.Linker.Summary().Usage; u.Input != 2252+4250 || u.Output != 160+530 {
		t.Errorf("usage %+v", u)
	}
	if got := len(s.Views[len(s.Views)-1]); got != 10 {
		t.Errorf("%d messages in view at the end", got)
	}
}

func TestToolkitRun(t *testing.T) {
	dump := trial.Data(t, "atif/nemo-exmp02/input")
	im := trial.Import(t, atif.New(), dump)
	s := im.Session(t, "agent-001")
	if len(im.Sessions) != 1 || len(s.Events) != 8 || s.Links(model.ReasonSource) != 6 || len(im.Streams[0].Evidence) != 1 {
		t.Errorf("%d sessions, %d events, %d source links, evidence %v", len(im.Sessions), len(s.Events), s.Links(model.ReasonSource), im.Streams[0].Evidence)
	}
	c, ok := s.Request(7)
	if !ok || !c.Exact || len(c.Messages) != 3 || c.Messages[2].Results[0] != "call_abc" || c.Messages[1].Calls[0].Tool != "calculator__add" {
		t.Errorf("request %v %+v", ok, c)
	}
	doc := trial.Import(t, atif.New(), trial.Only(dump, "nemo-exmp02-v1.7.json")).Session(t, "agent-001")
	if e := doc.Events[1]; len(doc.Events) != 3 || e.Call != "call_abc" || e.Outcome != model.OutcomeOK || e.Title != "calculator__add 3 → 7" {
		t.Errorf("%d steps, %+v", len(doc.Events), e)
	}
}

func FuzzDecode(f *testing.F) {
	var seeds []string
	for _, name := range []string{"run.json", "run.cont-1.json"} {
		b, err := fs.ReadFile(fixtures.FS, "atif/run/"+name)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(b))
	}
	seeds = append(seeds, `{"scope_category":"start","uuid":"a","category":"agent","data":{"input":"x"}}
{"scope_category":"end","uuid":"b","parent_uuid":"a","category":"tool","name":"bash","data":{"error":[]}}`)
	trial.Fuzz(f, atif.New(), "run.json", seeds...)
}

// TestTerminals: agents that type into a terminal say in JSON what they do, and
// get its screen with frames around it.
func TestTerminals(t *testing.T) {
	s := trial.Import(t, atif.New(), trial.NewDump(map[string]string{"run.json": `{"schema_version":"ATIF-v1.7","session_id":"t","steps":[
{"step_id":1,"source":"agent","message":"{\"analysis\":\"Look.\",\"commands\":[{\"keystrokes\":\"cat a\\n\"}]}","observation":{"results":[{"content":"New Terminal Output:\n\nroot@box:/# cat a\nhello\n"}]}},
{"step_id":2,"source":"agent","message":"{\"analysis\":\"Move.\",\"commands\":[{\"keystrokes\":\"mv a b\\n\"}]}","observation":{"results":[{"content":"New Terminal Output:\n\nroot@box:/# mv a b\n"}]}},
{"step_id":3,"source":"agent","message":"{\"analysis\":\"It is there.\",\"commands\":[],\"task_complete\":true}"}]}`})).Session(t, "t")
	want := "message cat a → hello\nmessage mv a b\nmessage agent: task complete: It is there.\n"
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
