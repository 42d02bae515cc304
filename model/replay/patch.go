package replay

import (
	"encoding/json"
	"maps"
	"slices"

	"hindcast/model"
	"hindcast/model/answer"
)

// Inverse gives the changes that lead back.
func Inverse(changes []Change) []Change {
	out := slices.Clone(changes)
	for i, c := range changes {
		out[i].Old, out[i].New = c.New, c.Old
	}
	return out
}

// Apply gives the state that changes make of another one: the changes from A to
// B applied to A show what B shows. Members are addressed by key; tasks that
// come in stand at the end of the list, and nothing tells of a message's
// response. Changes that fit nowhere are passed over.
func Apply(cells Cells, changes []Change) Cells {
	out := maps.Clone(cells)
	if out == nil {
		out = Cells{}
	}
	for _, c := range changes {
		place, ok := Locate(c.Path)
		if !ok || place.Cell == "" {
			continue
		}
		var shown any
		v, exists := out.at(place.Cell)
		if exists {
			shown, _ = decode(Shown(place.Cell, v))
		}
		shown, exists = patched(shown, exists, place.Below, c.New)
		if !exists {
			delete(out, place.Cell)
			continue
		}
		out[place.Cell] = hidden(place.Cell, canonical(place.Cell, shown))
	}
	reorder(out)
	return out
}

// patched puts new at a path below v; exists tells of v whether it is there.
func patched(v any, exists bool, below []string, new []byte) (any, bool) {
	if len(below) == 0 {
		if new == nil {
			return nil, false
		}
		return decode(new)
	}
	m, ok := v.(map[string]any)
	if !ok {
		m = map[string]any{}
	}
	before, had := m[below[0]]
	now, has := patched(before, had, below[1:], new)
	if has {
		m[below[0]] = now
	} else {
		delete(m, below[0])
	}
	return m, len(m) > 0
}

// canonical writes a cell's value with its members in their order.
func canonical(cell string, v any) []byte {
	text := encode(v)
	switch {
	case within(cell, model.PathMessages):
		return ordered[answer.StateMessage](text)
	case within(cell, model.PathTasks):
		return ordered[answer.StateTask](text)
	case within(cell, model.PathPending):
		return ordered[answer.StateCall](text)
	case cell == pathCheckpoint && v != nil:
		return ordered[answer.StateCheckpoint](text)
	}
	return text
}

func ordered[T any](text []byte) []byte {
	var v T
	if json.Unmarshal(text, &v) != nil {
		return text
	}
	return encode(v)
}

// reorder makes the order of the task list fit its members.
func reorder(cells Cells) {
	v, _ := cells.at(model.PathTasks)
	ids := read[[]string](v)
	stands := map[string]bool{}
	for path := range cells {
		if within(path, model.PathTasks) {
			stands[member(path, model.PathTasks)] = true
		}
	}
	kept := slices.DeleteFunc(ids, func(id string) bool { return !stands[id] })
	for _, id := range kept {
		delete(stands, id)
	}
	kept = append(kept, slices.Sorted(maps.Keys(stands))...)
	cells[model.PathTasks] = model.Value{JSON: encode(kept)}
}
