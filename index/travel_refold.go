package index

import (
	"context"
	"fmt"
	"strings"

	"hindcast/index/importer"
	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/replay"
)

// refoldPage is how many events are read at once.
const refoldPage = 512

// refold applies the events behind a restart's base up to a pos again, upon the
// cells that the checkpoint holds. The dialect's half is brought to the base
// first: what it says of an event may depend on those before.
func (x *Index) refold(ctx context.Context, row store.SessionRow, r *restart, fold replay.Cells, to int64) error {
	f := &refolding{x: x, ctx: ctx, row: row, base: r.base}
	from, err := f.begin()
	if err != nil {
		return err
	}
	if f.children, err = x.hasChildren(ctx, row); err != nil {
		return err
	}
	for from < to {
		if from == r.base {
			f.fold.Seed(r.cells)
			f.log.Add(differing(fold, r.cells, r.base))
		}
		end := to
		if from < r.base {
			end = r.base
		}
		page, _, err := x.st.Reader().Page(ctx, store.PageSpec{Session: row.Key, From: from + 1, Limit: int(min(end-from, refoldPage)), WithLinks: true})
		if err != nil {
			return err
		}
		for i := range page {
			writes, err := f.apply(&page[i])
			if err != nil {
				return err
			}
			if from = page[i].Pos; from <= r.base {
				continue
			}
			f.log.Add(writes)
			for _, w := range writes {
				r.cells.Write(w)
				r.writer[w.Path] = w.Pos
			}
		}
		if len(page) == 0 {
			break
		}
	}
	return nil
}

// refolding is a fold of events that are in the index, from some saved state on.
type refolding struct {
	x        *Index
	ctx      context.Context
	row      store.SessionRow
	base     int64
	fold     *replay.Fold
	effector model.Effector
	now      int64      // pos of the event at hand
	log      replay.Log // what the restart wrote: the checkpoint at base, and behind it
	children bool       // the session made others, whose files come to it
	err      error      // the first fault of a question; answers are wrong after it
}

// begin takes up the last saved state at or before the base, and gives its pos.
func (f *refolding) begin() (int64, error) {
	f.fold = replay.New(replay.Options{Past: f})
	if teller, ok := f.x.known.ByName(f.row.Dialect).(model.Teller); ok {
		f.effector = teller.NewEffector(streamFor(f.row), f.row.ID)
	}
	pos, state, err := f.x.st.Reader().FoldState(f.ctx, f.row.Key, f.base)
	if err != nil || state == nil {
		return 0, err
	}
	own, theirs, err := importer.SplitFoldState(state)
	if err == nil {
		err = f.fold.Load(own)
	}
	if err == nil && f.effector != nil {
		err = f.effector.Load(theirs)
	}
	if err != nil {
		return 0, fmt.Errorf("read the saved state at %d: %w", pos, err)
	}
	return pos, nil
}

func (f *refolding) apply(e *model.Event) ([]model.Write, error) {
	f.now = e.Pos
	effects := f.effects(e)
	if f.children && e.Pos > f.base {
		brought, err := f.brought(e, effects)
		if err != nil {
			return nil, err
		}
		effects = append(effects, brought...)
	}
	writes := f.fold.Apply(e, effects)
	return writes, f.err
}

func (f *refolding) effects(e *model.Event) (out []model.Effect) {
	if f.effector == nil {
		return nil
	}
	raw, err := f.x.Raw(f.ctx, *e)
	if err != nil {
		return nil // as in the first fold
	}
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	return f.effector.Effects(e, raw, f.fold.View(f))
}

// brought are the files that came with an event from a sub-agent: texts that
// the first fold wrote there and none of the event's own effects is about.
func (f *refolding) brought(e *model.Event, effects []model.Effect) ([]model.Effect, error) {
	own := make(map[string]bool)
	for _, x := range effects {
		switch x := x.(type) {
		case model.WriteFile:
			own[x.Path] = true
		case model.EditFile:
			own[x.Path] = true
		case model.DeleteFile:
			own[x.Path] = true
		case model.MoveFile:
			own[x.From], own[x.To] = true, true
		case model.SeeFile:
			own[x.Path] = true
		case model.Revert:
			if x.Facets&model.FacetFiles != 0 {
				return nil, nil
			}
		}
	}
	var out []model.Effect
	var failed error
	err := f.x.st.Reader().Writes(f.ctx, f.row.Key, e.Pos-1, e.Pos, func(w model.Write) bool {
		name, ok := strings.CutPrefix(w.Path, model.PathFiles+"/")
		if name = model.UnescapePointer(name); !ok || own[name] || w.New.Absent() || hashOf(w.New) == hashOf(w.Old) {
			return true
		}
		text, _, err := f.x.st.Reader().FileText(f.ctx, f.row.Key, w.Path, e.Pos)
		if err == nil && text != nil {
			out = append(out, model.WriteFile{Path: name, Content: *text, Certainty: certaintyOf(w.New)})
		}
		failed = err
		return err == nil
	})
	if err == nil {
		err = failed
	}
	return out, err
}

// hasChildren reports that a session made others.
func (x *Index) hasChildren(ctx context.Context, row store.SessionRow) (bool, error) {
	all, err := x.Sessions(ctx)
	for _, s := range all {
		if s.Parent == row.ID && s.ID != row.ID {
			return true, err
		}
	}
	return false, err
}

// Record gives an earlier event with its links and bytes.
func (f *refolding) Record(pos int64) (model.Event, []byte, bool) {
	if pos < 1 || pos > f.now {
		return model.Event{}, nil, false
	}
	e, ok, err := f.x.st.Reader().EventAt(f.ctx, f.row.Key, pos)
	if err != nil || !ok {
		return model.Event{}, nil, false
	}
	raw, err := f.x.Raw(f.ctx, e)
	return e, raw, err == nil
}

// Find gives the pos of the first event that carries an id or alias, among
// those up to the one at hand.
func (f *refolding) Find(id string) int64 {
	found, ok, err := f.x.st.Reader().Find(f.ctx, f.row.Key, id)
	if err != nil || !ok || found.Pos > f.now {
		return 0
	}
	return found.Pos
}

// ChangedSince tells what cells held: up to the base as the index has it, behind
// it as the restart wrote them.
func (f *refolding) ChangedSince(to int64, prefix string) []replay.PastCell {
	r := f.x.st.Reader()
	var out []replay.PastCell
	seen := make(map[string]bool)
	err := r.Writes(f.ctx, f.row.Key, to, min(f.base, f.now-1), func(w model.Write) bool {
		if !seen[w.Path] && strings.HasPrefix(w.Path, prefix) {
			seen[w.Path] = true
			out = append(out, replay.PastCell{Path: w.Path, Value: w.Old})
		}
		return true
	})
	for i := range out {
		if isFile(out[i].Path) && !out[i].Value.Absent() && err == nil {
			out[i].Value.Text, _, err = r.FileText(f.ctx, f.row.Key, out[i].Path, to)
		}
	}
	if err != nil && f.err == nil {
		f.err = err
	}
	for _, c := range f.log.ChangedSince(to, prefix) {
		if !seen[c.Path] {
			out = append(out, c)
		}
	}
	return out
}
