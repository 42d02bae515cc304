package model

// Write is one change of one cell by one event. A cell is the smallest part of
// the state document that is written whole: a leaf of status, shell, usage and
// errors, a member of messages, files, tasks and pending, the checkpoint, a
// value below /vars.
type Write struct {
	Path string // JSON Pointer (RFC 6901) of the cell
	Pos  int64  // of the event
	Old  Value  // absent: the cell came into being
	New  Value  // absent: the cell is gone
	// Restores is the pos of the write whose value this one brings back; 0 for
	// any other write.
	Restores int64
	// Lost says why a message left /context/messages; meaningful where New is
	// absent there.
	Lost LostReason
}

// Value is what a cell holds. Of a file the text stands apart from the JSON
// object of its other members (certainty, lines, sha256, written_by,
// written_pos), in that order; of any other cell JSON is all of it.
type Value struct {
	JSON []byte  // nil: absent
	Text *string // of a file; nil where nothing of it is known
}

// Absent reports that the cell does not exist.
func (v Value) Absent() bool { return v.JSON == nil }

// The collections of the state document, whose members come and go.
const (
	PathMessages = "/context/messages"
	PathFiles    = "/files"
	PathTasks    = "/tasks"
	PathPending  = "/pending"
	PathVars     = "/vars"
)

// Op is what a write or a change does.
type Op uint8

// The operations, as JSON Patch (RFC 6902) names them.
const (
	OpAdd Op = iota
	OpRemove
	OpReplace
)

// String is the operation's name in JSON.
func (o Op) String() string { return nameOf([]string{"add", "remove", "replace"}, int(o)) }

// Op says what the write does.
func (w Write) Op() Op {
	switch {
	case w.Old.Absent():
		return OpAdd
	case w.New.Absent():
		return OpRemove
	}
	return OpReplace
}

// Note is something that the fold noticed on the way: a fact for a finding.
type Note struct {
	Kind NoteKind
	Pos  int64  // the event that shows it
	Path string // the cell it is about, if any
	Text string // what was seen, for people
}

// NoteKind names what was noticed.
type NoteKind uint8

// What the fold notices.
const (
	// NoteOutside: a record shows a file's text that the recorded writes do not
	// explain.
	NoteOutside NoteKind = iota
	// NoteNoMatch: an edit's old text does not stand in the tracked text.
	NoteNoMatch
	// NoteForgetsUnknown: a Forget names what was not in view.
	NoteForgetsUnknown
	// NoteSeen: a look at a file that something may have changed showed another
	// text. Nothing is wrong with it, but the event did not write that text.
	NoteSeen
	// NoteAmbiguous: an edit's old text stands several times in the tracked text.
	// Nothing tells that the place that was changed is the one that was meant.
	NoteAmbiguous
)

var noteKinds = [...]string{"outside-change", "edit-no-match", "forgets-unknown", "seen", "edit-ambiguous"}

// String is the rule of check that makes a finding of it; seen is none.
func (k NoteKind) String() string {
	if int(k) < len(noteKinds) {
		return noteKinds[k]
	}
	return "other"
}
