package openhands

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestWhatIsHidden: what a port writes for every request, what stands beside it
// already, and a state that is the old one are no rows of the timeline.
func TestWhatIsHidden(t *testing.T) {
	status := func(s string) object {
		return object{"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "agent_status", "value": s}
	}
	f := foldLines(t,
		object{"kind": "MessageEvent", "source": "user", "llm_message": object{"role": "user", "content": content("go")}},
		status("RUNNING"),
		object{"kind": "ConversationStateUpdateEvent", "source": "environment", "key": "llm_request", "value": object{"model": "m"}},
		object{"kind": "MessageEvent", "llm_message": object{"role": "assistant", "content": []object{}, "tool_calls": []object{
			{"id": "c1", "type": "function", "function": object{"name": "t", "arguments": "{}"}},
		}}},
		object{"kind": "ActionEvent", "tool_name": "t", "tool_call_id": "c1", "action": object{}},
		object{"kind": "ObservationEvent", "source": "environment", "tool_name": "t", "tool_call_id": "c1", "observation": object{"output": "7"}},
		object{"kind": "MessageEvent", "source": "environment", "llm_message": object{"role": "tool", "tool_call_id": "c1", "content": content("7")}},
		status("RUNNING"),
		status("IDLE"),
	)
	for pos, want := range map[int]bool{1: false, 2: false, 3: true, 4: true, 5: false, 6: false, 7: true, 8: true, 9: false} {
		if e := f.Events[pos-1]; e.Noise != want {
			t.Errorf("%d %q hidden: %v", pos, e.Title, e.Noise)
		}
	}
}

// TestNamesOfV0Calls: the tool names a call, and of the editor what it does.
func TestNamesOfV0Calls(t *testing.T) {
	meta := func(tool string) object { return object{"function_name": tool, "tool_call_id": "c"} }
	for want, args := range map[string]object{
		"str_replace_editor edit /a.txt":   {"action": "edit", "args": object{"path": "/a.txt"}},
		"str_replace_editor create /a.txt": {"action": "edit", "args": object{"path": "/a.txt", "command": "create"}},
		"str_replace_editor read /a.txt":   {"action": "read", "args": object{"path": "/a.txt"}},
		"execute_bash make":                {"action": "run", "args": object{"command": "make"}},
	} {
		tool, _, _ := strings.Cut(want, " ")
		args["id"], args["source"], args["tool_call_metadata"] = 1, "agent", meta(tool)
		line, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		if got := readLines(t, string(line)).Events[0].Title; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRefusedEditsNameTheirPlace: what is wrong with an edit stands in its first
// line, where in the second.
func TestRefusedEditsNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"[Your proposed edit has introduced new syntax error(s). Please retry.]\n/w/a.js:22\n[This is how": "run_ipython: /w/a.js:22 Your proposed edit has introduced new syntax error(s). Please retry.",
		"[Your proposed edit has introduced new syntax error(s).]\n[This is how":                           "run_ipython: [Your proposed edit has introduced new syntax error(s).]",
	} {
		line, err := json.Marshal(object{"id": 2, "source": "agent", "observation": "run_ipython", "content": text, "extras": object{}})
		if err != nil {
			t.Fatal(err)
		}
		if got := readLines(t, string(line)).Events[0].Title; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
