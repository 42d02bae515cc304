package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

// said is what the model had in view after each event: the texts of its
// messages and of what their calls were given, those that are not sent yet with
// them.
func (n *naive) said(t *testing.T, teller model.Teller) [][]string {
	t.Helper()
	all := make([][]string, len(n.states))
	for pos, state := range n.states {
		view := n.viewOf(t, state)
		sent := make(map[int]bool)
		take := func(of []model.Viewed) {
			c := teller.Messages(of, true)
			for _, m := range c.Messages {
				if !slices.ContainsFunc(m.Records, func(i int) bool { return !of[i].Replaced }) {
					continue // the program's own words, carried by no record
				}
				all[pos] = append(all[pos], m.Text)
				for _, call := range m.Calls {
					all[pos] = append(all[pos], call.Args)
				}
				for _, i := range m.Records {
					sent[i] = true
				}
			}
		}
		take(view)
		for i := range view {
			if !sent[i] { // a call that waits for its result, and the like
				take(view[i : i+1])
			}
		}
	}
	return all
}

// exact tells of each moment whether the dialect is sure of its context.
func (n *naive) exact(t *testing.T, teller model.Teller) []bool {
	t.Helper()
	all := make([]bool, len(n.states))
	for pos, state := range n.states {
		all[pos] = teller.Messages(n.viewOf(t, state), true).Exact
	}
	return all
}

func (n *naive) viewOf(t *testing.T, state replay.Cells) (view []model.Viewed) {
	t.Helper()
	for path, v := range state {
		if !below(path, model.PathMessages) {
			continue
		}
		e, ok := replay.Message(path, v)
		if !ok {
			t.Fatalf("%s holds no message: %s", path, v.JSON)
		}
		view = append(view, model.Viewed{Entry: e, Record: n.events[e.Pos-1], Raw: n.raws[e.Pos-1]})
	}
	slices.SortFunc(view, func(a, b model.Viewed) int { return strings.Compare(a.Key, b.Key) })
	return view
}

// checkKnew: the spans in which a text was known are those that a search of
// every context finds, and exact where all of these are.
func checkKnew(t *testing.T, x *Index, n *naive) {
	ctx := context.Background()
	teller, err := x.teller(ctx, n.key)
	if err != nil {
		t.Fatal(err)
	}
	if teller == nil || len(n.states) < 2 {
		return
	}
	said, exact := n.said(t, teller), n.exact(t, teller)
	r := rand.New(rand.NewPCG(uint64(len(said)), 3))
	for range 12 {
		text := pick(r, said)
		if text == "" {
			continue
		}
		var want []string
		from := 0
		for pos := 1; pos <= len(said); pos++ {
			holds := pos < len(said) && slices.ContainsFunc(said[pos], func(s string) bool { return strings.Contains(s, text) })
			switch {
			case holds && from == 0:
				from = pos
			case !holds && from > 0 && pos == len(said):
				want = append(want, fmt.Sprintf("%d to the end, exact %t", from, !slices.Contains(exact[from:pos], false)))
			case !holds && from > 0:
				want = append(want, fmt.Sprintf("%d to %d out by %d, exact %t", from, pos-1, pos, !slices.Contains(exact[from:pos], false)))
				from = 0
			}
		}
		knew, err := x.Knew(ctx, n.id, text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range knew.Spans {
			if s.To == nil {
				got = append(got, fmt.Sprintf("%d to the end, exact %t", s.From.Pos, s.Exact))
			} else {
				got = append(got, fmt.Sprintf("%d to %d out by %d, exact %t", s.From.Pos, s.To.Pos, s.OutBy.Pos, s.Exact))
			}
		}
		if !slices.Equal(want, got) {
			t.Fatalf("session %s: %q was known %q, want %q", n.id, text, got, want)
		}
	}
}

// pick takes a piece of a line out of what was said at some time.
func pick(r *rand.Rand, said [][]string) string {
	at := said[r.IntN(len(said))]
	if len(at) == 0 {
		return ""
	}
	var lines []string
	for _, l := range strings.Split(at[r.IntN(len(at))], "\n") {
		if len(l) > 3 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return ""
	}
	line := []rune(lines[r.IntN(len(lines))])
	from := r.IntN(len(line))
	return string(line[from:min(len(line), from+3+r.IntN(20))])
}

// What the dialect is not sure of in context, it is not sure of in knew.
func TestKnewIsAsSureAsContext(t *testing.T) {
	x, s := openPort(t)
	if contextFor(t, x, s.ID, 7).Exact {
		t.Error("a context that holds calls twice is called exact")
	}
	for _, text := range []string{"be brief", "no luck"} {
		knew, err := x.Knew(context.Background(), s.ID, text)
		if err != nil || len(knew.Spans) != 1 || knew.Spans[0].Exact {
			t.Errorf("%q: %+v, %v", text, knew.Spans, err)
		}
	}
}
