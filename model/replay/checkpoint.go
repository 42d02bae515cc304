package replay

import "hindcast/model"

// checkpoint is the latest event at which the stream claimed or shrank its
// state.
type checkpoint struct {
	set      bool
	id       string
	seq, pos int64
	base     *int64 // seq
}

// snapshot and forget: a later record of the same id is the same checkpoint and
// takes its place; a base that one of them names stays.
func (f *checkpoint) snapshot(s *step, x model.Snapshot) {
	var base *int64
	if x.HasBase {
		base = &x.BaseSeq
	}
	f.put(s, x.Checkpoint, base)
}

func (f *checkpoint) forget(s *step, id string) { f.put(s, id, nil) }

func (f *checkpoint) put(s *step, id string, base *int64) {
	old := f.value()
	if base == nil && f.set && f.id == id && id != "" {
		base = f.base
	}
	*f = checkpoint{set: true, id: id, seq: s.event.Seq, pos: s.event.Pos, base: base}
	s.put(pathCheckpoint, old, f.value())
}

func (f *checkpoint) value() model.Value {
	if !f.set {
		return null
	}
	var o object
	o.textOrNull("id", f.id)
	o.int("seq", f.seq)
	o.int("pos", f.pos)
	o.intOrNull("base_seq", f.base)
	return o.value()
}

func (f *checkpoint) save(w *encoder) {
	w.bool(f.set)
	w.text(f.id)
	w.int(f.seq)
	w.int(f.pos)
	w.intOrNil(f.base)
}

func (f *checkpoint) load(r *decoder) {
	*f = checkpoint{set: r.bool(), id: r.text(), seq: r.Int(), pos: r.Int(), base: r.intOrNil()}
}
