package index

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
)

// Checkpoint is an event at which a stream claims, resets or shrinks its state,
// or several records of one: those that follow each other with one id.
type Checkpoint struct {
	ID          string // empty where no record tells one
	First, Last int64  // pos of its records
}

// pathCheckpoint is written by whatever claims or shrinks the state.
const pathCheckpoint = "/checkpoint"

// Checkpoints lists the checkpoints of a session in pos order: events of that
// kind, and those of any other that put a checkpoint into the state. Where a
// session grows, those of its newest events are told by the kind alone until
// they are folded.
func (x *Index) Checkpoints(ctx context.Context, session string) ([]Checkpoint, error) {
	_, _, err := x.foldedAll(ctx, session)
	if err != nil && !errors.Is(err, errNotFolded) {
		return nil, err
	}
	key, err := x.key(ctx, session)
	if err != nil {
		return nil, err
	}
	writes, err := x.st.Reader().History(ctx, key, pathCheckpoint, 0, 0)
	if err != nil {
		return nil, err
	}
	events, err := x.checkpointRecords(ctx, key)
	if err != nil {
		return nil, err
	}
	var out []Checkpoint
	for len(writes) > 0 || len(events) > 0 {
		var e *model.Event
		var id string
		pos := int64(0)
		if len(events) > 0 {
			pos = events[0].Pos
		}
		if written := len(writes) > 0 && (pos == 0 || writes[0].Pos <= pos); written {
			pos, id = writes[0].Pos, checkpointID(writes[0])
			writes = writes[1:]
		}
		if len(events) > 0 && events[0].Pos == pos {
			e, events = &events[0], events[1:]
		}
		if n := len(out) - 1; n >= 0 && out[n].goesOn(id, e) {
			out[n].Last = pos
			continue
		}
		out = append(out, Checkpoint{ID: id, First: pos, Last: pos})
	}
	return out, nil
}

// checkpointRecords lists the events of that kind, with their links.
func (x *Index) checkpointRecords(ctx context.Context, key int64) (out []model.Event, err error) {
	const page = 1024
	spec := store.PageSpec{Session: key, From: 1, Limit: page, Where: checkpointEvents, WithLinks: true, Lean: true}
	for {
		list, _, err := x.st.Reader().Page(ctx, spec)
		out = append(out, list...)
		if err != nil || len(list) < page {
			return out, err
		}
		spec.From = list[len(list)-1].Pos + 1
	}
}

// checkpointID is the id that an event put into the state; empty where it only
// brought an earlier checkpoint back.
func checkpointID(w model.Write) string {
	var c struct {
		ID  string
		Pos int64
	}
	if w.New.Absent() || json.Unmarshal(w.New.JSON, &c) != nil || c.Pos != w.Pos {
		return ""
	}
	return c.ID
}

// goesOn reports that the next record belongs to the checkpoint: it has its id,
// or tells none and names one of its records.
func (c *Checkpoint) goesOn(id string, e *model.Event) bool {
	if id != "" || e == nil {
		return id != "" && id == c.ID
	}
	return slices.ContainsFunc(e.Links, func(l model.Link) bool {
		return l.Resolved() && l.To.Session == e.Session && l.To.Pos >= c.First && l.To.Pos <= c.Last && l.Reason != model.ReasonForgets
	})
}
