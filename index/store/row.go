package store

import "hindcast/model"

// An event's row is addressed by one integer that holds session and pos. The
// first session's keys are its positions, so that in the common dump of one
// session keys, and with them every index entry, take 3 bytes instead of 6.
const (
	posBits = 32
	posMask = 1<<posBits - 1
)

func keyOf(session, pos int64) int64  { return (session-1)<<posBits | pos&posMask }
func sessionOf(key int64) int64       { return key>>posBits + 1 }
func posOf(key int64) int64           { return key & posMask }
func keys(session int64) (a, b int64) { return keyOf(session, 0), keyOf(session, posMask) }

// flags packs what is small about an event:
//
//	bits 0-4   time: 0 unknown, else 1 + 2*digits + naive
//	bit  5     the seq is the source's own
//	bits 6-7   outcome
//	bits 8-11  kind
//	bit  12    turn: a message of the user
//	bits 13-14 origin
//	bit  15    noise
//	bits 16-19 reason of the link to the preferred cause, and whether it is inferred
//	bit  20    the call is the event's own id
//	bits 21-   number of the shape
//
// A column of its own for each of the last three would cost more than they are.
const (
	flagSeq      = 1 << 5
	shiftOutcome = 6
	shiftKind    = 8
	flagTurn     = 1 << 12
	shiftOrigin  = 13
	flagNoise    = 1 << 15
	shiftVia     = 16
	maskVia      = 15
	flagOwnCall  = 1 << 20
	shiftShape   = 21
)

func packFlags(e *model.Event) int64 {
	f := timeForm(e.Time) | int64(e.Outcome&3)<<shiftOutcome | int64(e.Kind&15)<<shiftKind | int64(e.Origin&3)<<shiftOrigin
	if e.HasSeq {
		f |= flagSeq
	}
	if e.Noise {
		f |= flagNoise
	}
	if e.Kind == model.KindMessage && e.Source == "user" {
		f |= flagTurn
	}
	if e.Call != "" && e.Call == e.ID {
		f |= flagOwnCall
	}
	return f
}

func unpackFlags(f int64, e *model.Event) {
	e.Outcome = model.Outcome(f >> shiftOutcome & 3)
	e.Kind = model.Kind(f >> shiftKind & 15)
	e.Origin = model.Origin(f >> shiftOrigin & 3)
	e.HasSeq = f&flagSeq != 0
	e.Noise = f&flagNoise != 0
	if f&flagOwnCall != 0 {
		e.Call = e.ID
	}
}

func timeForm(t model.Time) int64 {
	if !t.Known {
		return 0
	}
	form := 1 + 2*int64(min(t.Digits, 9))
	if t.Naive {
		form++
	}
	return form
}

func timeOf(form, nanos int64) model.Time {
	if form &= 31; form == 0 {
		return model.Time{}
	}
	form--
	return model.Time{Nanos: nanos, Known: true, Naive: form&1 != 0, Digits: uint8(form >> 1)}
}

func timeValue(t model.Time) any {
	if !t.Known {
		return nil
	}
	return t.Nanos
}

// packVia is what flags keep of the link to the preferred cause. That link is
// whole, so the low bits of its code say all of it.
func packVia(l model.Link) int64 { return packLink(l) & maskVia << shiftVia }

func unpackVia(flags int64) model.Link { return unpackLink(flags >> shiftVia & maskVia) }

// A link's code: bits 0-2 reason, bit 3 inferred, bits 4-5 what is broken.
func packLink(l model.Link) int64 {
	code := int64(l.Reason&7) | int64(l.Broken&3)<<4
	if l.Inferred {
		code |= 8
	}
	return code
}

func unpackLink(code int64) model.Link {
	return model.Link{Reason: model.Reason(code & 7), Inferred: code&8 != 0, Broken: model.Broken(code >> 4 & 3)}
}

// orNil stores 0 as NULL.
func orNil(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}
