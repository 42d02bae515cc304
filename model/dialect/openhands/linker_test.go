package openhands

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// readLines imports records that stand one a line.
func readLines(t testing.TB, records ...string) *trial.Session {
	t.Helper()
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"run.jsonl": lines(records...)}))
	if len(im.Sessions) != 1 {
		t.Fatalf("%d sessions; unread %q", len(im.Sessions), im.Broken)
	}
	return im.Sessions[0]
}

// linksOf writes an event's links: reason, target's pos, a ~ where inferred, a
// ! where they lead nowhere.
func linksOf(e *model.Event) string {
	var all []string
	for _, l := range e.Links {
		s := fmt.Sprintf("%s %d", l.Reason, l.To.Pos)
		if l.Inferred {
			s += "~"
		}
		if !l.Resolved() {
			s = l.Reason.String() + " !" + l.ToID
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

// v1Error is an error that names its call only by the provider's id.
func v1Error(n int, call string) string {
	return fmt.Sprintf(`{"id":"%s%d","timestamp":"2026-01-01T10:00:%02d","source":"agent","error":"lost","tool_name":"terminal","tool_call_id":"%s","kind":"AgentErrorEvent"}`, uuid, n, n, call)
}

// v1Plain is an event of a kind without fields; more is put in behind the id.
func v1Plain(n int, kind, more string) string {
	return fmt.Sprintf(`{"id":"%s%d",%s"timestamp":"2026-01-01T10:00:%02d","source":"environment","kind":"%s"}`, uuid, n, more, n, kind)
}

// on gives a record a parent.
func on(parent int, record string) string {
	name := fmt.Sprintf("%s%d", uuid, parent)
	if parent == 0 {
		name = rootParent
	}
	return `{"parent_id":"` + name + `",` + record[1:]
}

func TestLinks(t *testing.T) {
	tests := []struct {
		name    string
		records []string
		want    []string // links of each event; "" is not looked at
		open    int64
		outcome string
	}{
		{
			"an older log is one line",
			[]string{v1User(1), v1Call(2, "c"), v1Result(3, 2, "c"), v1Call(4, "d")},
			[]string{"", "parent 1~, source 1~", "action 2, parent 2~", "parent 3~, source 3~"},
			1, "waiting",
		},
		{
			"two results for one call, the first by its id only",
			[]string{v1User(1), v1Call(2, "x"), v1Error(3, "x"), v1Result(4, 2, "x")},
			[]string{"", "", "parent 2~, action 2", "action 2, parent 3~"},
			0, "running",
		},
		{
			"a second result by the call's id only",
			[]string{v1User(1), v1Call(2, "x"), v1Result(3, 2, "x"), v1Error(4, "x")},
			[]string{"", "", "", "parent 3~, action 2"},
			0, "running",
		},
		{
			"a call's id that comes again: the nearest open call",
			[]string{v1Call(1, "x"), v1Error(2, "x"), v1Call(3, "x"), v1Error(4, "x"), v1Call(5, "x"), v1Call(6, "x"), v1Error(7, "x"), v1Error(8, "x")},
			[]string{"", "parent 1~, action 1", "", "parent 3~, action 3", "", "", "parent 6~, action 6", "parent 7~, action 5"},
			0, "running",
		},
		{
			"a result before its call, a result without one",
			[]string{v1Result(1, 2, "x"), v1Call(2, "x"), v1Error(3, "nobody")},
			[]string{"action !" + uuid + "2", "", "parent 2~, action !nobody"},
			1, "waiting",
		},
		{
			"a branch: source and pending calls follow the path",
			[]string{v1User(1), on(1, v1Call(2, "x")), on(2, v1Call(3, "y")), on(1, v1User(4)), on(4, v1Call(5, "z"))},
			[]string{"", "parent 1, source 1~", "parent 2, source 2~", "parent 1", "parent 4, source 4~"},
			1, "waiting",
		},
		{
			"a branch to a record that opened one itself: its own path tells what was seen",
			[]string{v1User(1), on(1, v1Call(2, "x")), on(1, v1Plain(3, "PauseEvent", "")), on(2, v1Call(4, "y")), on(3, v1Call(5, "z"))},
			[]string{"", "", "parent 1", "parent 2, source 2~", "parent 3, source 1~"},
			1, "waiting",
		},
		{
			"a state update that names an old parent moves nothing",
			[]string{v1User(1), on(1, v1Call(2, "x")), on(1, v1Plain(3, "ConversationStateUpdateEvent", `"key":"goal","value":1,`)), on(2, v1Call(4, "y"))},
			[]string{"", "", "parent 1", "parent 2, source 2~"},
			2, "waiting",
		},
		{
			"an explicit root drops what stood before",
			[]string{v1User(1), on(1, v1Call(2, "x")), on(0, v1User(3))},
			[]string{"", "", ""},
			0, "running",
		},
		{
			"a parent that is not there, and one's own",
			[]string{v1User(1), on(9, v1User(2)), on(3, v1User(3))},
			[]string{"", "parent !" + uuid + "9", "parent !" + uuid + "3"},
			0, "running",
		},
		{
			"an unknown kind stays on the path, out of the view",
			[]string{v1User(1), on(1, v1Plain(2, "Mine", "")), on(2, v1Call(3, "x"))},
			[]string{"", "parent 1", "parent 2, source 1~"},
			1, "waiting",
		},
		{
			"an unknown kind answers a call",
			[]string{v1Call(1, "x"), v1Plain(2, "CustomObservationEvent", `"observation":{},"tool_call_id":"x","action_id":"`+uuid+`1",`), v1Call(3, "y"), v1Plain(4, "Custom2", `"observation":{},"tool_call_id":"y",`)},
			[]string{"", "action 1, parent 1~", "parent 2~, source 1~", "parent 3~, action 3"},
			0, "running",
		},
		{
			"a hook names a later call, one looks back",
			[]string{
				v1User(1), v1Plain(2, "HookExecutionEvent", `"hook_event_type":"PreToolUse","success":true,"blocked":true,"action_id":"`+uuid+`3",`), v1Call(3, "x"),
				v1Plain(4, "UserRejectObservation", `"rejection_reason":"no","rejection_source":"hook","action_id":"`+uuid+`3","tool_call_id":"x",`),
				v1Plain(5, "HookExecutionEvent", `"hook_event_type":"PostToolUse","success":false,"exit_code":2,"action_id":"`+uuid+`3",`),
			},
			[]string{"", "parent 1~", "parent 2~, parent 2, source 1~", "action 3, parent 3~, source 2", "action 3, parent 4~"},
			0, "running",
		},
		{
			"a hook behind what it names",
			[]string{v1User(1), v1Plain(2, "HookExecutionEvent", `"hook_event_type":"UserPromptSubmit","success":true,"message_id":"`+uuid+`1",`), v1Call(3, "x"), v1Plain(4, "HookExecutionEvent", `"hook_event_type":"PreToolUse","success":true,"action_id":"`+uuid+`3",`)},
			[]string{"", "parent 1~, source 1", "parent 2~, source 1~", "parent 3~, action 3"},
			1, "waiting",
		},
		{
			"condensation: what it forgets, once each, and what asked for it",
			[]string{
				v1User(1), v1Plain(2, "CondensationRequest", ""),
				v1Plain(3, "Condensation", `"forgotten_event_ids":["`+uuid+`1","`+uuid+`1","gone","`+uuid+`3"],"summary":"s",`),
				v1Plain(4, "Condensation", `"forgotten_event_ids":["`+uuid+`3-summary"],`),
			},
			[]string{"", "parent 1~", "forgets 1, forgets !gone, forgets !" + uuid + "3, parent 2~, source 2~", "forgets 3, parent 3~"},
			0, "running",
		},
		{
			"full state stands on the event before it",
			[]string{v1User(1), v1Plain(2, "ConversationStateUpdateEvent", `"key":"full_state","value":{"execution_status":"idle"},`)},
			[]string{"", "base 1~"},
			0, "idle",
		},
		{
			"ACP: call, progress, result",
			[]string{
				v1User(1), v1Plain(2, "ACPToolCallEvent", `"tool_call_id":"a","title":"Edit","status":"pending",`),
				v1Plain(3, "ACPToolCallEvent", `"tool_call_id":"a","title":"Edit","status":"in_progress",`),
				v1Plain(4, "ACPToolCallEvent", `"tool_call_id":"a","title":"Edit","status":"failed",`),
			},
			[]string{"", "parent 1~", "parent 2~, action 2", "parent 3~, action 2"},
			0, "running",
		},
		{
			"a conversation error has a source",
			[]string{v1User(1), v1Plain(2, "ConversationErrorEvent", `"code":"Max","detail":"too many",`)},
			[]string{"", "parent 1~, source 1~"},
			0, "error",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := readLines(t, tt.records...)
			if len(r.Events) != len(tt.want) {
				t.Fatalf("%d events", len(r.Events))
			}
			for i, want := range tt.want {
				e := r.Events[i]
				if says := strings.HasPrefix(e.Title, "branch from "); says && !strings.Contains(tt.name, "branch") {
					t.Errorf("event %d: title %q", i+1, e.Title)
				}
				if got := linksOf(e); want != "" && got != want {
					t.Errorf("event %d: links %q, want %q", i+1, got, want)
				}
			}
			sum := r.Linker.Summary()
			if sum.OpenCalls != tt.open || sum.Outcome != tt.outcome {
				t.Errorf("%d open calls, outcome %q, want %d and %q", sum.OpenCalls, sum.Outcome, tt.open, tt.outcome)
			}
		})
	}
}

// TestParallelCalls pairs 500 calls of one response with results in another
// order.
func TestParallelCalls(t *testing.T) {
	const n = 500
	records := []string{v1User(1)}
	for i := range n {
		records = append(records, fmt.Sprintf(`{"id":"a%d","source":"agent","timestamp":"2026-01-01T10:00:00","action":{"kind":"X"},"tool_name":"t","tool_call_id":"c%d","llm_response_id":"r","kind":"ActionEvent"}`, i, i))
	}
	for i := range n {
		at := (i*7 + 3) % n
		records = append(records, fmt.Sprintf(`{"id":"o%d","source":"agent","timestamp":"2026-01-01T10:00:00","tool_call_id":"c%d","error":"x","kind":"AgentErrorEvent"}`, at, at))
	}
	r := readLines(t, records...)
	for i := range n {
		call, result := r.Event(t, fmt.Sprint("a", i)), r.Event(t, fmt.Sprint("o", i))
		if !linked(result, call, model.ReasonAction, false) || result.Tool != "t" {
			t.Fatalf("result %d: tool %q, links %s", i, result.Tool, linksOf(result))
		}
		if !linked(call, r.Events[0], model.ReasonSource, true) || i > 0 && !linked(call, r.Event(t, "a0"), model.ReasonBatch, false) {
			t.Fatalf("call %d: links %s", i, linksOf(call))
		}
	}
	if open := r.Linker.Summary().OpenCalls; open != 0 {
		t.Errorf("%d open calls", open)
	}
}

// TestLinksV0 pairs by cause, by the call's id, by the stack of delegates, and
// forgets a range.
func TestLinksV0(t *testing.T) {
	act := func(id int, what, more string) string {
		return fmt.Sprintf(`{"id":%d,"timestamp":"2025-01-01T10:00:%02d","source":"agent","action":"%s","args":{}%s}`, id, id%60, what, more)
	}
	obs := func(id int, what, more string) string {
		return fmt.Sprintf(`{"id":%d,"timestamp":"2025-01-01T10:00:%02d","source":"agent","observation":"%s","content":"x","extras":{}%s}`, id, id%60, what, more)
	}
	meta := func(call string) string {
		return `,"tool_call_metadata":{"function_name":"f","tool_call_id":"` + call + `","model_response":{"id":"r1"}}`
	}
	r := readLines(t,
		v0User(1), act(2, "run", meta("c1")), act(3, "read", meta("c2")), obs(4, "read", meta("c2")), obs(5, "run", meta("c1")),
		act(10, "delegate", ""), act(11, "delegate", ""), obs(12, "delegate", ""), obs(13, "delegate", ""),
		`{"id":20,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":2,"forgotten_events_end_id":1000000000000,"summary":"s"}}`,
		`{"id":22,"source":"environment","observation":"error","content":"lost","extras":{}}`,
		obs(23, "run", meta("gone")),
		`{"id":21,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":9,"forgotten_events_end_id":3}}`,
	)
	want := []string{
		"", "source 1~", "batch 2, source 1~", "action 3", "action 2",
		"source 5~", "source 6~", "action 7", "action 6",
		"source 9~, forgets 2, forgets 3, forgets 4, forgets 5, forgets 6, forgets 7, forgets 8, forgets 9", "source 9~",
		"source 9~", "action !gone",
	}
	if len(r.Events) != len(want) {
		t.Fatalf("%d events", len(r.Events))
	}
	for i, w := range want {
		if got := linksOf(r.Events[i]); got != w {
			t.Errorf("event %d: links %q, want %q", i+1, got, w)
		}
	}
	if r.Events[4].Tool != "f" || r.Linker.Summary().OpenCalls != 0 {
		t.Errorf("tool %q, %d open calls", r.Events[4].Tool, r.Linker.Summary().OpenCalls)
	}
}

// expectedStep is what the set's author expects after an event.
type expectedStep struct {
	Seq     int64
	Pending []string `json:"pending_actions_on_path"`
	Status  *string  `json:"execution_status"`
	Cost    *float64
}

// TestSteps follows the synthetic tree and compares the state after each event.
// After every event the linker is saved, and a new one goes on from there.
func TestSteps(t *testing.T) {
	dir := filepath.Join(trial.DataFolder(t, "openhands"), "synthetic-tree-condense")
	b, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Steps []expectedStep }
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	whole := openOne(t, filepath.Join(dir, "persisted"))
	if title := whole.Events[31].Title; title != "branch from 6: user: Alternative: use argparse instead" {
		t.Errorf("the branch is titled %q", title)
	}
	i := 0
	whole.Steps(t, true, func(now *trial.Session, e *model.Event) {
		checkStep(t, now.Linker.Summary(), want.Steps[i])
		if !reflect.DeepEqual(e.Links, whole.Events[i].Links) || e.Title != whole.Events[i].Title {
			t.Errorf("seq %d: %q %s differs after a stop from %q %s", e.Seq, e.Title, linksOf(e), whole.Events[i].Title, linksOf(whole.Events[i]))
		}
		i++
	})
}

func checkStep(t *testing.T, got model.Summary, want expectedStep) {
	t.Helper()
	if got.OpenCalls != int64(len(want.Pending)) {
		t.Errorf("seq %d: %d open calls, want %q", want.Seq, got.OpenCalls, want.Pending)
	}
	if want.Status != nil && got.Outcome != *want.Status {
		t.Errorf("seq %d: outcome %q, want %q", want.Seq, got.Outcome, *want.Status)
	}
	if want.Cost != nil && got.Usage.CostUSD != *want.Cost {
		t.Errorf("seq %d: cost %v, want %v", want.Seq, got.Usage.CostUSD, *want.Cost)
	}
}

// TestLoadBroken refuses what Save did not write.
func TestLoadBroken(t *testing.T) {
	if err := New().NewLinker(nil, "s").Load([]byte("{")); err == nil {
		t.Error("loaded a cut state")
	}
}

// TestBounds runs a log of unanswered calls, branches and hooks: what is
// remembered must not grow with it.
func TestBounds(t *testing.T) {
	l := New().NewLinker(nil, "s").(*linker)
	r := &trial.Session{}
	const n = 3 * callLimit
	for i := range n {
		note := note{Flags: inView | opensCall | sourced, Response: fmt.Sprint("r", i), Guards: fmt.Sprint("g", i), Announces: []string{fmt.Sprint("x", i)}}
		if i%2 == 1 {
			note.Flags |= hasParent
			note.Parent = rootParent
		}
		e := &model.Event{Pos: int64(i + 1), Seq: int64(i + 1), Kind: model.KindAction, Call: fmt.Sprint("c", i), Note: note.String()}
		r.Events = append(r.Events, e)
		l.Link(e, r)
	}
	st := &l.state
	if len(st.Calls.Open) > callLimit || len(st.Turns) > turnLimit || len(st.Guards) > guardLimit || len(st.Tree.Segments) > forkLimit {
		t.Errorf("remembers %d calls, %d turns, %d guards, %d segments", len(st.Calls.Open), len(st.Turns), len(st.Guards), len(st.Tree.Segments))
	}
	if open := l.Summary().OpenCalls; open != n {
		t.Errorf("%d open calls, want %d", open, n)
	}
}

// TestAnnouncedCalls: a port writes a call into the message that makes it, and
// again as a record of its own: both are one answer of the model.
func TestAnnouncedCalls(t *testing.T) {
	f := foldLines(t,
		object{"kind": "MessageEvent", "source": "user", "llm_message": object{"role": "user", "content": content("go")}},
		object{"kind": "MessageEvent", "llm_message": object{"role": "assistant", "content": []object{}, "tool_calls": []object{
			{"id": "c1", "type": "function", "function": object{"name": "t", "arguments": "{}"}},
			{"id": "c2", "type": "function", "function": object{"name": "t", "arguments": "{}"}},
		}}},
		object{"kind": "ActionEvent", "tool_name": "t", "tool_call_id": "c1", "llm_response_id": "r", "action": object{}},
		object{"kind": "AgentErrorEvent", "tool_name": "t", "tool_call_id": "c1", "error": "no"},
		object{"kind": "ActionEvent", "tool_name": "t", "tool_call_id": "c2", "llm_response_id": "r", "action": object{}},
	)
	for pos, want := range map[int]string{3: "parent 2~, batch 2, source 1~", 5: "parent 4~, batch 2, batch 3, source 1~"} {
		if got := linksOf(f.Events[pos-1]); got != want {
			t.Errorf("links of %d: %s, want %s", pos, got, want)
		}
	}
}

// TestNote keeps a note through its text, whatever the ids hold.
func TestNote(t *testing.T) {
	in := note{Flags: isV0 | noParentLink | acp, Response: "r:1\x00", Parent: "12:p", Status: "é", Guards: "g", Line: "a\nb", Version: "v", Announces: []string{"1", "", "2"}, From: "0", To: "9"}
	got := parseNote(in.String())
	in.Announces = slices.DeleteFunc(in.Announces, func(s string) bool { return s == "" })
	if !reflect.DeepEqual(got, in) {
		t.Errorf("got %+v, want %+v", got, in)
	}
	for _, broken := range []string{"x", "f", "f9999999999999999999:1", "p-1:x", "p5:abc", ":"} {
		if got := parseNote(broken); !reflect.DeepEqual(got, note{}) {
			t.Errorf("%q reads as %+v", broken, got)
		}
	}
}

func linked(from, to *model.Event, reason model.Reason, inferred bool) bool {
	return slices.ContainsFunc(from.Links, func(l model.Link) bool {
		return l.Resolved() && l.To.Pos == to.Pos && l.Reason == reason && l.Inferred == inferred
	})
}
