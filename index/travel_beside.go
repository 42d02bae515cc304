package index

import (
	"context"
	"path"

	"hindcast/index/check"
	"hindcast/index/store"
	"hindcast/model"
)

// beside adds the states that stand in files beside the log and that no record
// names: those of its end, and, where the log has no checkpoints of its own,
// checkpoint files.
func (f *facts) beside(ctx context.Context) error {
	recorder, ok := f.x.known.ByName(f.row.Dialect).(model.Recorder)
	if !ok || f.row.LastPos == 0 {
		return nil
	}
	records := len(f.checkpoints) > 0
	sources, err := f.x.st.Reader().Sources(ctx)
	if err != nil {
		return err
	}
	for _, s := range sources {
		atEnd := s.Role == "state" || s.Role == "projection"
		if s.Stream != f.row.Stream || !atEnd && (s.Role != "checkpoint" || records) {
			continue
		}
		raw, err := f.x.allOf(ctx, s)
		if err != nil {
			continue // it has gone
		}
		state, err := recorder.Recorded(raw)
		if err != nil || state.Session != "" && state.Session != f.row.ID {
			continue
		}
		cp := check.Checkpoint{Name: path.Base(s.Name), Recorded: true, Base: check.Base{Pos: f.row.LastPos}}
		if !atEnd {
			if cp.Base.Pos, err = f.baseOf(ctx, state); err != nil {
				return err
			}
			if cp.Base.Pos == 0 {
				continue
			}
			cp.Named, f.used[s.Name] = true, true
		}
		if err := f.addBeside(ctx, cp, state); err != nil {
			return err
		}
	}
	return nil
}

func (f *facts) addBeside(ctx context.Context, cp check.Checkpoint, state model.RecordedState) error {
	var err error
	if cp.Event, err = f.Event(ctx, cp.Base.Pos); err != nil {
		return err
	}
	cp.Base.Seq = cp.Event.Seq
	cells, err := f.at.facing(ctx, cp.Base.Pos, &state)
	if err != nil {
		return err
	}
	if err := f.fill(ctx, &cp, cells, state); err != nil {
		return err
	}
	f.checkpoints = append(f.checkpoints, cp)
	return nil
}

// baseOf finds the base that a checkpoint file names; 0: it is not in the log.
func (f *facts) baseOf(ctx context.Context, state model.RecordedState) (int64, error) {
	if !state.HasBase {
		return 0, nil
	}
	_, last, _, err := f.x.st.Reader().SeqRange(ctx, f.row.Key, state.BaseSeq)
	return last, err
}

// Unused implements check.Reader.
func (f *facts) Unused(ctx context.Context) ([]string, error) {
	if _, err := f.Checkpoints(ctx); err != nil {
		return nil, err
	}
	sources, err := f.x.st.Reader().Sources(ctx)
	var out []string
	for _, s := range sources {
		if s.Role == "checkpoint" && s.Stream == f.row.Stream && !f.used[s.Name] && f.owns(s) {
			out = append(out, s.Name)
		}
	}
	return out, err
}

// owns reports that a checkpoint file is of this session: it says so, or says
// of none and this is the first of its stream.
func (f *facts) owns(s store.Source) bool {
	session := path.Base(path.Dir(s.Name))
	first := ""
	for _, row := range f.all.rows {
		if row.Stream != s.Stream {
			continue
		}
		if row.ID == session {
			return row.ID == f.row.ID
		}
		if first == "" {
			first = row.ID
		}
	}
	return first == f.row.ID
}
