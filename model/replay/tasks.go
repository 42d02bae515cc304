package replay

import (
	"slices"
	"strconv"

	"hindcast/model"
)

// tasks is the task list, in its order; ids are unique.
type tasks struct{ items []model.Task }

func taskPath(id string) string { return model.PathTasks + "/" + Escape(id) }

func taskValue(t model.Task) model.Value {
	var o object
	o.text("id", t.ID)
	o.text("title", t.Title)
	o.text("status", t.Status)
	return o.value()
}

// list replaces the list. A task without id has its number; of two with one id
// the later counts, at the place of the first.
func (f *tasks) list(s *step, x model.Tasks) {
	var now []model.Task
	place := map[string]int{}
	for i, t := range x.List {
		if t.ID == "" {
			t.ID = strconv.Itoa(i + 1)
		}
		if at, twice := place[t.ID]; twice {
			now[at] = t
			continue
		}
		place[t.ID] = len(now)
		now = append(now, t)
	}
	f.become(s, now)
}

// item changes one task or adds it at the end; one without id can only be
// added, and has the number of its place.
func (f *tasks) item(s *step, x model.TaskItem) {
	now, t := slices.Clone(f.items), x.Task
	if t.ID == "" {
		t.ID = strconv.Itoa(len(now) + 1)
	}
	at := slices.IndexFunc(now, func(o model.Task) bool { return o.ID == t.ID })
	switch {
	case x.Delete && at >= 0:
		now = slices.Delete(now, at, at+1)
	case x.Delete:
	case at >= 0:
		now[at] = t
	default:
		now = append(now, t)
	}
	f.become(s, now)
}

// become writes the difference to another list.
func (f *tasks) become(s *step, now []model.Task) {
	before := byID(f.items)
	if !s.stays(model.PathTasks, slices.EqualFunc(f.items, now, func(a, b model.Task) bool { return a.ID == b.ID })) {
		s.put(model.PathTasks, taskOrder(f.items), taskOrder(now))
	}
	f.items = now
	for _, t := range now {
		path := taskPath(t.ID)
		was, stood := before[t.ID]
		delete(before, t.ID)
		if s.stays(path, stood && was == t) {
			continue
		}
		var old model.Value
		if stood {
			old = taskValue(was)
		}
		s.put(path, old, taskValue(t))
	}
	for id, t := range before {
		s.put(taskPath(id), taskValue(t), model.Value{})
	}
}

func byID(list []model.Task) map[string]model.Task {
	m := make(map[string]model.Task, len(list))
	for _, t := range list {
		m[t.ID] = t
	}
	return m
}

func taskOrder(list []model.Task) model.Value {
	ids := make([]string, len(list))
	for i, t := range list {
		ids[i] = t.ID
	}
	return model.Value{JSON: encode(ids)}
}

func (f *tasks) restore(s *step, cells []PastCell, _ model.LostReason) {
	items := byID(f.items)
	order := read[[]string](taskOrder(f.items))
	for _, c := range cells {
		if c.Path == model.PathTasks {
			order = read[[]string](c.Value)
			continue
		}
		id := member(c.Path, model.PathTasks)
		if c.Value.Absent() {
			delete(items, id)
		} else {
			t := read[struct{ Title, Status string }](c.Value)
			items[id] = model.Task{ID: id, Title: t.Title, Status: t.Status}
		}
	}
	var now []model.Task
	for _, id := range order {
		if t, ok := items[id]; ok {
			now = append(now, t)
		}
	}
	f.become(s, now)
	for _, c := range cells {
		if w := s.cell(c.Path); w != nil {
			w.restores = c.Pos
		}
	}
}

func (f *tasks) save(w *encoder) {
	w.int(int64(len(f.items)))
	for _, t := range f.items {
		w.text(t.ID)
		w.text(t.Title)
		w.text(t.Status)
	}
}

func (f *tasks) load(r *decoder) {
	*f = tasks{}
	for range r.count() {
		f.items = append(f.items, model.Task{ID: r.text(), Title: r.text(), Status: r.text()})
	}
}
