package index

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// restart is what a restart at some event does: it loads a checkpoint, and
// applies what came behind its base.
type restart struct {
	claim *claim // nil: there is none, and all events are applied
	base  int64  // pos of the last event that the checkpoint covers
	cells replay.Cells
	// writer is the event that wrote a cell behind the base.
	writer map[string]int64
}

// restored is the state that a restart at an event would rebuild.
func (x *Index) restored(ctx context.Context, at model.Event) (replay.Cells, error) {
	r, err := x.restartAt(ctx, at)
	if err != nil {
		return nil, err
	}
	return r.cells, nil
}

func (x *Index) restartAt(ctx context.Context, at model.Event) (*restart, error) {
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil {
		return nil, err
	}
	row, _, err := x.st.Reader().Session(ctx, key)
	if err != nil {
		return nil, err
	}
	r := &restart{writer: make(map[string]int64)}
	if at.Pos > 0 {
		err = x.claims(ctx, row, at.Pos, true, func(c *claim) (bool, error) {
			if c.state != nil {
				r.claim = c
			}
			return r.claim == nil, nil
		})
		if err != nil {
			return nil, err
		}
	}
	if r.claim == nil {
		r.cells, err = x.cells(ctx, key, at.Pos, replay.Place{})
		return r, err
	}
	covered, err := x.covered(ctx, key, r.claim)
	if err != nil {
		return nil, err
	}
	r.base = min(covered, at.Pos)
	fold, err := x.cells(ctx, key, r.base, replay.Place{})
	if err != nil {
		return nil, err
	}
	c := &comparison{x: x, ctx: ctx, key: key, base: r.base, fold: fold}
	r.cells = replay.Recorded(fold, *r.claim.state, c.message)
	if c.err != nil || r.base == at.Pos {
		return r, c.err
	}
	return r, x.refold(ctx, row, r, fold, at.Pos)
}

// covered is the last event that a checkpoint covers by the number that it
// names, whether or not that is an event of the log.
func (x *Index) covered(ctx context.Context, key int64, c *claim) (int64, error) {
	if c.base > 0 || !c.snap.HasBase {
		return c.base, nil
	}
	var pos int64
	err := eachSeq(ctx, x.st.Reader(), key, func(at, seq int64, has bool) bool {
		if has && seq <= c.snap.BaseSeq {
			pos = at
		}
		return !has || seq <= c.snap.BaseSeq
	})
	return pos, err
}

// DiffRestored compares the state after an event with what a restart there
// would rebuild. Each change is by the event that wrote the restored value
// last, or else the checkpoint that holds it.
func (x *Index) DiffRestored(ctx context.Context, at model.Event, path string) (answer.Diff, error) {
	out := answer.Diff{A: pointRef(at), B: pointRef(at), Changes: []answer.Change{}, Events: make(map[int64]answer.Event)}
	p, ok := model.ParseStatePath(path)
	if !ok {
		return out, &PathError{Path: path, Reason: "it is no path of the state"}
	}
	r, err := x.restartAt(ctx, at)
	if err != nil || r.claim == nil {
		return out, err // all events are applied again: nothing can differ
	}
	key, err := x.key(ctx, at.Session)
	if err != nil {
		return out, err
	}
	actual, err := x.cells(ctx, key, at.Pos, replay.Place{})
	if err != nil {
		return out, err
	}
	changes := replay.Contradictions(actual, r.cells)
	for i := range changes {
		if changes[i].Pos = r.writer[cellOf(changes[i].Path)]; changes[i].Pos == 0 {
			changes[i].Pos = r.claim.event.Pos
		}
	}
	return out, x.addChanges(ctx, key, &out, changes, p.Pointer)
}

// DiffRecorded compares the fold at a checkpoint's base with what the
// checkpoint recorded. Each change is by the first event behind the base that
// brought what is recorded; by nobody where none did.
func (x *Index) DiffRecorded(ctx context.Context, checkpoint model.Event, path string) (answer.Diff, error) {
	out := answer.Diff{Changes: []answer.Change{}, Events: make(map[int64]answer.Event)}
	p, ok := model.ParseStatePath(path)
	if !ok {
		return out, &PathError{Path: path, Reason: "it is no path of the state"}
	}
	key, _, err := x.foldedAll(ctx, checkpoint.Session)
	if err != nil {
		return out, err
	}
	row, _, err := x.st.Reader().Session(ctx, key)
	if err != nil {
		return out, err
	}
	e, err := x.eventAt(ctx, key, checkpoint.Pos)
	if err != nil {
		return out, err
	}
	c, err := x.claimOf(ctx, row, e)
	if err != nil {
		return out, err
	}
	if c == nil || c.state == nil {
		return out, noState(e, c)
	}
	base, err := x.covered(ctx, key, c)
	if err != nil {
		return out, err
	}
	fold, err := x.facing(ctx, key, base, *c.state)
	if err != nil {
		return out, err
	}
	list, _, err := x.compare(ctx, key, base, fold, *c.state)
	if err != nil {
		return out, err
	}
	changes := make([]replay.Change, len(list))
	for i, d := range list {
		changes[i] = d.Change
	}
	out.A, out.B = answer.NewRef(model.Ref{Session: e.Session}), pointRef(e)
	if base > 0 {
		at, err := x.refAt(ctx, key, base)
		if err != nil {
			return out, err
		}
		out.A = *at
	}
	return out, x.addChanges(ctx, key, &out, changes, p.Pointer)
}

// noState says why there is nothing to compare a checkpoint with.
func noState(e model.Event, c *claim) error {
	err := &AddressError{Text: strconv.FormatInt(e.Seq, 10) + " with a recorded state"}
	switch {
	case e.Kind != model.KindCheckpoint:
		err.Reason = "it is no checkpoint"
	case c != nil && c.unread != "":
		err.Reason = c.unread
	case c == nil:
		err.Reason = "it shrinks the context, and records no state"
	case c.snap.File != "":
		err.Reason = fmt.Sprintf("its record holds none, and the dump has no file %s that does", c.snap.File)
	default:
		err.Reason = "its record holds none"
	}
	return err
}

// differing lists the writes that lead from one state to another, as if one
// event had made them.
func differing(from, to replay.Cells, pos int64) []model.Write {
	all := maps.Clone(from)
	maps.Copy(all, to)
	var out []model.Write
	for path := range all {
		old, now := from[path], to[path]
		if string(old.JSON) != string(now.JSON) {
			out = append(out, model.Write{Path: path, Pos: pos, Old: old, New: now})
		}
	}
	return out
}
