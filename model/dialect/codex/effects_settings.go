package codex

import (
	"encoding/json"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// threadHead is the first record of a thread. One that goes on from another
// shares its files: what that one did after the point where the two part may
// have changed them, since going back leaves files as they are.
func (t *telling) threadHead() (out []model.Effect) {
	b := &t.body
	id := jsonscan.Str(b.id)
	isOwn := strings.HasPrefix(t.session, id)
	if !isOwn && t.state.IsNamed {
		return nil // of the parent, whose beginning is repeated
	}
	t.state.IsNamed = t.state.IsNamed || isOwn
	t.state.Response = response{}
	if jsonscan.Kind(b.base) == '{' {
		out = append(out, t.goesOn())
		if len(t.state.Touched) > 0 && !t.isWholeBase() {
			out = append(out, model.DoubtFiles{Paths: slices.Clone(t.state.Touched)})
		}
	}
	out = append(out, setVar("session", t.line.payload, "base_instructions", "instructions", "dynamic_tools"))
	return append(out, t.enter(localPath(b.cwd))...)
}

// isWholeBase reports that the thread goes on where the file of the other one
// ends.
func (t *telling) isWholeBase() bool {
	size, known := t.meta.Sizes[jsonscan.Str(jsonscan.Get(t.body.base, "thread_id"))]
	end, ok := jsonscan.Int(jsonscan.Get(t.body.base, "end_byte_offset"))
	return known && ok && size == end
}

// goesOn is the checkpoint of a fork, or of a thread that was taken back.
func (t *telling) goesOn() model.Snapshot {
	s := model.Snapshot{Checkpoint: jsonscan.Str(jsonscan.Get(t.line.payload, "context_window", "window_id"))}
	if s.Checkpoint == "" {
		s.Checkpoint = checkpointID(t.e)
	}
	for _, l := range t.e.Links {
		if l.Reason == model.ReasonBase && l.Resolved() && l.To.Pos < t.e.Pos {
			s.BasePos = l.To.Pos
		}
	}
	if end, ok := jsonscan.Int(jsonscan.Get(t.body.base, "end_ordinal_exclusive")); ok && end > 0 {
		s.BaseSeq, s.HasBase = end-1, true
	}
	return s
}

// enter makes a directory the one of commands that name none.
func (t *telling) enter(dir string) []model.Effect {
	if dir == "" {
		return nil
	}
	t.state.Cwd = dir
	return []model.Effect{model.Cwd{Path: dir}}
}

// turnSettings are those of a turn; older versions repeat them before each
// request.
func (t *telling) turnSettings() (out []model.Effect) {
	if isNew(&t.state.Turn, t.line.payload) {
		out = append(out, setVar("turn", t.line.payload, "user_instructions", "developer_instructions"))
	}
	return append(out, t.enter(localPath(t.body.cwd))...)
}

func (t *telling) threadSettings() []model.Effect {
	if !isNew(&t.state.Thread, t.body.settings) {
		return nil
	}
	return []model.Effect{setVar("settings", t.body.settings)}
}

// world is the state of the program's surroundings: all of it, or the parts
// that changed.
func (t *telling) world() (out []model.Effect) {
	if jsonscan.Kind(t.body.state) != '{' || !isNew(&t.state.World, t.line.payload) {
		return nil
	}
	if whole, _ := jsonscan.Bool(t.body.full); whole {
		return []model.Effect{setVar("world", t.body.state)}
	}
	jsonscan.Fields(t.body.state, func(key string, v []byte) bool {
		out = append(out, model.Set{Path: model.PathVars + "/world/" + model.EscapePointer(key), Value: v})
		return true
	})
	return out
}

// isNew reports settings that differ from those before them.
func isNew(sum *uint64, v []byte) bool {
	now := sumOf(v)
	if now == *sum {
		return false
	}
	*sum = now
	return true
}

// setVar sets a value to an object, without some of its members.
func setVar(name string, object []byte, without ...string) model.Set {
	value := []byte{'{'}
	jsonscan.Fields(object, func(key string, v []byte) bool {
		if slices.Contains(without, key) {
			return true
		}
		if len(value) > 1 {
			value = append(value, ',')
		}
		name, err := json.Marshal(key)
		if err != nil {
			return true // no text fails
		}
		value = append(append(value, name...), ':')
		value = append(value, v...)
		return true
	})
	return model.Set{Path: model.PathVars + "/" + name, Value: append(value, '}')}
}
