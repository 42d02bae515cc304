package model

// This file is the second half of the contract between a format and the rest
// of hindcast: how records become effects, and the context becomes messages.

// Teller is a dialect that tells what its records do. A dialect without it
// gives events and links only.
type Teller interface {
	// NewEffector starts the stateful half that turns one session's records into
	// effects, in replay order.
	NewEffector(s *Stream, session string) Effector
	// Messages gives what the provider got: the records in view, as one message
	// each or merged as the client merges them. live is the view of a process
	// that goes on, otherwise that of one that starts again from the log.
	Messages(view []Viewed, live bool) Conversation
}

// Effector turns records into effects. It is called once for every event of a
// session in pos order, copied and inherited ones included.
type Effector interface {
	// Effects reads one event's record; view is the state just before it. It
	// never fails: what it cannot read has no effects. raw may be kept: nobody
	// changes it any more.
	Effects(e *Event, raw []byte, view View) []Effect
	// Save and Load carry working state across a stop; Load gets what Save
	// returned, written by the same version of the program.
	Save() ([]byte, error)
	Load(state []byte) error
}

// Foreseer is an Effector that reads a record in two steps. The first needs no
// state: another goroutine does it ahead, while earlier records are folded.
type Foreseer interface {
	Effector
	// Foresee takes an event's record apart. It touches nothing of the effector
	// that the other methods change.
	Foresee(e *Event, raw []byte) any
	// EffectsOf is Effects of a record that Foresee took apart. It is asked once
	// for what Foresee gave, and may use that again.
	EffectsOf(foreseen any, e *Event, raw []byte, view View) []Effect
}

// Framer is a Teller whose messages hold text that stands in no record, which
// the program puts around a result. Of any other dialect, texts and arguments
// stand in the records: as their strings, or as written there.
type Framer interface{ Frames() }

// Claimer is a Teller that knows by an event which records claim a state.
type Claimer interface {
	// ClaimsState reports whether the record of an event may be a Snapshot.
	ClaimsState(e *Event) bool
}

// Resumer is a Teller whose view after a restart takes more of the log to tell
// than what is in view: what a condensation tore apart goes as a whole.
type Resumer interface {
	// Resume gives the records of view that a process has in view which starts
	// again from the log as it is after the event at pos at.
	Resume(view []Viewed, at int64, log Records) []Viewed
}

// Requester is a Teller of a format that records requests: what went to the
// provider, whole or as a difference from the request before.
type Requester interface {
	// Request gives the request behind the response that an event belongs to;
	// ok is false where none is recorded. view is what was in view just before
	// the response, log the session as a whole.
	Request(e Event, view []Viewed, log Records) (c Conversation, ok bool)
}

// Records reads the events of a session.
type Records interface {
	// Record gives an event of the session with its links and its bytes, or
	// false where that cannot be read. The bytes are valid until the next call.
	Record(pos int64) (Event, []byte, bool)
	// Find gives the pos of the first event that carries an id or alias; 0: none.
	Find(id string) int64
}

// View is what an effector sees of the fold, all of it as it stands before the
// event at hand.
type View interface {
	// File is a path's tracked text. ok is false where the path is not tracked;
	// text is nil where nothing of it is known.
	File(path string) (text *string, c Certainty, ok bool)
	// Cwd is the shell's directory, empty where not known.
	Cwd() string
	// Context lists the records in view in the order of their keys.
	Context() []Entry
	// Pending finds the event of an open call; 0 where none is open.
	Pending(call string) int64
	// Record gives an earlier event of the session with its links and its bytes,
	// or false where that cannot be read. The bytes are valid until the next call.
	Record(pos int64) (Event, []byte, bool)
	// Find gives the pos of the first event that carries an id or alias; 0: none.
	Find(id string) int64
}

// Entry is a record in the model's context.
type Entry struct {
	Key      string
	Pos      int64 // the event that says it
	Seq      int64
	Event    string // its id
	Response string
	Role     Role
	Chars    int64
	Tokens   int64 // TokensUnknown
	Summary  bool
	Replaced bool // its text was replaced (pruned)
}

// Viewed is a record in view with what is needed to make a message of it.
type Viewed struct {
	Entry
	Record Event  // zero where it cannot be read
	Raw    []byte // the record's bytes; nil where they cannot be read
}

// Conversation is a request as the provider got it, as far as the dump tells.
type Conversation struct {
	Messages []Message
	// Exact: the dialect records enough to be sure of every message.
	Exact bool
}

// Message is one message of a request. Text is its parts joined by a newline,
// thinking left out.
type Message struct {
	Role    Role
	Records []int // indexes into the view that it was made from; none where no record holds it
	Text    string
	Calls   []MessageCall
	Results []string // ids of the calls that it answers
	Tokens  int64    // TokensUnknown
	Summary bool
}

// MessageCall is a tool call in a message.
type MessageCall struct {
	ID, Tool string
	Args     string // as recorded; part of what the model has in view, but not of Text
}
