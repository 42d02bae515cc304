package replay

import (
	"bytes"
	"encoding/json"
	"slices"

	"hindcast/model"
	"hindcast/model/answer"
)

// Lookup gives the JSON that the state document holds at a pointer, members of
// collections addressed by key; false where nothing stands there. It needs no
// cells but those of the pointer's Place (and /tasks for the order of tasks).
func Lookup(cells Cells, pointer string) ([]byte, bool) {
	place, ok := Locate(pointer)
	switch {
	case !ok:
		return nil, false
	case place.Cell != "":
		return lookupCell(cells, place)
	}
	return lookupGroup(cells, pointer)
}

func lookupCell(cells Cells, place Place) ([]byte, bool) {
	v, ok := cells.at(place.Cell)
	if !ok {
		return nil, false
	}
	shown := Shown(place.Cell, v)
	if len(place.Below) == 0 {
		return shown, true
	}
	below, ok := decode(shown)
	for _, token := range place.Below {
		if below, ok = child(below, token); !ok {
			return nil, false
		}
	}
	return encode(below), ok
}

func child(v any, token string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		below, ok := v[token]
		return below, ok
	case []any:
		if i, ok := index(token, len(v)); ok && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

// lookupGroup assembles the part of the document that a group's pointer names.
func lookupGroup(cells Cells, pointer string) ([]byte, bool) {
	doc, err := Assemble(Heading{}, cells)
	if err != nil {
		return nil, false
	}
	parts := map[string]any{
		"/status": doc.Status, "/context": doc.Context, model.PathMessages: doc.Context.Messages,
		"/files": doc.Files, "/shell": doc.Shell, "/tasks": doc.Tasks, "/pending": doc.Pending,
		"/usage": doc.Usage, "/errors": doc.Errors, "/vars": doc.Vars,
	}
	if part, ok := parts[pointer]; ok {
		return encode(part), true
	}
	var o object
	for _, name := range [...]string{"/status", "/context", "/files", "/shell", "/tasks", "/pending", "/usage", "/errors"} {
		o.raw(name[1:], string(encode(parts[name])))
	}
	o.raw("checkpoint", string(encode(doc.Checkpoint)))
	o.raw("vars", string(encode(doc.Vars)))
	return o.value().JSON, true
}

// Shown is a cell's value as the document shows it: a file with its text, a
// message without what only requests need. It is nil for an absent value and
// for the order of the task list, which is never shown.
func Shown(path string, v model.Value) []byte {
	switch {
	case v.Absent() || path == model.PathTasks:
		return nil
	case within(path, model.PathFiles):
		content := []byte("null")
		if v.Text != nil {
			content = appendString(nil, *v.Text)
		}
		out := append([]byte(`{"content":`), content...)
		return append(append(out, ','), v.JSON[1:]...)
	case within(path, model.PathMessages):
		if bytes.HasSuffix(v.JSON, []byte(`"summary":false}`)) || bytes.HasSuffix(v.JSON, []byte(`"summary":true}`)) {
			return v.JSON // nothing stands behind what is shown
		}
		return encode(read[answer.StateMessage](v))
	}
	return v.JSON
}

// hidden is the inverse of Shown.
func hidden(path string, shown []byte) model.Value {
	v := model.Value{JSON: shown}
	if shown == nil || !within(path, model.PathFiles) {
		return v
	}
	f := read[answer.StateFile](v)
	return fileCell(f)
}

func fileCell(f answer.StateFile) model.Value {
	text := encode(f)
	var m struct {
		Certainty  string          `json:"certainty"`
		Lines      json.RawMessage `json:"lines"`
		SHA256     json.RawMessage `json:"sha256"`
		WrittenBy  json.RawMessage `json:"written_by"`
		WrittenPos json.RawMessage `json:"written_pos"`
	}
	if json.Unmarshal(text, &m) != nil {
		return model.Value{}
	}
	return model.Value{JSON: slices.Clip(encode(m)), Text: f.Content}
}
