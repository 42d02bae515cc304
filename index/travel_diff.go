package index

import (
	"context"
	"fmt"
	"slices"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// Diff is the change of the state from one point to another.
func (x *Index) Diff(ctx context.Context, a, b model.Event, path string) (answer.Diff, error) {
	out := answer.Diff{A: pointRef(a), B: pointRef(b), Changes: []answer.Change{}, Events: make(map[int64]answer.Event)}
	if a.Session != b.Session {
		return out, &PathError{Path: path, Reason: fmt.Sprintf("the points lie in two sessions, %s and %s", a.Session, b.Session)}
	}
	p, ok := model.ParseStatePath(path)
	if !ok {
		return out, &PathError{Path: path, Reason: "it is no path of the state"}
	}
	from, to := min(a.Pos, b.Pos), max(a.Pos, b.Pos)
	key, err := x.folded(ctx, a.Session, to)
	if err != nil {
		return out, err
	}
	var changes []replay.Change
	if place, ok := replay.Locate(p.Pointer); ok && place.Cell != "" {
		changes, err = x.cellChanges(ctx, key, place.Cell, from, to)
	} else {
		changes, err = x.changes(ctx, key, from, to)
	}
	if err != nil {
		return out, err
	}
	if a.Pos > b.Pos {
		changes = replay.Inverse(changes)
	}
	return out, x.addChanges(ctx, key, &out, changes, p.Pointer)
}

// cellChanges is the change of one cell by the events from+1 to to: of its
// writes only the last of either side counts, however many lie between.
func (x *Index) cellChanges(ctx context.Context, key int64, cell string, from, to int64) ([]replay.Change, error) {
	before, after := make(replay.Cells), make(replay.Cells)
	w, ok, err := x.st.Reader().WriteAt(ctx, key, cell, to)
	if err != nil || !ok || w.Pos <= from {
		return nil, err
	}
	if err := x.cell(ctx, key, from, cell, before); err != nil {
		return nil, err
	}
	if err := x.cell(ctx, key, to, cell, after); err != nil {
		return nil, err
	}
	if initial, fixed := replay.Initial(cell); fixed && before[cell].Absent() {
		before[cell] = initial
	}
	return replay.Changes([]model.Write{{Path: cell, Pos: w.Pos, Old: before[cell], New: after[cell]}}), nil
}

// changes is the change of a session's state by the events from+1 to to.
func (x *Index) changes(ctx context.Context, key, from, to int64) ([]replay.Change, error) {
	writes, err := x.st.Reader().Net(ctx, key, from, to)
	return replay.Changes(writes), err
}

// addChanges takes over the changes at and below a pointer; one at which
// nothing ever stood is refused.
func (x *Index) addChanges(ctx context.Context, key int64, out *answer.Diff, changes []replay.Change, pointer string) error {
	changes = replay.Within(changes, pointer)
	if len(changes) == 0 {
		return x.stood(ctx, out.A.Session, pointer)
	}
	if err := x.addWriters(ctx, key, out.Events, changes); err != nil {
		return err
	}
	for _, c := range changes {
		change := answer.Change{Path: c.Path, Op: c.Op().String(), Old: c.Old, New: c.New, Blind: c.Blind}
		if c.Pos > 0 {
			by := refOfAnswer(out.Events[c.Pos])
			change.By = &by
		}
		out.Changes = append(out.Changes, change)
	}
	return nil
}

// addWriters reads the events of changes, many at once.
func (x *Index) addWriters(ctx context.Context, key int64, events map[int64]answer.Event, changes []replay.Change) error {
	var wanted []int64
	for _, c := range changes {
		if c.Pos > 0 {
			wanted = append(wanted, c.Pos)
		}
	}
	slices.Sort(wanted)
	for part := range slices.Chunk(slices.Compact(wanted), eventsOf) {
		found, err := x.st.Reader().EventsAt(ctx, key, part)
		if err != nil {
			return err
		}
		if err := x.ownEvents(ctx, key, found); err != nil {
			return err
		}
		for _, pos := range part {
			e, ok := found[pos]
			if !ok {
				return fmt.Errorf("event %d is not in the index", pos)
			}
			events[pos] = answer.NewEvent(e)
		}
	}
	return nil
}

// eventsOf is how many events are read in one question.
const eventsOf = 500

// pointRef names a point of state; the one before the first event has pos 0.
func pointRef(e model.Event) answer.Ref { return answer.NewRef(refOf(e)) }

// WriteNear finds the nearest event after or before pos that wrote a path or
// something below it.
func (x *Index) WriteNear(ctx context.Context, session, path string, pos int64, back bool) (model.Event, bool, error) {
	p, ok := model.ParseStatePath(path)
	place, known := replay.Locate(p.Pointer)
	if !ok || !known {
		return model.Event{}, false, &PathError{Path: path, Reason: "it is no path of the state"}
	}
	key, _, err := x.foldedAll(ctx, session)
	if err != nil {
		return model.Event{}, false, err
	}
	at, err := x.writeNear(ctx, key, place, pos, back)
	if err != nil || at == 0 {
		return model.Event{}, false, err
	}
	e, err := x.eventAt(ctx, key, at)
	return e, err == nil, err
}

// writeNear finds the event of the nearest write in a place; 0: there is none.
func (x *Index) writeNear(ctx context.Context, key int64, place replay.Place, pos int64, back bool) (int64, error) {
	if place.Cell != "" {
		return x.st.Reader().Near(ctx, key, place.Cell, pos, back)
	}
	return x.st.Reader().NearBelow(ctx, key, place.Prefix, pos, back)
}
