package replay

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/varint"
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

func pack(e *model.Entry) packed {
	flags := byte(e.Role) & packRole
	if e.Summary {
		flags |= packSummary
	}
	if e.Replaced {
		flags |= packReplaced
	}
	own := !keyOf(e.Key).isOf(e.Pos)
	if own {
		flags |= packOwnKey
	}
	var room [128]byte
	w := encoder{b: room[:0]}
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
	e, _ := p.named()
	return e
}

// named gives the entry and the path of its cell.
func (p packed) named() (e model.Entry, path string) {
	r := decoder{varint.Of(string(p))}
	flags := r.Byte()
	e = model.Entry{
		Role: model.Role(flags & packRole), Pos: r.Int(),
		Summary: flags&packSummary != 0, Replaced: flags&packReplaced != 0,
	}
	if flags&packOwnKey != 0 {
		e.Key = r.text()
		path = messagePath(e.Key)
	} else {
		path = messagePathOf(e.Pos)
		e.Key = path[len(underMessages):]
	}
	e.Seq = r.Int() + e.Pos
	e.Chars, e.Tokens = r.Int(), r.Int()
	e.Event, e.Response = r.text(), r.text()
	return e, path
}

// entryKey is a key to compare with: where MessageKey gives it of some pos,
// the pos says it too, and keys are in the order of their pos.
type entryKey struct {
	text     string
	pos      int64
	numbered bool
}

// keyLimit is behind every pos that MessageKey writes in full.
const keyLimit = 1e10

func keyOf(text string) entryKey {
	k := entryKey{text: text, numbered: len(text) == len("0000000000")}
	for i := 0; k.numbered && i < len(text); i++ {
		digit := text[i] - '0'
		k.pos = k.pos*10 + int64(digit)
		k.numbered = digit <= 9
	}
	return k
}

// isOf reports the key that MessageKey gives.
func (k entryKey) isOf(pos int64) bool {
	if k.numbered && pos >= 0 && pos < keyLimit {
		return k.pos == pos
	}
	return k.text == model.MessageKey(pos)
}

// compareKey orders an entry against a key, bytewise.
func (p packed) compareKey(k entryKey) int {
	r := decoder{varint.Of(string(p[1:]))}
	pos := r.Int()
	switch {
	case p[0]&packOwnKey != 0:
		return strings.Compare(r.text(), k.text)
	case k.numbered && pos >= 0 && pos < keyLimit:
		return cmp.Compare(pos, k.pos)
	}
	return strings.Compare(model.MessageKey(pos), k.text)
}

const underMessages = model.PathMessages + "/"

// messagePath is the path of a message's cell.
func messagePath(key string) string { return underMessages + Escape(key) }

// messagePathOf is messagePath of MessageKey.
func messagePathOf(pos int64) string {
	if pos < 0 || pos >= keyLimit {
		return underMessages + model.MessageKey(pos)
	}
	var b [len(underMessages) + len("0000000000")]byte
	copy(b[:], underMessages)
	for i := len(b) - 1; i >= len(underMessages); i-- {
		b[i] = byte('0' + pos%10)
		pos /= 10
	}
	return string(b[:])
}

// messageValue is a message's cell.
func messageValue(e *model.Entry) model.Value {
	return model.Value{JSON: appendMessage(make([]byte, 0, 160+len(e.Event)), e)}
}

// appendMessage writes a message's cell. Behind the members that the document shows
// it keeps, where they say something, what only the making of requests needs:
// "response" and "replaced".
func appendMessage(b []byte, e *model.Entry) []byte {
	b = appendString(append(b, `{"key":`...), e.Key)
	b = strconv.AppendInt(append(b, `,"seq":`...), e.Seq, 10)
	b = strconv.AppendInt(append(b, `,"pos":`...), e.Pos, 10)
	if b = append(b, `,"event":`...); e.Event == "" {
		b = append(b, "null"...)
	} else {
		b = appendString(b, e.Event)
	}
	b = appendString(append(b, `,"role":`...), e.Role.String())
	if b = append(b, `,"tokens":`...); e.Tokens == model.TokensUnknown {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, e.Tokens, 10)
	}
	b = strconv.AppendInt(append(b, `,"chars":`...), e.Chars, 10)
	b = append(append(b, `,"summary":`...), boolText(e.Summary)...)
	if e.Response != "" {
		b = appendString(append(b, `,"response":`...), e.Response)
	}
	if e.Replaced {
		b = append(b, `,"replaced":true`...)
	}
	return append(b, '}')
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
