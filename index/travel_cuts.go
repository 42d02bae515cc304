package index

import (
	"cmp"
	"context"
	"slices"

	"hindcast/index/check"
	"hindcast/model"
	"hindcast/model/replay"
)

// Cuts implements check.Reader. Only what the event itself tore counts: what it
// took out is held against what it left.
func (f *facts) Cuts(ctx context.Context) ([]check.Cut, error) {
	counts, err := f.x.st.Reader().History(ctx, f.row.Key, "/context/forgotten", 0, 0)
	if err != nil {
		return nil, err
	}
	var out []check.Cut
	for _, w := range counts {
		gone, err := f.takenOut(ctx, w.Pos)
		if err != nil {
			return nil, err
		}
		if len(gone) == 0 {
			continue
		}
		pieces, err := f.pieces(ctx, w.Pos, gone)
		if err != nil {
			return nil, err
		}
		if len(pieces) == 0 {
			continue
		}
		cut := check.Cut{Pieces: pieces}
		if cut.Event, err = f.Event(ctx, w.Pos); err != nil {
			return nil, err
		}
		out = append(out, cut)
	}
	return out, nil
}

// tearing are the ways out of the context that can tear it. To go back, or over
// to another branch, brings in what was whole; a rebuild says which events the
// program kept, not that they went to the provider as they were.
var tearing = []model.LostReason{model.LostCompaction, model.LostCondensation, model.LostPrune, model.LostWindow}

// takenOut lists the records that an event took out of the context for good.
func (f *facts) takenOut(ctx context.Context, pos int64) (gone []model.Entry, err error) {
	err = f.x.st.Reader().Writes(ctx, f.row.Key, pos-1, pos, func(w model.Write) bool {
		if !below(w.Path, model.PathMessages) || !w.New.Absent() || !slices.Contains(tearing, w.Lost) {
			return true
		}
		if e, ok := replay.Message(w.Path, w.Old); ok && !e.Summary {
			gone = append(gone, e)
		}
		return true
	})
	return gone, err
}

// view is what stands in the context after a cut.
type view struct {
	at        map[int64]bool
	responses map[string][]int64
}

func (f *facts) viewAfter(ctx context.Context, pos int64) (view, error) {
	members, err := f.x.members(ctx, f.row.Key, model.PathMessages, pos)
	v := view{at: make(map[int64]bool, len(members)), responses: make(map[string][]int64)}
	for _, m := range members {
		e, ok := replay.Message(m.Path, m.Value)
		if !ok || e.Summary {
			continue
		}
		v.at[e.Pos] = true
		if e.Response != "" {
			v.responses[e.Response] = append(v.responses[e.Response], e.Pos)
		}
	}
	return v, err
}

// pieces finds what is left in view of what belongs to the records that are gone.
func (f *facts) pieces(ctx context.Context, pos int64, gone []model.Entry) ([]check.Piece, error) {
	left, err := f.viewAfter(ctx, pos)
	if err != nil || len(left.at) == 0 {
		return nil, err
	}
	c := cutter{f: f, ctx: ctx, left: left, found: make(map[int64]bool)}
	if err := c.pairs(gone); err != nil {
		return nil, err
	}
	// An answer of the model is torn by what is gone of it, and by a call that
	// lost its result.
	alone := slices.Clone(c.pieces)
	for _, g := range gone {
		if err := c.batch(g.Pos, g.Response); err != nil {
			return nil, err
		}
	}
	for response, list := range left.responses {
		for _, p := range alone {
			if p.Loss == check.LossResult && slices.Contains(list, p.Event.Pos) {
				if err := c.batch(p.Event.Pos, response); err != nil {
					return nil, err
				}
			}
		}
	}
	slices.SortFunc(c.pieces, func(a, b check.Piece) int { return cmp.Compare(a.Event.Pos, b.Event.Pos) })
	return c.pieces, nil
}

type cutter struct {
	f      *facts
	ctx    context.Context
	left   view
	pieces []check.Piece
	found  map[int64]bool
}

// pairs reads the events that are gone, many at once: they are most of a run.
func (c *cutter) pairs(gone []model.Entry) error {
	const run = 500
	for chunk := range slices.Chunk(gone, run) {
		positions := make([]int64, len(chunk))
		for i, g := range chunk {
			positions[i] = g.Pos
		}
		events, err := c.f.x.st.Reader().LinkedEventsAt(c.ctx, c.f.row.Key, positions)
		if err != nil {
			return err
		}
		for _, pos := range positions {
			if err := c.pair(events[pos]); err != nil {
				return err
			}
		}
	}
	return nil
}

// pair looks for the other half of a call or a result that is gone. What has no
// call id is no call to the provider.
func (c *cutter) pair(e model.Event) error {
	if e.Call == "" {
		return nil
	}
	switch e.Kind {
	case model.KindAction:
		if e.Mate > 0 && c.left.at[e.Mate] {
			return c.add(e.Mate, e, check.LossCall, "")
		}
	case model.KindObservation:
		call := callOfResult(e)
		if call == 0 || !c.left.at[call] {
			return nil
		}
		made, err := c.f.Event(c.ctx, call)
		if err != nil || made.Mate != e.Pos && c.left.at[made.Mate] {
			return err // another result of the call is still there
		}
		return c.add(call, e, check.LossResult, "")
	}
	return nil
}

// batch looks for what is left in view of the answer that a record was part of.
func (c *cutter) batch(lost int64, response string) error {
	if response == "" {
		return nil
	}
	for _, pos := range c.left.responses[response] {
		if pos == lost || c.found[pos] {
			continue
		}
		e, err := c.f.Event(c.ctx, lost)
		if err != nil {
			return err
		}
		if err := c.add(pos, e, check.LossBatch, response); err != nil {
			return err
		}
	}
	return nil
}

func (c *cutter) add(pos int64, lost model.Event, loss check.Loss, response string) error {
	if c.found[pos] {
		return nil
	}
	c.found[pos] = true
	e, err := c.f.Event(c.ctx, pos)
	c.pieces = append(c.pieces, check.Piece{Event: e, Lost: lost, Loss: loss, Response: response})
	return err
}
