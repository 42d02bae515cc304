package replay

import (
	"encoding/binary"
	"errors"
	"math"

	"hindcast/model"
	"hindcast/model/varint"
)

// saveVersion begins a saved state.
const saveVersion = 1

// Save gives the whole working state; equal folds give equal bytes.
func (f *Fold) Save() ([]byte, error) {
	w := &encoder{b: []byte{saveVersion}}
	for _, p := range f.parts() {
		p.facet.save(w)
	}
	w.int(int64(len(f.notes)))
	for _, n := range f.notes {
		w.int(int64(n.Kind))
		w.int(n.Pos)
		w.text(n.Path)
		w.text(n.Text)
	}
	return w.b, nil
}

// Load puts the fold where the saved one was. After an error the fold is at the
// beginning of its session.
func (f *Fold) Load(state []byte) error {
	*f = *New(Options{Past: f.past})
	r := &decoder{varint.Of(string(state))}
	if r.Byte() != saveVersion {
		return errors.New("load fold: not a saved state of this version")
	}
	for _, p := range f.parts() {
		p.facet.load(r)
	}
	for range r.count() {
		f.notes = append(f.notes, model.Note{Kind: model.NoteKind(r.Int()), Pos: r.Int(), Path: r.text(), Text: r.text()})
	}
	if r.Bad || r.Rest != "" {
		*f = *New(Options{Past: f.past})
		return errors.New("load fold: the saved state is damaged")
	}
	return nil
}

// encoder appends varints, and texts behind their length.
type encoder struct{ b []byte }

func (w *encoder) int(n int64) { w.b = binary.AppendVarint(w.b, n) }

func (w *encoder) text(s string) {
	w.int(int64(len(s)))
	w.b = append(w.b, s...)
}

func (w *encoder) bool(v bool) {
	if v {
		w.b = append(w.b, 1)
		return
	}
	w.b = append(w.b, 0)
}

func (w *encoder) textOrNil(s *string) {
	w.bool(s != nil)
	if s != nil {
		w.text(*s)
	}
}

func (w *encoder) intOrNil(n *int64) {
	w.bool(n != nil)
	if n != nil {
		w.int(*n)
	}
}

func (w *encoder) boolOrNil(v *bool) {
	w.bool(v != nil)
	if v != nil {
		w.bool(*v)
	}
}

func (w *encoder) floatOrNil(x *float64) {
	w.bool(x != nil)
	if x != nil {
		w.b = binary.BigEndian.AppendUint64(w.b, math.Float64bits(*x))
	}
}

// decoder reads what an encoder wrote.
type decoder struct{ varint.Reader[string] }

// count is a number of things to come, each at least a byte long.
func (r *decoder) count() int {
	n := r.Int()
	if n < 0 || n > int64(len(r.Rest)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// text is what encoder.text wrote; Text would take its length for an unsigned one.
func (r *decoder) text() string { return r.Take(int64(r.count())) }

func (r *decoder) bool() bool { return r.Byte() == 1 }

func (r *decoder) textOrNil() *string {
	if !r.bool() {
		return nil
	}
	s := r.text()
	return &s
}

func (r *decoder) intOrNil() *int64 {
	if !r.bool() {
		return nil
	}
	n := r.Int()
	return &n
}

func (r *decoder) boolOrNil() *bool {
	if !r.bool() {
		return nil
	}
	v := r.bool()
	return &v
}

func (r *decoder) floatOrNil() *float64 {
	if !r.bool() {
		return nil
	}
	s := r.Take(8)
	if s == "" {
		return nil
	}
	x := math.Float64frombits(binary.BigEndian.Uint64([]byte(s)))
	return &x
}
