package claudecode

import (
	"encoding/binary"
	"errors"

	"hindcast/model"
	"hindcast/model/varint"
)

// savedVersion is the first byte of a saved state.
const savedVersion = 1

var errState = errors.New("load claudecode effects: not a state that this program saved")

// Save returns the effector's working state. Ids and titles are kept byte for
// byte: those of a dump need not be text.
func (f *effector) Save() ([]byte, error) {
	st := &f.state
	b := []byte{savedVersion, 0}
	if st.Backups {
		b[1] = 1
	}
	b = varint.AppendText(b, st.Boundary)
	b = binary.AppendVarint(b, st.Start)
	b = varint.AppendText(b, st.Front)
	b = binary.AppendVarint(b, st.Last)
	b = appendUsage(b, st.Run)
	b = binary.AppendUvarint(b, uint64(len(st.Spent)))
	for _, s := range st.Spent {
		b = appendUsage(varint.AppendText(b, s.Message), s.Usage)
	}
	b = binary.AppendUvarint(b, uint64(len(st.Tasks)))
	for _, t := range st.Tasks {
		for _, text := range [...]string{t.ID, t.Title, t.Status} {
			b = varint.AppendText(b, text)
		}
	}
	return b, nil
}

// appendUsage writes tokens; the money of messages is not told.
func appendUsage(b []byte, u model.Usage) []byte {
	b = append(b, byte(u.Told))
	for _, n := range [...]int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning} {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// Load takes what Save returned.
func (f *effector) Load(b []byte) error {
	r := saved{varint.Of(string(b))}
	if r.Byte() != savedVersion {
		return errState
	}
	st := told{Backups: r.Byte() == 1, Boundary: r.Text(), Start: r.Int(), Front: r.Text(), Last: r.Int(), Run: r.usage()}
	for range min(r.Count(), spentLimit) {
		st.Spent = append(st.Spent, spentBy{r.Text(), r.usage()})
	}
	for range min(r.Count(), taskLimit) {
		st.Tasks = append(st.Tasks, model.Task{ID: r.Text(), Title: r.Text(), Status: r.Text()})
	}
	if r.Bad || r.More() {
		return errState
	}
	f.state = st
	return nil
}

type saved struct{ varint.Reader[string] }

func (r *saved) usage() (u model.Usage) {
	u.Told = model.Told(r.Byte())
	for _, n := range [...]*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Reasoning} {
		*n = r.Int()
	}
	return u
}
