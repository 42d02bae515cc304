package store

import (
	"slices"

	"hindcast/model"
	"hindcast/model/varint"
)

// A row of writes holds the events of writesSpan neighbouring positions.
const writesSpan = 16

func writesKey(session, pos int64) int64 { return keyOf(session, pos&^(writesSpan-1)) }

// The first byte of a record.
const (
	recordName     = 3 // bits: one of the name forms
	recordPrevious = 4
	recordOld      = 8
	recordRestores = 16
	recordValue    = 5 // shift: kind of the new value
)

// How a record names its cell.
const (
	nameCell    = iota // number
	nameMessage        // signed: pos - number of its key
	nameComing         // class, segment; the cell is new
	nameLife           // k << 1 | pending; pos - pos of the coming
)

// record is a write as it stands in a row.
type record struct {
	cell     cellKey
	segment  string // of a message by pos, and of one that comes
	comes    bool
	previous int64 // pos of the cell's write before; -1: there is none
	restores int64
	lost     model.LostReason
	hasOld   bool // the old value stands here, because no write made it
	newKind  byte
	values   []byte // the new value and, where hasOld, kind and old value
}

// appendRecord packs a write.
func appendRecord(dst []byte, pos int64, r *record) []byte {
	flags := r.newKind << recordValue
	name := byte(nameCell)
	switch {
	case r.cell.class == classPosMessage:
		name = nameMessage
	case r.comes:
		name = nameComing
	case r.cell.class.lives():
		name = nameLife
	}
	flags |= name
	if r.previous >= 0 {
		flags |= recordPrevious
	}
	if r.hasOld {
		flags |= recordOld
	}
	if r.restores > 0 {
		flags |= recordRestores
	}
	dst = append(dst, flags)
	switch name {
	case nameCell:
		dst = packUint(dst, r.cell.n)
	case nameMessage:
		dst = packInt(dst, pos-r.cell.n)
	case nameComing:
		dst = varint.AppendText(append(dst, byte(r.cell.class)), r.segment)
	case nameLife:
		dst = packUint(packUint(dst, r.cell.k<<1|int64(r.cell.class-classMessage)), pos-r.cell.n)
	}
	if r.previous >= 0 {
		dst = packUint(dst, pos-r.previous)
	}
	if r.restores > 0 {
		dst = packInt(dst, pos-r.restores)
	}
	if r.newKind == valueAbsent && r.cell.class <= classMessage {
		dst = append(dst, byte(r.lost))
	}
	return append(dst, r.values...)
}

// recordWalk reads the records of one event.
type recordWalk struct {
	pos, seq int64
	rest     unpacker
	comings  [classPending + 1]int64
}

// next reads a record; false at the end or where the bytes are no records.
func (w *recordWalk) next(r *record) bool {
	if w.rest.Bad || !w.rest.More() {
		return false
	}
	u := unpack(w.rest.Text())
	flags := u.Byte()
	*r = record{previous: -1, newKind: flags >> recordValue, hasOld: flags&recordOld != 0}
	switch flags & recordName {
	case nameCell:
		r.cell = cellKey{class: classOther, n: u.Count()}
	case nameMessage:
		r.cell = cellKey{class: classPosMessage, n: w.pos - u.Int()}
		r.segment = model.MessageKey(max(r.cell.n, 0))
	case nameComing:
		class := cellClass(u.Byte())
		if class != classMessage && class != classPending {
			u.Fail()
			break
		}
		r.comes, r.segment = true, string(u.Text())
		r.cell = cellKey{class: class, n: w.pos, k: w.comings[class]}
		w.comings[class]++
	case nameLife:
		k := u.Count()
		r.cell = cellKey{class: classMessage + cellClass(k&1), k: k >> 1, n: w.pos - u.Count()}
	}
	if flags&recordPrevious != 0 {
		r.previous = w.pos - u.Count()
	}
	if flags&recordRestores != 0 {
		r.restores = w.pos - u.Int()
	}
	if r.newKind == valueAbsent && r.cell.class <= classMessage {
		r.lost = model.LostReason(u.Byte())
	}
	r.values = u.Rest
	w.rest.Bad = u.Bad || w.rest.Bad
	return !w.rest.Bad
}

// newValue unpacks what the record writes, and the old value that stands in
// the record; segment is that of the cell.
func (r *record) newValue(pos int64, segment string) (value, old []byte, err error) {
	u := unpack(r.values)
	at := valuePlace{pos: pos, segment: segment}
	value = unpackValue(&u, r.newKind, at)
	if r.hasOld {
		old = unpackValue(&u, u.Byte(), at)
	}
	return value, old, u.err()
}

// appendEvent packs one event's records, each with its length before it.
func appendEvent(dst []byte, pos, seq int64, records []byte) []byte {
	dst = packInt(append(dst, byte(pos&(writesSpan-1))), seq-pos)
	return varint.AppendText(dst, records)
}

// eventWalk reads the events of a row of writes.
type eventWalk struct {
	first int64
	rest  unpacker
}

// next reads an event; false at the end or where the bytes are no events.
func (e *eventWalk) next(w *recordWalk) bool {
	if e.rest.Bad || !e.rest.More() {
		return false
	}
	pos := e.first + int64(e.rest.Byte()&(writesSpan-1))
	seq := pos + e.rest.Int()
	*w = recordWalk{pos: pos, seq: seq, rest: unpack(e.rest.Text())}
	return !e.rest.Bad
}

// walkEvent finds the event at pos in the row that would hold it.
func walkEvent(data []byte, pos int64) (w recordWalk, ok bool) {
	e := eventWalk{first: pos &^ (writesSpan - 1), rest: unpack(data)}
	for e.next(&w) {
		if w.pos == pos {
			return w, true
		}
	}
	return w, false
}

// cutEvents gives the part of a row that stands before pos.
func cutEvents(data []byte, pos int64) []byte {
	e := eventWalk{first: pos &^ (writesSpan - 1), rest: unpack(data)}
	var w recordWalk
	for kept := len(data); ; kept = len(e.rest.Rest) {
		if !e.next(&w) {
			return slices.Clip(data)
		}
		if w.pos >= pos {
			return data[: len(data)-kept : len(data)-kept]
		}
	}
}
