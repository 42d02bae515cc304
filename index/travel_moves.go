package index

import (
	"context"
	"encoding/json"
	"strings"

	"hindcast/index/check"
	"hindcast/model"
)

const cwdPath = "/shell/cwd"

// Moves implements check.Reader.
func (f *facts) Moves(ctx context.Context) ([]check.Move, error) {
	if d := f.x.known.ByName(f.row.Dialect); d != nil && d.Info().OwnShells {
		return nil, nil
	}
	writes, err := f.x.st.Reader().History(ctx, f.row.Key, cwdPath, 0, 0)
	if err != nil {
		return nil, err
	}
	var out []check.Move
	for _, w := range writes {
		m := check.Move{From: textOf(w.Old), To: textOf(w.New)}
		if m.From == "" || m.To == "" {
			continue // where it stood before is not known
		}
		if m.Event, err = f.Event(ctx, w.Pos); err != nil {
			return nil, err
		}
		if f.moves(ctx, m.Event) {
			continue
		}
		if err := f.movedBy(ctx, &m); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

func textOf(v model.Value) (s string) {
	if json.Unmarshal(v.JSON, &s) != nil {
		return ""
	}
	return s
}

// moves reports that the call of an event changes the directory, as far as its
// words tell, or that this cannot be told.
func (f *facts) moves(ctx context.Context, e model.Event) bool {
	call := callOfResult(e)
	if call == 0 {
		return e.Kind != model.KindObservation
	}
	made, err := f.Event(ctx, call)
	if err != nil {
		return true
	}
	raw, err := f.x.Raw(ctx, made)
	if err != nil {
		return true
	}
	for _, word := range strings.FieldsFunc(string(raw), func(r rune) bool { return strings.ContainsRune(" \t\"'\\;&|()", r) }) {
		switch strings.TrimPrefix(word, "n") { // of \n
		case "cd", "pushd", "popd", "chdir", "set_cwd":
			return true
		}
	}
	return strings.Contains(string(raw), "cwd")
}

// movedBy finds the sub-agent that last went to the new directory before.
func (f *facts) movedBy(ctx context.Context, m *check.Move) error {
	for _, row := range f.all.rows {
		if row.Parent != f.row.ID {
			continue
		}
		if _, err := f.x.folded(ctx, row.ID, row.LastPos); err != nil {
			return err
		}
		writes, err := f.x.st.Reader().History(ctx, row.Key, cwdPath, 0, 0)
		if err != nil {
			return err
		}
		for _, w := range writes {
			if textOf(w.New) != m.To {
				continue
			}
			by, err := f.x.eventAt(ctx, row.Key, w.Pos)
			if err != nil {
				return err
			}
			if !by.Time.Known || !m.Event.Time.Known || by.Time.Nanos > m.Event.Time.Nanos {
				continue
			}
			if m.Child == "" || by.Time.Nanos > m.By.Time.Nanos {
				m.Child, m.By = row.ID, by
			}
		}
	}
	return nil
}
