package replay_test

import (
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

func TestRevertBringsValuesBack(t *testing.T) {
	r := begin(t)
	r.do(write("a", "x"), model.Say{Response: "r"}, model.Status{Execution: "running"})
	r.do(write("b", "y"), model.Say{}, model.Status{Execution: "done"})
	r.do(write("a", "z"), model.Forget{Keys: []string{model.MessageKey(1)}}, model.Set{Path: "/vars/v", Value: []byte("1")})
	writes := r.fold.Apply(event(4), []model.Effect{
		model.Revert{To: 1, Facets: model.FacetFiles | model.FacetContext | model.FacetStatus | model.FacetVars, Reason: model.LostBranch},
	})
	type brought struct {
		path, now string
		restores  int64
		lost      model.LostReason
	}
	for i, want := range []brought{
		{"/context/forgotten", "2", 0, 0},
		{"/context/messages/0000000001", `{"key":"0000000001","seq":10,"pos":1,"event":"e1","role":"user","tokens":0,"chars":0,"summary":false,"response":"r"}`, 1, 0},
		{"/context/messages/0000000002", "-", 0, model.LostBranch},
		{"/files/a", "known[x] by 1", 1, 0},
		{"/files/b", "-", 0, 0},
		{"/status/execution", `"running"`, 1, 0},
		{"/vars/v", "-", 0, 0},
	} {
		if i >= len(writes) {
			t.Fatalf("%d writes", len(writes))
		}
		w := writes[i]
		if got := (brought{w.Path, brief(w.Path, w.New), w.Restores, w.Lost}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if got := r.fold.View(nil).Context(); len(got) != 1 || got[0].Response != "r" {
		t.Errorf("in view: %+v", got)
	}
}

func TestRevertOfOneFacetLeavesTheOthers(t *testing.T) {
	r := begin(t)
	r.do(write("a", "x"), model.Tasks{List: []model.Task{{ID: "1"}, {ID: "2"}}}, model.Spend{Usage: model.Usage{CostUSD: 1.5, Told: model.ToldCost}})
	r.do(write("a", "y"), model.Tasks{List: []model.Task{{ID: "2"}, {ID: "3"}}}, model.Run{Command: "make"}, model.Spend{Usage: model.Usage{CostUSD: 1, Told: model.ToldCost}})
	want(t, r.do(model.Revert{To: 1, Facets: model.FacetTasks}),
		`/tasks ["2","3"] -> ["1","2"]`,
		`/tasks/1 - -> {"id":"1","title":"","status":""}`,
		`/tasks/3 {"id":"3","title":"","status":""} -> -`)
	want(t, r.do(model.Revert{To: 1, Facets: model.FacetShell | model.FacetUsage}),
		`/shell/command "make" -> null`, "/shell/running false -> null", "/usage/cost_usd 2.5 -> 1.5")
	// Back to the start, and back from there.
	want(t, r.do(model.Revert{Facets: model.FacetFiles}), "/files/a known[y] by 2 -> -")
	want(t, r.do(model.Revert{To: 4, Facets: model.FacetFiles}), "/files/a - -> known[y] by 2")
}

func TestRevertTakesBackWhatItsOwnEventDid(t *testing.T) {
	r := begin(t)
	r.do(write("a", "x"))
	want(t, r.do(write("a", "y"), write("b", "y"), model.Say{}, model.Revert{To: 1, Facets: model.FacetFiles | model.FacetContext}))
}

func TestRevertWithoutAPastDoesNothing(t *testing.T) {
	f := replay.New(replay.Options{})
	f.Apply(event(1), []model.Effect{write("a", "x")})
	if w := f.Apply(event(2), []model.Effect{model.Revert{Facets: model.FacetFiles}}); w != nil {
		t.Errorf("writes: %+v", w)
	}
}
