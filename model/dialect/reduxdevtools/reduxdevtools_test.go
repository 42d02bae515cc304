package reduxdevtools_test

import (
	"fmt"
	"io/fs"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/reduxdevtools"
)

func TestFixture(t *testing.T) {
	fixture := trial.Fixture(t, "reduxdevtools")
	s := trial.Import(t, reduxdevtools.New(), trial.Only(fixture, "shop.json")).Session(t, "shop")
	want := `state @@INIT
state cart/add item=tea n=2
other skipped: cart/remove item=tea
state user/login ann
error cart/pay cents=300 → TypeError: no card
state cart/clear → Interrupted by an error up the chain
other action 6, which the export does not hold
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := fmt.Sprint(s.Failed()); got != "[5 6 7]" {
		t.Errorf("failed: %s", got)
	}
	for i := 5; i < 7; i++ {
		if c := s.Events[i].Cause; c == nil || c.To.Pos != 5 || !c.Inferred {
			t.Errorf("what %q failed of: %+v", s.Events[i].Title, c)
		}
	}
	if got := fmt.Sprint(s.Cell(t, 7, "/vars/cart")); got != "map[tea:2 tea/green:1]" {
		t.Errorf("cart: %v", got)
	}
	if got := s.Cell(t, 7, "/vars/user"); got != "ann" {
		t.Errorf("user: %v", got)
	}
	s = trial.Import(t, reduxdevtools.New(), trial.Only(fixture, "lifted.json")).Session(t, "lifted")
	if e := s.Events[0]; e.Seq != 3 || s.Find("4") != 2 {
		t.Errorf("first event %+v", e)
	}
	if got := fmt.Sprint(s.Cell(t, 1, "/vars/state"), s.Cell(t, 2, "/vars/a")); got != "[1] map[b:1]" {
		t.Errorf("states: %s", got)
	}
}

func TestSample(t *testing.T) {
	im := trial.Import(t, reduxdevtools.New(), trial.Data(t, "redux-devtools/counter-export/input"))
	s := im.Session(t, "generated-export")
	var failed []string
	for i, e := range s.Events {
		if e.Outcome.Failed() {
			failed = append(failed, e.ID)
		}
		if (len(e.Links) > 0) != (i == 7) || e.ID != fmt.Sprint(i) || !e.Time.Known {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if len(s.Events) != 8 || fmt.Sprint(failed) != "[6 7]" || s.Events[4].Kind != model.KindOther || s.Events[6].Kind != model.KindError {
		t.Errorf("%d events, failed %v", len(s.Events), failed)
	}
	for pos, err := range map[int64]string{1: "<nil>", 5: "<nil>", 6: "AssertionError", 8: "AssertionError"} {
		if got := fmt.Sprint(s.Cell(t, pos, "/vars/err")); got != err {
			t.Errorf("err after %d: %s", pos, got)
		}
	}
	if got := fmt.Sprintf("%q", s.Cell(t, 3, "/vars/files")); got != `map["calc.py":"def add(a,b): return a-b\n"]` {
		t.Errorf("files: %s", got)
	}
}

func FuzzDecode(f *testing.F) {
	var seeds []string
	for _, name := range []string{"shop.json", "lifted.json"} {
		b, err := fs.ReadFile(fixtures.FS, "reduxdevtools/"+name)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, string(b))
	}
	seeds = append(seeds, `{"actionsById":{"0":1},"stagedActionIds":[0,0,"x",null],"computedStates":[1,{"state":{"":{},"a":1,"a":2}}]}`)
	trial.Fuzz(f, reduxdevtools.New(), "run.json", seeds...)
}
