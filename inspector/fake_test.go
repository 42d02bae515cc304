package inspector

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
)

// fake is an index in memory.
type fake struct {
	mu       sync.Mutex
	status   index.Status
	change   chan struct{}
	session  []model.Session
	events   map[string][]model.Event
	raw      func(model.Event) []byte
	panics   string // the method that panics
	writes   []cellWrite
	impact   []index.ImpactNode // that was asked for last
	impactOf string
	folded   int64 // one more than how far the fold has come; 0: all of it
}

func newFake() *fake {
	return &fake{change: make(chan struct{}), events: map[string][]model.Event{}, status: index.Status{Done: true, Folded: true}}
}

// add appends an event, filling in what a real import would.
func (f *fake) add(session string, e model.Event) *model.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.events[session]
	e.Session, e.Pos = session, int64(len(list)+1)
	if e.Seq == 0 {
		e.Seq, e.HasSeq = e.Pos-1, true
	}
	if e.ID == "" {
		e.ID = fmt.Sprintf("evt_%04d", e.Pos)
	}
	if !e.Time.Known {
		e.Time = model.Time{Nanos: 1_772_000_000_000_000_000 + e.Pos*730_000_000, Known: true, Digits: 3}
	}
	e.Span.Length = int64(len(e.Title) + 100)
	if e.Kind == model.KindObservation && e.Call != "" {
		for i := range list {
			if list[i].Kind == model.KindAction && list[i].Call == e.Call {
				to := model.Ref{Session: session, Seq: list[i].Seq, Pos: list[i].Pos, ID: list[i].ID}
				e.Links = append(e.Links, model.Link{Reason: model.ReasonAction, To: to})
				if list[i].Mate == 0 {
					list[i].Mate, e.Mate = e.Pos, list[i].Pos
				}
			}
		}
	}
	if i := model.PreferredCause(e.Links); i >= 0 {
		cause := e.Links[i]
		e.Cause = &cause
	}
	f.events[session] = append(list, e)
	f.status.Events++
	return &f.events[session][len(list)]
}

// grow tells watchers that events were added.
func (f *fake) grow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.change)
	f.change = make(chan struct{})
}

func (f *fake) Status() index.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

func (f *fake) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.change
}

func (f *fake) Wait(context.Context) error { return nil }

func (f *fake) list(session string) []model.Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]model.Event(nil), f.events[session]...)
}

func (f *fake) Sessions(context.Context) ([]model.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := append([]model.Session(nil), f.session...)
	for i := range out {
		list := f.events[out[i].ID]
		n := int64(len(list))
		if n == 0 {
			continue
		}
		out[i].Events, out[i].LastPos, out[i].First, out[i].Last = n, n, list[0].Seq, list[n-1].Seq
		out[i].Started, out[i].Ended = list[0].Time, list[n-1].Time
		for _, e := range list {
			if e.Outcome.Failed() {
				out[i].Failed++
			}
		}
	}
	return out, nil
}

func (f *fake) Session(ctx context.Context, prefix string) (model.Session, int, error) {
	if f.panics == "Session" {
		panic("boom")
	}
	all, _ := f.Sessions(ctx)
	for _, s := range all {
		if strings.HasPrefix(s.ID, prefix) && s.Events > 0 {
			return s, len(all) - 1, nil
		}
	}
	return model.Session{}, 0, &index.SessionError{Prefix: prefix}
}

func (f *fake) Resolve(_ context.Context, session string, a model.Address, _ index.AddressUse) (model.Event, error) {
	if a.Session != "" {
		session = a.Session
	}
	list := f.list(session)
	for _, r := range a.Readings {
		for i, e := range list {
			switch {
			case r.Form == model.FormFirst, r.Form == model.FormLast && i == len(list)-1,
				r.Form == model.FormSeq && e.Seq == r.N, r.Form == model.FormPos && e.Pos == r.N,
				r.Form == model.FormID && e.ID == r.Text:
				return e, nil
			}
		}
		if r.Form == model.FormError {
			for i := len(list) - 1; i >= 0; i-- {
				if list[i].Outcome.Failed() {
					return list[i], nil
				}
			}
		}
	}
	return model.Event{}, &index.AddressError{Text: a.Text, Reason: "nothing has it", Nearest: []string{"1"}}
}

func (f *fake) matches(q index.PageQuery) []index.Row {
	list := f.list(q.Session)
	var out []index.Row
	for _, e := range list {
		if q.Visibility == index.Folded && (e.Noise || e.Kind == model.KindObservation && e.Mate > 0) {
			continue
		}
		row := index.Row{Event: e}
		if q.Visibility == index.Folded && e.Kind == model.KindAction && e.Mate > 0 {
			row.Result = &list[e.Mate-1]
		}
		if f.match(q.Where, e) || row.Result != nil && f.match(q.Where, *row.Result) {
			out = append(out, row)
		}
	}
	return out
}

func (f *fake) match(where query.Expr, e model.Event) bool {
	return where == nil || query.Eval(where, query.Subject{Event: &e, Text: func() string { return e.Title }})
}

func (f *fake) Page(_ context.Context, q index.PageQuery) ([]index.Row, error) {
	rows := f.matches(q)
	if q.Desc {
		end := len(rows)
		for q.From > 0 && end > 0 && rows[end-1].Event.Pos > q.From {
			end--
		}
		return rows[max(end-q.Limit, 0):end], nil
	}
	from := 0
	for from < len(rows) && rows[from].Event.Pos < q.From {
		from++
	}
	return rows[from:min(from+q.Limit, len(rows))], nil
}

func (f *fake) Count(_ context.Context, q index.PageQuery, pos int64) (total, before int64, err error) {
	for _, r := range f.matches(q) {
		total++
		if r.Event.Pos < pos {
			before++
		}
	}
	return total, before, nil
}

func (f *fake) Overview(_ context.Context, q index.PageQuery, n int) (index.Overview, error) {
	list := f.list(q.Session)
	o := index.Overview{Last: int64(len(list)), Buckets: make([]index.Bucket, n)}
	at := func(pos int64) *index.Bucket { return &o.Buckets[(pos*int64(n)-1)/o.Last] }
	for _, r := range f.matches(q) {
		at(r.Event.Pos).Rows++
	}
	for _, e := range list {
		if e.Outcome.Failed() {
			at(e.Pos).Failed++
		}
		if e.Kind == model.KindCheckpoint {
			at(e.Pos).Checkpoints++
		}
	}
	return o, nil
}

func (f *fake) Agents(context.Context, string) ([]index.Agent, error) { return nil, nil }
func (f *fake) Caller(context.Context, string) (model.Ref, error)     { return model.Ref{}, nil }

func (f *fake) Next(_ context.Context, session string, pos int64, back bool, where query.Expr) (model.Event, bool, error) {
	list := f.list(session)
	var found model.Event
	for _, e := range list {
		if !f.match(where, e) || e.Pos == pos || (e.Pos < pos) != back {
			continue
		}
		if found = e; !back {
			break
		}
	}
	return found, found.Pos > 0, nil
}

func (f *fake) Query(_ context.Context, session string, where query.Expr, yield func(model.Event) bool) error {
	for _, e := range f.list(session) {
		if f.match(where, e) && !yield(e) {
			break
		}
	}
	return nil
}

func (f *fake) Bind(_ context.Context, _ string, where query.Expr) (query.Expr, error) {
	return where, nil
}

func (f *fake) Event(_ context.Context, session string, pos int64) (model.Event, error) {
	list := f.list(session)
	if pos < 1 || pos > int64(len(list)) {
		return model.Event{}, fmt.Errorf("read event %d: not there", pos)
	}
	return list[pos-1], nil
}

func (f *fake) Raw(_ context.Context, e model.Event) ([]byte, error) {
	if f.panics == "Raw" {
		panic("boom")
	}
	if f.raw != nil {
		return f.raw(e), nil
	}
	return fmt.Appendf(nil, `{"id":%q,"type":%q,"source":%q,"tool":%q,"message":%q}`, e.ID, e.Type, e.Source, e.Tool, e.Title), nil
}

func (f *fake) Results(_ context.Context, session string, pos int64) ([]model.Event, error) {
	var out []model.Event
	for _, e := range f.list(session) {
		for _, l := range e.Links {
			if l.Reason == model.ReasonAction && l.To.Pos == pos {
				out = append(out, e)
			}
		}
	}
	return out, nil
}

func (f *fake) Why(_ context.Context, e model.Event) (answer.Why, error) {
	w := answer.Why{From: answer.NewEvent(e), Complete: true}
	list := f.list(e.Session)
	for e.Cause != nil {
		via := answer.Via{Reason: e.Cause.Reason.String(), Inferred: e.Cause.Inferred}
		e = list[e.Cause.To.Pos-1]
		w.Chain = append(w.Chain, answer.Step{Event: answer.NewEvent(e), Via: via})
	}
	w.Roots = []answer.Event{answer.NewEvent(e)}
	return w, nil
}

func (f *fake) Impact(_ context.Context, from []model.Event) (*index.Impact, error) {
	var nodes []index.ImpactNode
	at := map[int64]int32{}
	for _, e := range from {
		at[e.Pos] = int32(len(nodes))
		nodes = append(nodes, index.ImpactNode{Pos: e.Pos, Parent: -1})
	}
	for _, x := range f.list(from[0].Session) {
		for _, l := range x.Links {
			up, ok := at[l.To.Pos]
			if _, there := at[x.Pos]; ok && !there && l.Reason.Causal() {
				at[x.Pos] = int32(len(nodes))
				nodes = append(nodes, index.ImpactNode{Pos: x.Pos, Parent: up, Depth: nodes[up].Depth + 1, Failed: x.Outcome.Failed()})
			}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.impact, f.impactOf = nodes, from[0].Session
	return index.NewImpact(nodes, true), nil
}

func (f *fake) ImpactUsage(_ context.Context, m *index.Impact) (*index.Impact, error) { return m, nil }

func (f *fake) ImpactTotal(_ context.Context, m *index.Impact) (answer.Sum, error) {
	return answer.Sum{Events: int64(m.Len())}, nil
}

func (f *fake) ImpactEffects(_ context.Context, _ *index.Impact, nodes []int32) ([]answer.Effect, error) {
	f.mu.Lock()
	all, session := f.impact, f.impactOf
	f.mu.Unlock()
	var out []answer.Effect
	for _, i := range nodes {
		e := f.list(session)[all[i].Pos-1]
		out = append(out, answer.Effect{Event: answer.NewEvent(e), Depth: int64(all[i].Depth), Via: answer.Via{Reason: "source"}, Sum: answer.Sum{Events: 1}})
	}
	return out, nil
}

func (f *fake) Stats(context.Context, string) (answer.Stats, error) { return answer.Stats{}, nil }
func (f *fake) Verdict(context.Context, string) (answer.Verdict, error) {
	finished, none := "finished", int64(0)
	return answer.Verdict{Outcomes: []answer.Outcome{{Outcome: &finished, Sessions: 1}}, FailedCalls: 2, Unrecovered: &none}, nil
}
func (f *fake) Import(context.Context, string) (answer.Import, error) { return answer.Import{}, nil }
func (f *fake) Names(context.Context, query.Field) ([]string, error)  { return nil, nil }
func (f *fake) CopySource(context.Context, string, io.Writer) error   { return nil }
func (f *fake) Sources(context.Context) ([]string, error)             { return nil, nil }
func (f *fake) Follow(ctx context.Context) error                      { <-ctx.Done(); return nil }
func (f *fake) Close() error                                          { return nil }

var _ index.API = (*fake)(nil)
