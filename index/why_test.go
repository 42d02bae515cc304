package index

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"hindcast/model"
)

// naiveCauses reads the recorded causal links straight from a stream's lines:
// source_event_id of eventlog, action_id of OpenHands.
func naiveCauses(t *testing.T, data []byte) map[string]string {
	t.Helper()
	causes := make(map[string]string)
	for line := range bytes.Lines(data) {
		var e struct {
			EventID string  `json:"event_id"`
			ID      string  `json:"id"`
			Source  *string `json:"source_event_id"`
			Action  *string `json:"action_id"`
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		id := e.EventID + e.ID
		switch {
		case e.Source != nil:
			causes[id] = *e.Source
		case e.Action != nil:
			causes[id] = *e.Action
		}
	}
	return causes
}

// checkChain compares why with the walk: every recorded step of the chain is
// the record's own, and none is left out.
func checkChain(t *testing.T, x *Index, e model.Event, naive map[string]string, byID map[string]model.Event) {
	t.Helper()
	why, err := x.Why(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	at, complete := e.ID, true
	for i, step := range why.Chain {
		want, recorded := naive[at]
		_, exists := byID[want]
		if recorded && !exists {
			complete = false
		}
		if step.Via.Inferred {
			if recorded && exists {
				t.Fatalf("%s: step %d is inferred, but %s names %s", e.ID, i, at, want)
			}
		} else if *step.Event.ID != want {
			t.Fatalf("%s: step %d is %s, but %s names %s", e.ID, i, *step.Event.ID, at, want)
		}
		at = *step.Event.ID
	}
	if want, recorded := naive[at]; recorded {
		if _, exists := byID[want]; exists {
			t.Fatalf("%s: the chain ends at %s, which names %s", e.ID, at, want)
		}
		complete = false
	}
	if why.Complete != complete {
		t.Fatalf("%s: complete is %v, want %v", e.ID, why.Complete, complete)
	}
	if got := *why.Roots[0].ID; got != at {
		t.Fatalf("%s: root is %s, want %s", e.ID, got, at)
	}
}
