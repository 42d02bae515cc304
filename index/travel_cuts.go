package index

import (
	"cmp"
	"context"
	"slices"

	"hindcast/index/check"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// Cuts implements check.Reader. Only what the event itself tore counts: what it
// took out is held against what it left.
func (f *facts) Cuts(ctx context.Context) ([]check.Cut, error) {
	if !f.cut {
		cuts, err := f.readCuts(ctx)
		if err != nil {
			return nil, err
		}
		f.cuts, f.cut = cuts, true
	}
	return f.cuts, nil
}

func (f *facts) readCuts(ctx context.Context) ([]check.Cut, error) {
	counts, err := f.x.st.Reader().History(ctx, f.row.Key, "/context/forgotten", 0, 0)
	if err != nil {
		return nil, err
	}
	var out []check.Cut
	v := newView()
	last := int64(0)
	for _, w := range counts {
		gone, err := f.move(ctx, v, last, w.Pos)
		if err != nil {
			return nil, err
		}
		last = w.Pos
		pieces, err := f.pieces(ctx, v, gone)
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

// view is what stands in the context, but for summaries. It is moved on from
// cut to cut: reading it anew at each would cost as much as is in view.
type view struct {
	entries   map[string]model.Entry // by path
	at        map[int64]string       // paths by pos
	responses map[string][]int64
}

func newView() *view {
	return &view{entries: make(map[string]model.Entry), at: make(map[int64]string), responses: make(map[string][]int64)}
}

// move takes the writes of the events up to pos into the view, and lists the
// records that the last of them took out for good.
func (f *facts) move(ctx context.Context, v *view, from, pos int64) (gone []model.Entry, err error) {
	err = f.x.st.Reader().NewValues(ctx, f.row.Key, from, pos, isMessage, func(w model.Write) bool {
		if e, ok := v.entries[w.Path]; ok {
			v.drop(w.Path, e)
			if w.New.Absent() && w.Pos == pos && slices.Contains(tearing, w.Lost) {
				gone = append(gone, e)
			}
		}
		if e, ok := entryOf(w.New); ok && !e.Summary {
			v.add(w.Path, e)
		}
		return true
	})
	return gone, err
}

func isMessage(path string) bool { return below(path, model.PathMessages) }

// entryOf reads of a message's cell what a cut is about.
func entryOf(v model.Value) (e model.Entry, ok bool) {
	if v.Absent() {
		return e, false
	}
	jsonscan.Fields(v.JSON, func(name string, value []byte) bool {
		switch name {
		case "pos":
			e.Pos, ok = jsonscan.Int(value)
		case "response":
			e.Response = jsonscan.Str(value)
		case "summary":
			e.Summary, _ = jsonscan.Bool(value)
		}
		return true
	})
	return e, ok
}

func (v *view) add(path string, e model.Entry) {
	v.entries[path] = e
	v.at[e.Pos] = path
	if e.Response != "" {
		v.responses[e.Response] = append(v.responses[e.Response], e.Pos)
	}
}

func (v *view) holds(pos int64) bool {
	_, ok := v.at[pos]
	return ok
}

func (v *view) drop(path string, e model.Entry) {
	delete(v.entries, path)
	delete(v.at, e.Pos)
	if e.Response == "" {
		return
	}
	list := v.responses[e.Response]
	if i := slices.Index(list, e.Pos); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	if v.responses[e.Response] = list; len(list) == 0 {
		delete(v.responses, e.Response)
	}
}

// pieces finds what is left in view of what belongs to the records that are gone.
func (f *facts) pieces(ctx context.Context, left *view, gone []model.Entry) ([]check.Piece, error) {
	if len(gone) == 0 || len(left.at) == 0 {
		return nil, nil
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
	for _, p := range alone {
		if p.Loss != check.LossResult {
			continue
		}
		if err := c.batch(p.Event.Pos, left.entries[left.at[p.Event.Pos]].Response); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(c.pieces, func(a, b check.Piece) int { return cmp.Compare(a.Event.Pos, b.Event.Pos) })
	return c.pieces, nil
}

type cutter struct {
	f      *facts
	ctx    context.Context
	left   *view
	pieces []check.Piece
	found  map[int64]bool
}

// pairs looks at the events that are gone, which are most of a run: those are
// read, many at once, of which the other half may be left.
func (c *cutter) pairs(gone []model.Entry) error {
	seen, err := c.f.surveyed(c.ctx)
	if err != nil {
		return err
	}
	var torn []int64
	for _, g := range gone {
		if mate, known := seen.mate(g.Pos); !known || mate > 0 && c.left.holds(mate) {
			torn = append(torn, g.Pos)
		}
	}
	const run = 500
	for positions := range slices.Chunk(torn, run) {
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
		if e.Mate > 0 && c.left.holds(e.Mate) {
			return c.add(e.Mate, e, check.LossCall, "")
		}
	case model.KindObservation:
		call := callOfResult(e)
		if call == 0 || !c.left.holds(call) {
			return nil
		}
		made, err := c.f.Event(c.ctx, call)
		if err != nil || made.Mate != e.Pos && c.left.holds(made.Mate) {
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
