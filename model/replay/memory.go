package replay

import (
	"slices"
	"strconv"

	"hindcast/model"
)

// memory is where the writes of a fold and the bytes of their values stand,
// many in one allocation: a fold makes millions of them, and those of
// neighbouring events live and die together. What outlives its event in the
// working state has no place here.
type memory struct {
	bytes  []byte
	writes []model.Write
	now    []byte // a value in the making
}

// How much is allocated at once.
const (
	memoryBytes  = 16 << 10
	memoryWrites = 256
)

// keep gives a copy that stays.
func (m *memory) keep(b []byte) []byte {
	if len(b) > memoryBytes/16 {
		return append([]byte(nil), b...)
	}
	if len(b) > cap(m.bytes)-len(m.bytes) {
		m.bytes = make([]byte, 0, memoryBytes)
	}
	at := len(m.bytes)
	m.bytes = append(m.bytes, b...)
	return m.bytes[at:len(m.bytes):len(m.bytes)]
}

// room is where n writes of an event can be made.
func (m *memory) room(n int) []model.Write {
	if n > memoryWrites/16 {
		return make([]model.Write, 0, n)
	}
	if n > cap(m.writes)-len(m.writes) {
		m.writes = make([]model.Write, 0, memoryWrites)
	}
	at := len(m.writes)
	return m.writes[at : at : at+n]
}

// keepWrites takes what was made in a room; nil of none. Large texts leave it: a
// few of them would outlive their events by megabytes.
func (m *memory) keepWrites(made []model.Write) []model.Write {
	if slices.ContainsFunc(made, largeText) {
		kept := slices.Clone(made)
		clear(made)
		return kept
	}
	if cap(made) <= memoryWrites/16 {
		m.writes = m.writes[:len(m.writes)+len(made)]
	}
	if len(made) == 0 {
		return nil
	}
	return slices.Clip(made)
}

func largeText(w model.Write) bool {
	return w.Old.Text != nil && len(*w.Old.Text) > memoryBytes || w.New.Text != nil && len(*w.New.Text) > memoryBytes
}

// int, bool and text are the values of leaves that may be null.
func (m *memory) int(n *int64) model.Value {
	if n == nil {
		return null
	}
	m.now = strconv.AppendInt(m.now[:0], *n, 10)
	return model.Value{JSON: m.keep(m.now)}
}

func (m *memory) bool(b *bool) model.Value {
	if b == nil {
		return null
	}
	return model.Value{JSON: []byte(boolText(*b))}
}

func (m *memory) text(text *string) model.Value {
	if text == nil {
		return null
	}
	m.now = appendString(m.now[:0], *text)
	return model.Value{JSON: m.keep(m.now)}
}

func (m *memory) message(e *model.Entry) model.Value {
	m.now = appendMessage(m.now[:0], e)
	return model.Value{JSON: m.keep(m.now)}
}
