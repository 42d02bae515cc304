package index

import (
	"context"

	"hindcast/model"
)

// ownEvent is the event at a pos of a session as its own session has it: what a
// session inherited is its base's.
func (x *Index) ownEvent(ctx context.Context, key, pos int64) (model.Event, error) {
	owner, err := x.st.Reader().Owner(ctx, key, pos)
	if err != nil {
		return model.Event{}, err
	}
	return x.eventAt(ctx, owner, pos)
}

// ownEvents puts the events of a session's base in the places of those that the
// session has from there.
func (x *Index) ownEvents(ctx context.Context, key int64, events map[int64]model.Event) error {
	for pos, e := range events {
		if e.Origin != model.OriginInherited {
			continue
		}
		own, err := x.ownEvent(ctx, key, pos)
		if err != nil {
			return err
		}
		events[pos] = own
	}
	return nil
}
