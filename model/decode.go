package model

// This file is the contract between a format and the rest of hindcast. A
// dialect is pure: it sees names and bytes, never files.
//
//	Claim   which files of a dump are mine, in which order, framed how
//	Decode  one record's bytes to events; stateless, called from many goroutines
//	Linker  one session's events, one after another in replay order

// Dialect detects and decodes one format.
type Dialect interface {
	// Info describes the format for `hindcast dialects` and for help.
	Info() DialectInfo
	// Claim looks at a dump and returns the streams that it recognises. With
	// force it takes whatever it can possibly read.
	Claim(d Dump, force bool) []Stream
	// Decode reads one record (one JSON value of the stream's framing, already
	// validated) and emits its events in order. Emitted events have Span
	// relative to rec.Raw (zero Length means the whole record). An error
	// quarantines the record with the error's text as reason.
	// Emit copies what it is given.
	Decode(rec *Record, emit func(*Event)) error
	// NewLinker starts the stateful half for one session of the stream.
	NewLinker(s *Stream, session string) Linker
}

// Reorderer is a dialect whose streams of OrderRepair must be read whole to be
// ordered. Reorder returns the indexes of keys (which stand in arrival order)
// in replay order, each at most once; it must be deterministic. What it leaves
// out are records that others of the session tell better: they are evidence.
type Reorderer interface {
	Reorder(keys []OrderKey) []int
}

// OrderKey is what Reorder sees of an event.
type OrderKey struct {
	ID      string
	Aliases []string
	Type    string
	Parent  string // id of the event before it in the source's tree, if any
	Call    string
	Kind    Kind
	Time    Time
	Seq     int64 // meaningful where HasSeq
	HasSeq  bool
}

// KeyOf is what Reorder sees of an event.
func KeyOf(e *Event) OrderKey {
	return OrderKey{
		ID: e.ID, Aliases: e.Aliases, Type: e.Type, Parent: parentOf(e), Call: e.Call, Kind: e.Kind, Time: e.Time, Seq: e.Seq, HasSeq: e.HasSeq,
	}
}

// parentOf is the id that a recorded link to the event's parent names.
func parentOf(e *Event) string {
	for _, l := range e.Links {
		if l.Reason != ReasonParent || l.Inferred {
			continue
		}
		if l.ToID != "" {
			return l.ToID
		}
		return l.To.ID
	}
	return ""
}

// DialectInfo says what a dialect is and what it can tell.
type DialectInfo struct {
	Name     string   // as on the command line
	Title    string   // the program, in a few words
	Versions string   // versions seen
	Packs    []string // packagings that are opened
	Detects  string   // how detection decides, one sentence
	// Layout: Claim knows folders of many files by their names, and looks into
	// few. It is asked first, and what it is sure of nobody else looks into.
	Layout  bool
	Context string // exact, partial, none: whether the model's context can be told
	Files   string // known, partial, none
	Cost    string // recorded, totals, none
	Status  string // recorded, inferred, none
	// GlobalIDs: an id names one event of the whole dump, and a link may lead
	// into any other session.
	GlobalIDs bool
	// OwnShells: each command has a shell of its own, in a directory that its call
	// names or the session has: that of one command is not left for the next.
	OwnShells bool
}

// Dump is what Claim sees: the files of a dump in path order, and their first
// bytes. A single file is a dump of one.
type Dump interface {
	Files() []File
	// Head returns up to n of the file's first unpacked bytes. It may be asked
	// for any n; asking for more than 4 MiB returns 4 MiB.
	Head(file int, n int) []byte
}

// File is a member of a dump.
type File struct {
	Name string // slash-separated, relative to the dump's root; for one file its base name
	Size int64  // bytes unpacked, -1 where unknown (a pipe, a table)
	// Database is the name of the database that the file is a table of, empty
	// where it is none. A table's name is Database, a slash and its own. It is
	// read as JSON lines, an object a row, with the columns in their order as
	// keys: numbers, strings (JSON text in a column stays a string), null, and
	// {"$base64":TEXT} for bytes that are no text. Rows stand in the order of
	// the rowid, which is the first key where no column holds it, else in that
	// of the primary key.
	Database string
}

// Stream is a run of files that one dialect reads in order as one or more
// sessions.
type Stream struct {
	Dialect    string
	Version    string // of the writer, as far as the files tell
	Confidence int    // 1 (a guess of last resort) to 100 (cannot be anything else)
	Reason     string // one clause for people: what was seen that decided it
	Files      []int  // indexes into Dump.Files, in reading order
	// Keys holds one order key for each of Files where a file is one record and
	// its name gives its sequence number; nil otherwise.
	Keys     []int64
	Framing  Framing
	Order    Order
	Session  string // default session id for records that name none
	Parent   string // session id of the parent, where the layout tells
	Title    string
	Evidence []Evidence
	// Refused are files of the format that must not be read, because they hold
	// secrets, say: nobody else gets them either. What is the reason, for people.
	// Only what a Layout dialect is sure of is kept from the looks of the others.
	Refused []Evidence
	// Meta is the dialect's own note to its Decode and NewLinker, made by Claim.
	Meta any
}

// Evidence is a file that holds no events but is read.
type Evidence struct {
	File int
	What string // checkpoint, metadata, projection, packaging, ...
}

// Record is one JSON value on its way into a dialect.
type Record struct {
	Stream *Stream
	File   int    // index into Dump.Files
	Name   string // the file's name
	Index  int64  // 0-based ordinal in its file
	Key    int64  // from Stream.Keys where present
	Offset int64  // of Raw in the unpacked file
	Raw    []byte // valid until Decode returns
	// Scratch, where not nil, is room that Decode may use for the event that it
	// emits, so that not each costs an allocation.
	Scratch *Event
	// Room, where not nil, is room likewise, for text that Decode makes: it may
	// leave it larger, and finds in it what the last one left.
	Room *[]byte
	// Evidence is set by Decode: how many bytes that are no event's hold what is
	// read but is none: once more what the events tell, or an example.
	Evidence int64
}

// Framing says how a file's bytes fall into records.
type Framing struct {
	Mode FramingMode
	// Member is the key of the array that holds the records, for FrameMember.
	// An object under the key Beside, in the same wrapper, is a record as well.
	Member string
	Beside string
	// Torn: a record that the input ends within is a record up to where it
	// stands, for it is a document that holds many moments. Elsewhere half a
	// record is quarantined, since what it lacks would be taken for not there.
	Torn bool
}

// FramingMode is a way to find records in bytes.
type FramingMode uint8

// The framings. Bytes that belong to no record (separators, wrappers) are
// structure; what cannot be read is quarantined.
const (
	FrameLines    FramingMode = iota // JSON values, each within a line (JSONL; several on a line are allowed)
	FrameValues                      // a stream of JSON values over any number of lines
	FrameElements                    // the elements of one top-level array
	FrameMember                      // the elements of the array under key Member of each top-level object
	FrameWhole                       // the file is one record
)

// Order says how pos follows from a stream.
type Order uint8

// The orders. OrderSeq sorts by Event.Seq within a session (an event without
// one stays behind its neighbour); OrderArrival keeps reading order;
// OrderRepair asks the dialect's Reorderer once all has been read.
const (
	OrderSeq Order = iota
	OrderArrival
	OrderRepair
)

// Linker completes the events of one session in replay order. It keeps what it
// needs between events and can save it, so that an import continues later.
type Linker interface {
	// Link is called once for each event, with Pos and Seq final. It resolves
	// or adds links, fills in what only the stream tells (tool of a result),
	// and may change Kind, Outcome or Title, or make Origin OriginCopied where
	// the record stands again with other bytes. Links by ToID that it leaves
	// unresolved are resolved by id within the session by the importer.
	//
	// In a session with a Base the events from there come first, with Origin
	// inherited: they leave their mark on what follows (open calls, the head of a
	// conversation), but what such a record says of its session (parent, base) is
	// of the base.
	Link(e *Event, look Lookup)
	// Summary tells the session's outcome and counters so far. A Base may become
	// known with any record; what is inherited is put before the session's own
	// events once all records are there. Usage counts inherited events in.
	Summary() Summary
	// Save and Load carry the working state across a stop. Load gets what Save
	// returned, written by the same version of the program.
	Save() ([]byte, error)
	Load(state []byte) error
}

// Lookup answers about earlier events of the session.
type Lookup interface {
	// ByID finds the first event with that id or alias.
	ByID(id string) (Brief, bool)
	// At finds an event by pos.
	At(pos int64) (Brief, bool)
}

// Brief is the little that is kept at hand of every earlier event.
type Brief struct {
	Pos  int64
	Seq  int64
	Kind Kind
}

// Summary is what a Linker knows of its session as a whole.
type Summary struct {
	Title     string
	Version   string
	Parent    string
	Base      Base // where the session goes on from, as far as a record told
	Outcome   string
	OpenCalls int64
	Usage     Usage
}
