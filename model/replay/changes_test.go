package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

// diff gives the changes between two events, a line each: "op path old -> new".
func (r *run) diff(a, b int64) string {
	var lines []string
	for _, c := range replay.Changes(r.log.Between(a, b)) {
		old, now := string(c.Old), string(c.New)
		lines = append(lines, fmt.Sprintf("%s %s %s -> %s by %d", c.Op(), c.Path, old, now, c.Pos))
	}
	return strings.Join(lines, "\n")
}

func TestChangesAreLeaves(t *testing.T) {
	r := begin(t)
	set := func(value string) model.Effect { return model.Set{Path: "/vars/v", Value: []byte(value)} }
	r.do(write("a/b", "one\n"), write("gone", ""), model.Say{Tokens: 1}, model.Call{ID: "c", Tool: "bash"},
		model.Tasks{List: []model.Task{{ID: "1", Title: "t", Status: "todo"}, {ID: "2"}}}, set(`{"a":{"b":1},"c":[1]}`))
	r.do(model.EditFile{Path: "a/b", Old: "one", New: "two"}, model.DeleteFile{Path: "gone"}, model.Return{ID: "c"})
	r.do(model.TaskItem{Task: model.Task{ID: "1", Title: "t", Status: "done"}}, model.Forget{Keys: []string{model.MessageKey(1)}, Checkpoint: "x"},
		model.Tasks{List: []model.Task{{ID: "2"}, {ID: "1", Title: "t", Status: "done"}}})
	r.do(set(`{"a":{"b":2},"c":[1,2],"d":{"e":{}}}`), model.Say{Tokens: 2}, model.Status{Execution: "running"})
	want(t, r.diff(1, 4),
		`replace /checkpoint null -> {"id":"x","seq":30,"pos":3,"base_seq":null} by 3`,
		"replace /context/forgotten 0 -> 1 by 3",
		`remove /context/messages/0000000001 {"key":"0000000001","seq":10,"pos":1,"event":"e1","role":"user","tokens":1,"chars":0,"summary":false} ->  by 3`,
		`add /context/messages/0000000004  -> {"key":"0000000004","seq":40,"pos":4,"event":"e4","role":"user","tokens":2,"chars":0,"summary":false} by 4`,
		"replace /context/tokens 1 -> 2 by 4",
		`replace /files/a~1b/certainty "known" -> "derived" by 2`,
		`replace /files/a~1b/content "one\n" -> "two\n" by 2`,
		`replace /files/a~1b/sha256 "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806" -> "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a" by 2`,
		"replace /files/a~1b/written_by 10 -> 20 by 2",
		"replace /files/a~1b/written_pos 1 -> 2 by 2",
		`remove /files/gone {"content":"","certainty":"known","lines":0,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","written_by":10,"written_pos":1} ->  by 2`,
		`remove /pending/c {"call":"c","seq":10,"pos":1,"tool":"bash"} ->  by 2`,
		`replace /status/execution null -> "running" by 4`,
		`replace /tasks/1/status "todo" -> "done" by 3`,
		"replace /vars/v/a/b 1 -> 2 by 4",
		"replace /vars/v/c [1] -> [1,2] by 4",
		"add /vars/v/d/e  -> {} by 4")
	want(t, r.diff(4, 4))
}

// TestChangesOfATextThatNobodyKnows: they say that the text may differ, whichever
// way they are read.
func TestChangesOfATextThatNobodyKnows(t *testing.T) {
	r := begin(t)
	r.do(model.EditFile{Path: "a", Old: "x", New: "y"}, write("b", "one\n"))
	r.do(model.EditFile{Path: "a", Old: "y", New: "z"}, write("b", "one\n"))
	changes := replay.Changes(r.log.Between(1, 2))
	for _, c := range append(changes, replay.Inverse(changes)...) {
		if want := strings.HasPrefix(c.Path, "/files/a/"); c.Blind != want {
			t.Errorf("%s: blind %v, want %v", c.Path, c.Blind, want)
		}
	}
	if len(changes) == 0 {
		t.Error("no change")
	}
}

func TestChangesThatEndAsTheyBeganAreNone(t *testing.T) {
	r := begin(t)
	r.do(model.Status{Execution: "running"})
	r.do(model.Status{Execution: "done"}, write("a", "x"))
	r.do(model.Status{Execution: "running"}, model.DeleteFile{Path: "a"})
	want(t, r.diff(1, 3))
	want(t, r.diff(0, 1), `replace /status/execution null -> "running" by 1`)
}

func TestObjectsComeAndGoByLeaves(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"", `{"a":{"b":1},"c":2}`, "add /vars/v/a/b  -> 1\nadd /vars/v/c  -> 2"},
		{`{"a":{"b":1},"c":2}`, "", "remove /vars/v/a/b 1 -> \nremove /vars/v/c 2 -> "},
		{`{"a":{"b":1},"c":2}`, `{"c":2}`, "remove /vars/v/a/b 1 -> "},
		{`{"a":{"b":1}}`, `{"a":{}}`, `replace /vars/v/a {"b":1} -> {}`},
		{`{"a":1}`, `{}`, `replace /vars/v {"a":1} -> {}`},
		{`{"a":1}`, `[]`, `replace /vars/v {"a":1} -> []`},
		{`{"a":1}`, `{"b":1}`, "remove /vars/v/a 1 -> \nadd /vars/v/b  -> 1"},
		{"", "{}", "add /vars/v  -> {}"},
		{"null", `{"a~/":1}`, `replace /vars/v null -> {"a~/":1}`},
		{"{}", `{"a~/":1}`, `replace /vars/v {} -> {"a~/":1}`},
		{`{"b":1}`, `{"b":1,"a~/":1}`, "add /vars/v/a~0~1  -> 1"},
	} {
		r := begin(t)
		for _, value := range []string{c.from, c.to} {
			if value == "" {
				r.do(model.Unset{Path: "/vars/v"})
			} else {
				r.do(model.Set{Path: "/vars/v", Value: []byte(value)})
			}
		}
		if got := strings.ReplaceAll(r.diff(1, 2), " by 2", ""); got != c.want {
			t.Errorf("%s to %s\n got %s\nwant %s", c.from, c.to, got, c.want)
		}
		if err := checkDiff(r.log, 1, 2); err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
}

func TestApplyPassesOverWhatFitsNowhere(t *testing.T) {
	got := replay.Apply(nil, []replay.Change{{Path: "/nowhere", New: []byte("1")}, {Path: "/files", New: []byte("1")}, {Path: ""}})
	if a, b := shown(got), shown(nil); a != b {
		t.Errorf("%s, want %s", a, b)
	}
}
