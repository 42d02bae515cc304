package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/gen/stream"
	"hindcast/model/answer"
)

// tampered is a generated session on its way to be spoiled.
type tampered struct {
	rng    *rand.Rand
	events []map[string]any
	at     int // index of the checkpoint that is spoiled
	next   int // index of the one behind it
}

func (s *tampered) payload(i int) map[string]any {
	p, _ := s.events[i]["payload"].(map[string]any)
	return p
}

func (s *tampered) state(i int) map[string]any { return s.payload(i)["state"].(map[string]any) }

func (s *tampered) seq(i int) int64 {
	n, _ := s.events[i]["sequence"].(json.Number).Int64()
	return n
}

func (s *tampered) base() int64 {
	n, _ := s.payload(s.at)["base_event_seq"].(json.Number).Int64()
	return n
}

// says: the event stands in the context, so that a state without it differs.
func says(e map[string]any) bool {
	return slices.Contains([]any{"UserInput", "AgentAction", "ToolResult"}, e["event_type"])
}

// mutants are the ways to spoil a checkpoint, with the rules that may find it.
// A mutant that changes nothing reports false.
var mutants = []struct {
	name  string
	rules string
	spoil func(s *tampered) bool
}{
	{"ghost file", "ghost", func(s *tampered) bool {
		now, later := s.state(s.at)["files"].(map[string]any), s.state(s.next)["files"].(map[string]any)
		for _, path := range sortedNames(later) {
			if now[path] != later[path] {
				now[path] = later[path]
				return true
			}
		}
		return false
	}},
	{"ghost task", "ghost", func(s *tampered) bool {
		before := fmt.Sprint(s.state(s.at)["tasks"])
		s.state(s.at)["tasks"] = s.state(s.next)["tasks"]
		return before != fmt.Sprint(s.state(s.at)["tasks"])
	}},
	{"ghost context", "ghost", func(s *tampered) bool {
		list, later := s.state(s.at)["context"].([]any), s.state(s.next)["context"].([]any)
		if len(later) <= len(list) {
			return false
		}
		s.state(s.at)["context"] = append(list, later[len(list)+s.rng.IntN(len(later)-len(list))])
		return true
	}},
	{"drifted file", "drift", func(s *tampered) bool {
		files := s.state(s.at)["files"].(map[string]any)
		names := sortedNames(files)
		if len(names) == 0 {
			return false
		}
		name := names[s.rng.IntN(len(names))]
		files[name] = files[name].(string) + "nobody wrote this\n"
		return true
	}},
	{"drifted place", "drift", func(s *tampered) bool {
		s.state(s.at)[[]string{"cwd", "status"}[s.rng.IntN(2)]] = "elsewhere"
		return true
	}},
	{"dropped context", "drift", func(s *tampered) bool {
		list := s.state(s.at)["context"].([]any)
		i := s.rng.IntN(len(list))
		s.state(s.at)["context"] = slices.Delete(slices.Clone(list), i, i+1)
		return true
	}},
	{"base ahead", "broken-chain", func(s *tampered) bool {
		s.payload(s.at)["base_event_seq"] = s.seq(s.at) + s.rng.Int64N(4)
		return true
	}},
	{"base behind", "ghost", func(s *tampered) bool {
		back := 1 + s.rng.IntN(6)
		s.payload(s.at)["base_event_seq"] = s.base() - int64(back)
		return slices.ContainsFunc(s.events[s.at-back:s.at], says)
	}},
	{"events removed", "broken-chain", func(s *tampered) bool {
		from := 1 + s.rng.IntN(s.at-2)
		to := min(from+1+s.rng.IntN(6), s.at-1) // the base itself stays
		if !slices.ContainsFunc(s.events[from:to], says) {
			return false
		}
		s.events = slices.Delete(s.events, from, to)
		s.at -= to - from
		return true
	}},
	{"original", "", func(*tampered) bool { return true }},
}

func sortedNames(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

const (
	mutantsEach = 50
	mutantRun   = 45 // events of a session on average
)

// spoilBy takes the mutant of which there are fewest that changes something; -1:
// there are enough of each that does.
func (s *tampered) spoilBy(count []int) int {
	order := make([]int, len(mutants))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return count[a] - count[b] })
	for _, k := range order {
		if count[k] < mutantsEach && mutants[k].spoil(s) {
			return k
		}
	}
	return -1
}

// generatedRuns splits a stream into its sessions.
func generatedRuns(t *testing.T, sessions int) [][]map[string]any {
	t.Helper()
	var b bytes.Buffer
	_, err := stream.Write(&b, stream.Options{Events: int64(sessions) * mutantRun, Sessions: sessions, Seed: 11, Size: 300, Checkpoints: 12})
	if err != nil {
		t.Fatal(err)
	}
	byID := make(map[string][]map[string]any)
	var order []string
	dec := json.NewDecoder(&b)
	dec.UseNumber()
	for dec.More() {
		var e map[string]any
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		id := e["session_id"].(string)
		if byID[id] == nil {
			order = append(order, id)
		}
		byID[id] = append(byID[id], e)
	}
	var out [][]map[string]any
	for _, id := range order {
		out = append(out, byID[id])
	}
	return out
}

// Every checkpoint that was spoiled so that it can be told is found, by the
// right rule, and nothing else is.
func TestSpoiledCheckpointsAreFound(t *testing.T) {
	type expected struct {
		session, mutant, rules string
		seq                    int64
	}
	want := make(map[string]expected)
	count := make([]int, len(mutants))
	rng := rand.New(rand.NewPCG(3, 5))
	var dump bytes.Buffer
	enc := json.NewEncoder(&dump)
	for _, events := range generatedRuns(t, mutantsEach*(len(mutants)+8)) {
		s := &tampered{rng: rng, events: events}
		var at []int
		for i, e := range events {
			if e["event_type"] == "Checkpoint" {
				at = append(at, i)
			}
		}
		if len(at) < 2 {
			continue
		}
		n := rng.IntN(min(len(at)-1, 2))
		s.at, s.next = at[n], at[n+1]
		s.events = events[:min(s.next+2, len(events))]
		k := s.spoilBy(count)
		if k < 0 {
			continue
		}
		count[k]++
		id := events[0]["session_id"].(string)
		want[id] = expected{session: id, mutant: mutants[k].name, rules: mutants[k].rules, seq: s.seq(s.at)}
		for _, e := range s.events {
			if err := enc.Encode(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k, m := range mutants {
		if count[k] < mutantsEach {
			t.Errorf("only %d of %s", count[k], m.name)
		}
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, dump.Bytes())
	x := openAll(t, t.TempDir(), Options{}, path)
	got, err := x.Check(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	bySession := make(map[string][]answer.Finding)
	for _, f := range got.Findings {
		if f.Severity == "error" {
			bySession[f.Session] = append(bySession[f.Session], f)
		}
	}
	for id, list := range bySession {
		if want[id].rules == "" {
			t.Errorf("false alarm in %s (%s): %+v", id, want[id].mutant, list[0])
		}
	}
	for id, w := range want {
		found := false
		for _, f := range bySession[id] {
			here := f.Events[0].Seq == w.seq
			found = found || here && strings.Contains(w.rules, f.Rule)
			// Others stand on the same events, and results on calls among them.
			if same := w.mutant == "events removed" && (f.Rule == w.rules || f.Rule == "orphan-result"); !here && !same || here && !strings.Contains(w.rules, f.Rule) {
				t.Errorf("%s (%s at %d): a false alarm beside it: %+v", id, w.mutant, w.seq, f)
			}
		}
		if !found && w.rules != "" {
			t.Errorf("%s: %s at %d was not found: %+v", id, w.mutant, w.seq, bySession[id])
		}
	}
}
