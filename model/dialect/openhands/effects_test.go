package openhands

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// object is a JSON object as a test writes it.
type object map[string]any

// foldLines folds a log of V1 or V0 events; what they lack of an envelope is
// filled in.
func foldLines(t testing.TB, events ...object) *folded {
	t.Helper()
	var b strings.Builder
	for i, e := range events {
		_, isV1 := e["kind"]
		envelope := object{"timestamp": fmt.Sprintf("2026-03-01T10:00:%02d", i), "source": "agent", "id": fmt.Sprintf("e%d", i)}
		for key, v := range envelope {
			if !isV1 && key == "id" {
				v = i
			}
			if _, has := e[key]; !has {
				e[key] = v
			}
		}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"log.jsonl": b.String()}))
	if len(im.Sessions) != 1 || len(im.Sessions[0].Events) != len(events) {
		t.Fatalf("the log was not read whole: %v", im.Broken)
	}
	return &folded{im.Sessions[0].Fold(t, false)}
}

// did is a call of a tool and its result.
func did(tool string, action, observation object) []object {
	call := "call-" + fmt.Sprint(len(fmt.Sprint(action, observation))) + tool
	id := "act-" + call
	return []object{
		{"kind": "ActionEvent", "id": id, "tool_name": tool, "tool_call_id": call, "llm_response_id": "r" + call, "action": action},
		{"kind": "ObservationEvent", "source": "environment", "tool_name": tool, "tool_call_id": call, "action_id": id, "observation": observation},
	}
}

func content(text string) []object { return []object{{"type": "text", "text": text}} }

// world is what a test expects at the end of a log: cells as JSON, by path; of
// files the text and the certainty.
type world map[string]string

func (w world) check(t *testing.T, f *folded) {
	t.Helper()
	last := int64(len(f.Events))
	for path, want := range w {
		name, isFile := strings.CutPrefix(path, "file:")
		if isFile {
			got := "absent"
			if v, ok := f.Log.At(last)[model.PathFiles+"/"+model.EscapePointer(name)]; ok {
				cell, _ := f.Cell(t, last, model.PathFiles+"/"+model.EscapePointer(name)).(map[string]any)
				got = fmt.Sprint(cell["certainty"])
				if v.Text != nil {
					got += " " + *v.Text
				}
			}
			if got != want {
				t.Errorf("%s is %q, want %q", path, got, want)
			}
			continue
		}
		got, _ := json.Marshal(f.Cell(t, last, path))
		if string(got) != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

func join(parts ...[]object) (all []object) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func created(path, text string) []object {
	return did("file_editor", object{"kind": "FileEditorAction", "command": "create", "path": path, "file_text": text},
		object{"kind": "FileEditorObservation", "command": "create", "path": path, "prev_exist": false, "new_content": text, "is_error": false, "content": content("File created")})
}

func viewed(path string, viewRange any, text string) []object {
	return did("file_editor", object{"kind": "FileEditorAction", "command": "view", "path": path, "view_range": viewRange},
		object{"kind": "FileEditorObservation", "command": "view", "path": path, "prev_exist": true, "is_error": false, "content": content(text)})
}

const numberedView = "Here's the result of running `cat -n` on /w/a:\n     1\tone\n     2\ttwo\n     3\t\n"

func TestFiles(t *testing.T) {
	tests := []struct {
		name   string
		events []object
		want   world
	}{
		{"created", created("/w/a", "one\n"), world{"file:/w/a": "known one\n"}},
		{
			"an edit over an outside change",
			join(created("/w/a", "one\n"), did("file_editor", object{"kind": "FileEditorAction", "command": "str_replace", "path": "/w/a", "old_str": "two", "new_str": "three"},
				object{"kind": "FileEditorObservation", "command": "str_replace", "path": "/w/a", "old_content": "two\n", "new_content": "three\n", "content": content("edited")})),
			world{"file:/w/a": "known three\n"},
		},
		{
			"an edit that failed",
			join(created("/w/a", "one\n"), did("file_editor", object{"kind": "FileEditorAction", "command": "str_replace", "path": "/w/a", "old_str": "one", "new_str": "x"},
				object{"kind": "FileEditorObservation", "command": "str_replace", "is_error": true, "content": content("ERROR")})),
			world{"file:/w/a": "known one\n"},
		},
		{
			"an edit without its texts",
			join(created("/w/a", "one\ntwo\n"), did("file_editor", object{"command": "insert", "path": "/w/a", "insert_line": 1, "new_str": "new"}, object{"command": "insert", "path": "/w/a", "content": content("edited")})),
			world{"file:/w/a": "derived one\nnew\ntwo\n"},
		},
		{"a whole look", viewed("/w/a", nil, numberedView), world{"file:/w/a": "known one\ntwo\n"}},
		{"a look at a range", viewed("/w/a", []int{1, 2}, numberedView), world{"file:/w/a": "partial"}},
		{"a clipped look", viewed("/w/a", nil, "Here's the result of running `cat -n` on /w/a:\n     1\tone\n<response clipped><NOTE>cut</NOTE>\n"), world{"file:/w/a": "partial"}},
		{
			"a look of a port that keeps the file beside it",
			did("file_editor", object{"command": "view", "path": "/w/a"}, object{"command": "view", "path": "/w/a", "old_content": "one\ntwo\n", "new_content": "1\tone"}),
			world{"file:/w/a": "known one\ntwo\n"},
		},
		{"a folder", viewed("/w", nil, "Here's the files and directories up to 2 levels deep in /w, excluding hidden items:\n/w/a"), world{"file:/w": "absent"}},
		{
			"a patch",
			join(created("/w/a", "one\n"), created("/w/b", "b\n"), created("/w/gone", "gone\n"), did("apply_patch", object{"kind": "ApplyPatchAction", "patch": "..."},
				object{"kind": "ApplyPatchObservation", "message": "Done!", "commit": object{"changes": object{
					"/w/a":    object{"type": "update", "old_content": "one\n", "new_content": "two\n", "move_path": "/w/c"},
					"/w/b":    object{"type": "update", "old_content": "b\n", "new_content": "bb\n"},
					"/w/gone": object{"type": "delete", "old_content": "gone\n"},
					"/w/new":  object{"type": "add", "new_content": "new\n"},
				}}})),
			world{"file:/w/a": "absent", "file:/w/c": "known two\n", "file:/w/b": "known bb\n", "file:/w/gone": "absent", "file:/w/new": "known new\n"},
		},
		{
			"write_file, edit and read_file",
			join(
				did("write_file", object{"kind": "WriteFileAction", "file_path": "/w/a", "content": "one one\n"}, object{"kind": "WriteFileObservation", "file_path": "/w/a", "is_new_file": true, "new_content": "one one\n"}),
				did("edit", object{"kind": "EditAction", "file_path": "/w/a", "old_string": "one", "new_string": "two", "expected_replacements": 2}, object{"kind": "EditObservation", "file_path": "/w/a", "replacements_made": 2}),
				did("read_file", object{"kind": "ReadFileAction", "file_path": "/w/b"}, object{"kind": "ReadFileObservation", "file_path": "/w/b", "file_content": "b\n", "is_truncated": false}),
				did("read_file", object{"kind": "ReadFileAction", "file_path": "/w/c", "offset": 3}, object{"kind": "ReadFileObservation", "file_path": "/w/c", "file_content": "c\n"}),
			),
			world{"file:/w/a": "derived two two\n", "file:/w/b": "known b\n", "file:/w/c": "partial"},
		},
		{
			"diffs of an ACP agent",
			join(created("/w/a", "one\n"), []object{
				{"kind": "ACPToolCallEvent", "tool_call_id": "t1", "title": "Edit", "status": "in_progress"},
				{"kind": "ACPToolCallEvent", "tool_call_id": "t1", "title": "Edit", "status": "completed", "content": []object{
					{"type": "diff", "path": "/w/a", "oldText": "one", "newText": "two"},
					{"type": "diff", "path": "/w/n", "old_text": nil, "new_text": "new\n"},
					{"type": "diff", "path": "/w/u", "old_text": "x", "new_text": "y"},
				}},
			}),
			world{"file:/w/a": "derived two\n", "file:/w/n": "derived new\n", "file:/w/u": "unknown", "/pending/t1": "null"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.want.check(t, foldLines(t, tt.events...)) })
	}
}

func ran(command string, action, observation object) []object {
	action["kind"], action["command"] = "TerminalAction", command
	observation["kind"], observation["command"] = "TerminalObservation", command
	observation["content"] = content("out")
	return did("terminal", action, observation)
}

func TestShell(t *testing.T) {
	inDir := func(code int, dir string) object {
		return object{"exit_code": code, "metadata": object{"exit_code": code, "working_dir": dir}}
	}
	tests := []struct {
		name   string
		events []object
		want   world
	}{
		{
			"a command that goes on, input, its end",
			join(ran("make", object{}, inDir(-1, "/w")), ran("y", object{"is_input": true}, inDir(2, "/w/x"))),
			world{"/shell/command": `"make"`, "/shell/exit_code": "2", "/shell/running": "false", "/shell/cwd": `"/w/x"`, "/errors/count": "1"},
		},
		{"still running", ran("make", object{}, inDir(-1, "/w")), world{"/shell/exit_code": "null", "/shell/running": "true"}},
		{
			"never started",
			join(created("/w/a", "one\n"), ran("rm /w/a", object{}, object{"is_error": true, "exit_code": -1, "metadata": object{"exit_code": -1}})),
			world{"/shell/running": "false", "/shell/exit_code": "null", "file:/w/a": "known one\n"},
		},
		{
			"a hard timeout",
			ran("sleep 9", object{}, object{"exit_code": -1, "timeout": true, "metadata": object{"exit_code": -1}}),
			world{"/shell/running": "false", "/errors/count": "1"},
		},
		{
			"a command that may have changed a file",
			join(created("/w/a", "one\n"), ran("sed -i s/one/two/ /w/a", object{}, inDir(0, "/w"))),
			world{"file:/w/a": "unknown one\n"},
		},
		{
			"an early spelling",
			did("execute_bash", object{"kind": "ExecuteBashAction", "command": "ls"}, object{"kind": "ExecuteBashObservation", "command": "ls", "output": "a", "error": false, "exit_code": 0, "metadata": object{"exit_code": 0, "working_dir": "/w"}}),
			world{"/shell/cwd": `"/w"`, "/shell/exit_code": "0"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.want.check(t, foldLines(t, tt.events...)) })
	}
}

func TestConversationState(t *testing.T) {
	update := func(key string, value any) object {
		return object{"kind": "ConversationStateUpdateEvent", "source": "environment", "key": key, "value": value}
	}
	user := object{"kind": "MessageEvent", "source": "user", "llm_message": object{"role": "user", "content": content("go")}}
	done := did("finish", object{"kind": "FinishAction", "message": "done"}, object{"kind": "FinishObservation", "content": content("done")})
	tests := []struct {
		name   string
		events []object
		want   world
	}{
		{"inferred: running", []object{user}, world{"/status/execution": `"running"`}},
		{"inferred: finished", join([]object{user}, done), world{"/status/execution": `"finished"`}},
		{"recorded, nothing is inferred", join([]object{update("execution_status", "idle"), user}), world{"/status/execution": `"idle"`}},
		{"an early spelling", []object{{"kind": "ConversationStateUpdateEvent", "source": "user", "agent_status": "RUNNING"}}, world{"/status/execution": `"RUNNING"`}},
		{"paused", []object{user, {"kind": "PauseEvent", "source": "user"}}, world{"/status/execution": `"paused"`}},
		{"failed", []object{user, {"kind": "ConversationErrorEvent", "code": "MaxIterationsReached", "detail": "500"}}, world{"/status/execution": `"error"`, "/errors/count": "1"}},
		{"a named value", []object{user, update("tags", object{"a/b": "c"}), update("goal", nil)}, world{"/vars/tags": `{"a/b":"c"}`, "/vars/goal": "null"}},
		{"pieces of a streamed answer", []object{user, update("llm_stream", "x")}, world{"/vars/llm_stream": "null"}},
		{
			"a whole state",
			[]object{user, update("full_state", object{"execution_status": "running", "agent": object{}})},
			world{"/checkpoint": `{"base_seq":null,"id":"e1","pos":2,"seq":2}`, "/status/execution": `"running"`},
		},
		{
			"costs of two usages",
			[]object{user, update("stats", object{"usage_to_metrics": object{
				"agent":     object{"accumulated_cost": 0.5, "accumulated_token_usage": object{"prompt_tokens": 10, "completion_tokens": 4, "cache_read_tokens": 3}},
				"condenser": object{"accumulated_cost": 0.25, "accumulated_token_usage": object{"prompt_tokens": 1, "completion_tokens": 1}},
			}})},
			world{"/usage/cost_usd": "0.75", "/usage/input_tokens": "8", "/usage/cache_read_tokens": "3", "/usage/output_tokens": "5"},
		},
		{
			"a call's id that comes again while it is open",
			[]object{
				{"kind": "ActionEvent", "tool_name": "t", "tool_call_id": "x:9", "action": object{"kind": "ThinkAction"}},
				{"kind": "ActionEvent", "tool_name": "t", "tool_call_id": "x:9", "action": object{"kind": "ThinkAction"}},
				{"kind": "AgentErrorEvent", "tool_name": "t", "tool_call_id": "x:9", "error": "bad"},
			},
			world{"/pending/x:9": `{"call":"x:9","pos":1,"seq":1,"tool":"t"}`, "/pending/e1": "null"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.want.check(t, foldLines(t, tt.events...)) })
	}
}

// TestBackToOpenCall goes back behind a result: its call is open again.
func TestBackToOpenCall(t *testing.T) {
	f := foldLines(t,
		object{"kind": "MessageEvent", "id": "u", "source": "user", "llm_message": object{"role": "user", "content": content("go")}},
		object{"kind": "ActionEvent", "id": "a", "parent_id": "u", "tool_name": "t", "tool_call_id": "c", "action": object{"kind": "ThinkAction"}},
		object{"kind": "AgentErrorEvent", "id": "r", "parent_id": "a", "tool_name": "t", "tool_call_id": "c", "error": "A restart occurred while this tool was in progress."},
		object{"kind": "InterruptEvent", "id": "i", "parent_id": "a", "source": "user"},
		object{"kind": "InterruptEvent", "id": "j", "parent_id": "r", "source": "user"},
		object{"kind": "InterruptEvent", "id": "k", "parent_id": "__root__", "source": "user"},
	)
	for pos, want := range map[int64]string{2: "map[c:true]", 3: "map[]", 4: "map[c:true]", 5: "map[]", 6: "map[]"} {
		if got := fmt.Sprint(f.pendingCalls(pos)); got != want {
			t.Errorf("pending after %d: %s, want %s", pos, got, want)
		}
	}
	if title := f.Events[2].Title; title != "t: no result, the program says: A restart occurred while this tool was in progress." {
		t.Errorf("title %q", title)
	}
	if n := len(f.Viewed(6)); n != 0 {
		t.Errorf("%d messages in view of an empty path", n)
	}
}

// TestResponseTokens spreads what the state file tells over the log.
func TestResponseTokens(t *testing.T) {
	state := `{"id":"11111111-2222-3333-4444-555555555555","agent":{"kind":"Agent"},"execution_status":"idle","workspace":{"working_dir":"/w"},
		"stats":{"usage_to_metrics":{"agent":{"accumulated_cost":0.3,"costs":[{"cost":0.1},{"cost":0.2}],
		"accumulated_token_usage":{"prompt_tokens":30},"token_usages":[{"prompt_tokens":10,"response_id":"r1"},{"prompt_tokens":20,"response_id":"r2"}]}}}}`
	act := func(id, response string) string {
		return fmt.Sprintf(`{"kind":"ActionEvent","id":%q,"timestamp":"2026-03-01T10:00:00","source":"agent","tool_name":"t","tool_call_id":%q,"llm_response_id":%q,"action":{"kind":"ThinkAction"}}`, id, id, response)
	}
	im := trial.Read(t, New(), trial.NewDump(map[string]string{
		"c/base_state.json":                  state,
		"c/events/event-00000-aaaaaaaa.json": act("aaaaaaaa", "r1"),
		"c/events/event-00001-bbbbbbbb.json": act("bbbbbbbb", "r1"),
		"c/events/event-00002-cccccccc.json": act("cccccccc", "r2"),
	}))
	f := &folded{im.Sessions[0].Fold(t, true)}
	for pos, want := range map[int64]float64{1: 10, 2: 10, 3: 30} {
		f.expect(t, pos, "/usage/input_tokens", want)
	}
	f.expect(t, 2, "/usage/cost_usd", 0.1)
}
