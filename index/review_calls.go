package index

import (
	"cmp"
	"context"
	"maps"
	"math/bits"
	"slices"

	"hindcast/index/store"
	"hindcast/model/answer"
)

// tool counts a call for its tool, and for the lists of the slowest and of the
// open ones.
func (s *review) tool(c *store.Call) {
	if c.Tool == "" {
		return
	}
	t := s.tools[c.Tool]
	if t == nil {
		t = &toolTally{took: map[int]took{}}
		s.tools[c.Tool] = t
	}
	t.calls++
	if c.Failed || c.Own {
		t.failed++
	}
	if c.Result == 0 {
		t.open++
		if s.open = append(s.open, *c); len(s.open) > listLength {
			s.open = s.open[1:]
		}
	}
	if c.Nanos < 0 {
		return
	}
	t.add(c.Nanos, site{c.Session, c.Pos})
	s.slowest.add(long{at: site{c.Session, c.Pos}, call: true, tool: c.Tool, title: c.Title, failed: c.Failed || c.Own, nanos: c.Nanos})
}

// toolTally is what is counted for a tool.
type toolTally struct {
	calls, failed, open int64
	nanos, timed        int64
	most                int64
	slowest             site
	took                map[int]took // by the class of their length
}

// took is the calls whose times are within a hundredth or two of each other.
type took struct{ n, longest int64 }

func (t *toolTally) add(nanos int64, at site) {
	t.nanos += nanos
	if t.timed++; t.timed == 1 || nanos > t.most {
		t.most, t.slowest = nanos, at
	}
	class := lengthClass(nanos)
	k := t.took[class]
	t.took[class] = took{k.n + 1, max(k.longest, nanos)}
}

// lengthClass numbers lengths so that those of one class differ by a 64th at
// most.
func lengthClass(nanos int64) int {
	e := max(bits.Len64(uint64(nanos))-7, 0)
	return e<<6 + int(nanos>>e)
}

// p95 is a length that nineteen of twenty calls stay within: that of a call.
func (t *toolTally) p95() *float64 {
	if t.timed == 0 {
		return nil
	}
	rank := (t.timed*95 + 99) / 100
	for _, class := range slices.Sorted(maps.Keys(t.took)) {
		k := t.took[class]
		if rank -= k.n; rank <= 0 {
			seconds := float64(k.longest) / 1e9
			return &seconds
		}
	}
	return nil
}

// toolCounts answers what the tools took, most calls first.
func (s *review) toolCounts(ctx context.Context) ([]answer.ToolCount, error) {
	var sites []site
	for _, t := range s.tools {
		if t.timed > 0 {
			sites = append(sites, t.slowest)
		}
	}
	refs, err := s.x.refsAcross(ctx, sites)
	out := make([]answer.ToolCount, 0, len(s.tools))
	for name, t := range s.tools {
		n := answer.ToolCount{Name: name, Calls: t.calls, Failed: t.failed, Open: t.open, Seconds: float64(t.nanos) / 1e9, P95Seconds: t.p95()}
		if ref, ok := refs[t.slowest]; ok {
			n.Slowest = &ref
		}
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b answer.ToolCount) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name))
	})
	return out, err
}

// openCalls answers the last calls without a result.
func (s *review) openCalls(ctx context.Context) ([]answer.OpenCall, error) {
	sites := make([]site, len(s.open))
	for i, c := range s.open {
		sites[i] = site{c.Session, c.Pos}
	}
	refs, err := s.x.refsAcross(ctx, sites)
	out := make([]answer.OpenCall, len(s.open))
	for i, c := range s.open {
		out[i] = answer.OpenCall{Event: refs[sites[i]], Tool: c.Tool, Title: c.Title}
	}
	return out, err
}

// long is something that took time.
type long struct {
	at     site
	call   bool // else an answer of the model
	tool   string
	title  string
	failed bool
	nanos  int64
}

// longest keeps those that took longest, longest first.
type longest []long

func (l *longest) add(x long) {
	at, _ := slices.BinarySearchFunc(*l, x, func(a, b long) int {
		if d := cmp.Compare(b.nanos, a.nanos); d != 0 {
			return d
		}
		if a.at.before(b.at) || a.at == b.at && !a.call { // the answer before the call that it made
			return -1
		}
		return 1
	})
	if at < listLength {
		*l = slices.Insert(*l, at, x)
		*l = (*l)[:min(len(*l), listLength)]
	}
}

// slow answers what took longest. The titles of the model's answers are read
// here.
func (s *review) slow(ctx context.Context, list longest) ([]answer.Slow, error) {
	out := make([]answer.Slow, 0, len(list))
	for _, l := range list {
		e, ok, err := s.x.st.Reader().EventAt(ctx, l.at.session, l.at.pos)
		if err != nil || !ok {
			return out, err
		}
		row := answer.Slow{Event: answer.NewRef(refOf(e)), Title: e.Title, Failed: l.failed, Seconds: float64(l.nanos) / 1e9}
		if l.call {
			row.Tool = &l.tool
		}
		out = append(out, row)
	}
	return out, nil
}
