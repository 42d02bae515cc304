package bisect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/replay"
)

// State is the state document as an expression sees it, moved on write by write.
type State struct {
	doc      document
	groups   map[string]map[string]any // status, context, shell, usage, errors, by name
	files    map[string]any
	vars     map[string]any
	messages ordered
	pending  ordered
	calls    map[string]string // keys in pending, by path
	tasks    map[string]any
	order    []string // ids of the tasks
	err      error
}

// document holds the members of the state document.
type document struct {
	Status     any `expr:"status"`
	Context    any `expr:"context"`
	Files      any `expr:"files"`
	Shell      any `expr:"shell"`
	Tasks      any `expr:"tasks"`
	Pending    any `expr:"pending"`
	Usage      any `expr:"usage"`
	Errors     any `expr:"errors"`
	Checkpoint any `expr:"checkpoint"`
	Vars       any `expr:"vars"`
}

// ordered is a list kept in the bytewise order of its keys.
type ordered struct {
	keys   []string
	values []any
}

func (o *ordered) set(key string, v any) {
	i, found := slices.BinarySearch(o.keys, key)
	if found {
		o.values[i] = v
		return
	}
	o.keys, o.values = slices.Insert(o.keys, i, key), slices.Insert(o.values, i, v)
}

func (o *ordered) remove(key string) {
	if i, found := slices.BinarySearch(o.keys, key); found {
		o.keys, o.values = slices.Delete(o.keys, i, i+1), slices.Delete(o.values, i, i+1)
	}
}

// NewState is the state before the first event.
func NewState() *State {
	s := &State{
		groups: make(map[string]map[string]any), files: make(map[string]any), vars: make(map[string]any),
		calls: make(map[string]string), tasks: make(map[string]any),
	}
	for _, path := range replay.Fixed() {
		v, _ := replay.Initial(path)
		s.Write(model.Write{Path: path, New: v})
	}
	return s
}

// Write takes the next write; of a file with its text.
func (s *State) Write(w model.Write) {
	root, name, _ := strings.Cut(w.Path[1:], "/")
	switch {
	case w.Path == "/checkpoint":
		s.doc.Checkpoint = s.read(w)
	case w.Path == model.PathTasks:
		s.order = s.order[:0]
		if err := json.Unmarshal(w.New.JSON, &s.order); err != nil {
			s.err = fmt.Errorf("read %s: %w", w.Path, err)
		}
	case strings.HasPrefix(w.Path, model.PathMessages+"/"):
		key := model.UnescapePointer(w.Path[len(model.PathMessages)+1:])
		if w.New.Absent() {
			s.messages.remove(key)
		} else {
			w.New.JSON = replay.Shown(w.Path, w.New)
			s.messages.set(key, s.read(w))
		}
	case root == "pending":
		s.call(w)
	case root == "tasks":
		s.member(s.tasks, name, w)
	case root == "vars":
		s.member(s.vars, name, w)
	case root == "files":
		s.member(s.files, name, w)
		if file, ok := s.files[model.UnescapePointer(name)].(map[string]any); ok {
			file["content"] = nil
			if w.New.Text != nil {
				file["content"] = *w.New.Text
			}
		}
	default:
		if s.groups[root] == nil {
			s.groups[root] = make(map[string]any)
		}
		s.groups[root][name] = s.read(w)
	}
}

// member sets or takes away a member of a collection.
func (s *State) member(of map[string]any, token string, w model.Write) {
	name := model.UnescapePointer(token)
	if w.New.Absent() {
		delete(of, name)
		return
	}
	of[name] = s.read(w)
}

// call keeps the open calls, the oldest first.
func (s *State) call(w model.Write) {
	if key, open := s.calls[w.Path]; open {
		s.pending.remove(key)
		delete(s.calls, w.Path)
	}
	if w.New.Absent() {
		return
	}
	v := s.read(w)
	if m, ok := v.(map[string]any); ok {
		pos, _ := m["pos"].(int)
		s.calls[w.Path] = model.MessageKey(int64(pos)) + w.Path
		s.pending.set(s.calls[w.Path], v)
	}
}

func (s *State) read(w model.Write) any {
	dec := json.NewDecoder(bytes.NewReader(w.New.JSON))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil && s.err == nil {
		s.err = fmt.Errorf("read %s: %w", w.Path, err)
	}
	return numbers(v)
}

// document is the state as it stands.
func (s *State) document() (document, error) {
	d := s.doc
	context := s.groups["context"]
	context["messages"] = s.messages.values
	d.Context, d.Status, d.Shell, d.Usage, d.Errors = context, s.groups["status"], s.groups["shell"], s.groups["usage"], s.groups["errors"]
	d.Files, d.Vars, d.Pending = s.files, s.vars, s.pending.values
	tasks := make([]any, 0, len(s.tasks))
	for _, id := range s.order {
		if t, ok := s.tasks[id]; ok {
			tasks = append(tasks, t)
		}
	}
	d.Tasks = tasks
	return d, s.err
}

// numbers turns JSON numbers into ints where they are whole, else floats.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return int(n)
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		for k, m := range v {
			v[k] = numbers(m)
		}
	case []any:
		for i, m := range v {
			v[i] = numbers(m)
		}
	}
	return v
}
