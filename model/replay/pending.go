package replay

import (
	"maps"
	"slices"

	"hindcast/model"
)

// pending holds the calls that no result has answered, by id.
type pending struct{ open map[string]openCall }

type openCall struct {
	seq, pos int64
	tool     string
}

func pendingPath(id string) string { return model.PathPending + "/" + Escape(id) }

// call: a second call of an open id takes the place of the first.
func (f *pending) call(s *step, x model.Call) {
	if x.ID == "" {
		return
	}
	old := f.value(x.ID)
	f.open[x.ID] = openCall{seq: s.event.Seq, pos: s.event.Pos, tool: x.Tool}
	s.put(pendingPath(x.ID), old, f.value(x.ID))
}

func (f *pending) answer(s *step, x model.Return) {
	if _, open := f.open[x.ID]; !open {
		return
	}
	old := f.value(x.ID)
	delete(f.open, x.ID)
	s.put(pendingPath(x.ID), old, model.Value{})
}

func (f *pending) value(id string) model.Value {
	c, open := f.open[id]
	if !open {
		return model.Value{}
	}
	var o object
	o.text("call", id)
	o.int("seq", c.seq)
	o.int("pos", c.pos)
	o.textOrNull("tool", c.tool)
	return o.value()
}

func (f *pending) save(w *encoder) {
	w.int(int64(len(f.open)))
	for _, id := range slices.Sorted(maps.Keys(f.open)) {
		c := f.open[id]
		w.text(id)
		w.int(c.seq)
		w.int(c.pos)
		w.text(c.tool)
	}
}

func (f *pending) load(r *decoder) {
	f.open = map[string]openCall{}
	for range r.count() {
		id := r.text()
		f.open[id] = openCall{seq: r.int(), pos: r.int(), tool: r.text()}
	}
}
