package openhands

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// TestPackagings opens the packagings of one conversation one by one: what
// they hold in common must come out the same.
func TestPackagings(t *testing.T) {
	data := trial.DataFolder(t, "openhands")
	tests := []struct {
		dump, base string
		others     []string
		events     []int // of base and others
		sessions   []string
	}{
		{
			"synthetic-tree-condense", "persisted",
			[]string{"conversation_0c0ffee0-0000-4000-8000-00000000c0de.zip", "rest_pages_agent_server.json", "events.jsonl"},
			[]int{43, 44, 43, 43},
			[]string{"0c0ffee000004000800000000000c0de", "0c0ffee000004000800000000000c0de", "rest_pages_agent_server", "events"},
		},
		{
			"synthetic-v0-session", "sessions",
			[]string{"trajectory-v0synth0000000000000000000000001.json", "api_trajectory_response.json", "api_events_page.json"},
			[]int{26, 24, 24, 20},
			[]string{"v0synth0000000000000000000000001", "trajectory-v0synth0000000000000000000000001", "api_trajectory_response", "api_events_page"},
		},
	}
	for _, tt := range tests {
		base := openOne(t, filepath.Join(data, tt.dump, tt.base))
		for i, name := range append([]string{tt.base}, tt.others...) {
			t.Run(name, func(t *testing.T) {
				r := openOne(t, filepath.Join(data, tt.dump, name))
				if len(r.Events) != tt.events[i] || r.ID != tt.sessions[i] {
					t.Errorf("session %s of %d events, want %s of %d", r.ID, len(r.Events), tt.sessions[i], tt.events[i])
				}
				sameEvents(t, base, r)
			})
		}
	}
}

func openOne(t testing.TB, path string) *trial.Session {
	t.Helper()
	im := trial.Read(t, New(), trial.Open(t, path))
	if len(im.Sessions) != 1 || len(im.Broken) > 0 {
		t.Fatalf("%s: %d sessions, unread %q", path, len(im.Sessions), im.Broken)
	}
	return im.Sessions[0]
}

// sameEvents compares the events that both sessions hold, in their order.
func sameEvents(t *testing.T, a, b *trial.Session) {
	t.Helper()
	var left, right []string
	for _, e := range a.Events {
		if b.Find(e.ID) > 0 {
			left = append(left, describe(a, b, e))
		}
	}
	for _, e := range b.Events {
		if a.Find(e.ID) > 0 {
			right = append(right, describe(b, a, e))
		}
	}
	if len(left) == 0 || len(left) != len(right) {
		t.Fatalf("%d and %d events in common", len(left), len(right))
	}
	for i := range left {
		if left[i] != right[i] {
			t.Errorf("event %d in common differs:\n%s\n%s", i, left[i], right[i])
		}
	}
}

// describe writes what of an event must not depend on its packaging: all but
// numbers, and links to what the other packaging leaves out.
func describe(r, other *trial.Session, e *model.Event) string {
	title := e.Title
	if strings.HasPrefix(title, "branch from ") {
		_, title, _ = strings.Cut(title, ": ")
	}
	var links []string
	for _, l := range e.Links {
		if !l.Resolved() {
			continue
		}
		to := r.Events[l.To.Pos-1].ID
		if other.Find(to) > 0 {
			links = append(links, fmt.Sprintf("%s %s %v", l.Reason, to, l.Inferred))
		}
	}
	slices.Sort(links)
	return fmt.Sprintf("%s %s %s %s %q tool=%s call=%s out=%d noise=%v %s", e.ID, e.Type, e.Kind, e.Time, title, e.Tool, e.Call, e.Outcome, e.Noise, links)
}
