package replay_test

import (
	"math"
	"testing"

	"hindcast/model"
)

func TestShell(t *testing.T) {
	r := begin(t)
	want(t, r.do(model.Run{Command: "make", Cwd: ptr("/a"), Exit: ptr(int64(2))}),
		`/shell/command null -> "make"`, `/shell/cwd null -> "/a"`, "/shell/exit_code null -> 2", "/shell/running null -> false")
	want(t, r.do(model.Run{Command: "sleep 9", Running: true}),
		`/shell/command "make" -> "sleep 9"`, "/shell/exit_code 2 -> null", "/shell/running false -> true")
	want(t, r.do(model.Run{Exit: ptr(int64(0))}),
		"/shell/exit_code null -> 0", "/shell/running true -> false")
	want(t, r.do(model.Run{}))
	want(t, r.do(model.Cwd{Path: "/b"}), `/shell/cwd "/a" -> "/b"`)
	want(t, r.do(model.Cwd{}))
	if got := r.fold.View(nil).Cwd(); got != "/b" {
		t.Errorf("cwd %q", got)
	}
}

func TestStatus(t *testing.T) {
	r := begin(t)
	want(t, r.do(model.Status{Execution: "running"}), `/status/execution null -> "running"`)
	want(t, r.do(model.Status{Execution: "running", Reason: "<go>"}), `/status/reason null -> "<go>"`)
	want(t, r.do(model.Status{Execution: "done"}), `/status/execution "running" -> "done"`, `/status/reason "<go>" -> null`)
}

func TestUsage(t *testing.T) {
	r := begin(t)
	want(t, r.do(model.Spend{Usage: model.Usage{CostUSD: 0.1, Told: model.ToldCost, Input: 9}}), "/usage/cost_usd null -> 0.1")
	want(t, r.do(model.Spend{Usage: model.Usage{CostUSD: 0.2, Told: model.ToldCost}}), "/usage/cost_usd 0.1 -> 0.3")
	want(t, r.do(model.Spend{Usage: model.Usage{Input: 5, Output: 1, CacheRead: 3, Told: model.ToldInput | model.ToldOutput, CostUSD: 7}}),
		"/usage/input_tokens null -> 5", "/usage/output_tokens null -> 1")
	want(t, r.do(model.Spend{Usage: model.Usage{Told: model.ToldReasoning}}), "/usage/reasoning_tokens null -> 0")
	want(t, r.do(model.Spend{Usage: model.Usage{Input: 5, Told: model.ToldInput}}), "/usage/input_tokens 5 -> 10")
	want(t, r.do(model.Spend{Usage: model.Usage{Input: 8, Output: 1, Told: model.ToldInput | model.ToldOutput}, Cumulative: true}), "/usage/input_tokens 10 -> 8")
	want(t, r.do(model.Spend{Usage: model.Usage{CostUSD: math.NaN(), Told: model.ToldCost}}))
	want(t, r.do(model.Spend{}))
}

func TestTasks(t *testing.T) {
	task := func(id, status string) string { return `{"id":"` + id + `","title":"t","status":"` + status + `"}` }
	r := begin(t)
	want(t, r.do(model.Tasks{List: []model.Task{{Title: "t", Status: "todo"}, {ID: "a/b", Title: "t", Status: "todo"}, {ID: "1", Title: "t", Status: "done"}}}),
		`/tasks [] -> ["1","a/b"]`,
		"/tasks/1 - -> "+task("1", "done"),
		"/tasks/a~1b - -> "+task("a/b", "todo"))
	want(t, r.do(model.TaskItem{Task: model.Task{ID: "1", Title: "t", Status: "todo"}}), "/tasks/1 "+task("1", "done")+" -> "+task("1", "todo"))
	want(t, r.do(model.TaskItem{Task: model.Task{Title: "t", Status: "todo"}}),
		`/tasks ["1","a/b"] -> ["1","a/b","3"]`, "/tasks/3 - -> "+task("3", "todo"))
	want(t, r.do(model.TaskItem{Task: model.Task{ID: "no"}, Delete: true}))
	want(t, r.do(model.TaskItem{Task: model.Task{ID: "a/b"}, Delete: true}),
		`/tasks ["1","a/b","3"] -> ["1","3"]`, "/tasks/a~1b "+task("a/b", "todo")+" -> -")
	want(t, r.do(model.Tasks{List: []model.Task{{ID: "3", Title: "t", Status: "todo"}, {ID: "1", Title: "t", Status: "todo"}}}),
		`/tasks ["1","3"] -> ["3","1"]`)
	if got := lookup(t, r, "/tasks"); got != "["+task("3", "todo")+","+task("1", "todo")+"]" {
		t.Errorf("tasks: %s", got)
	}
}

func TestPending(t *testing.T) {
	r := begin(t)
	view := r.fold.View(nil)
	want(t, r.do(model.Call{ID: "c", Tool: "bash"}, model.Call{Tool: "no id"}),
		`/pending/c - -> {"call":"c","seq":10,"pos":1,"tool":"bash"}`)
	if view.Pending("c") != 1 || view.Pending("d") != 0 {
		t.Error("the view does not see the open call")
	}
	want(t, r.do(model.Call{ID: "c"}),
		`/pending/c {"call":"c","seq":10,"pos":1,"tool":"bash"} -> {"call":"c","seq":20,"pos":2,"tool":null}`)
	want(t, r.do(model.Return{ID: "d"}))
	want(t, r.do(model.Return{ID: "c"}, model.Return{ID: "c"}), `/pending/c {"call":"c","seq":20,"pos":2,"tool":null} -> -`)
}

func TestCheckpoint(t *testing.T) {
	r := begin(t)
	want(t, r.do(model.Snapshot{Checkpoint: "s", BaseSeq: 3, HasBase: true}), `/checkpoint null -> {"id":"s","seq":10,"pos":1,"base_seq":3}`)
	// Two records of one compaction: the later takes the place, the base stays.
	want(t, r.do(model.Forget{Checkpoint: "s"}), `/checkpoint {"id":"s","seq":10,"pos":1,"base_seq":3} -> {"id":"s","seq":20,"pos":2,"base_seq":3}`)
	want(t, r.do(model.Forget{Checkpoint: "t"}), `/checkpoint {"id":"s","seq":20,"pos":2,"base_seq":3} -> {"id":"t","seq":30,"pos":3,"base_seq":null}`)
	want(t, r.do(model.Forget{}))
}

func TestVars(t *testing.T) {
	set := func(path, value string) model.Effect { return model.Set{Path: "/vars" + path, Value: []byte(value)} }
	unset := func(path string) model.Effect { return model.Unset{Path: "/vars" + path} }
	r := begin(t)
	for _, step := range []struct {
		effect model.Effect
		want   string
	}{
		{set("/x", ` { "b" : 1.50, "a":[ "<é>\u00e9" , 12345678901234567890 ] } `), `/vars/x - -> {"a":["<é>é",12345678901234567890],"b":1.50}`},
		{set("/x/b", "null"), `/vars/x {"a":["<é>é",12345678901234567890],"b":1.50} -> {"a":["<é>é",12345678901234567890],"b":null}`},
		{set("/x", "[]"), `/vars/x {"a":["<é>é",12345678901234567890],"b":null} -> []`},
		{set("/x/-", "1"), `/vars/x [] -> [1]`},
		{set("/x/1/k~1", "2"), `/vars/x [1] -> [1,{"k/":2}]`},
		{set("/x/5", "2"), ""},
		{set("/x/01", "2"), ""},
		{unset("/x/0"), `/vars/x [1,{"k/":2}] -> [{"k/":2}]`},
		{unset("/x/1"), ""},
		{unset("/x/0/k~1"), `/vars/x [{"k/":2}] -> [{}]`},
		{unset("/x/0/k~1"), ""},
		{set("/a~1b/c/d", "true"), `/vars/a~1b - -> {"c":{"d":true}}`},
		{set("/a~1b/c/d/e", "1"), `/vars/a~1b {"c":{"d":true}} -> {"c":{"d":{"e":1}}}`},
		{set("/a~1b", "1 2"), ""},
		{set("/a~1b", ""), ""},
		{set("", "1"), ""},
		{model.Set{Path: "/files/x", Value: []byte("1")}, ""},
		{unset("/a~1b"), `/vars/a~1b {"c":{"d":{"e":1}}} -> -`},
		{unset("/a~1b"), ""},
		{unset(""), ""},
		{set("/", "0"), "/vars/ - -> 0"},
	} {
		if got := r.do(step.effect); got != step.want {
			t.Errorf("%+v writes %q, want %q", step.effect, got, step.want)
		}
	}
}

func TestVarsHaveADepth(t *testing.T) {
	deep := func(open, shut string, n int) []byte {
		var b []byte
		for range n {
			b = append(b, open...)
		}
		b = append(b, '1')
		for range n {
			b = append(b, shut...)
		}
		return b
	}
	r := begin(t)
	for range 12 {
		r.do(model.Set{Path: "/vars/x" + string(deep("/a", "", 999)), Value: deep("[", "]", 9500)})
		r.do(model.Set{Path: "/vars/x", Value: deep("[", "]", 20000)})
		r.do(model.Set{Path: "/vars/x" + string(deep("/a", "", 20000)), Value: []byte("1")})
	}
	if len(r.log.Between(0, r.pos)) != 0 {
		t.Error("what is too deep to be read again was written")
	}
}
