// Package chat is what dialects of message lists have in common: the word that
// a decoder passes to its linker, the links that follow from the order of
// messages, calls and results, the keys of messages that stand in one record,
// and the meaning of tools that many programs share. It knows no format.
package chat

import (
	"encoding/binary"

	"hindcast/model/varint"
)

// Note is what a decoder tells the linker of a record, as model.Event.Note.
type Note struct {
	Flags   Flags
	Calls   []string // ids of the calls that it makes; empty where they have none
	Tools   []string // their tools, in the same order; shorter where all have the event's
	Results []string // ids of the calls that it answers
	// What the record tells of its session; empty where it does not.
	Title, Version, Parent, Outcome string
}

// Flags are the yes-or-no facts of a record.
type Flags uint8

// The facts of a record.
const (
	// Prompt: somebody else than the model says it, and the model answers.
	Prompt Flags = 1 << iota
	// Reply: the model made it from what was said before, or failed to. It takes
	// an inferred source link to the last prompt or result.
	Reply
	// Copy: it stands elsewhere in the dump already.
	Copy
	// Total: its usage is that of the session so far, not its own.
	Total
	// Nearest: it answers the oldest call that is open, by its place alone.
	Nearest
	// Late: it says more of an earlier record; what was triggered stays as it is.
	Late
)

// Has reports whether any of these facts holds.
func (f Flags) Has(any Flags) bool { return f&any != 0 }

// String packs the note.
func (n *Note) String() string {
	b := append(make([]byte, 0, 32), byte(n.Flags))
	for _, list := range [][]string{n.Calls, n.Tools, n.Results} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = varint.AppendText(b, s)
		}
	}
	for _, s := range []string{n.Title, n.Version, n.Parent, n.Outcome} {
		b = varint.AppendText(b, s)
	}
	return string(b)
}

// ReadNote reads what String packed; of anything else what it can.
func ReadNote(packed string) (n Note) {
	if packed == "" {
		return n
	}
	r := varint.Of(packed)
	n.Flags = Flags(r.Byte())
	for _, list := range []*[]string{&n.Calls, &n.Tools, &n.Results} {
		for count := r.Count(); count > 0 && !r.Bad; count-- {
			*list = append(*list, r.Text())
		}
	}
	for _, s := range []*string{&n.Title, &n.Version, &n.Parent, &n.Outcome} {
		*s = r.Text()
	}
	return n
}
