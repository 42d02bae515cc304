package replay

import (
	"encoding/binary"
	"encoding/json"

	"hindcast/model"
)

// packed is a message in view: a byte of flags, then varints and texts. A
// context may hold a million messages; an entry takes some 40 bytes and its id.
type packed string

// The flags of a packed entry; its role stands in the lowest two bits.
const (
	packRole     = 3
	packSummary  = 1 << 2
	packReplaced = 1 << 3
	packOwnKey   = 1 << 4 // the key is not MessageKey of the pos, and follows
)

func pack(e model.Entry) packed {
	flags := byte(e.Role) & packRole
	if e.Summary {
		flags |= packSummary
	}
	if e.Replaced {
		flags |= packReplaced
	}
	own := e.Key != model.MessageKey(e.Pos)
	if own {
		flags |= packOwnKey
	}
	w := encoder{b: make([]byte, 0, 24+len(e.Event)+len(e.Response))}
	w.b = append(w.b, flags)
	w.int(e.Pos)
	if own {
		w.text(e.Key)
	}
	w.int(e.Seq - e.Pos)
	w.int(e.Chars)
	w.int(e.Tokens)
	w.text(e.Event)
	w.text(e.Response)
	return packed(w.b)
}

func (p packed) entry() model.Entry {
	r := decoder{rest: string(p)}
	flags := r.byte()
	e := model.Entry{
		Role: model.Role(flags & packRole), Pos: r.int(),
		Summary: flags&packSummary != 0, Replaced: flags&packReplaced != 0,
	}
	if flags&packOwnKey != 0 {
		e.Key = r.text()
	} else {
		e.Key = model.MessageKey(e.Pos)
	}
	e.Seq = r.int() + e.Pos
	e.Chars, e.Tokens = r.int(), r.int()
	e.Event, e.Response = r.text(), r.text()
	return e
}

// compareKey orders an entry against a key, bytewise.
func (p packed) compareKey(key string) int {
	own := ""
	if p[0]&packOwnKey != 0 {
		r := decoder{rest: string(p[1:])}
		r.int()
		own = r.text()
	} else {
		pos, _ := binary.Varint([]byte(p[1:min(len(p), 1+binary.MaxVarintLen64)]))
		own = model.MessageKey(pos)
	}
	switch {
	case own < key:
		return -1
	case own > key:
		return 1
	}
	return 0
}

// messagePath is the path of a message's cell.
func messagePath(key string) string { return model.PathMessages + "/" + Escape(key) }

// messageValue is a message's cell. Behind the members that the document shows
// it keeps, where they say something, what only the making of requests needs:
// "response" and "replaced".
func messageValue(e model.Entry) model.Value {
	o := object{b: make([]byte, 0, 128+len(e.Event))}
	showMessage(&o, e)
	if e.Response != "" {
		o.text("response", e.Response)
	}
	if e.Replaced {
		o.raw("replaced", "true")
	}
	return o.value()
}

func showMessage(o *object, e model.Entry) {
	o.text("key", e.Key)
	o.int("seq", e.Seq)
	o.int("pos", e.Pos)
	o.textOrNull("event", e.Event)
	o.text("role", e.Role.String())
	if e.Tokens == model.TokensUnknown {
		o.raw("tokens", "null")
	} else {
		o.int("tokens", e.Tokens)
	}
	o.int("chars", e.Chars)
	o.raw("summary", boolText(e.Summary))
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// Message reads a cell of /context/messages back; false where it holds none.
func Message(path string, v model.Value) (model.Entry, bool) {
	var m struct {
		Seq, Pos, Chars   int64
		Event             string
		Role              string
		Tokens            *int64
		Summary, Replaced bool
		Response          string
	}
	if v.Absent() || json.Unmarshal(v.JSON, &m) != nil {
		return model.Entry{}, false
	}
	role, _ := model.ParseRole(m.Role)
	e := model.Entry{
		Key: member(path, model.PathMessages), Pos: m.Pos, Seq: m.Seq, Event: m.Event, Response: m.Response,
		Role: role, Chars: m.Chars, Tokens: model.TokensUnknown, Summary: m.Summary, Replaced: m.Replaced,
	}
	if m.Tokens != nil {
		e.Tokens = *m.Tokens
	}
	return e, true
}
