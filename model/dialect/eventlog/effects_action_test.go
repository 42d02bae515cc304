package eventlog

import (
	"strings"
	"testing"

	"hindcast/model"
)

// TestActions: what a call did, by all names of its action.
func TestActions(t *testing.T) {
	const okay = `{"status":"ok","output":"x"}`
	see := model.SeeFile{Path: "a", Content: "x", Whole: true}
	part := model.SeeFile{Path: "a", Content: "x"}
	wrote := model.WriteFile{Path: "a", Content: "b\n", Certainty: model.CertaintyKnown}
	doubtful := model.DoubtFiles{Paths: []string{"a"}}
	edit := model.EditFile{Path: "a", Old: "b", New: "c"}
	tests := []struct {
		actions, params, result string
		want                    model.Effect // nil: none
	}{
		{"read_file read view", `{"path":"a"}`, okay, see},
		{"read", `{"path":"a","offset":null}`, `{"status":"ok","output":"x","truncated":false}`, see},
		{"read", `{"path":"a","offset":2}`, okay, part},
		{"read", `{"path":"a","limit":2}`, okay, part},
		{"read", `{"path":"a","range":[1,2]}`, okay, part},
		{"view", `{"path":"a","view_range":[1,2]}`, okay, part},
		{"read", `{"path":"a"}`, `{"status":"ok","output":"x","truncated":true}`, part},
		{"read", `{"path":"a"}`, `{"status":"ok","output":{"text":"x"}}`, model.SeeFile{Path: "a"}},
		{"read", `{"path":"a"}`, `{"status":"ok"}`, nil},
		{"read", `{"path":"a"}`, `{"status":"ok","output":""}`, model.SeeFile{Path: "a", Whole: true}},
		{"read", `{"path":["a"]}`, okay, nil},
		{"write_file write create", `{"path":"a","content":"b\n"}`, okay, wrote},
		{"write", `{"path":"a","content":""}`, okay, model.WriteFile{Path: "a", Certainty: model.CertaintyKnown}},
		{"write", `{"path":"a"}`, okay, doubtful},
		{"write", `{"path":"a","content":7}`, okay, doubtful},
		{"write", `{"path":"","content":"x"}`, okay, nil},
		{"edit_file edit str_replace", `{"path":"a","old_str":"b","new_str":"c"}`, okay, edit},
		{"edit", `{"path":"a","old_string":"b","new_string":"c","replace_all":false}`, okay, edit},
		{"edit", `{"path":"a","old":"b","new":"c"}`, okay, edit},
		{"edit", `{"path":"a","old_str":null,"old":"b","new":"c"}`, okay, edit},
		{"edit", `{"path":"a","old":"b","new":"c","replace_all":true}`, okay, model.EditFile{Path: "a", Old: "b", New: "c", All: true}},
		{"edit", `{"path":"a","old_str":"b"}`, okay, model.EditFile{Path: "a", Old: "b"}},
		{"edit", `{"path":"a","new_str":"b"}`, okay, doubtful},
		{"edit", `{"path":"a","old_str":"b","new_str":{}}`, okay, doubtful},
		{"edit", `{"new_str":"b"}`, okay, nil},
		{"insert", `{"new_str":"b"}`, okay, nil},
		{"insert", `{"path":"a","insert_line":0,"new_str":"c"}`, okay, model.EditFile{Path: "a", New: "c", Insert: true}},
		{"insert", `{"path":"a","insert_line":"3","new_string":"c"}`, okay, model.EditFile{Path: "a", New: "c", Insert: true, InsertLine: 3}},
		{"insert", `{"path":"a","new_str":"c"}`, okay, doubtful},
		{"insert", `{"path":"a","insert_line":-1,"new_str":"c"}`, okay, doubtful},
		{"delete_file delete", `{"path":"a"}`, okay, model.DeleteFile{Path: "a"}},
		{"delete", `{}`, okay, nil},
		{"move_file rename", `{"from":"a","to":"b"}`, okay, model.MoveFile{From: "a", To: "b"}},
		{"rename", `{"from":"a"}`, okay, nil},
		{"update_tasks", `{"tasks":["t"]}`, okay, model.Tasks{List: []model.Task{{ID: "1", Title: "t", Status: "todo"}}}},
		{"update_tasks", `{"tasks":{}}`, okay, nil},
		{"update_tasks", `[]`, okay, nil},
		{"delegate", `{"path":"a"}`, okay, nil},

		// Effects follow the status, not the exit code.
		{"delete", `{"path":"a"}`, `{"status":"error","output":"x"}`, nil},
		{"delete", `{"path":"a"}`, `{"status":"OK","output":"x"}`, nil},
		{"delete", `{"path":"a"}`, `{"status":"ok","exit_code":2,"output":"x"}`, model.DeleteFile{Path: "a"}},
		{"delete", `{"path":"a"}`, `{"output":"x"}`, nil},
		{"delete", `{"path":"a"}`, `{"exit_code":0,"output":"x"}`, model.DeleteFile{Path: "a"}},
		{"delete", `{"path":"a"}`, `{"status":"timeout","exit_code":0,"output":"x"}`, nil},

		{"run_command bash shell exec", `{"command":"ls"}`, `{"status":"ok","exit_code":0,"output":"x"}`, model.Run{Command: "ls", Exit: point[int64](0)}},
		{"bash", `{"command":"ls"}`, `{"status":"error","exit_code":2,"cwd":"/w","output":"x"}`, model.Run{Command: "ls", Exit: point[int64](2), Cwd: point("/w")}},
		{"bash", `{"command":"ls"}`, `{"output":"x","exit_code":null}`, model.Run{Command: "ls"}},
		{"bash", `{"command":"rm a"}`, `{"status":"denied","output":"x"}`, model.Run{Command: "rm a", Quiet: true}},
		{"bash", `{"command":["ls"]}`, okay, nil},
	}
	for _, test := range tests {
		for _, action := range strings.Fields(test.actions) {
			t.Run(action, func(t *testing.T) {
				want := []model.Effect{model.Return{ID: "c"}, said(model.RoleTool, 1)}
				got := lastEffects(t, nil, called(action, test.params, test.result)...)
				if say, ok := got[1].(model.Say); ok {
					want[1] = said(say.Role, say.Chars) // TestEffects looks at it
				}
				if test.want != nil {
					want = append(want, test.want)
				}
				expect(t, action+" "+test.params+" "+test.result, got, want...)
			})
		}
	}
}

// TestDirectory: any result may tell the directory; of a command it is part of
// the run.
func TestDirectory(t *testing.T) {
	got := lastEffects(t, nil, called("delete", `{"path":"a"}`, `{"status":"ok","output":"x","cwd":"/w"}`)...)
	expect(t, "a deletion", got, model.Return{ID: "c"}, said(model.RoleTool, 1), model.DeleteFile{Path: "a"}, model.Cwd{Path: "/w"})
	got = lastEffects(t, nil, called("grep", `{}`, `{"status":"error","output":"x","cwd":"/w"}`)...)
	expect(t, "a failure", got, model.Return{ID: "c"}, said(model.RoleTool, 1), model.Cwd{Path: "/w"})
	got = lastEffects(t, nil, called("grep", `{}`, `{"status":"ok","output":"x","cwd":7}`)...)
	expect(t, "no directory", got, model.Return{ID: "c"}, said(model.RoleTool, 1))
}

// TestActionOfTheCall: the call says what was done, whatever the result calls
// it.
func TestActionOfTheCall(t *testing.T) {
	got := lastEffects(t, nil, called("delete", `{"path":"a"}`, `{"tool_name":"write_file","status":"ok","output":"x"}`)...)
	expect(t, "a deletion", got, model.Return{ID: "c"}, said(model.RoleTool, 1), model.DeleteFile{Path: "a"})
}

func task(id, title, status string) model.Task {
	return model.Task{ID: id, Title: title, Status: status}
}

func TestTasks(t *testing.T) {
	tests := []struct {
		tasks string
		want  []model.Task
	}{
		{`[]`, []model.Task{}},
		{`[{"id":"x","title":"A","status":"done"},{"id":7,"content":"B","status":"in_progress"}]`, []model.Task{task("x", "A", "done"), task("7", "B", "in_progress")}},
		{`["A",{"title":"B"},{"title":"","content":"C"}]`, []model.Task{task("1", "A", "todo"), task("2", "B", "todo"), task("3", "C", "todo")}},
		{`[null,{"title":"B"},3]`, []model.Task{task("2", "B", "todo")}},
		{`[{"id":"x"},{"id":"x"},{"id":""}]`, []model.Task{task("x", "", "todo"), task("2", "", "todo"), task("3", "", "todo")}},
		{`[{"title":"A"},{"id":"1","title":"B"}]`, []model.Task{task("1.1", "A", "todo"), task("1", "B", "todo")}},
	}
	for _, test := range tests {
		got := lastEffects(t, nil, called("update_tasks", `{"tasks":`+test.tasks+`}`, ok)...)
		expect(t, test.tasks, got, model.Return{ID: "c"}, said(model.RoleTool, 1), model.Tasks{List: test.want})
	}
}

func TestTaskStatus(t *testing.T) {
	for want, all := range map[string]string{
		"todo":        "todo pending open TODO blocked 3",
		"in_progress": "in_progress in-progress doing active In_Progress",
		"done":        "done complete completed COMPLETED",
		"cancelled":   "cancelled canceled",
	} {
		for _, word := range strings.Fields(all) {
			got := lastEffects(t, nil, called("update_tasks", `{"tasks":[{"status":"`+word+`"}]}`, ok)...)
			expect(t, word, got[2:], model.Tasks{List: []model.Task{task("1", "", want)}})
		}
	}
	got := lastEffects(t, nil, called("update_tasks", `{"tasks":[{"status":" in progress "},{"status":[]}]}`, ok)...)
	expect(t, "spaces", got[2:], model.Tasks{List: []model.Task{task("1", "", "in_progress"), task("2", "", "todo")}})
}
