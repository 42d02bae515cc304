package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/replay"
)

// numbered is an item of the history with its numbers.
func numbered(ordinal, own, sampled int, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-04-06T09:00:%02d.000Z","ordinal":%d,"type":"response_item","payload":%s,"metadata":{"history_sequence":%d,"sampled_through_sequence":%d}}`,
		ordinal, ordinal, payload, own, sampled)
}

func message(id, role, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"role":%q,"content":[{"type":"input_text","text":%q}]}`, id, role, text)
}

func checkTexts(t *testing.T, c model.Conversation, exact bool, want ...string) {
	t.Helper()
	if got := texts(c); !slices.Equal(got, want) || c.Exact != exact {
		t.Errorf("got %q (exact %v), want %q (%v)", got, c.Exact, want, exact)
	}
}

func talk(view []model.Viewed) model.Conversation {
	return New().(model.Teller).Messages(view, true)
}

// TestRequestIsCutWhereItWasSampled: what the user says while an answer is made
// is recorded before that, and was not seen by it.
func TestRequestIsCutWhereItWasSampled(t *testing.T) {
	f := foldLines(t, strings.Replace(threadLine, `"type"`, `"ordinal":0,"type"`, 1),
		numbered(1, 1, 0, message("m1", "user", "Grind it.")),
		numbered(2, 2, 0, message("m2", "user", "And fine.")),
		numbered(3, 3, 1, `{"type":"reasoning","id":"r1","summary":[]}`),
		numbered(4, 4, 1, `{"type":"function_call","id":"f1","name":"exec_command","arguments":"{\"cmd\":\"grind\"}","call_id":"c1"}`),
		numbered(5, 5, 1, `{"type":"function_call_output","id":"o1","call_id":"c1","output":"Process exited with code 0\nOutput:\n"}`),
		numbered(6, 6, 5, message("m3", "assistant", "Done.")),
	)
	checkTexts(t, f.request(f.Find("f1")), true, "user: Grind it.")
	checkTexts(t, f.request(f.Find("m3")), true,
		"user: Grind it.", "user: And fine.", "assistant: ", "assistant: ", "tool: Process exited with code 0\nOutput:\n")
	last := talk(f.Viewed(f.end()))
	if call := last.Messages[3].Calls[0]; call.ID != "c1" || call.Tool != "exec_command" || call.Args != `{"cmd":"grind"}` {
		t.Errorf("call %+v", call)
	}
	if got := last.Messages[4].Results; !slices.Equal(got, []string{"c1"}) {
		t.Errorf("results %v", got)
	}
	// A log that begins in the middle is that of a fork without its base.
	if c := talk(f.Viewed(f.end())[5:]); c.Exact {
		t.Error("a request that begins with an answer is said to be exact")
	}
}

// TestOneResponse: older versions write a round of calls and results at once.
func TestOneResponse(t *testing.T) {
	f := foldLines(t, threadLine,
		said(1, "user", "Do both."),
		called(2, "a", "shell", `{"command":["ls"]}`), returned(2, "a", "Exit code: 0"),
		called(2, "b", "shell", `{"command":["pwd"]}`), returned(2, "b", "Exit code: 0"),
		said(4, "assistant", "Both are done."),
	)
	var responses []string
	for _, x := range f.Views[f.end()-1] {
		responses = append(responses, x.Response)
	}
	if want := []string{"", "#3", "", "#3", "", "#7"}; !slices.Equal(responses, want) {
		t.Errorf("responses %q, want %q", responses, want)
	}
}

func TestCompactionKeepsWhatStands(t *testing.T) {
	replaced := func(items ...string) string { return "[" + strings.Join(items, ",") + "]" }
	f := foldLines(t, threadLine,
		itemLine(1, message("d1", "developer", "Rules.")),
		itemLine(1, message("u1", "user", "First.")),
		itemLine(2, message("a1", "assistant", "Yes.")),
		itemLine(3, message("u2", "user", "Second.")),
		`{"type":"compacted","payload":{"message":"SUM 1","window_id":"w1","replacement_history":`+replaced(
			message("d2", "developer", "Rules."), message("u1", "user", "First."), message("x", "user", "Between."),
			message("u2", "user", "Second, cut."), `{"type":"additional_tools"}`, message("s1", "user", "SUM 1"))+`}}`,
		itemLine(5, message("a2", "assistant", "Go on.")),
		`{"type":"compacted","payload":{"message":"SUM 2","window_id":"w2","replacement_history":`+replaced(
			message("d3", "developer", "Rules."), message("u1", "user", "First."), message("y", "user", "Earlier."), message("x", "user", "Between."),
			message("s2", "user", "SUM 2"))+`}}`,
		itemLine(7, message("a3", "assistant", "On.")),
	)
	c := talk(f.Viewed(6))
	checkTexts(t, c, true, "system: Rules.", "user: First.", "user: Between.", "user: Second, cut.", "user: SUM 1")
	if !c.Messages[4].Summary || c.Messages[3].Summary {
		t.Error("the summary is not the one")
	}
	checkTexts(t, talk(f.Viewed(f.end())), true,
		"system: Rules.", "user: First.", "user: Earlier.", "user: Between.", "user: SUM 2", "assistant: On.")
	first := model.MessageKey(f.Find("u1"))
	for pos := f.Find("u1"); pos <= f.end(); pos++ {
		if !slices.ContainsFunc(f.Views[pos-1], func(x model.Entry) bool { return x.Key == first }) {
			t.Fatalf("the first prompt left at %d", pos)
		}
	}
	checkpoint, _ := f.Cell(t, f.end(), "/checkpoint").(map[string]any)
	if checkpoint["id"] != "w2" {
		t.Errorf("checkpoint %v", checkpoint)
	}
	if len(f.Notes) > 0 {
		t.Errorf("notes %v", f.Notes)
	}
}

// TestCompactionOfSummaryOnly: version 0.98 does not record what stays.
func TestCompactionOfSummaryOnly(t *testing.T) {
	f := foldLines(t, threadLine,
		said(1, "developer", "Rules."), said(1, "user", "First."), said(2, "assistant", "Yes."),
		`{"timestamp":"2026-04-06T09:00:03.000Z","type":"compacted","payload":{"message":"SUM"}}`,
		said(4, "user", "Next."),
	)
	checkTexts(t, talk(f.Viewed(f.end())), false, "system: Rules.", "user: First.", "user: SUM", "user: Next.")
}

func TestRollBack(t *testing.T) {
	f := foldLines(t, threadLine,
		said(1, "user", "<environment_context>\n<cwd>/srv/mill</cwd></environment_context>"),
		said(2, "user", "First."), said(3, "assistant", "One."),
		said(4, "user", "Second."), said(5, "user", "<turn_aborted>\nstop\n</turn_aborted>"),
		said(6, "user", "Third."), said(7, "assistant", "Three."),
		eventLine(8, `{"type":"thread_rolled_back","num_turns":2}`),
		said(9, "user", "Again."),
	)
	checkTexts(t, talk(f.Viewed(f.end())), true,
		"user: <environment_context>\n<cwd>/srv/mill</cwd></environment_context>", "user: First.", "assistant: One.", "user: Again.")
}

// TestPromptOfTheScreen: a prompt that no item of the history says is a message
// all the same.
func TestPromptOfTheScreen(t *testing.T) {
	f := foldLines(t, threadLine,
		said(1, "user", "First."), eventLine(1, `{"type":"user_message","message":"First."}`),
		said(2, "assistant", "One."), eventLine(2, `{"type":"agent_message","message":"One."}`),
		eventLine(3, `{"type":"user_message","message":"Second."}`),
		eventLine(4, `{"type":"item_completed","item":{"type":"UserMessage","id":"u","content":[{"type":"text","text":"Third."}]}}`),
	)
	checkTexts(t, talk(f.Viewed(f.end())), false, "user: First.", "assistant: One.", "user: Second.", "user: Third.")
	if got := f.Views[f.end()-1][3].Chars; got != 6 {
		t.Errorf("%d characters", got)
	}
}

// TestTextsOfACompactionAreFound: which of its messages holds a text is asked
// of the record as a whole first.
func TestTextsOfACompactionAreFound(t *testing.T) {
	raw := []byte(`{"type":"compacted","payload":{"message":"","replacement_history":[` + message("a", "user", "Rye.") + `,` + message("b", "user", "Oats.") + `]}}`)
	c := talk([]model.Viewed{{Raw: raw}})
	if len(c.Messages) != 1 || !strings.Contains(c.Messages[0].Text, "Rye.") || !strings.Contains(c.Messages[0].Text, "Oats.") {
		t.Errorf("got %q", texts(c))
	}
}

func TestCopiesDoNothing(t *testing.T) {
	effector := New().(model.Teller).NewEffector(nil, "s")
	e := model.Event{Pos: 1, Origin: model.OriginCopied}
	if got := effector.Effects(&e, []byte(said(1, "user", "x")), replay.New(replay.Options{}).View(&trial.Session{})); got != nil {
		t.Errorf("got %v", got)
	}
}

// TestOddValues: a value of any type may stand anywhere.
func TestOddValues(t *testing.T) {
	lines := []string{
		threadLine, numbered(1, 1, 0, message("m1", "user", "Grind it.")),
		called(2, "a", "shell", `{"command":["ls"]}`), returned(2, "a", "Exit code: 0"),
		itemLine(3, `{"type":"custom_tool_call","call_id":"b","name":"apply_patch","input":"*** Begin Patch\n*** Add File: a\n+b\n*** End Patch"}`),
		eventLine(3, `{"type":"item_completed","item":{"type":"FileChange","id":"b","changes":{"a":{"type":"update","unified_diff":"@@ -1 +1 @@\n-a\n+b\n","move_path":"c"}}}}`),
		eventLine(4, `{"type":"item_completed","item":{"type":"CommandExecution","id":"c","command":["ls"],"cwd":"file:///","exit_code":0,"parsed_cmd":[{"type":"read","path":"x"}]}}`),
		`{"type":"compacted","payload":{"message":"S","window_id":"w","replacement_history":[` + message("m1", "user", "Grind it.") + `],"replacement_history_metadata":[{"history_sequence":1}]}}`,
		eventLine(5, `{"type":"thread_rolled_back","num_turns":1}`),
		eventLine(6, `{"type":"token_count","info":{"total_token_usage":{"input_tokens":1}}}`),
		eventLine(7, `{"type":"task_complete","error":{"message":"x"}}`),
		`{"type":"turn_context","payload":{"cwd":"/","model":"m"}}`, `{"type":"world_state","payload":{"full":false,"state":{"a":1}}}`,
		`{"type":"item.completed","item":{"id":"i","type":"file_change","changes":[{"path":"a","kind":"add"}],"status":"completed"}}`,
	}
	for at, line := range lines {
		var record any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		for _, odd := range []any{nil, "", "x", -1.5, 1e300, true, []any{}, []any{nil, 1.0}, map[string]any{}, map[string]any{"type": 1.0}} {
			replaceEach(record, odd, func() {
				changed, err := json.Marshal(record)
				if err != nil {
					t.Fatal(err)
				}
				all := slices.Clone(lines)
				all[at] = string(changed)
				foldAny(t, []byte(strings.Join(all, "\n")))
			})
		}
	}
}

// replaceEach puts a value in the place of each that stands in another, one
// after the other.
func replaceEach(v, odd any, try func()) {
	switch v := v.(type) {
	case map[string]any:
		for key, was := range v {
			replaceEach(was, odd, try)
			v[key] = odd
			try()
			v[key] = was
		}
	case []any:
		for i, was := range v {
			replaceEach(was, odd, try)
			v[i] = odd
			try()
			v[i] = was
		}
	}
}

// foldAny folds lines of whatever bytes, and makes messages of them.
func foldAny(t *testing.T, text []byte) {
	t.Helper()
	const most = 64 // events: requests of many take long
	var arrived []model.Event
	var raws [][]byte
	for line := range bytes.Lines(text) {
		start, end, err := jsonscan.Value(line)
		if err != nil || len(arrived) >= most {
			continue
		}
		raw := line[start:end]
		_ = New().Decode(&model.Record{Stream: &model.Stream{}, Raw: raw}, func(e *model.Event) {
			arrived, raws = append(arrived, *e), append(raws, raw)
		})
	}
	r := trial.Link(New(), &model.Stream{}, "s", arrived, raws)
	folded := &folded{r.Fold(t, false)}
	for pos := range folded.end() {
		folded.request(pos + 1)
	}
}

// FuzzEffects: whatever the bytes are, they are folded, and made messages of.
func FuzzEffects(f *testing.F) {
	f.Add([]byte(threadLine + "\n" + called(1, "a", "shell", `{"command":["ls"]}`) + "\n" + returned(1, "a", "Exit code: 0") + "\n" +
		eventLine(2, `{"type":"item_completed","item":{"type":"FileChange","id":"a","changes":{"f":{"type":"update","unified_diff":"@@ -1 +1 @@\n-a\n+b\n"}}}}`)))
	f.Add([]byte(`{"type":"compacted","payload":{"replacement_history":[` + message("a", "user", "Rye.") + `]}}` + "\n" +
		eventLine(8, `{"type":"thread_rolled_back","num_turns":1}`) + "\n" + eventLine(9, `{"type":"turn_aborted","reason":"x"}`)))
	f.Fuzz(func(t *testing.T, text []byte) { foldAny(t, text) })
}
