package openhands

import (
	"strconv"
	"strings"
)

// note is what Decode tells the linker beyond the event's own fields. It
// travels as text (Event.Note): a tag, the value's length, a colon, the value.
type note struct {
	Flags     flags
	Response  string   // id of the model's response that the record is part of
	Parent    string   // parent_id as written
	Status    string   // the conversation's state from here on
	Guards    string   // the event that a hook names
	Line      string   // first line of a user's message
	Version   string   // of the program that wrote the log
	Announces []string // calls that an assistant message carries itself
	From, To  string   // a range of ids that a condensation forgets
}

// flags are the yes-or-no facts of a record.
type flags uint32

const (
	isV0         flags = 1 << iota
	inView             // the model gets to see it (section 5 of the format)
	transparent        // never becomes the head of the conversation
	opensCall          // a call that runs until its result comes
	deadCall           // a call that could not be executed: it has a result but never ran
	answersCall        // a result
	sourced            // made from what was in view: takes a source link
	userTurn           // a message of the user
	turnEnds           // the agent handed the turn back
	pauses             // the conversation stops here
	breaks             // the conversation fails here
	blocks             // a hook that refused what it guards
	hookReject         // a rejection by a hook
	byNeighbour        // a result that names no call: the record before it is the call
	asksToForget       // a request for a condensation
	forgetsPast        // a condensation
	delegates          // opens a delegate, or closes one if it is a result
	recalls            // what the program looked up for a user's message
	hasParent          // parent_id was written
	noParentLink       // takes no inferred parent
	acp                // one of several records of a call, told apart by order
	ofResponse         // its usage is its response's own, not the total so far
)

func (f flags) has(g flags) bool { return f&g != 0 }

// String is the note as text.
func (n *note) String() string {
	var b strings.Builder
	put := func(tag byte, v string) {
		if v != "" {
			b.WriteByte(tag)
			b.WriteString(strconv.Itoa(len(v)))
			b.WriteByte(':')
			b.WriteString(v)
		}
	}
	put('f', strconv.FormatUint(uint64(n.Flags), 16))
	put('r', n.Response)
	put('p', n.Parent)
	put('s', n.Status)
	put('g', n.Guards)
	put('l', n.Line)
	put('v', n.Version)
	put('a', n.From)
	put('z', n.To)
	for _, c := range n.Announces {
		put('c', c)
	}
	return b.String()
}

// parseNote reads what String wrote; what it cannot read is left out.
func parseNote(s string) note {
	var n note
	for len(s) > 0 {
		colon := strings.IndexByte(s, ':')
		if colon < 1 {
			return n
		}
		size, err := strconv.Atoi(s[1:colon])
		if err != nil || size < 0 || size > len(s)-colon-1 {
			return n
		}
		n.set(s[0], s[colon+1:colon+1+size])
		s = s[colon+1+size:]
	}
	return n
}

func (n *note) set(tag byte, v string) {
	switch tag {
	case 'f':
		f, _ := strconv.ParseUint(v, 16, 32)
		n.Flags = flags(f)
	case 'r':
		n.Response = v
	case 'p':
		n.Parent = v
	case 's':
		n.Status = v
	case 'g':
		n.Guards = v
	case 'l':
		n.Line = v
	case 'v':
		n.Version = v
	case 'a':
		n.From = v
	case 'z':
		n.To = v
	case 'c':
		n.Announces = append(n.Announces, v)
	}
}
