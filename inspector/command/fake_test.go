package command

import (
	"context"
	"fmt"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
)

// fake answers from events in memory, as far as these tests ask. Asking
// anything else is a nil call, and so a failure of the test.
type fake struct {
	index.API
	sessions []model.Session
	events   []model.Event // by session, then pos
	raw      map[int64]string
}

func (f *fake) Sessions(context.Context) ([]model.Session, error) { return f.sessions, nil }

func (f *fake) Session(_ context.Context, prefix string) (model.Session, int, error) {
	for _, s := range f.sessions {
		if strings.HasPrefix(s.ID, prefix) {
			return s, len(f.sessions) - 1, nil
		}
	}
	return model.Session{}, 0, &index.SessionError{Prefix: prefix}
}

func (f *fake) Resolve(_ context.Context, session string, a model.Address, use index.AddressUse) (model.Event, error) {
	var found *model.Event
	for i, e := range f.events {
		if e.Session == session && a.Readings[0].Form == model.FormLast {
			found = &f.events[i]
		}
		if e.Session == session && a.Readings[0].Form == model.FormSeq && e.Seq == a.Readings[0].N && (found == nil || use == index.AsPoint) {
			found = &f.events[i]
		}
	}
	if found == nil {
		return model.Event{}, &index.AddressError{Text: a.Text, Reason: "no such seq"}
	}
	return *found, nil
}

func (f *fake) Bind(_ context.Context, _ string, x query.Expr) (query.Expr, error) {
	return query.Bind(x, model.Time{}), nil
}

func (f *fake) Query(_ context.Context, session string, where query.Expr, yield func(model.Event) bool) error {
	for i := range f.events {
		e := &f.events[i]
		if (session == "" || e.Session == session) && query.Eval(where, query.Subject{Event: e}) && !yield(*e) {
			return nil
		}
	}
	return nil
}

func (f *fake) Raw(_ context.Context, e model.Event) ([]byte, error) {
	raw, ok := f.raw[e.Span.Offset]
	if !ok {
		return nil, fmt.Errorf("read record at %d: the source has changed", e.Span.Offset)
	}
	return []byte(raw)[:e.Span.Length], nil
}

func (f *fake) Event(_ context.Context, session string, pos int64) (model.Event, error) {
	for _, e := range f.events {
		if e.Session == session && e.Pos == pos {
			return e, nil
		}
	}
	return model.Event{}, &index.AddressError{Text: "pos"}
}

func (f *fake) Page(_ context.Context, q index.PageQuery) ([]index.Row, error) {
	var rows []index.Row
	for _, e := range f.events {
		if e.Session == q.Session && (q.Desc || e.Pos >= q.From) {
			rows = append(rows, index.Row{Event: e})
		}
	}
	if q.Desc {
		return rows[max(len(rows)-q.Limit, 0):], nil
	}
	return rows[:min(len(rows), q.Limit)], nil
}

func (f *fake) Results(context.Context, string, int64) ([]model.Event, error) { return nil, nil }

func (f *fake) Impact(context.Context, []model.Event) (*index.Impact, error) {
	nodes := []index.ImpactNode{{Parent: -1}}
	for i := range int32(9) {
		nodes = append(nodes, index.ImpactNode{Pos: int64(i) + 1, Parent: i, Depth: i + 1})
	}
	return index.NewImpact(nodes, true), nil
}

func (f *fake) ImpactUsage(_ context.Context, m *index.Impact) (*index.Impact, error) { return m, nil }

func (f *fake) ImpactTotal(_ context.Context, m *index.Impact) (answer.Sum, error) {
	return answer.Sum{Events: int64(m.Len())}, nil
}

func (f *fake) ImpactEffects(_ context.Context, _ *index.Impact, nodes []int32) ([]answer.Effect, error) {
	return make([]answer.Effect, len(nodes)), nil
}

// newFake holds a session of n events, whose records are of 10 bytes.
func newFake(n int) *fake {
	f := &fake{raw: map[int64]string{}, sessions: []model.Session{{ID: "s1", Last: int64(n)}}}
	for i := range int64(n) {
		f.events = append(f.events, model.Event{
			Session: "s1", Pos: i + 1, Seq: i + 1, ID: fmt.Sprintf("e%d", i+1), Type: "T", Title: fmt.Sprintf("title %d", i+1),
			Span: model.Span{Source: 1, Offset: i * 11, Length: 10},
		})
		f.raw[i*11] = fmt.Sprintf(`{"n":%4d}`, i+1)[:9] + " "
	}
	return f
}
