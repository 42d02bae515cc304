package openhands

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
)

// grown is a random log: calls, results, messages, hooks, state updates,
// condensations, and now and then a step back.
type grown struct {
	events []map[string]any
	parent []int // index; -1: none
	head   int
}

func grow(r *rand.Rand, size int) *grown {
	g := &grown{head: -1}
	for i := range size {
		e := map[string]any{"id": fmt.Sprintf("e%03d", i), "timestamp": fmt.Sprintf("2026-08-01T10:%02d:%02d", i/60, i%60), "source": "agent"}
		on := g.head
		if i > 4 && r.IntN(7) == 0 {
			on = r.IntN(i)
			for on >= 0 && g.events[on]["kind"] == "ConversationStateUpdateEvent" {
				on--
			}
		}
		g.fill(r, e, i)
		if i > 0 {
			e["parent_id"] = "__root__"
			if on >= 0 {
				e["parent_id"] = g.events[on]["id"]
			}
		}
		g.events, g.parent = append(g.events, e), append(g.parent, on)
		if e["kind"] != "ConversationStateUpdateEvent" {
			g.head = i
		}
	}
	return g
}

func (g *grown) fill(r *rand.Rand, e map[string]any, i int) {
	call := fmt.Sprintf("call%d", r.IntN(i+1))
	switch r.IntN(9) {
	case 0, 1:
		e["kind"], e["tool_name"], e["tool_call_id"] = "ActionEvent", "t", fmt.Sprintf("call%d", i)
		e["action"], e["llm_response_id"] = map[string]any{"kind": "ThinkAction"}, fmt.Sprintf("r%d", i/3)
	case 2:
		e["kind"], e["tool_name"], e["tool_call_id"] = "ObservationEvent", "t", call
		e["observation"] = map[string]any{"kind": "ThinkObservation", "content": []any{}}
	case 3:
		e["kind"], e["tool_name"], e["tool_call_id"], e["error"] = "AgentErrorEvent", "t", call, "bad"
	case 4, 5:
		e["kind"], e["source"], e["llm_message"] = "MessageEvent", "user", map[string]any{"role": "user", "content": []any{}}
	case 6:
		e["kind"], e["key"], e["value"] = "ConversationStateUpdateEvent", "goal", i
	case 7:
		e["kind"] = "InterruptEvent"
	default:
		var ids []string
		for range r.IntN(6) {
			id := fmt.Sprintf("e%03d", r.IntN(i+1))
			ids = append(ids, id, id+"-summary")
		}
		e["kind"], e["forgotten_event_ids"] = "Condensation", append([]string{}, ids...)
		if r.IntN(4) > 0 {
			e["summary"], e["summary_offset"] = "so far", r.IntN(8)
		}
	}
}

// view is the view by the rules of the format, from scratch.
func (g *grown) view(head int) []string {
	var path []int
	for ; head >= 0; head = g.parent[head] {
		path = append(path, head)
	}
	slices.Reverse(path)
	view := []string{}
	for _, i := range path {
		e := g.events[i]
		switch id := e["id"].(string); e["kind"] {
		case "ActionEvent", "ObservationEvent", "AgentErrorEvent", "MessageEvent":
			view = append(view, id)
		case "Condensation":
			view = slices.DeleteFunc(view, func(x string) bool { return slices.Contains(e["forgotten_event_ids"].([]string), x) })
			if offset, ok := e["summary_offset"].(int); ok {
				view = slices.Insert(view, min(offset, len(view)), id+"-summary")
			}
		}
	}
	return view
}

// pending are the calls of the path that no result on it answers.
func (g *grown) pending(head int) map[string]bool {
	open := map[string]bool{}
	answered := map[string]bool{}
	for ; head >= 0; head = g.parent[head] {
		e := g.events[head]
		switch call, _ := e["tool_call_id"].(string); {
		case e["kind"] == "ActionEvent" && !answered[call]:
			open[call] = true
		case call != "":
			answered[call] = true
		}
	}
	return open
}

// headAt is the head after event i: state updates never become it.
func (g *grown) headAt(i int) int {
	for i >= 0 && g.events[i]["kind"] == "ConversationStateUpdateEvent" {
		i--
	}
	return i
}

// TestGrownTrees compares view and open calls after each event of random
// logs with those that the format's rules give.
func TestGrownTrees(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := grow(r, 60)
		var lines strings.Builder
		for _, e := range g.events {
			b, _ := json.Marshal(e)
			lines.Write(append(b, '\n'))
		}
		im := trial.Read(t, New(), trial.NewDump(map[string]string{"events.jsonl": lines.String()}))
		if len(im.Sessions) != 1 || len(im.Sessions[0].Events) != len(g.events) {
			t.Fatalf("seed %d: the log was not read whole", seed)
		}
		f := &folded{im.Sessions[0].Fold(t, seed%2 == 1)}
		for i := range g.events {
			got, want := viewIDs(f.Viewed(int64(i+1))), g.view(g.headAt(i))
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, event %d (%v, parent %v): view %q, want %q", seed, i, g.events[i]["kind"], g.events[i]["parent_id"], got, want)
			}
			if got, want := fmt.Sprint(f.pendingCalls(int64(i+1))), fmt.Sprint(g.pending(g.headAt(i))); got != want {
				t.Fatalf("seed %d, event %d (%v): pending %v, want %v", seed, i, g.events[i]["kind"], got, want)
			}
		}
	}
}
