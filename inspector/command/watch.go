package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
)

// watched is what --watch prints: the value of a place in the state after the
// event before it in the output, and the event that wrote it.
type watched struct {
	Watch string          `json:"watch"`
	Value json.RawMessage `json:"value"` // null where the state has no such place yet
	By    *answer.Ref     `json:"by"`
}

func flagWatch() Flag {
	return Flag{Name: "watch", Kind: FlagText, Value: "PATH", Help: "the value of this place in the state, at the first event and where it has changed", Complete: CompletePath}
}

// checkWatch refuses a --watch that is no place in the state.
func checkWatch(a Args) error {
	if !a.Has("watch") {
		return nil
	}
	if _, err := wholePath("--watch", a.Text("watch")); err != nil {
		return err
	}
	_, err := partPath("--watch", a.Text("watch"))
	return err
}

// watching lets the writer say where a value changes, if --watch asks for it.
func (w *eventWriter) watching(ctx context.Context, env *Env, a Args) error {
	if !a.Has("watch") {
		return nil
	}
	if w.o.Format == JSON || w.o.Format == CSV {
		return usage("--watch needs --jsonl, or lines for people", "leave out --json and --csv")
	}
	asked, err := wholePath("--watch", a.Text("watch"))
	if err != nil {
		return err
	}
	last := map[string][]byte{} // by session
	names := map[string]model.StatePath{}
	w.watch = func(e model.Event) (*watched, error) {
		path, ok := names[e.Session]
		if !ok {
			s, _, err := env.Index.Session(ctx, e.Session)
			if err != nil {
				return nil, err
			}
			if path, err = env.named(ctx, model.Event{Session: s.ID, Pos: s.LastPos}, asked); err != nil {
				return nil, err
			}
			names[e.Session] = path
		}
		v, err := valueAt(ctx, env.Index, e, path.Pointer)
		if err != nil {
			return nil, err
		}
		if before, ok := last[e.Session]; ok && bytes.Equal(before, v.Value) {
			return nil, nil
		}
		last[e.Session] = v.Value
		return &watched{Watch: path.Pointer, Value: v.Value, By: v.By}, nil
	}
	return nil
}

// valueAt is a value of the state after an event; its Value is nil where the
// state has no such place.
func valueAt(ctx context.Context, t index.Travel, at model.Event, path string) (answer.StateValue, error) {
	v, err := t.StateValue(ctx, at, path)
	var none *index.PathError
	if errors.As(err, &none) {
		return answer.StateValue{Path: path}, nil
	}
	return v, err
}
