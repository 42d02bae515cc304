package model

// Event is one record of a session, or one of several moments that a record
// holds. A dialect fills it from the record's bytes, a Linker completes it in
// replay order, and the index stores it; the raw bytes stay in the source and
// are named by Span.
type Event struct {
	Session string // session id; empty while decoding means the stream's default
	Pos     int64  // 1-based rank in replay order, unique in a session
	Seq     int64  // the number people type: the source's own where HasSeq, else Pos
	HasSeq  bool   // the record carried a usable sequence number
	ID      string // identity as written in the record; empty where it has none

	// Aliases are other ids the record carries (message, part, call, response)
	// by which a person may address it. The first event that carries one wins.
	Aliases []string

	Type    string // the dialect's own type name
	Kind    Kind
	Origin  Origin
	Time    Time
	Source  string // who emitted it, in the dialect's words: user, agent, environment, ...
	Tool    string // tool name, where the event is about a call
	Call    string // call id, where the event is about a call
	Title   string // one line, decoded text, at most TitleLimit bytes; not neutralised
	Outcome Outcome
	Noise   bool // hidden by default on screen; never hidden from queries

	Links []Link
	// Usage is what this record says of tokens and money, per event; nil where
	// it says nothing. Note is the dialect's own word from its Decode to its
	// Linker. Both are carried between the two and need not be stored.
	Usage *Usage
	Note  string

	Span Span
	Hash uint64 // of the record's bytes, to recognise copies; not cryptographic

	// Cause is the preferred causal link's target, chosen by PreferredCause
	// once links are resolved; Pos 0 means none. Root and Depth follow it:
	// Root is the pos of the chain's end in this session (the event itself
	// where it has no cause), Depth the number of steps to it.
	Cause *Link
	Root  int64
	Depth int64
	// Mate is the pos of the other half of a call in the same session: on a
	// call its first result; on that first result its call. 0 means none known;
	// a second result for the same call has none.
	Mate int64
}

// TitleLimit bounds Event.Title, in bytes. Longer titles are cut at a rune
// boundary and end in "…".
const TitleLimit = 160

// Span says where the bytes of a record stand: a source of the index, and a
// range of bytes in the unpacked source.
type Span struct {
	Source int64 // id of the source in the index; 0 while decoding
	Offset int64
	Length int64
}

// End is the offset just past the span.
func (s Span) End() int64 { return s.Offset + s.Length }

// Kind is hindcast's small vocabulary over all dialects.
type Kind uint8

// The kinds. KindOther is the zero value: what no dialect could place.
const (
	KindOther Kind = iota
	KindMessage
	KindAction
	KindObservation
	KindError
	KindCheckpoint
	KindSession
	KindState
	KindHook
	KindDelta
)

var kindNames = [...]string{"other", "message", "action", "observation", "error", "checkpoint", "session", "state", "hook", "delta"}

// Kinds lists every kind, in the order of their numbers.
func Kinds() []Kind {
	all := make([]Kind, len(kindNames))
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// String is the kind's name as the command line and JSON spell it.
func (k Kind) String() string { return nameOf(kindNames[:], int(k)) }

// ParseKind is the inverse of Kind.String.
func ParseKind(name string) (Kind, bool) {
	i := indexOf(kindNames[:], name)
	return Kind(max(i, 0)), i >= 0
}

// Origin says where an event's record comes from.
type Origin uint8

// The origins: a record of the session's own log; one of several moments of a
// record; what a session has from the one that it goes on from (see Base); a
// record that stands again.
const (
	OriginRecorded Origin = iota
	OriginDerived
	OriginInherited
	OriginCopied
)

var originNames = [...]string{"recorded", "derived", "inherited", "copied"}

// String is the origin's name in JSON.
func (o Origin) String() string { return nameOf(originNames[:], int(o)) }

// ParseOrigin is the inverse of Origin.String.
func ParseOrigin(name string) (Origin, bool) {
	i := indexOf(originNames[:], name)
	return Origin(max(i, 0)), i >= 0
}

// Outcome tells whether an event failed. Unknown is kept apart from ok: a
// result that does not say is not a success.
type Outcome uint8

// The outcomes. JSON writes them as null, false and true of "failed".
const (
	OutcomeUnknown Outcome = iota
	OutcomeOK
	OutcomeFailed
)

// Failed reports whether the event is known to have failed.
func (o Outcome) Failed() bool { return o == OutcomeFailed }

func nameOf(names []string, i int) string {
	if i < 0 || i >= len(names) {
		return "unknown"
	}
	return names[i]
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}
