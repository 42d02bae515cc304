package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/theme"
)

// travelDrawings are the answers about states, drawn with s in every text that
// comes from a dump.
func travelDrawings(s string, width int) map[string][]Line {
	events := storyEvents()
	titles := map[int64]answer.Event{}
	for i := range events {
		if s != "" {
			events[i] = poisoned(events[i], s)
		}
		titles[events[i].Pos] = answer.NewEvent(events[i])
	}
	text := s
	if s == "" {
		text = "const RATE = 7;\nexport default RATE;\n"
	}
	ref := func(i int) answer.Ref {
		e := events[i]
		return answer.NewRef(model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID})
	}
	refp := func(i int) *answer.Ref { r := ref(i); return &r }
	ev := func(i int) answer.Event { return answer.NewEvent(events[i]) }
	by := ev(4)
	state := stateAnswer(text)
	value := func(path string, v any) answer.StateValue {
		return answer.StateValue{Path: path, Value: raw(v), Certainty: &text, By: refp(4)}
	}
	file := state.Files["src/"+text]
	diff := answer.Diff{A: ref(1), B: ref(9), Events: titles, Changes: []answer.Change{
		{Path: "/checkpoint", Op: "replace", Old: raw(nil), New: raw(state.Checkpoint), By: refp(6)},
		{Path: "/context/messages/" + text, Op: "add", New: raw(state.Context.Messages[0]), By: refp(2)},
		{Path: "/context/messages/1/role", Op: "replace", Old: raw("user"), New: raw(text)},
		{Path: "/files/" + model.EscapePointer(text), Op: "add", New: raw(file), By: refp(4)},
		{Path: "/files/b/certainty", Op: "replace", Old: raw(text), New: raw("known"), By: refp(4)},
		{Path: "/files/b/content", Op: "replace", Old: raw("x\n" + text), New: raw(text), By: refp(5)},
		{Path: "/files/c", Op: "remove", Old: raw(text), By: refp(5)},
		{Path: "/files/d/sha256", Op: "replace", Old: raw("a"), New: raw("b"), By: refp(5)},
		{Path: "/tasks/" + text, Op: "remove", Old: raw(state.Tasks[0]), By: refp(5)},
		{Path: "/pending/" + text, Op: "add", New: raw(state.Pending[0]), By: refp(5)},
		{Path: "/vars/" + text, Op: "replace", Old: raw("one"), New: raw("one\n" + text)},
		{Path: "/vars/long", Op: "replace", Old: raw(strings.Repeat("x", 50)), New: raw(map[string]any{"k": strings.Repeat("y", 200)})},
	}}
	history := answer.History{Path: "/files/" + text, Writes: []answer.HistoryWrite{
		{Op: "add", New: raw(file), By: ev(4)}, {Op: "replace", Old: raw(file), New: raw(answer.StateFile{Content: &s}), By: ev(5)}, {Op: "remove", Old: raw(file), By: ev(6)},
	}}
	context := answer.Context{
		At: ref(9), For: refp(9), View: "cold", Events: titles,
		Messages: []answer.Message{{N: 1, Role: "user", Events: []answer.Ref{ref(0)}, Text: text, Chars: 9, Calls: []answer.MessageCall{{ID: text, Tool: text}}, Results: []string{text}}},
		Lost:     []answer.Lost{{Event: ref(1), By: ref(6), Reason: "compaction"}},
	}
	knew := answer.Knew{Text: text, First: refp(0), Events: titles, Spans: []answer.Span{
		{From: ref(0), To: refp(6), InBy: ref(0), OutBy: refp(6), Carriers: []answer.Ref{ref(0), ref(1)}, Exact: true}, {From: ref(8), InBy: ref(8)},
	}}
	bisect := answer.Bisect{Expr: text, Reads: []string{"/vars/" + text}, Flips: []answer.Flip{{By: ref(3), To: true}}, Events: titles}
	check := answer.Check{Findings: []answer.Finding{
		{Rule: text, Severity: "error", Session: text, Title: text, Events: []answer.Ref{ref(1)}, Detail: text, Next: text}, {Rule: "x", Severity: text, Session: "other"},
	}}
	return map[string][]Line{
		"t-state":    State(state, by, false, false, width),
		"t-restored": State(state, by, true, true, width),
		"t-file":     StateValue(value("/files/"+model.EscapePointer("src/"+text), file), &by, true, width),
		"t-files":    StateValue(value("/files", state.Files), nil, false, width),
		"t-vars":     StateValue(value("/vars", state.Vars), nil, false, width),
		"t-text":     StateValue(value("/vars/x", text), nil, false, width),
		"t-message":  StateValue(value("/context/messages/"+text, state.Context.Messages[0]), nil, false, width),
		"t-diff":     Diff(diff, DiffPoints, width),
		"t-record":   Diff(diff, DiffRecorded, width),
		"t-history":  History(history, width),
		"t-blame":    Blame(answer.Blame{Path: "/vars/" + text, Value: raw(text), By: &by, Certainty: &text, Restores: refp(3)}, nil, width),
		"t-context":  Context(context, by, ContextOptions{Lost: true}, width),
		"t-knew":     Knew(knew, model.Session{First: 1, Last: 20, LastPos: 20}, width),
		"t-origin":   Origin(answer.Origin{Text: text, First: refp(0), Path: []answer.Ref{ref(0), ref(1)}, Events: titles}, by, width),
		"t-bisect":   Bisect(bisect, [][]json.RawMessage{{raw(text)}}, width),
		"t-check":    Check(check, width),
		"t-watched":  {Watched("/vars/"+text, raw(text), refp(1), 5, width)},
	}
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// stateAnswer is a state with s in every text of it.
func stateAnswer(s string) answer.State {
	n := int64(3)
	return answer.State{
		Status:     answer.StateStatus{Execution: &s},
		Context:    answer.StateContext{Messages: []answer.StateMessage{{Key: s, Seq: 3, Role: s, Tokens: &n, Chars: 9, Summary: true}}},
		Files:      map[string]answer.StateFile{"src/" + s: {Content: &s, Certainty: "known", Lines: 2, SHA256: &s, WrittenBy: &n}, "b": {Certainty: "unknown"}},
		Shell:      answer.StateShell{Cwd: &s, Command: &s},
		Tasks:      []answer.StateTask{{ID: s, Title: s, Status: s}},
		Pending:    []answer.StateCall{{Call: s, Seq: 3, Tool: &s}},
		Checkpoint: &answer.StateCheckpoint{ID: &s, Seq: 9},
		Vars:       map[string]json.RawMessage{s: raw(s), "deep": raw(map[string]any{s: []string{s, strings.Repeat("x", 100)}})},
	}
}

func TestTravelIsWithin(t *testing.T) {
	for _, width := range []int{1, 2, 5, 12, 20, 33, 40, 59, 80, 120} {
		for name, lines := range travelDrawings("", width) {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) { within(t, lines, width) })
		}
	}
}

func TestHostileTextInTravel(t *testing.T) {
	for name, s := range hostile {
		t.Run(name, func(t *testing.T) {
			s = s[:min(len(s), 601)]
			for _, width := range []int{80, 30, 0} {
				for what, lines := range travelDrawings(s, width) {
					checkLines(t, what, lines, width)
				}
			}
		})
	}
}

func TestLane(t *testing.T) {
	ref := func(pos int64) answer.Ref { return answer.Ref{Pos: pos} }
	to := func(pos int64) *answer.Ref { r := ref(pos); return &r }
	for _, tt := range []struct {
		spans []answer.Span
		last  int64
		cells int
		want  string
	}{
		{nil, 10, 5, "....."},
		{[]answer.Span{{From: ref(3), To: to(4)}}, 10, 5, ".#..."},
		{[]answer.Span{{From: ref(4), To: to(4)}, {From: ref(9)}}, 10, 5, ".#..#"},
		{[]answer.Span{{From: ref(1)}}, 3, 6, "######"},
		{[]answer.Span{{From: ref(500), To: to(500)}}, 1000, 4, ".#.."},
		{[]answer.Span{{From: ref(2), To: to(2)}}, 0, 3, "..."},
	} {
		if got := Lane(tt.spans, tt.last, tt.cells, &theme.ASCII); got != tt.want {
			t.Errorf("%v over %d: %s, want %s", tt.spans, tt.last, got, tt.want)
		}
	}
}

// TestLongCollectionsSayWhatTheyLeaveOut, and show it when asked.
func TestLongCollectionsSayWhatTheyLeaveOut(t *testing.T) {
	var s answer.State
	s.Files = map[string]answer.StateFile{}
	for i := range 3 * stateRows {
		s.Files[fmt.Sprintf("file%03d", i)] = answer.StateFile{Certainty: "unknown"}
		s.Context.Messages = append(s.Context.Messages, answer.StateMessage{Key: fmt.Sprint(i)})
	}
	short, all := plain(State(s, answer.Event{}, false, false, 80)), plain(State(s, answer.Event{}, false, true, 80))
	if n := strings.Count(short, "40 more"); n != 2 {
		t.Errorf("says %d times what it leaves out:\n%s", n, short)
	}
	if strings.Contains(all, "more") || !strings.Contains(all, "file059") {
		t.Errorf("not all:\n%s", all)
	}
	long := raw(strings.Repeat("line\n", 3*stateText))
	if got := plain(StateValue(answer.StateValue{Path: "/vars/x", Value: long}, nil, false, 80)); !strings.Contains(got, "there is more") {
		t.Errorf("a long text is cut in silence:\n%s", got)
	}
}

// TestContextLost: where a summary stands for what the dump does not hold, it is
// not said that nothing was lost.
func TestContextLost(t *testing.T) {
	for want, c := range map[string]answer.Context{
		"nothing was lost": {Messages: []answer.Message{{Role: "user"}}},
		"nothing that the dump holds: what the summary stands for is gone from it": {Messages: []answer.Message{{Role: "user", Summary: true}}},
	} {
		if got := plain(Context(c, answer.Event{}, ContextOptions{Lost: true}, 100)); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestHistoryOfARemoval: the row is of the event that took the file away, not of
// the one that had written it.
func TestHistoryOfARemoval(t *testing.T) {
	old := json.RawMessage(`{"content":"x\n","certainty":"known","lines":1,"written_by":31,"written_pos":31}`)
	h := answer.History{Path: "/files/a", Writes: []answer.HistoryWrite{{Op: "remove", Old: old, By: answer.Event{Seq: 38}}}}
	if got := plain(History(h, 100)); strings.Contains(got, "31") || !strings.Contains(got, "- 38") {
		t.Errorf("history is\n%s", got)
	}
}
