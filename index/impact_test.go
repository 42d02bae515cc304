package index

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
)

// linked writes an eventlog whose events name the ones that caused them.
func linked(t *testing.T, causes ...int) *Index {
	t.Helper()
	var b strings.Builder
	for i, cause := range causes {
		from := "null"
		if cause > 0 {
			from = fmt.Sprintf(`"e%d"`, cause)
		}
		fmt.Fprintf(&b, `{"event_id":"e%d","event_type":"AgentAction","session_id":"s1","sequence":%d,"timestamp":%d,"source_event_id":%s,"schema_version":1,"payload":{"action_type":"respond","params":{"content":"step %d"},"usage":{"input_tokens":10,"output_tokens":1,"cost_usd":0.1}}}`+"\n",
			i+1, i+1, 1772442000000+1000*i, from, i+1)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, []byte(b.String()))
	return openAll(t, t.TempDir(), Options{}, path)
}

func impactOf(t testing.TB, x *Index, pos int64) (*Impact, []string) {
	t.Helper()
	ctx := context.Background()
	m, err := x.Impact(ctx, []model.Event{pointAt(t, x, pos)})
	if err == nil {
		m, err = x.ImpactUsage(ctx, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	list, err := x.ImpactEffects(ctx, m, m.Near(0, 100))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range list {
		s := fmt.Sprintf("%d<%d depth %d: %d events %d failed", e.Event.Pos, e.Parent.Pos, e.Depth, e.Sum.Events, e.Sum.Failed)
		if e.Sum.Seconds != nil && e.Sum.Tokens != nil && e.Sum.CostUSD != nil {
			s += fmt.Sprintf(" %gs %d tokens $%g", *e.Sum.Seconds, *e.Sum.Tokens, *e.Sum.CostUSD)
		}
		out = append(out, s)
	}
	return m, out
}

func TestImpactSumsWhatFollowedOnce(t *testing.T) {
	x := linked(t, 0, 1, 2, 0, 2, 3, 5)
	m, got := impactOf(t, x, 1)
	want := []string{
		"2<1 depth 1: 5 events 0 failed 5s 55 tokens $0.5",
		"3<2 depth 2: 2 events 0 failed 3s 22 tokens $0.2",
		"5<2 depth 2: 2 events 0 failed 2s 22 tokens $0.2",
		"6<3 depth 3: 1 events 0 failed 0s 11 tokens $0.1",
		"7<5 depth 3: 1 events 0 failed 0s 11 tokens $0.1",
	}
	if !slices.Equal(got, want) || m.Len() != 5 || !m.Whole {
		t.Errorf("%d, whole %v:\n%s", m.Len(), m.Whole, strings.Join(got, "\n"))
	}
	total, err := x.ImpactTotal(context.Background(), m)
	if err != nil || total.Events != 5 || *total.Seconds != 6 || *total.Tokens != 55 || *total.CostUSD != 0.5 {
		t.Errorf("%+v, %v", total, err)
	}
	if m, got = impactOf(t, x, 7); m.Len() != 0 || len(got) != 0 {
		t.Errorf("of the last: %v", got)
	}
}

// Against the plain walk over all links, of every event of the demo.
func TestImpactIsTheShortestWay(t *testing.T) {
	x := openAll(t, t.TempDir(), Options{Embedded: fixtures.Demo()}, "demo:")
	ctx := context.Background()
	s, _, err := x.Session(ctx, "greeter")
	if err != nil {
		t.Fatal(err)
	}
	var all []model.Event
	for pos := int64(1); pos <= s.LastPos; pos++ {
		e, err := x.Event(ctx, s.ID, pos)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	for _, from := range all {
		depth := map[int64]int64{from.Pos: 0}
		failed := int64(0)
		for _, e := range all[from.Pos:] {
			for _, l := range e.Links {
				d, ok := depth[l.To.Pos]
				if !ok || l.To.Session != s.ID || !l.Resolved() || !l.Reason.Causal() {
					continue
				}
				if have, ok := depth[e.Pos]; !ok || d+1 < have {
					depth[e.Pos] = d + 1
				}
			}
			if _, ok := depth[e.Pos]; ok && e.Outcome.Failed() {
				failed++
			}
		}
		m, err := x.Impact(ctx, []model.Event{from})
		if err != nil {
			t.Fatal(err)
		}
		list, err := x.ImpactEffects(ctx, m, m.Near(0, 1000))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, e := range list {
			if e.Event.Session != s.ID {
				continue
			}
			n++
			if d, ok := depth[e.Event.Pos]; !ok || d != e.Depth || e.Via.Reason == "" {
				t.Errorf("%d from %d: depth %d by %q, want %d", e.Event.Pos, from.Pos, e.Depth, e.Via.Reason, d)
			}
		}
		if n != len(depth)-1 {
			t.Errorf("from %d: %d events, want %d", from.Pos, n, len(depth)-1)
		}
	}
}
