package eventlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"hindcast/model"
	"hindcast/model/varint"
)

// saveForm is the first byte of a saved state; what begins otherwise is not
// one. The state is written at every commit of an import and mostly holds
// thousands of calls: hence numbers as varints, those of a call against the
// call before, and each tool's name once.
const saveForm = 2

// Save writes the working state; its size is bounded by openCallLimit.
func (l *linker) Save() ([]byte, error) {
	b := []byte{saveForm}
	for _, s := range []string{l.sum.Title, l.sum.Version, l.sum.Parent, l.sum.Outcome, l.sum.Base.Session} {
		b = varint.AppendText(b, s)
	}
	b = binary.AppendVarint(b, l.sum.Base.Seq)
	b = saveUsage(b, l.sum.Usage)
	if l.trigger == nil {
		b = append(b, 0)
	} else {
		b = saveRef(append(b, 1), *l.trigger, 0)
	}
	b = binary.AppendVarint(b, l.calls.forgotten)
	calls := l.calls.list()
	b = binary.AppendUvarint(b, uint64(len(calls)))
	tools := make(map[string]uint64)
	pos := int64(0)
	for _, c := range calls {
		b = saveRef(b, c.ref, pos)
		pos = c.Pos
		n, known := tools[c.Tool]
		if !known {
			n = uint64(len(tools))
			tools[c.Tool] = n
		}
		b = binary.AppendUvarint(b, n)
		if !known {
			b = varint.AppendText(b, c.Tool)
		}
	}
	return b, nil
}

func saveUsage(b []byte, u model.Usage) []byte {
	for _, n := range []int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning} {
		b = binary.AppendVarint(b, n)
	}
	b = binary.AppendUvarint(b, math.Float64bits(u.CostUSD))
	return append(b, byte(u.Told))
}

// saveRef writes an event's pos as the step from another.
func saveRef(b []byte, r ref, from int64) []byte {
	b = binary.AppendVarint(b, r.Pos-from)
	b = binary.AppendVarint(b, r.Seq-r.Pos)
	return varint.AppendText(b, r.ID)
}

// Load takes up what Save wrote.
func (l *linker) Load(state []byte) error {
	s := saved{varint.Of(state)}
	if s.Byte() != saveForm {
		return fmt.Errorf("load eventlog session: %w", errNotSaved)
	}
	next := newLinker(l.session)
	for _, to := range []*string{&next.sum.Title, &next.sum.Version, &next.sum.Parent, &next.sum.Outcome, &next.sum.Base.Session} {
		*to = string(s.Text())
	}
	next.sum.Base.Seq = s.Int()
	next.sum.Usage = s.usage()
	if s.Byte() != 0 {
		r := s.ref(0)
		next.trigger = &r
	}
	forgotten := s.Int()
	var tools []string
	pos := int64(0)
	for n := s.Uint(); n > 0 && !s.Bad; n-- {
		c := openCall{ref: s.ref(pos)}
		pos = c.Pos
		tool := s.Uint()
		if tool == uint64(len(tools)) {
			tools = append(tools, string(s.Text()))
		}
		if tool >= uint64(len(tools)) {
			s.Bad = true
			break
		}
		c.Tool = tools[tool]
		next.calls.add(c)
	}
	if s.Bad || len(s.Rest) > 0 {
		return fmt.Errorf("load eventlog session: %w", errNotSaved)
	}
	next.calls.forgotten = forgotten
	*l = *next
	return nil
}

var errNotSaved = errors.New("not a state that this program wrote")

// saved reads a state.
type saved struct{ varint.Reader[[]byte] }

func (s *saved) ref(from int64) ref {
	pos := from + s.Int()
	return ref{Pos: pos, Seq: pos + s.Int(), ID: string(s.Text())}
}

func (s *saved) usage() (u model.Usage) {
	for _, to := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.Reasoning} {
		*to = s.Int()
	}
	u.CostUSD = math.Float64frombits(s.Uint())
	u.Told = model.Told(s.Byte())
	return u
}
