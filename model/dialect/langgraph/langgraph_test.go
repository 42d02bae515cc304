package langgraph_test

import (
	"fmt"
	"io/fs"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/langgraph"
)

func TestFixture(t *testing.T) {
	s := trial.Import(t, langgraph.New(), trial.Fixture(t, "langgraph")).Session(t, "t9")
	want := `state input step -1
message human: Mend the rate.
action bash make test
observation bash: 1 failing
checkpoint human: Only look.
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 4 {
		t.Errorf("failed: %v", got)
	}
	if e := s.Events[4]; e.Cause == nil || e.Cause.To.Pos != 2 || s.Links(model.ReasonSource) != 4 || s.Links(model.ReasonAction) != 1 {
		t.Errorf("cause %+v", e.Cause)
	}
	if got := fmt.Sprint(s.Cell(t, 4, "/vars/files"), s.Cell(t, 5, "/vars/files"), s.Cell(t, 3, "/vars/branch:to:tools"), s.Cell(t, 4, "/vars/branch:to:tools")); got != "map[rate.js:0.09] map[]agent<nil>" {
		t.Errorf("channels: %s", got)
	}
	if c := s.Talk(4); len(c.Messages) != 3 || c.Messages[1].Calls[0].ID != "c1" || c.Messages[2].Results[0] != "c1" {
		t.Errorf("context %+v", c)
	}
	if c := s.Talk(5); len(c.Messages) != 2 || c.Messages[1].Text != "Only look." {
		t.Errorf("context after the fork %+v", c)
	}
}

func TestTuples(t *testing.T) {
	s := trial.Import(t, langgraph.New(), trial.Data(t, "langgraph/checkpoint-tuples/input")).Session(t, "t1")
	types := map[string]int{}
	for _, e := range s.Events {
		types[e.Type]++
	}
	if len(s.Events) != 8 || types["update"] != 1 || types["loop"] != 6 || types["input"] != 1 || s.Links(model.ReasonSource) != 7 || s.Links(model.ReasonAction) != 2 {
		t.Errorf("%v, %d source links, %d action links", types, s.Links(model.ReasonSource), s.Links(model.ReasonAction))
	}
	if in, asked, called := s.Events[0], s.Events[1], s.Events[6]; in.Title != "input: make calc.py" || asked.Source != "user" || called.Source != "assistant" {
		t.Errorf("%q, said by %s and %s", in.Title, asked.Source, called.Source)
	}
	// A state tells of a tool that failed in its message's status.
	if failed := s.Failed(); len(failed) != 1 || failed[0] != 6 {
		t.Errorf("failed %v", failed)
	}
	if e := s.Events[7]; e.Cause.To.Pos != 3 || e.Kind != model.KindCheckpoint || len(s.Talk(8).Messages) != 3 {
		t.Errorf("fork %+v", e)
	}
}

func TestRows(t *testing.T) {
	im := trial.Import(t, langgraph.New(), trial.NewDump(map[string]string{
		"a.db/checkpoints": `{"thread_id":"t","checkpoint_ns":"","checkpoint_id":"2","parent_checkpoint_id":"1","type":"msgpack","checkpoint":{"$base64":"gaFh"},"metadata":{"$base64":"eyJzb3VyY2UiOiJsb29wIiwic3RlcCI6MX0="}}
{"thread_id":"t","checkpoint_ns":"","checkpoint_id":"1","parent_checkpoint_id":null,"type":"json","checkpoint":"{\"id\":\"1\",\"channel_values\":{\"n\":7}}","metadata":"{\"source\":\"input\",\"step\":-1}"}
`,
		"a.db/writes": `{"thread_id":"t","checkpoint_id":"2","task_id":"x","idx":0,"channel":"n"}`,
	}))
	s := im.Session(t, "t")
	if got := s.Titles(); got != "state input step -1\nstate loop step 1\n" || len(im.Streams) != 1 || len(im.Streams[0].Evidence) != 1 {
		t.Errorf("%d streams, %s", len(im.Streams), got)
	}
	if got := fmt.Sprint(s.Cell(t, 1, "/vars/n")); got != "7" {
		t.Errorf("channel %s", got)
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fs.ReadFile(fixtures.FS, "langgraph/thread.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, langgraph.New(), "thread.jsonl", string(b),
		`{"thread_id":"t","checkpoint_id":"1","parent_checkpoint_id":"1","checkpoint":"{}","pending_writes":[["a","__error__","boom"]]}`)
}
