package eventlog

import (
	"bytes"
	"errors"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var errNoState = errors.New("read recorded state: not an object, or without a state in it")

// Recorded reads the state that a checkpoint carries, or a checkpoint file
// with the state in it.
func (dialect) Recorded(raw []byte) (model.RecordedState, error) {
	if _, _, err := jsonscan.Value(raw); err != nil || jsonscan.Kind(raw) != '{' {
		return model.RecordedState{}, errNoState
	}
	var r recordedState
	state := r.file(raw)
	if jsonscan.Kind(state) != '{' {
		return model.RecordedState{}, errNoState
	}
	members(state, func(key, value []byte) {
		name := string(key)
		if !r.part(name, value) {
			r.unread(name)
		}
	})
	return r.RecordedState, nil
}

// recordedState is a state under construction.
type recordedState struct{ model.RecordedState }

// file reads what a checkpoint file says of itself and finds the state in it.
// A state alone has none of a file's keys.
func (r *recordedState) file(raw []byte) (state []byte) {
	isFile := false
	members(raw, func(key, value []byte) {
		switch string(key) {
		case "snapshot_id":
			r.Checkpoint, isFile = identity(value), true
		case "session_id":
			r.Session, isFile = identity(value), true
		case "base_event_seq":
			r.BaseSeq, r.HasBase = jsonscan.Int(value)
			isFile = true
		case "state":
			state, isFile = value, true
		}
	})
	if !isFile {
		return raw
	}
	return state
}

// part reads one key of the state; it is false where the format does not know
// it, or not in this shape.
func (r *recordedState) part(name string, v []byte) bool {
	switch name {
	case "context":
		return r.context(v)
	case "files":
		return r.files(v)
	case "cwd":
		return textOrNull(v, &r.Cwd)
	case "status":
		return textOrNull(v, &r.Execution)
	case "tasks":
		list, ok := readTasks(v)
		r.Tasks = list
		return ok
	case "vars":
		return r.vars(v)
	}
	return false
}

func (r *recordedState) context(v []byte) bool {
	if jsonscan.Kind(v) != '[' {
		return false
	}
	r.Context = []string{}
	jsonscan.Elements(v, func(id []byte) bool {
		r.Context = append(r.Context, identity(id))
		return true
	})
	return true
}

func (r *recordedState) files(v []byte) bool {
	if jsonscan.Kind(v) != '{' {
		return false
	}
	r.Files = make(map[string]string)
	members(v, func(key, value []byte) {
		path := string(key)
		text, ok := jsonscan.Text(value)
		if !ok {
			delete(r.Files, path)
			r.unread("files", path)
			return
		}
		r.Files[path] = text
	})
	return true
}

func (r *recordedState) vars(v []byte) bool {
	if jsonscan.Kind(v) != '{' {
		return false
	}
	r.Vars = make(map[string][]byte)
	members(v, func(key, value []byte) { r.Vars[string(key)] = bytes.Clone(value) })
	return true
}

func textOrNull(v []byte, to **string) bool {
	text, ok := jsonscan.Text(v)
	if !ok && jsonscan.Kind(v) != 'n' {
		return false
	}
	*to = &text
	return true
}

// unread notes what cannot be compared, as a JSON Pointer into the state.
func (r *recordedState) unread(steps ...string) {
	pointer := ""
	for _, s := range steps {
		pointer += "/" + model.EscapePointer(s)
	}
	r.Unread = append(r.Unread, pointer)
}
