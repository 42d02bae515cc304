package model

// Address is a parsed event address (DESIGN: the same on the command line, in
// the `:` prompt and in links). Resolution against an index happens in
// package index; parsing needs no index, so an Address keeps every reading
// that its text allows, in the order in which they are tried.
type Address struct {
	Text     string // as typed
	Session  string // before @@, a prefix of a session id; empty where not named
	Readings []Reading
}

// Reading is one way to take an address's text.
type Reading struct {
	Form AddressForm
	Text string // id, prefix, mark name, or pasted error
	N    int64  // seq, pos, or the count of error:n, checkpoint:n, turn:n, ctx:n
	Step int64  // the offset of FormOffset: k events in pos order; of FormCheckpoint: records before its first or after its last
	Time Time   // FormTime
	Nano int64  // FormElapsed: nanoseconds from the session's start
	Base *Address
}

// AddressForm is a way to name an event.
type AddressForm uint8

// The forms.
const (
	FormFirst AddressForm = iota
	FormLast
	FormSeq        // N
	FormPos        // #N
	FormID         // an exact event id, else any other id that a record carries
	FormPrefix     // a unique prefix of an id, at least 4 characters
	FormOffset     // Base, then Step events on
	FormError      // error:N, negative from the end
	FormCheckpoint // checkpoint:N, Step records before (-) or after (+)
	FormTurn       // the N-th user message
	FormContext    // what stands as message N of a request
	FormMark       // a bookmark
	FormTime       // the last event not later than Time
	FormElapsed    // the last event not later than Nano after the start
	FormPasted     // ids or messages[n] found in a pasted provider error
)

// Range is a pair of addresses, A..B, both ends included.
type Range struct{ A, B Address }
