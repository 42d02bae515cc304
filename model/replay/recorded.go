package replay

import (
	"cmp"
	"maps"
	"slices"

	"hindcast/model"
)

// Recorded gives the state that a checkpoint claims: what it recorded, and
// where it is silent the cells of base, which is the fold at its base. What
// agrees with the fold keeps the fold's own knowledge of it (who wrote a text,
// how sure it is). message finds the entry by which an event is in view, for
// ids that are not in view at the base; ids that it does not find are left out.
func Recorded(base Cells, r model.RecordedState, message func(id string) (model.Entry, bool)) Cells {
	out := maps.Clone(base)
	if out == nil {
		out = Cells{}
	}
	if r.Execution != nil {
		out[pathExecution] = leaf(orNil(*r.Execution))
	}
	if r.Cwd != nil {
		out[pathCwd] = leaf(orNil(*r.Cwd))
	}
	if r.Context != nil {
		out.claimContext(r.Context, message)
	}
	if r.Files != nil {
		out.claimFiles(r.Files)
	}
	if r.Tasks != nil {
		out.clear(model.PathTasks)
		for _, t := range r.Tasks {
			out[taskPath(t.ID)] = taskValue(t)
		}
		out[model.PathTasks] = taskOrder(r.Tasks)
	}
	if r.Vars != nil {
		out.clear(model.PathVars)
		for name, text := range r.Vars {
			if v, ok := decode(text); ok {
				out[varPath(name)] = model.Value{JSON: encode(v)}
			}
		}
	}
	return out
}

// clear takes out the members of a collection.
func (c Cells) clear(collection string) {
	maps.DeleteFunc(c, func(path string, _ model.Value) bool { return within(path, collection) })
}

func (c Cells) claimFiles(files map[string]string) {
	before := maps.Clone(c)
	c.clear(model.PathFiles)
	for name, text := range files {
		path := FilePath(name)
		if v, ok := before[path]; ok && sameText(v.Text, &text) {
			c[path] = v
			continue
		}
		c[path] = newFile(&text, model.CertaintyKnown, nil).cell
	}
}

func (c Cells) claimContext(ids []string, message func(id string) (model.Entry, bool)) {
	entries := entriesOf(c)
	if slices.EqualFunc(entries, ids, func(e model.Entry, id string) bool { return e.Event == id }) {
		return
	}
	inView := map[string][]model.Entry{}
	for _, e := range entries {
		if e.Event == "" {
			continue // a record that cannot name it does not say that it is gone
		}
		inView[e.Event] = append(inView[e.Event], e)
		delete(c, messagePath(e.Key))
	}
	for _, id := range ids {
		e, ok := model.Entry{}, false
		if list := inView[id]; len(list) > 0 {
			e, ok, inView[id] = list[0], true, list[1:]
		} else if id != "" {
			e, ok = message(id)
		}
		if ok {
			c[messagePath(e.Key)] = messageValue(&e)
		}
	}
	var view context
	for _, e := range entriesOf(c) {
		view.live = append(view.live, pack(&e))
		view.weigh(&e, 1)
	}
	c[pathTokens] = leafInt(view.total())
}

// entriesOf lists the messages in view in the order of their keys.
func entriesOf(cells Cells) []model.Entry {
	var list []model.Entry
	for path, v := range cells {
		if !within(path, model.PathMessages) {
			continue
		}
		if e, ok := Message(path, v); ok {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b model.Entry) int { return cmp.Compare(a.Key, b.Key) })
	return list
}

// Contradictions lists in what state b contradicts state a, sorted bytewise by
// path, as Changes does. Of a file only the text counts, its other members
// follow from it or are what the fold knows about it; where a knows no text
// nothing can contradict it. The order of the task list is the change of
// /tasks, arrays of ids, where the same tasks stand in another order.
func Contradictions(a, b Cells) []Change {
	paths := maps.Clone(a)
	if paths == nil {
		paths = Cells{}
	}
	maps.Copy(paths, b)
	var out []Change
	for path := range paths {
		s := &span{}
		s.old, _ = a.at(path)
		s.new, _ = b.at(path)
		switch {
		case equal(s.old, s.new):
		case path == model.PathTasks:
			out = append(out, orderChange(a, b)...)
		case within(path, model.PathFiles):
			out = append(out, textChange(path, s)...)
		default:
			out = append(out, s.changes(path)...)
		}
	}
	slices.SortFunc(out, func(x, y Change) int { return cmp.Compare(x.Path, y.Path) })
	return out
}

func textChange(path string, s *span) []Change {
	switch {
	case s.old.Absent() && s.new.Text == nil, !s.old.Absent() && s.old.Text == nil, sameText(s.old.Text, s.new.Text):
		return nil
	case s.old.Absent() || s.new.Absent():
		return s.changes(path)
	}
	return []Change{{Path: path + "/content", Old: leaf(s.old.Text).JSON, New: leaf(s.new.Text).JSON}}
}

// orderChange tells of a list whose members are the same.
func orderChange(a, b Cells) []Change {
	from, to := taskIDs(a), taskIDs(b)
	if slices.Equal(from, to) || !slices.Equal(sorted(from), sorted(to)) {
		return nil
	}
	return []Change{{Path: model.PathTasks, Old: encode(from), New: encode(to)}}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }
