package index

import (
	"context"
	"slices"

	"hindcast/index/importer"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/replay"
)

// claim is what a record says of the state at its base.
type claim struct {
	event model.Event
	snap  model.Snapshot
	// base is the pos at which the state is claimed; 0 where the record names
	// one that is not in the log or not before it, and then broken says why.
	base   int64
	broken model.Broken
	state  *model.RecordedState // nil: it is nowhere to be found
	file   string               // the file that holds it; empty: the record does
	unread string               // why there is none although it should be there
}

// claims gives the records of a session that claim a state, in pos order from
// the event at pos from on, or (back) from there back, until yield is false.
func (x *Index) claims(ctx context.Context, row store.SessionRow, from int64, back bool, yield func(*claim) (bool, error)) error {
	const page = 64
	spec := store.PageSpec{Session: row.Key, From: from, Desc: back, Limit: page, Where: checkpointEvents, WithLinks: true}
	for {
		list, _, err := x.st.Reader().Page(ctx, spec)
		if err != nil || len(list) == 0 {
			return err
		}
		if back {
			slices.Reverse(list)
		}
		for _, e := range list {
			c, err := x.claimOf(ctx, row, e)
			if err != nil {
				return err
			}
			if c == nil {
				continue
			}
			if more, err := yield(c); err != nil || !more {
				return err
			}
		}
		spec.From = list[len(list)-1].Pos + 1
		if back {
			spec.From -= 2
		}
		if len(list) < page || spec.From < 1 {
			return nil
		}
	}
}

// claimOf reads what a checkpoint claims; nil where it claims no state, as a
// compaction.
func (x *Index) claimOf(ctx context.Context, row store.SessionRow, e model.Event) (*claim, error) {
	d := x.known.ByName(row.Dialect)
	teller, ok := d.(model.Teller)
	if !ok {
		return nil, nil
	}
	if claimer, ok := d.(model.Claimer); ok && !claimer.ClaimsState(&e) {
		return nil, nil // of a compaction the record may be the largest of all
	}
	if e.Origin == model.OriginInherited {
		owner, err := x.st.Reader().Owner(ctx, row.Key, e.Pos)
		if err != nil {
			return nil, err
		}
		if row, _, err = x.st.Reader().Session(ctx, owner); err != nil {
			return nil, err
		}
		if e, err = x.eventAt(ctx, owner, e.Pos); err != nil {
			return nil, err
		}
	}
	c := &claim{event: e}
	raw, err := x.Raw(ctx, e)
	if err != nil {
		c.unread = err.Error()
		c.findBase()
		return c, ctx.Err()
	}
	if c.snap, ok = snapshotOf(teller.NewEffector(streamFor(row), row.ID), &e, raw); !ok {
		return nil, nil
	}
	c.findBase()
	return c, x.findState(ctx, d, row, c)
}

// streamFor is what an effector gets to know of a session's stream: what the
// index holds. What a dialect learnt of files beside the log it does not tell
// again (usage that only OpenHands' base_state.json has).
func streamFor(row store.SessionRow) *model.Stream {
	return &model.Stream{Dialect: row.Dialect, Version: row.Version, Session: row.ID, Parent: row.Parent, Title: row.Title, Order: row.Order}
}

// snapshotOf asks an effector that knows nothing of what was before.
func snapshotOf(f model.Effector, e *model.Event, raw []byte) (s model.Snapshot, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for _, effect := range f.Effects(e, raw, replay.New(replay.Options{}).View(noRecords{})) {
		if s, ok = effect.(model.Snapshot); ok {
			return s, true
		}
	}
	return s, false
}

type noRecords struct{}

func (noRecords) Record(int64) (model.Event, []byte, bool) { return model.Event{}, nil, false }
func (noRecords) Find(string) int64                        { return 0 }

// findBase: a record that names no base claims what came before it.
func (c *claim) findBase() {
	c.base = c.snap.BasePos
	for _, l := range c.event.Links {
		if l.Reason != model.ReasonBase {
			continue
		}
		if c.broken = l.Broken; c.base == 0 && l.Resolved() {
			c.base = l.To.Pos
		}
	}
	if c.base == 0 && !c.snap.HasBase {
		c.base, c.broken = c.event.Pos-1, model.LinkWhole
	}
}

// findState reads the recorded state: from the record, or from the file that
// the record's dialect names for it.
func (x *Index) findState(ctx context.Context, d model.Dialect, row store.SessionRow, c *claim) error {
	recorder, ok := d.(model.Recorder)
	if !ok {
		return nil
	}
	raw := c.snap.State
	if raw == nil && c.snap.File != "" {
		src, found, err := x.evidence(ctx, row, func(s store.Source) bool { return importer.NamesFile(s.Name, c.snap.File) })
		if err != nil || !found {
			return err
		}
		c.file = src.Name
		if raw, err = x.allOf(ctx, src); err != nil {
			c.unread = err.Error()
			return ctx.Err()
		}
	}
	if raw == nil {
		return nil
	}
	state, err := recorder.Recorded(raw)
	if err != nil {
		c.unread = err.Error()
		return nil
	}
	c.state = &state
	return nil
}

// evidence finds a file beside a session's events. Those of its own stream are
// looked at first: two dumps may hold files of one name.
func (x *Index) evidence(ctx context.Context, row store.SessionRow, is func(store.Source) bool) (src store.Source, ok bool, err error) {
	rows, err := x.st.Reader().Sources(ctx)
	for _, s := range rows {
		if s.Role != "events" && is(s) && (!ok || s.Stream == row.Stream && src.Stream != row.Stream) {
			src, ok = s, true
		}
	}
	return src, ok, err
}
