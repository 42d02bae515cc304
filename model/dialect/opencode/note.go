package opencode

import (
	"strconv"
	"strings"
)

// note is what Decode tells the linker beyond the event's own fields.
type note struct {
	Op     op
	Stage  stage
	Flags  flags
	Object string // id of the message or part; of a session ""
	Parent string // a message's parentID, a part's message, a session's parent
	State  string // a message's role; a call's status; a part's type otherwise
	Other  string // the session that a task made; a session's revert; a request that a reply answers
	Text   string // a title without what only the stream tells
	Agent  string // of a session or message; of a session with its model
	Sum    string // of what the object says, to know a change
	Extra  string // version of a session; provider of a message; call that a permission is about
}

// flags are the yes-or-no facts of a record.
type flags uint32

const (
	isFailed    flags = 1 << iota // a call's result, or a message's error
	isAborted                     // a message that the user stopped
	isSummary                     // a message that summarises what is left behind
	isFinished                    // a message that came to its end
	isIdle                        // and after it the agent waits
	isEmpty                       // a text without characters
	isEnded                       // a text that is complete
	isTimed                       // a text that says when it began
	isSynthetic                   // a text that the program put in
	isPruned                      // an output that was taken out of the context
	isTail                        // a compaction that keeps a tail
	isPartial                     // a session's changed members only
	isArchived
	isTwin // stands in the log's form as well
)

func (f flags) has(g flags) bool { return f&g != 0 }

// String is the note as text: numbers, then each text behind its length.
func (n *note) String() string {
	var b strings.Builder
	b.Grow(64 + len(n.Object) + len(n.Parent) + len(n.Other) + len(n.Text))
	b.WriteByte('a' + byte(n.Op))
	b.WriteByte('0' + byte(n.Stage))
	b.WriteString(strconv.FormatUint(uint64(n.Flags), 16))
	for _, s := range n.texts() {
		b.WriteByte(';')
		b.WriteString(strconv.Itoa(len(*s)))
		b.WriteByte(':')
		b.WriteString(*s)
	}
	return b.String()
}

func (n *note) texts() [8]*string {
	return [8]*string{&n.Object, &n.Parent, &n.State, &n.Other, &n.Text, &n.Agent, &n.Sum, &n.Extra}
}

// parseNote reads what String wrote; of anything else it gives the zero note.
func parseNote(s string) (n note) {
	head, rest, ok := strings.Cut(s, ";")
	if !ok || len(head) < 3 {
		return note{}
	}
	bits, err := strconv.ParseUint(head[2:], 16, 32)
	if err != nil {
		return note{}
	}
	n.Op, n.Stage, n.Flags = op(head[0]-'a'), stage(head[1]-'0'), flags(bits)
	for _, to := range n.texts() {
		length, text, ok := strings.Cut(rest, ":")
		size, err := strconv.Atoi(length)
		if !ok || err != nil || size < 0 || size > len(text) {
			return note{}
		}
		*to = text[:size]
		rest = strings.TrimPrefix(text[size:], ";")
	}
	return n
}
