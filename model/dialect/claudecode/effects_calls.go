package claudecode

import (
	"bytes"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// madeCall is a call as its record tells it.
type madeCall struct {
	pos   int64
	id    string
	tool  string
	input []byte
}

// madeCalls are the latest calls, which only saves reading their records again.
type madeCalls struct {
	ring [callsAtHand]madeCall
	next int
}

// callsAtHand is how many calls are at hand, inputLimit how long their inputs
// may be, in bytes.
const (
	callsAtHand = 16
	inputLimit  = 64 << 10
)

func (m *madeCalls) add(pos int64, id string, b block) {
	if len(b.input) > inputLimit || id == "" {
		return
	}
	m.ring[m.next] = madeCall{pos, id, jsonscan.Str(b.name), bytes.Clone(b.input)}
	m.next = (m.next + 1) % callsAtHand
}

// find gives the call that a record at pos answers. ok is false where it is not
// in the dump.
func (m *madeCalls) find(id string, pos int64, view model.View) (c madeCall, ok bool) {
	if id == "" {
		return c, false
	}
	for _, c := range m.ring {
		if c.id == id && c.pos < pos {
			return c, true
		}
	}
	at := view.Pending(id)
	if at == 0 {
		at = view.Find(id)
	}
	if at <= 0 || at >= pos {
		return c, false
	}
	_, raw, ok := view.Record(at)
	if !ok {
		return c, false
	}
	found := false
	eachBlock(jsonscan.Get(raw, "message", "content"), func(b block) bool {
		if found = b.typ == blockToolUse && jsonscan.Str(b.id) == id; found {
			c = madeCall{at, id, jsonscan.Str(b.name), bytes.Clone(b.input)}
		}
		return !found
	})
	return c, found
}
