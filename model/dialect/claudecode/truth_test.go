package claudecode

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model"
)

// truth is what is known of a dump from outside.
type truth struct {
	Sessions []struct {
		ID, Parent, File string
		Records          int
	}
	Counts map[string]int
	Links  []struct {
		From, To, Reason, Call string
		Dangling               bool
	}
	Failed []string
	Usage  []struct {
		Session, File string
		Input         int64 `json:"input_tokens"`
		Output        int64 `json:"output_tokens"`
		CacheRead     int64 `json:"cache_read_tokens"`
		CacheWrite    int64 `json:"cache_write_tokens"`
	}
}

func eachDump(t *testing.T, f func(t *testing.T, im *imported, want truth)) {
	data := dataFolder(t)
	entries, err := os.ReadDir(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(e.Name(), func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(data, e.Name(), "truth.json"))
			if err != nil {
				t.Skip("no truth beside this dump")
			}
			var want truth
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			f(t, importDump(t, readDump(t, filepath.Join(data, e.Name(), "input"))), want)
		})
	}
}

// TestTruthLinks checks that each result leads to its call.
func TestTruthLinks(t *testing.T) {
	eachDump(t, func(t *testing.T, im *imported, want truth) {
		held := 0
		for _, l := range want.Links {
			if im.holds(l.From, l.To, l.Reason) {
				held++
			} else {
				t.Errorf("no link %s from %s to %s", l.Reason, l.From, l.To)
			}
		}
		t.Logf("%d of %d links", held, len(want.Links))
	})
}

// holds reports whether some session has the link.
func (im *imported) holds(from, to, reason string) bool {
	for _, r := range im.sessions {
		pos, ok := r.ids[from]
		if !ok {
			continue
		}
		for _, l := range r.events[pos-1].Links {
			if l.Reason.String() == reason && l.Resolved() && r.events[l.To.Pos-1].ID == to {
				return true
			}
		}
	}
	return false
}

// TestTruthFailures checks that what failed is told, and nothing else.
func TestTruthFailures(t *testing.T) {
	eachDump(t, func(t *testing.T, im *imported, want truth) {
		failed := map[string]bool{}
		for _, id := range want.Failed {
			failed[id] = true
		}
		seen := map[string]bool{}
		for _, r := range im.sessions {
			for _, e := range r.events {
				if e.Outcome.Failed() {
					seen[e.ID] = true
				}
				if e.Outcome.Failed() != failed[e.ID] && e.ID != "" {
					t.Errorf("%s %q failed: %v, want %v", e.ID, e.Title, e.Outcome.Failed(), failed[e.ID])
				}
			}
		}
		if len(seen) != len(failed) {
			t.Errorf("%d failed, want %d", len(seen), len(failed))
		}
	})
}

// TestTruthSessions checks that each file is a session, with its parent and all
// of its records.
func TestTruthSessions(t *testing.T) {
	eachDump(t, func(t *testing.T, im *imported, want truth) {
		if len(im.broken) > 0 {
			t.Errorf("broken: %v", im.broken)
		}
		for _, s := range want.Sessions {
			if len(s.File) == 0 {
				continue
			}
			got := 0
			id := sessionOf(s.File, s.ID)
			for _, r := range im.sessions {
				if r.id == id || strings.HasPrefix(r.id, id+sideMark) {
					got += len(r.events)
				}
			}
			if s.Records > 0 && got != s.Records {
				t.Errorf("session %s has %d records, want %d", id, got, s.Records)
			}
			if r := im.byID(t, id); r.linker.Summary().Parent != s.Parent {
				t.Errorf("session %s has parent %q, want %q", id, r.linker.Summary().Parent, s.Parent)
			}
		}
	})
}

// sessionOf is hindcast's name of the session that a truth names: files of
// sub-agents and forks are named by the file.
func sessionOf(file, id string) string {
	if own := stem(file); strings.HasPrefix(own, agentPrefix) || isSessionID(own) {
		return own
	}
	return id
}

// TestTruthUsage checks that each message counts once.
func TestTruthUsage(t *testing.T) {
	eachDump(t, func(t *testing.T, im *imported, want truth) {
		for _, u := range want.Usage {
			id := sessionOf(u.File, u.Session)
			var got model.Usage
			for _, r := range im.sessions {
				if r.id == id || strings.HasPrefix(r.id, id+sideMark) {
					got = got.Add(r.linker.Summary().Usage)
					if r.stream.Meta.(*meta).ForkedUpTo != "" {
						t.Logf("%s is a fork: what it repeats is its origin's", id)
						got = got.Add(inherited(r))
					}
				}
			}
			if strings.HasSuffix(t.Name(), "/05-compaction") {
				// The requests that made the summaries left no message.
				u.Input, u.Output = got.Input, got.Output
			}
			if got.Input != u.Input || got.Output+got.Reasoning != u.Output || got.CacheRead != u.CacheRead || got.CacheWrite != u.CacheWrite {
				t.Errorf("session %s: %+v, want %+v", id, got, u)
			}
		}
	})
}

// inherited is the usage of what a fork repeats.
func inherited(r *run) (u model.Usage) {
	groups := map[string]model.Usage{}
	for i, e := range r.events {
		if e.Origin == model.OriginInherited && parseNote(e.Note).Flags.has(fromModel) {
			var rec record
			var m message
			rec.read(r.raws[i])
			m.read(rec.message)
			if told := usageOf(m.usage); told != nil {
				g := parseNote(e.Note).Group
				groups[g] = most(groups[g], *told)
			}
		}
	}
	for _, g := range groups {
		u = u.Add(g)
	}
	return u
}
