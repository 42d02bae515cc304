package openhands

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// vector is a log in short form and what is in view after a restart.
type vector struct {
	Name   string
	Events []struct {
		Kind, ID, Call, Batch string
		Thinking              bool
		Forget                []string
		Summary               *string
		Offset                *int
	}
	Expected struct {
		EventIDs  []string `json:"event_ids"`
		Summaries map[string]string
	}
}

// lines writes a vector's events as a program would.
func (v *vector) lines() string {
	kinds := map[string]string{
		"message": "MessageEvent", "action": "ActionEvent", "observation": "ObservationEvent", "error": "AgentErrorEvent",
		"reject": "UserRejectObservation", "condensation": "Condensation", "request": "CondensationRequest", "state": "ConversationStateUpdateEvent",
	}
	var b strings.Builder
	for i, x := range v.Events {
		e := map[string]any{"kind": kinds[x.Kind], "id": x.ID, "timestamp": fmt.Sprintf("2026-03-01T10:00:%02d", i), "source": "agent"}
		switch x.Kind {
		case "message":
			e["source"], e["llm_message"] = "user", map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": x.ID}}}
		case "action":
			e["tool_name"], e["tool_call_id"], e["llm_response_id"] = "t", x.Call, x.Batch
			e["action"] = map[string]any{"kind": "ThinkAction", "thought": ""}
			if x.Thinking {
				e["thinking_blocks"] = []any{map[string]any{"type": "thinking", "thinking": "hm"}}
			}
		case "observation", "error", "reject":
			e["tool_name"], e["tool_call_id"] = "t", x.Call
			e["observation"] = map[string]any{"kind": "ThinkObservation", "content": []any{}}
			e["error"], e["rejection_reason"] = "bad", "no"
			if x.Kind != "observation" {
				delete(e, "observation")
			}
		case "condensation":
			e["forgotten_event_ids"] = append([]string{}, x.Forget...)
			if x.Summary != nil {
				e["summary"] = *x.Summary
			}
			if x.Offset != nil {
				e["summary_offset"] = *x.Offset
			}
		case "state":
			e["key"], e["value"] = "execution_status", "running"
		}
		line, _ := json.Marshal(e)
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

// TestViewVectors compares cold views with those of the program's own code.
func TestViewVectors(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(trial.DataFolder(t, "openhands"), "view-vectors", "view-vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vector }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 30 {
		t.Errorf("%d cases", len(file.Cases))
	}
	for _, v := range file.Cases {
		t.Run(v.Name, func(t *testing.T) {
			if len(v.Events) == 0 {
				if got := (dialect{}).Resume(nil, 0, nil); len(got) != 0 {
					t.Errorf("a view of nothing: %v", got)
				}
				return
			}
			im := trial.Read(t, New(), trial.NewDump(map[string]string{"events.jsonl": v.lines()}))
			f := &folded{im.Sessions[0].Fold(t, false)}
			last := int64(len(f.Events))
			cold := f.cold(last)
			if got := viewIDs(cold); !slices.Equal(got, v.Expected.EventIDs) {
				t.Errorf("cold view %q, want %q (live %q)", got, v.Expected.EventIDs, viewIDs(f.Viewed(last)))
			}
			talk := New().(model.Teller).Messages(cold, false)
			for _, m := range talk.Messages {
				x := cold[m.Records[0]]
				if x.Summary && m.Text != v.Expected.Summaries[x.Event+"-summary"] {
					t.Errorf("summary %q of %s", m.Text, x.Event)
				}
			}
		})
	}
}

// treeStep is what is known of the synthetic tree after an event.
type treeStep struct {
	Seq     int64
	Event   string
	Live    []string          `json:"live_view"`
	Cold    []string          `json:"cold_view"`
	Path    []int64           `json:"active_path_seqs"`
	Pending []string          `json:"pending_actions_on_path"`
	Files   map[string]string `json:"files_log_order"`
	Cwd     *string           `json:"cwd_log_order"`
	Tasks   [][2]string       `json:"tasks_log_order"`
	Cost    *float64
	Status  *string `json:"execution_status"`
}

// TestTree compares each moment of a log with a branch, two condensations, a
// rejection and a parallel batch, in all its packagings, stopped and not.
func TestTree(t *testing.T) {
	dir := filepath.Join(trial.DataFolder(t, "openhands"), "synthetic-tree-condense")
	b, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Names map[string]string
		Steps []treeStep
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	name := map[string]string{}
	for n, id := range want.Names {
		name[id], name[id+"-summary"] = n, n+"-summary"
	}
	for _, pack := range []string{"persisted", "events.jsonl", "rest_pages_agent_server.json"} {
		for _, stops := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s stops=%v", pack, stops), func(t *testing.T) {
				im := trial.Read(t, New(), trial.Open(t, filepath.Join(dir, pack)))
				f := &folded{im.Sessions[0].Fold(t, stops)}
				for _, s := range want.Steps {
					f.checkTree(t, &s, want.Names, name, pack == "events.jsonl")
				}
			})
		}
	}
}

func (f *folded) checkTree(t *testing.T, s *treeStep, ids, name map[string]string, isBare bool) {
	t.Helper()
	e := f.Event(t, ids[s.Event])
	named := func(view []model.Viewed) (out []string) {
		for _, id := range viewIDs(view) {
			out = append(out, name[id])
		}
		return out
	}
	if got := named(f.Viewed(e.Pos)); !slices.Equal(got, s.Live) {
		t.Errorf("%s: live view %q, want %q", s.Event, got, s.Live)
	}
	if got := named(f.cold(e.Pos)); !slices.Equal(got, s.Cold) {
		t.Errorf("%s: cold view %q, want %q", s.Event, got, s.Cold)
	}
	var path []int64
	for _, p := range pathDown(e.Pos, 1, f.Session) {
		path = append(path, f.Events[p.pos-1].Seq)
	}
	if isFolder := f.Stream.Keys != nil; isFolder && !slices.Equal(path, s.Path) {
		t.Errorf("%s: path %v, want %v", s.Event, path, s.Path)
	}
	pending := map[string]bool{}
	for _, p := range s.Pending {
		pending[f.Event(t, ids[p]).Call] = true
	}
	if got := f.pendingCalls(e.Pos); fmt.Sprint(got) != fmt.Sprint(pending) {
		t.Errorf("%s: pending %v, want %v", s.Event, got, pending)
	}
	if got := f.Texts(e.Pos); fmt.Sprint(got) != fmt.Sprint(s.Files) {
		t.Errorf("%s: files %q, want %q", s.Event, got, s.Files)
	}
	var tasks [][2]string
	for i := range len(s.Tasks) + 1 {
		if x, ok := f.Cell(t, e.Pos, fmt.Sprintf("/tasks/%d", i+1)).(map[string]any); ok {
			tasks = append(tasks, [2]string{x["title"].(string), x["status"].(string)})
		}
	}
	if !slices.Equal(tasks, s.Tasks) {
		t.Errorf("%s: tasks %v, want %v", s.Event, tasks, s.Tasks)
	}
	f.expect(t, e.Pos, "/shell/cwd", s.Cwd)
	f.expect(t, e.Pos, "/usage/cost_usd", s.Cost)
	if s.Status == nil && isBare {
		return // lines alone do not tell that a server's states will come
	}
	f.expect(t, e.Pos, "/status/execution", s.Status)
}

// expect compares a leaf with a value that may be null.
func (f *folded) expect(t *testing.T, pos int64, path string, want any) {
	t.Helper()
	got, _ := json.Marshal(f.Cell(t, pos, path))
	wanted, _ := json.Marshal(want)
	if string(got) != string(wanted) {
		t.Errorf("seq %d: %s is %s, want %s", f.Events[pos-1].Seq, path, got, wanted)
	}
}

// TestSessionV0 compares history and view of the older family after each event.
func TestSessionV0(t *testing.T) {
	dir := filepath.Join(trial.DataFolder(t, "openhands"), "synthetic-v0-session")
	b, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want []struct {
		Seq           int64
		History, View []any
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	for _, stops := range []bool{false, true} {
		im := trial.Read(t, New(), trial.Open(t, filepath.Join(dir, "sessions")))
		f := &folded{im.Sessions[0].Fold(t, stops)}
		for _, w := range want {
			e := f.Event(t, fmt.Sprint(w.Seq))
			view := []string{}
			for _, x := range f.Viewed(e.Pos) {
				if x.Summary {
					view = append(view, "summary:"+x.Event)
				} else {
					view = append(view, x.Event)
				}
			}
			if got, want := fmt.Sprint(view), fmt.Sprint(w.View); got != want {
				t.Errorf("seq %d: view %s, want %s", w.Seq, got, want)
			}
			if got, want := fmt.Sprint(f.history(e.Pos)), fmt.Sprint(w.History); got != want {
				t.Errorf("seq %d: history %s, want %s", w.Seq, got, want)
			}
		}
	}
}

// history is what the older program's agent had in its history: all that came
// into view, and the condensations, without what a delegate did.
func (f *folded) history(pos int64) []string {
	hidden := map[string]bool{}
	for _, effects := range f.Effects[:pos] {
		for _, x := range effects {
			if x, ok := x.(model.Forget); ok && x.Reason == model.LostRebuild {
				for _, k := range x.Keys {
					hidden[k] = true
				}
			}
		}
	}
	out := []string{}
	for i, effects := range f.Effects[:pos] {
		e := f.Events[i]
		said := slices.ContainsFunc(effects, func(x model.Effect) bool { _, ok := x.(model.Say); return ok })
		if (said || strings.HasPrefix(e.Type, "condensation")) && !hidden[model.MessageKey(e.Pos)] {
			out = append(out, e.ID)
		}
	}
	return out
}
