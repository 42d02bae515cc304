package replay

import (
	"encoding/binary"
	"errors"
	"math"

	"hindcast/model"
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
	r := &decoder{rest: string(state)}
	if r.byte() != saveVersion {
		return errors.New("load fold: not a saved state of this version")
	}
	for _, p := range f.parts() {
		p.facet.load(r)
	}
	for range r.count() {
		f.notes = append(f.notes, model.Note{Kind: model.NoteKind(r.int()), Pos: r.int(), Path: r.text(), Text: r.text()})
	}
	if r.bad || r.rest != "" {
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

// decoder reads what an encoder wrote. Damaged input makes it bad and gives
// zero values from there on.
type decoder struct {
	rest string
	bad  bool
}

func (r *decoder) fail() { r.rest, r.bad = "", true }

func (r *decoder) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *decoder) byte() byte {
	if s := r.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (r *decoder) int() int64 {
	var n uint64
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		c := r.rest[i]
		if i == binary.MaxVarintLen64-1 && c > 1 {
			break
		}
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return int64(n>>1) ^ -int64(n&1)
		}
	}
	r.fail()
	return 0
}

// count is a number of things to come, each at least a byte long.
func (r *decoder) count() int {
	n := r.int()
	if n < 0 || n > int64(len(r.rest)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *decoder) text() string { return r.take(r.count()) }

func (r *decoder) bool() bool { return r.byte() == 1 }

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
	n := r.int()
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
	s := r.take(8)
	if s == "" {
		return nil
	}
	x := math.Float64frombits(binary.BigEndian.Uint64([]byte(s)))
	return &x
}
