package index

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/replay"
)

// rolling is the part of a session's state that records can be held against,
// moved on from one checkpoint's base to the next: reading all of it anew at
// each would cost as much as there is state.
type rolling struct {
	x      *Index
	key    int64
	pos    int64
	cells  replay.Cells      // without texts of files
	events map[string]string // ids of the events in view, by the paths of their messages
}

func newRolling(x *Index, key int64) *rolling {
	return &rolling{x: x, key: key, cells: make(replay.Cells), events: make(map[string]string)}
}

// facing gives the cells after pos as Index.facing does. A context that is the
// recorded one is left out of state: it need not be compared.
func (r *rolling) facing(ctx context.Context, pos int64, state *model.RecordedState) (replay.Cells, error) {
	if pos < r.pos {
		return r.x.facing(ctx, r.key, pos, *state)
	}
	if err := r.move(ctx, pos); err != nil {
		return nil, err
	}
	if state.Context != nil && slices.Equal(state.Context, r.inView()) {
		state.Context = nil
	}
	out := maps.Clone(r.cells)
	for path, v := range out {
		var err error
		switch {
		case below(path, model.PathMessages) && state.Context == nil, isFile(path) && state.Files == nil:
			delete(out, path)
		case isFile(path):
			if v.Text, err = r.x.textFacing(ctx, r.key, pos, model.Write{Path: path, New: v}, state.Files); err != nil {
				return nil, err
			}
			out[path] = v
		}
	}
	return out, nil
}

// followed are the cells that records can be held against.
func followed(path string) bool {
	switch {
	case below(path, model.PathMessages), isFile(path), below(path, model.PathTasks), below(path, model.PathVars):
		return true
	}
	return slices.Contains(facingLeaves, path)
}

// move applies the writes up to pos.
func (r *rolling) move(ctx context.Context, pos int64) error {
	err := r.x.st.Reader().NewValues(ctx, r.key, r.pos, pos, followed, func(w model.Write) bool {
		if below(w.Path, model.PathMessages) {
			delete(r.events, w.Path)
			if !w.New.Absent() {
				r.events[w.Path] = jsonscan.Str(jsonscan.Get(w.New.JSON, "event"))
			}
		}
		r.cells.Write(w)
		return true
	})
	r.pos = pos
	return err
}

// inView lists the ids of the messages in view in the order of their keys,
// which is that of their paths unless a key has an escape in it.
func (r *rolling) inView() []string {
	paths := slices.Sorted(maps.Keys(r.events))
	if slices.ContainsFunc(paths, func(path string) bool { return strings.IndexByte(path, '~') >= 0 }) {
		key := func(path string) string { return model.UnescapePointer(path[len(model.PathMessages)+1:]) }
		slices.SortFunc(paths, func(a, b string) int { return strings.Compare(key(a), key(b)) })
	}
	for i, path := range paths {
		paths[i] = r.events[path]
	}
	return paths
}
