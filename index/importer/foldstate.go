package importer

import (
	"context"
	"fmt"

	"hindcast/model"
	"hindcast/model/replay"
	"hindcast/model/varint"
)

// folding is a session's fold, kept between runs.
type folding struct {
	key      int64 // of the session's row: another once its events were put in order
	fold     *replay.Fold
	effector model.Effector // nil where the dialect does not tell what records do
	recorder model.Recorder // nil where its dumps hold no recorded states
	stream   int64
	past     *past
	pos      int64 // folded so far
	drop     int64 // > 0: what the index holds from here on is not the fold's
	saved    int64 // pos of the last saved state, and its size in bytes
	size     int
}

// takeUpFold finds a session's fold where the last run left it: in memory, or
// from the last state that the index holds. What it holds behind upTo is not
// right any more.
func (m *Importer) takeUpFold(ctx context.Context, s *session, upTo int64) (*folding, error) {
	if f := m.folds[s]; f != nil && f.key == s.row.Key && f.pos <= upTo {
		return f, nil
	}
	f := &folding{key: s.row.Key, past: &past{ctx: ctx, m: m, key: s.row.Key}}
	f.fold = replay.New(replay.Options{Past: f.past})
	f.stream = s.row.Stream
	if ss := m.streamOf(s.row.Stream); ss != nil {
		f.recorder, _ = ss.dialect.(model.Recorder)
		if teller, ok := ss.dialect.(model.Teller); ok {
			f.effector = teller.NewEffector(&ss.Stream, s.row.ID)
		}
	}
	r := m.st.Reader()
	folded, err := r.Folded(ctx, s.row.Key)
	if err != nil {
		return nil, err
	}
	pos, state, err := r.FoldState(ctx, s.row.Key, min(folded, s.row.LastPos, upTo))
	if err != nil {
		return nil, err
	}
	if state != nil {
		if err := f.load(state); err != nil {
			return nil, fmt.Errorf("read the saved state at %d: %w", pos, err)
		}
		f.pos, f.saved, f.size = pos, pos, len(state)
	}
	if folded > f.pos {
		f.drop = f.pos + 1
	}
	if m.folds == nil {
		m.folds = make(map[*session]*folding)
	}
	m.folds[s] = f
	return f, nil
}

// save packs the working states of fold and dialect.
func (f *folding) save() ([]byte, error) {
	state, err := f.fold.Save()
	if err != nil || f.effector == nil {
		return varint.AppendText(nil, state), err
	}
	own, err := f.effector.Save()
	if err != nil {
		return nil, err
	}
	return append(varint.AppendText(nil, state), own...), nil
}

func (f *folding) load(b []byte) error {
	fold, dialect, err := SplitFoldState(b)
	if err != nil {
		return err
	}
	if err := f.fold.Load(fold); err != nil {
		return err
	}
	if f.effector == nil {
		return nil
	}
	return f.effector.Load(dialect)
}

// A state is saved when so many events were folded since the last one that
// reading them again would cost more than writing it: a large state waits longer.
const (
	saveEvents     = 1 << 14 // or as many as a commit of events, where that is less
	saveEventBytes = 64      // of the last state, for each event folded since
)

func (f *folding) due(batch int) bool {
	since := f.pos - f.saved
	return since >= min(saveEvents, 2*int64(batch)) && since*saveEventBytes >= int64(f.size)
}

// apply folds one event, of which seen was foreseen.
func (f *folding) apply(e *model.Event, raw []byte, seen any, records *foldRecords, children childFiles) []model.Write {
	var effects []model.Effect
	if e.Origin != model.OriginCopied || f.effector != nil {
		effects = f.effects(e, raw, seen, records)
	}
	effects = append(effects, f.adopt(e, effects, records)...)
	if len(children) > 0 {
		effects = append(effects, children.effects(e, f.fold.View(records))...)
	}
	writes := f.fold.Apply(e, effects) // may ask the past, into which all before it goes
	f.pos = e.Pos
	return writes
}

// effects asks the dialect. A fault in it costs the event's effects, never the
// state.
func (f *folding) effects(e *model.Event, raw []byte, seen any, records *foldRecords) (out []model.Effect) {
	if f.effector == nil || raw == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			out = nil
		}
	}()
	if seen != nil {
		return f.effector.(model.Foreseer).EffectsOf(seen, e, raw, f.fold.View(records))
	}
	return f.effector.Effects(e, raw, f.fold.View(records))
}
