package store

import (
	"context"
	"fmt"
	"testing"

	"hindcast/model"
)

// BenchmarkDescend asks what followed from an event of a million that has 100,000
// descendants: one below the other, all right below it, and every eighth event.
func BenchmarkDescend(b *testing.B) {
	const each, ways = 100_000, 8
	events := make([]model.Event, (2+ways)*each)
	rows := make([]EventRow, len(events))
	for i := range events {
		pos := int64(i + 1)
		cause := pos - 1
		switch {
		case i == each, i >= 2*each && i < 2*each+ways:
			cause = 0
		case i > each && i < 2*each:
			cause = each + 1
		case i >= 2*each:
			cause = pos - ways
		}
		e := &events[i]
		*e = model.Event{Pos: pos, ID: fmt.Sprintf("e%d", pos), Kind: model.KindAction, Type: "Action"}
		if cause > 0 {
			e.Links = []model.Link{{Reason: model.ReasonSource, To: model.Ref{Pos: cause}}}
			e.Cause = &e.Links[0]
		}
		rows[i] = EventRow{Session: 1, Event: e}
	}
	s, w := open(b)
	fill(b, w, rows)
	if err := w.BuildIndexes(context.Background()); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		from int64
	}{{"chain", 1}, {"children", each + 1}, {"spread", 2*each + 1}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				nodes, whole, err := s.Reader().Descend(context.Background(), []Step{{1, c.from}}, 1<<30)
				if err != nil || !whole || len(nodes) != each {
					b.Fatal(len(nodes), whole, err)
				}
			}
		})
	}
}
