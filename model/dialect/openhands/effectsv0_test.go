package openhands

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

// acted is a V0 action and its observation, with ids n and n+1.
func acted(n int, typ string, args, extras object, text string) []object {
	obs := object{"id": n + 1, "cause": n, "observation": typ, "content": text, "extras": extras}
	return []object{{"id": n, "action": typ, "args": args}, obs}
}

func TestFilesV0(t *testing.T) {
	create := acted(0, "edit", object{"path": "/w/a", "command": "create", "file_text": "one\ntwo\nthree\n", "impl_source": "oh_aci"},
		object{"path": "/w/a", "prev_exist": false, "old_content": nil, "new_content": nil, "diff": ""}, "File created successfully at: /w/a")
	edit := func(args, extras object, text string) []object {
		args["path"], extras["path"] = "/w/a", "/w/a"
		return join(create, acted(2, "edit", args, extras, text))
	}
	tests := []struct {
		name   string
		events []object
		want   world
	}{
		{"created", create, world{"file:/w/a": "known one\ntwo\nthree\n"}},
		{
			"a replacement by its diff",
			edit(object{"command": "str_replace", "old_str": "two", "new_str": "2"}, object{"old_content": "two", "new_content": "2", "prev_exist": false, "diff": "--- /w/a\n+++ /w/a\n@@ -2 +2 @@\n-two\n+2"}, "The file /w/a has been edited."),
			world{"file:/w/a": "derived one\n2\nthree\n"},
		},
		{
			"an insertion by its diff",
			edit(object{"command": "insert", "insert_line": 1, "new_str": "new"}, object{"diff": "--- /w/a\n+++ /w/a\n@@ -1,0 +2 @@\n+new"}, "edited"),
			world{"file:/w/a": "derived one\nnew\ntwo\nthree\n"},
		},
		{
			"undone by its diff",
			edit(object{"command": "undo_edit"}, object{"diff": "@@ -1 +1,2 @@\n-one\n+1\n+1.5\n@@ -3 +4 @@\n-three\n+3"}, "Last edit undone"),
			world{"file:/w/a": "derived 1\n1.5\ntwo\n3\n"},
		},
		{
			"a diff that does not fit: by the replacement",
			edit(object{"command": "str_replace", "old_str": "two", "new_str": "2"}, object{"diff": "@@ -1 +1 @@\n-two\n+2"}, "edited"),
			world{"file:/w/a": "derived one\n2\nthree\n"},
		},
		{
			"whole texts",
			edit(object{}, object{"old_content": "one\ntwo\nthree\n", "new_content": "all new\n", "prev_exist": true, "diff": "x"}, "edited"),
			world{"file:/w/a": "known all new\n"},
		},
		{
			"an error comes as an edit",
			edit(object{"command": "str_replace", "old_str": "x", "new_str": "y"}, object{"old_content": "x", "new_content": "y", "diff": ""}, "ERROR:\nNo replacement was performed"),
			world{"file:/w/a": "known one\ntwo\nthree\n", "/errors/count": "1"},
		},
		{"written", acted(0, "write", object{"path": "/w/b", "content": "b\n", "start": 0, "end": -1}, object{"path": "/w/b"}, ""), world{"file:/w/b": "known b\n"}},
		{"read, plain", acted(0, "read", object{"path": "/w/b", "start": 0, "end": -1}, object{"path": "/w/b"}, "b\n"), world{"file:/w/b": "known b\n"}},
		{"read, numbered", acted(0, "read", object{"path": "/w/a", "impl_source": "oh_aci"}, object{"path": "/w/a", "impl_source": "oh_aci"}, numberedView), world{"file:/w/a": "known one\ntwo\n"}},
		{"read, a folder", acted(0, "read", object{"path": "/w", "impl_source": "oh_aci"}, object{"path": "/w", "impl_source": "oh_aci"}, "Here's the files"), world{"file:/w": "absent"}},
		{"read, a range", acted(0, "read", object{"path": "/w/b", "start": 3, "end": 9}, object{"path": "/w/b"}, "b\n"), world{"file:/w/b": "partial"}},
		{
			"tasks",
			acted(0, "task_tracking", object{"command": "plan"}, object{"command": "plan", "task_list": []object{{"id": "task-7", "title": "write", "status": "completed"}}}, "ok"),
			world{"/tasks/task-7": `{"id":"task-7","status":"done","title":"write"}`},
		},
		{
			"states and an error",
			[]object{
				{"id": 0, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": object{"agent_state": "error", "reason": "broke"}},
				{"id": 1, "observation": "error", "content": "boom", "extras": object{"error_id": "X"}},
			},
			world{"/status/execution": `"error"`, "/status/reason": `"broke"`, "/errors/count": "1"},
		},
		{
			"inferred: finished",
			[]object{{"id": 0, "source": "user", "action": "message", "args": object{"content": "go"}}, {"id": 1, "action": "finish", "args": object{"final_thought": "done"}}},
			world{"/status/execution": `"finished"`},
		},
		{
			"input to a command",
			join(acted(0, "run", object{"command": "make"}, object{"command": "make", "metadata": object{"exit_code": -1}}, ""),
				acted(2, "run", object{"command": "y", "is_input": true}, object{"command": "y", "metadata": object{"exit_code": 0, "working_dir": "/w"}}, "")),
			world{"/shell/command": `"make"`, "/shell/exit_code": "0", "/shell/running": "false", "/shell/cwd": `"/w"`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.want.check(t, foldLines(t, tt.events...)) })
	}
}

// TestMessagesV0 joins the calls of a response, which the program runs one by
// one.
func TestMessagesV0(t *testing.T) {
	meta := func(call string) object {
		return object{"function_name": "execute_bash", "tool_call_id": call, "model_response": object{"id": "r1", "choices": []object{{"message": object{
			"content": "two at once", "tool_calls": []object{{"id": "c1", "function": object{"arguments": `{"n":1}`}}, {"id": "c2", "function": object{"arguments": `{"n":2}`}}},
		}}}}}
	}
	f := foldLines(t,
		object{"action": "system", "args": object{"content": "you are"}},
		object{"source": "user", "action": "message", "args": object{"content": "go"}},
		object{"source": "user", "action": "recall", "args": object{"query": "go"}},
		object{"source": "environment", "cause": 2, "observation": "recall", "content": "workspace", "extras": object{}},
		object{"action": "run", "args": object{"command": "a"}, "tool_call_metadata": meta("c1")},
		object{"cause": 4, "observation": "run", "content": "A", "extras": object{"command": "a", "metadata": object{"exit_code": 0, "working_dir": "/w"}}, "tool_call_metadata": meta("c1")},
		object{"action": "run", "args": object{"command": "b"}, "tool_call_metadata": meta("c2")},
		object{"cause": 6, "observation": "run", "content": "B", "extras": object{"command": "b"}, "tool_call_metadata": meta("c2")},
		object{"source": "environment", "action": "run", "args": object{"command": "hid", "hidden": true}},
		object{"source": "environment", "cause": 8, "observation": "run", "content": "x", "extras": object{"command": "hid", "hidden": true, "metadata": object{"exit_code": 0, "working_dir": "/hid"}}},
	)
	talk := New().(model.Teller).Messages(f.Viewed(10), true)
	var got []string
	for _, m := range talk.Messages {
		got = append(got, fmt.Sprintf("%v %q %v %v %v", m.Role, m.Text, m.Calls, m.Results, m.Records))
	}
	want := []string{
		`system "you are" [] [] [0]`,
		`user "go" [] [] [1]`,
		`user "workspace" [] [] [3]`,
		`assistant "two at once" [{c1 execute_bash {"n":1}} {c2 execute_bash {"n":2}}] [] [4 6]`,
		`tool "A\n[Current working directory: /w]\n[Command finished with exit code 0]" [] [c1] [5]`,
		`tool "B" [] [c2] [7]`,
	}
	if !slices.Equal(got, want) || talk.Exact {
		t.Errorf("exact %v, messages\n%q\nwant\n%q", talk.Exact, got, want)
	}
	f.expect(t, 10, "/shell/cwd", "/hid")
	if chars := f.Views[9][6].Chars; chars != 0 {
		t.Errorf("the text of a response counts again with its second call: %d", chars)
	}
}

// TestUsageV0 counts what a response took once, whatever repeats it, until the
// log tells totals.
func TestUsageV0(t *testing.T) {
	meta := func(call, response string, usage object) object {
		return object{"function_name": "execute_bash", "tool_call_id": call, "model_response": object{"id": response, "usage": usage}}
	}
	first := object{
		"prompt_tokens": 100, "completion_tokens": 9, "total_tokens": 109, "completion_tokens_details": nil,
		"prompt_tokens_details": object{"audio_tokens": nil, "cached_tokens": 20}, "cache_creation_input_tokens": 70, "cache_read_input_tokens": 20,
	}
	second := object{"prompt_tokens": 10, "completion_tokens": 5, "completion_tokens_details": object{"reasoning_tokens": 3}, "prompt_tokens_details": object{"cached_tokens": 4}}
	events := []object{
		{"action": "run", "args": object{"command": "a"}, "tool_call_metadata": meta("c1", "r1", first)},
		{"cause": 0, "observation": "run", "content": "A", "extras": object{"command": "a"}, "tool_call_metadata": meta("c1", "r1", first)},
		{"action": "run", "args": object{"command": "b"}, "tool_call_metadata": meta("c2", "r1", first)},
		{"action": "run", "args": object{"command": "c"}, "tool_call_metadata": meta("c3", "r2", second)},
		{"action": "run", "args": object{"command": "d"}, "tool_call_metadata": meta("c4", "", second)},
	}
	f := foldLines(t, events...)
	for pos, want := range map[int64]string{1: "10 9 20 70 <nil>", 3: "10 9 20 70 <nil>", 5: "16 11 24 70 3"} {
		var got []string
		for _, class := range []string{"input", "output", "cache_read", "cache_write", "reasoning"} {
			got = append(got, fmt.Sprint(f.Cell(t, pos, "/usage/"+class+"_tokens")))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("after %d %s, want %s", pos, got, want)
		}
	}
	f.expect(t, 5, "/usage/cost_usd", nil)
	sum := f.Linker.Summary().Usage
	if got := fmt.Sprint(sum.Input, sum.Output, sum.CacheRead, sum.CacheWrite, sum.Reasoning, sum.Told.Has(model.ToldCost)); got != "16 11 24 70 3 false" {
		t.Errorf("the session spent %s", got)
	}
	events[2]["llm_metrics"] = object{"accumulated_cost": 0.5, "accumulated_token_usage": object{"prompt_tokens": 40, "completion_tokens": 2}}
	f = foldLines(t, events...)
	f.expect(t, 5, "/usage/input_tokens", 40.0)
	if sum := f.Linker.Summary().Usage; sum.Input != 40 || sum.CostUSD != 0.5 {
		t.Errorf("the session spent %+v", sum)
	}
}
