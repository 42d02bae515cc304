package claudecode

import (
	"strconv"
	"strings"
)

// note is what Decode tells the linker beyond the event's own fields. It
// travels as text (Event.Note).
type note struct {
	Flags   flags
	Group   string // the provider's message that the record is a block of
	Request string // the api-request that a response names; of an api-request its own id
	Calls   []call // calls beyond the event's own
	Ids     []string
	Line    string // first line of a prompt, a title's text, a status
}

// call is a tool call in a record that holds several.
type call struct{ ID, Tool string }

// flags are the yes-or-no facts of a record.
type flags uint32

const (
	fromUser     flags = 1 << iota // a user record: what a response can be made from
	isPrompt                       // a person's words
	clientText                     // a user record that the client wrote
	answers                        // tool results
	notifies                       // the end of a background task
	fromModel                      // a block of a provider's message
	asModel                        // a record that the client wrote in the assistant's name
	isBoundary                     // a compaction
	isSummary                      // its summary
	isMicro                        // a micro-compaction
	isRequest                      // a recorded request
	isRetry                        // the provider refused, and is asked again
	endsTurn                       // the model has no more to say
	breaks                         // the run fails here
	interrupts                     // the person stopped the run
	totals                         // its usage is the total so far
	runTotals                      // its usage is that of the run so far
	setsTitle                      // Line is a title that was chosen
	guessesTitle                   // Line is a title that the program made
)

func (f flags) has(g flags) bool { return f&g != 0 }

const (
	noteFields = 6
	noteSep    = "\x1f"
	listSep    = "\x1e"
)

// String is the note as text; empty for one that says nothing.
func (n *note) String() string {
	if n.Flags == 0 && n.Group == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(strconv.FormatUint(uint64(n.Flags), 16))
	b.WriteString(noteSep)
	b.WriteString(n.Group)
	b.WriteString(noteSep)
	b.WriteString(n.Request)
	b.WriteString(noteSep)
	for i, c := range n.Calls {
		if i > 0 {
			b.WriteString(listSep)
		}
		b.WriteString(c.ID + listSep + c.Tool)
	}
	b.WriteString(noteSep)
	b.WriteString(strings.Join(n.Ids, listSep))
	b.WriteString(noteSep)
	b.WriteString(n.Line)
	return b.String()
}

// parseNote reads what String wrote. An id of a dump may hold a separator: then
// it is cut there and names nothing.
func parseNote(s string) (n note) {
	if s == "" {
		return n
	}
	part := strings.SplitN(s, noteSep, noteFields)
	if len(part) < noteFields {
		return n
	}
	f, _ := strconv.ParseUint(part[0], 16, 32)
	n.Flags, n.Group, n.Request, n.Line = flags(f), part[1], part[2], part[5]
	if part[3] != "" {
		list := strings.Split(part[3], listSep)
		for i := 0; i+1 < len(list); i += 2 {
			n.Calls = append(n.Calls, call{list[i], list[i+1]})
		}
	}
	if part[4] != "" {
		n.Ids = strings.Split(part[4], listSep)
	}
	return n
}
