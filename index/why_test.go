package index

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"hindcast/fixtures/gen/stream"
	"hindcast/model"
)

// Each event's step is compared with its record, which by induction compares
// every chain; whole chains are compared for a sample and for the last events.
func TestWhyAgreesWithANaiveWalk(t *testing.T) {
	for seed, format := range []string{stream.Eventlog, stream.OpenHands, stream.Eventlog} {
		var buf bytes.Buffer
		if _, err := stream.Write(&buf, stream.Options{Format: format, Events: 10_000, Seed: uint64(seed), Size: 350}); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "run.jsonl")
		writeFile(t, path, buf.Bytes())
		x := openAll(t, t.TempDir(), Options{}, path)
		naive := naiveCauses(t, buf.Bytes())
		byID := make(map[string]model.Event)
		events := allEvents(t, x)
		for _, e := range events {
			byID[e.ID] = e
		}
		for i, e := range events {
			checkStep(t, e, naive, byID)
			if i%200 == 0 || i >= len(events)-10 {
				checkChain(t, x, e, naive, byID)
			}
		}
	}
}

// checkStep compares an event's cause, root and depth with its record.
func checkStep(t *testing.T, e model.Event, naive map[string]string, byID map[string]model.Event) {
	t.Helper()
	want, exists := byID[naive[e.ID]]
	switch {
	case exists && (e.Cause == nil || e.Cause.To.ID != want.ID || e.Cause.Inferred):
		t.Fatalf("%s: cause is %v, but it names %s", e.ID, e.Cause, want.ID)
	case !exists && e.Cause != nil && !e.Cause.Inferred:
		t.Fatalf("%s: cause is %v, but it names nothing", e.ID, e.Cause)
	case e.Cause == nil && (e.Root != e.Pos || e.Depth != 0):
		t.Fatalf("%s: root %d at depth %d without a cause", e.ID, e.Root, e.Depth)
	}
	if e.Cause == nil {
		return
	}
	if up := byID[e.Cause.To.ID]; e.Root != up.Root || e.Depth != up.Depth+1 {
		t.Fatalf("%s: root %d, depth %d; its cause has %d, %d", e.ID, e.Root, e.Depth, up.Root, up.Depth)
	}
}

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
	if got := *why.Roots[0].ID; len(why.Suspects) == 0 && got != at {
		t.Fatalf("%s: root is %s, want %s", e.ID, got, at)
	}
	if !e.Outcome.Failed() && len(why.Suspects) > 0 {
		t.Fatalf("%s is no error, yet it has suspects", e.ID)
	}
}
