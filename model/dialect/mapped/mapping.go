// Package mapped reads any stream of JSON records by a mapping that its user
// writes: where the id, order, time, type and session of a record stand, and
// what records of which type do. A mapping is data; New makes a dialect of it.
//
// Places in a record are named by JSON Pointer (RFC 6901). A token that meets a
// string goes on in the JSON that the string holds. "@" is the element at hand
// of an effect for each element of a list (else the record), "@/x" a place in
// it, "@key" its name or number.
package mapped

// Mapping is a mapping as its file has it. The tags are the keys there.
type Mapping struct {
	Name      string   `key:"name"`       // of the dialect: a to z, 0 to 9, dashes
	Title     string   `key:"title"`      // of the program, for people
	Records   []string `key:"records"`    // keys of arrays that hold the records where a file is one object
	GlobalIDs bool     `key:"global_ids"` // an id names one event of the whole dump
	Detect    Detect   `key:"detect"`
	Event     Event    `key:"event"`
	Rules     []Rule   `key:"rule"`
}

// Detect says which files are of this format. Without any of its keys those are
// whose records have the id, the sequence and the type.
type Detect struct {
	Files   []string            `key:"files"`   // globs of names
	Present []string            `key:"present"` // pointers
	Values  map[string][]string `key:"values"`  // pointer to globs of its value
}

// Event says where every record has what makes an event of it.
type Event struct {
	ID            Value   `key:"id"`
	Sequence      Value   `key:"sequence"`
	Time          Value   `key:"time"`
	Type          Value   `key:"type"`
	Session       Value   `key:"session"`
	SessionTitle  Value   `key:"session_title"`
	SessionParent Value   `key:"session_parent"` // the id of the session that made this one
	SpawnedBy     Value   `key:"spawned_by"`     // the event or call of that session that did
	Aliases       []Value `key:"aliases"`        // further ids
	Fields
}

// Fields are what both all records and those of a rule may say; the rule's word
// counts.
type Fields struct {
	Parent Value   `key:"parent"` // the id of the event before it in a tree
	Cause  Value   `key:"cause"`  // the id of the event, or of the events, that led to it
	Call   Value   `key:"call"`   // the id that a call and its result share
	Tool   Value   `key:"tool"`
	Source Value   `key:"source"`
	Title  Value   `key:"title"`
	Failed *Failed `key:"failed"`
}

// Rule is for the records that it describes. All rules that fit a record count:
// their effects add up, and of what else they say the first.
type Rule struct {
	Type    []string            `key:"type"`   // globs of the type
	Has     []string            `key:"has"`    // pointers to what must be there
	Values  map[string][]string `key:"values"` // pointer to globs of its value
	Kind    string              `key:"kind"`   // in place of the one that the effects suggest
	Hidden  bool                `key:"hidden"` // noise
	Effects []Effect            `key:"effects"`
	Fields
}

// Failed tells a failure: by the value at a pointer (null, false, "", 0 and
// empty containers are none), by what that is or is not, or of all records.
type Failed struct {
	At     string   `key:"at"`
	Is     []string `key:"is"`  // globs
	Not    []string `key:"not"` // globs
	Always bool     `key:"always"`
}

// Value is what an effect or a field is given: exactly one of At, Text and
// Const is set, none where it is not given.
type Value struct {
	At        string            `key:"at"`        // pointer
	Text      string            `key:"text"`      // text with pointers in braces
	Const     string            `key:"const"`     // JSON
	Map       map[string]string `key:"map"`       // other words for what stands at the pointer
	Otherwise string            `key:"otherwise"` // where nothing stands there, or the map has no word for it
}

// Given reports whether there is a value at all.
func (v Value) Given() bool { return v.At != "" || v.Text != "" || v.Const != "" }

// Effect is one thing that a record does, or several of a kind: one for each
// element of the list, or member of the object, at Each.
type Effect struct {
	Do   string
	Each string // pointer
	Args map[string]Value
}

// Error is a mapping that cannot be meant: which key, and what to write there.
type Error struct {
	Key     string // as rule[2].effects[0].text, counted from 0
	Message string
	Hint    string
}

// Error is the key with the message.
func (e *Error) Error() string { return e.Key + ": " + e.Message }
