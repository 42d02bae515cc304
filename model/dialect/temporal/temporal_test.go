package temporal_test

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/temporal"
)

func TestFixture(t *testing.T) {
	im := trial.Import(t, temporal.New(), trial.Fixture(t, "temporal/run"))
	s := im.Session(t, "order-7/run-a")
	want := `session Order {"order": 7}
delta workflow task scheduled
delta workflow task started
delta workflow task completed
action ChargeCard {"cents": 1250}
action timer 30s
action Parcel
delta child workflow execution started
delta activity task started
observation failed: charge failed: card expired
observation fired
observation completed: sent
message cancel by the buyer
state upsert workflow search attributes
other weather changed
error workflow execution failed no money
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := fmt.Sprint(s.Failed()); got != "[10 16]" {
		t.Errorf("failed: %s", got)
	}
	for _, e := range s.Events {
		if e.Noise != (e.Kind == model.KindDelta) {
			t.Errorf("%q hidden: %v", e.Title, e.Noise)
		}
	}
	for pos, cause := range map[int]int64{2: 1, 4: 3, 5: 4, 10: 5, 11: 6, 12: 7, 16: 4} {
		if c := s.Events[pos-1].Cause; c == nil || c.To.Pos != cause {
			t.Errorf("cause of %d: %+v, want %d", pos, c, cause)
		}
	}
	if got := s.Cell(t, 16, "/vars/parcel-7"); got != "sent" {
		t.Errorf("result of the child: %v", got)
	}
	if got := s.Cell(t, 16, "/vars/state~1now"); got != "lost" {
		t.Errorf("search attribute: %v", got)
	}
	if sum := s.Linker.Summary(); sum.OpenCalls != 0 || sum.Outcome != "error" {
		t.Errorf("summary %+v", sum)
	}
	child := im.Session(t, "parcel-7/run-p")
	l := child.Events[0].Links
	if child.Linker.Summary().Parent != s.ID || len(l) != 1 || l[0].Reason != model.ReasonSpawn || s.Find(l[0].ToID) != 8 {
		t.Errorf("child of %q, links %+v", child.Linker.Summary().Parent, l)
	}
}

// TestSamples holds the links and failures that the samples' attributes name.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		folder        string
		events, links int
		failed        string
	}{
		{"helloworld-pascal", 11, 11, "[]"},
		{"openai-agents-tools", 23, 25, "[]"},
		{"reset-after-child-complete", 17, 17, "[13]"},
	} {
		im := trial.Import(t, temporal.New(), trial.Data(t, "temporal/"+c.folder+"/input"))
		if len(im.Sessions) != 1 {
			t.Fatalf("%s: %d sessions", c.folder, len(im.Sessions))
		}
		s, links := im.Sessions[0], 0
		for _, e := range s.Events {
			if strconv.FormatInt(e.Seq, 10) != e.ID || e.Kind == model.KindOther {
				t.Errorf("%s: seq %d, id %s, %v", c.folder, e.Seq, e.ID, e.Kind)
			}
			for _, l := range e.Links {
				if !l.Resolved() {
					t.Errorf("%s: link of %s to %s is %v", c.folder, e.ID, l.ToID, l.Broken)
				}
				if !l.Inferred {
					links++
				}
			}
		}
		if got := fmt.Sprint(s.Failed()); len(s.Events) != c.events || links != c.links || got != c.failed {
			t.Errorf("%s: %d events, %d links, failed %s", c.folder, len(s.Events), links, got)
		}
	}
	s := trial.Import(t, temporal.New(), trial.Data(t, "temporal/helloworld-pascal/input")).Sessions[0]
	if got := s.Cell(t, 11, "/vars/result"); got != "Hello Temporal!" {
		t.Errorf("result %v", got)
	}
}

func TestRequest(t *testing.T) {
	s := trial.Import(t, temporal.New(), trial.Data(t, "temporal/openai-agents-tools/input")).Sessions[0]
	c, ok := s.Request(19)
	var roles []string
	for _, m := range c.Messages {
		roles = append(roles, m.Role.String())
	}
	if got := fmt.Sprint(roles); !ok || !c.Exact || got != "[system user assistant tool]" {
		t.Errorf("request %v, exact %v: %s", ok, c.Exact, got)
	}
	for pos, want := range map[int]string{5: "What is the weather in Tokio?", 7: `completed: → get_weather {"city":"Tokyo"}`, 19: "completed: Test weather result"} {
		if got := strings.TrimPrefix(s.Events[pos-1].Title, "invoke_model_activity "); got != want {
			t.Errorf("%d says %q, want %q", pos, got, want)
		}
	}
	if _, ok := s.Request(13); ok {
		t.Error("a request behind the result of a tool")
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fs.ReadFile(fixtures.FS, "temporal/run/order.json")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, temporal.New(), "run.json", string(b), `{"events":[{"eventId":1,"eventType":"TimerFired","timerFiredEventAttributes":{"startedEventId":1}}]}`)
}
