package openhands

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
)

func says(who, text string) object {
	role := "user"
	if who == "agent" {
		role = "assistant"
	}
	return object{"kind": "MessageEvent", "source": who, "llm_message": object{"role": role, "content": content(text)}}
}

func asks(id, response, thought string) object {
	e := object{"kind": "ActionEvent", "id": "a" + id, "tool_name": "t", "tool_call_id": id, "llm_response_id": response, "action": object{"kind": "ThinkAction"},
		"tool_call": object{"id": id, "name": "t", "arguments": `{"n":"` + id + `"}`}}
	if thought != "" {
		e["thought"] = content(thought)
	}
	return e
}

func gets(id, text string) object {
	return object{"kind": "ObservationEvent", "source": "environment", "tool_name": "t", "tool_call_id": id, "action_id": "a" + id, "observation": object{"kind": "ThinkObservation", "content": content(text)}}
}

func TestMessages(t *testing.T) {
	branched := func(e object) object { e["parent_id"] = "e0"; return e }
	tests := []struct {
		name   string
		events []object
		cold   bool
		want   []string
		exact  bool
	}{
		{
			"a response with two calls",
			[]object{says("user", "go"), asks("1", "r", "both"), asks("2", "r", ""), gets("1", "A"), gets("2", "B")}, false,
			[]string{`user "go" [] []`, `assistant "both" [{1 t {"n":"1"}} {2 t {"n":"2"}}] []`, `tool "A" [] [1]`, `tool "B" [] [2]`}, true,
		},
		{
			"two responses in a row",
			[]object{asks("1", "r", ""), asks("2", "s", "")}, false,
			[]string{`assistant "" [{1 t {"n":"1"}}] []`, `assistant "" [{2 t {"n":"2"}}] []`}, false,
		},
		{
			"a pending call is not there after a restart",
			[]object{says("user", "go"), asks("1", "r", "")}, true,
			[]string{`user "go" [] []`}, true,
		},
		{
			"what is left of a response is not there after a restart",
			[]object{says("user", "go"), asks("1", "r", ""), asks("2", "r", ""), gets("1", "A"), gets("2", "B"), {"kind": "Condensation", "forgotten_event_ids": []string{"a1", "e3"}}}, true,
			[]string{`user "go" [] []`}, true,
		},
		{
			"an early version never shows a pending call",
			[]object{says("user", "go"), {"kind": "ActionEvent", "tool_name": "execute_bash", "tool_call_id": "1", "action": object{"kind": "ExecuteBashAction", "command": "ls"}}}, false,
			[]string{`user "go" [] []`}, true,
		},
		{"two messages of the user, version unknown", []object{says("user", "go"), says("user", "on")}, false, []string{`user "go" [] []`, `user "on" [] []`}, false},
		{"two messages of the user since 1.31", []object{says("user", "go"), branched(says("user", "on"))}, false, []string{"user \"go\\non\" [] []"}, true},
		{
			"prompt, extension, rejection, error",
			[]object{
				{"kind": "SystemPromptEvent", "system_prompt": object{"type": "text", "text": "you are"}, "dynamic_context": object{"type": "text", "text": "today"}},
				{"kind": "MessageEvent", "source": "user", "llm_message": object{"role": "user", "content": content("go")}, "extended_content": content("skill")},
				{"kind": "UserRejectObservation", "source": "environment", "tool_name": "t", "tool_call_id": "1", "rejection_reason": "no"},
				{"kind": "AgentErrorEvent", "tool_name": "t", "tool_call_id": "2", "error": "bad"},
			}, false,
			[]string{"system \"you are\\ntoday\" [] []", "user \"go\\nskill\" [] []", `tool "Action rejected: no" [] [1]`, `tool "bad" [] [2]`}, true,
		},
		{
			"a command's end",
			[]object{{"kind": "ObservationEvent", "source": "environment", "tool_name": "terminal", "tool_call_id": "1", "observation": object{
				"kind": "TerminalObservation", "is_error": true, "content": content("out"),
				"metadata": object{"exit_code": 2, "working_dir": "/w", "py_interpreter_path": "/py", "prefix": "[below]\n", "suffix": "\n[end]"},
			}}}, false,
			[]string{"tool \"[An error occurred during execution.]\\n\\n[below]\\nout\\n[end]\\n[Current working directory: /w]\\n[Python interpreter: /py]\\n[Command finished with exit code 2]\" [] [1]"}, false,
		},
		{
			"two summaries, version unknown",
			[]object{
				says("agent", "hm"),
				{"kind": "Condensation", "forgotten_event_ids": []string{}, "summary": "one", "summary_offset": 0},
				{"kind": "Condensation", "forgotten_event_ids": []string{}, "summary": "two", "summary_offset": 2},
			}, false,
			[]string{`user "one" [] []`, `assistant "hm" [] []`, `user "two" [] []`}, false,
		},
		{
			"an early version keeps one summary, and whole responses go",
			[]object{
				{"kind": "ConversationStateUpdateEvent", "source": "user", "agent_status": "running"},
				says("agent", "hm"), asks("1", "r", ""), asks("2", "r", ""), gets("1", "A"), gets("2", "B"),
				{"kind": "Condensation", "forgotten_event_ids": []string{}, "summary": "one", "summary_offset": 0},
				{"kind": "Condensation", "forgotten_event_ids": []string{"a1", "e4", "e5"}, "summary": "two", "summary_offset": 1},
			}, false,
			[]string{`assistant "hm" [] []`, `user "two" [] []`}, false,
		},
		{
			"a port that writes calls and results twice",
			[]object{
				{"kind": "MessageEvent", "llm_message": object{"role": "assistant", "content": []object{}, "tool_calls": []object{{"id": "1", "type": "function", "function": object{"name": "t", "arguments": "{}"}}}}},
				asks("1", "r", ""), gets("1", "A"),
				{"kind": "MessageEvent", "source": "environment", "llm_message": object{"role": "tool", "tool_call_id": "1", "name": "t", "content": content(`{"a":1}`)}},
			}, false,
			[]string{`assistant "" [{1 t {}}] []`, `tool "{\"a\":1}" [] [1]`}, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := foldLines(t, tt.events...)
			last := int64(len(f.Events))
			talk := New().(model.Teller).Messages(f.Viewed(last), !tt.cold)
			var got []string
			for _, m := range talk.Messages {
				got = append(got, fmt.Sprintf("%v %q %v %v", m.Role, m.Text, m.Calls, m.Results))
			}
			if !slices.Equal(got, tt.want) || talk.Exact != tt.exact {
				t.Errorf("exact %v, messages\n%q\nwant\n%q", talk.Exact, got, tt.want)
			}
		})
	}
}

// TestLongOutput clips what the program would clip, and says that it did.
func TestLongOutput(t *testing.T) {
	e := object{"kind": "ObservationEvent", "source": "environment", "tool_name": "terminal", "tool_call_id": "1", "observation": object{
		"kind": "TerminalObservation", "content": content(strings.Repeat("ä", 40_000)), "metadata": object{"exit_code": 0},
	}}
	f := foldLines(t, e)
	talk := New().(model.Teller).Messages(f.Viewed(1), true)
	if n := chars(talk.Messages[0].Text); n != outputLimit || talk.Exact || f.Views[0][0].Chars != outputLimit {
		t.Errorf("%d characters, exact %v, %d in view", n, talk.Exact, f.Views[0][0].Chars)
	}
}

// TestTornBatch drops, after a restart, what a condensation left of a response
// though nothing in view tells of the rest.
func TestTornBatch(t *testing.T) {
	f := foldLines(t,
		says("user", "go"), asks("1", "r", ""), asks("2", "r", ""), gets("1", "A"), gets("2", "B"),
		object{"kind": "Condensation", "forgotten_event_ids": []string{"a2", "e4"}},
	)
	if got := viewIDs(f.Viewed(6)); !slices.Equal(got, []string{"e0", "a1", "e3"}) {
		t.Errorf("live %q", got)
	}
	if got := viewIDs(f.cold(6)); !slices.Equal(got, []string{"e0"}) {
		t.Errorf("cold %q", got)
	}
}

func TestKeyBetween(t *testing.T) {
	keys := []string{model.MessageKey(1), model.MessageKey(2), model.MessageKey(3)}
	seen := map[string]bool{}
	for pos := int64(4); pos < 400; pos++ {
		i := int(pos*7919) % (len(keys) + 1)
		before, behind := "", ""
		if i > 0 {
			before = keys[i-1]
		}
		if i < len(keys) {
			behind = keys[i]
		}
		key := keyBetween(before, behind, pos)
		if key <= before || behind != "" && key >= behind || seen[key] {
			t.Fatalf("pos %d: %q is not between %q and %q", pos, key, before, behind)
		}
		seen[key] = true
		keys = slices.Insert(keys, i, key)
		if pos%5 == 0 { // a condensation forgets some
			keys = slices.Delete(keys, i/2, i/2+1)
		}
	}
}

func TestRecorded(t *testing.T) {
	read := New().(model.Recorder).Recorded
	s, err := read([]byte(`{"id":"11111111-2222-3333-4444-555555555555","agent":{},"execution_status":"paused","a/b":1}`))
	if err != nil || s.Session != "11111111222233334444555555555555" || s.Execution == nil || *s.Execution != "paused" || !slices.Equal(s.Unread, []string{"/agent", "/a~1b"}) {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = read([]byte(`[{"title":"write","notes":"","status":"done"}]`))
	if err != nil || len(s.Tasks) != 1 || s.Tasks[0] != (model.Task{ID: "1", Title: "write", Status: "done"}) {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := read([]byte(`{"x":1}`)); err == nil {
		t.Error("anything is a state")
	}
}
