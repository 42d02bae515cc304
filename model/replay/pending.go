package replay

import (
	"maps"
	"slices"

	"hindcast/model"
)

// pending holds the calls that no result has answered, by id.
type pending struct{ open map[string]openCall }

// openCall keeps its cell: the write that takes it away needs the same bytes.
type openCall struct {
	seq, pos int64
	tool     string
	path     string
	cell     model.Value
}

func newOpenCall(id string, seq, pos int64, tool string) openCall {
	o := object{b: make([]byte, 0, 64+len(id)+len(tool))}
	o.text("call", id)
	o.int("seq", seq)
	o.int("pos", pos)
	o.textOrNull("tool", tool)
	return openCall{seq: seq, pos: pos, tool: tool, path: pendingPath(id), cell: o.value()}
}

func pendingPath(id string) string { return model.PathPending + "/" + Escape(id) }

// call: a second call of an open id takes the place of the first.
func (f *pending) call(s *step, x model.Call) {
	if x.ID == "" {
		return
	}
	old, now := f.open[x.ID].cell, newOpenCall(x.ID, s.event.Seq, s.event.Pos, x.Tool)
	f.open[x.ID] = now
	s.put(now.path, old, now.cell)
}

func (f *pending) answer(s *step, x model.Return) {
	if c, open := f.open[x.ID]; open {
		delete(f.open, x.ID)
		s.put(c.path, c.cell, model.Value{})
	}
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
		seq, pos, tool := r.Int(), r.Int(), r.text()
		f.open[id] = newOpenCall(id, seq, pos, tool)
	}
}
