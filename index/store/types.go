package store

import "hindcast/model"

// Source is one member of the dump: what was read of it, and where its bytes
// went. Bytes are those of the unpacked member.
type Source struct {
	ID      int64 // from 1, given by the importer
	Name    string
	Path    string // the file that holds its bytes; empty where they stand in the dump alone, and at no offset
	Role    string
	Dialect string
	Stream  int64 // 0: belongs to none
	Spooled bool  // its bytes stand in the index, in blocks
	Size    int64 // -1 unknown
	Indexed int64 // bytes read so far
	Records int64

	EventBytes, StructureBytes, EvidenceBytes, QuarantinedBytes int64

	Head, Tail          uint64 // hashes of the first and last indexed bytes
	ModTime, ChangeTime int64  // ns since 1970
	Inode               uint64
	Done                bool
}

// Stream is a run of sources that one dialect reads in order.
type Stream struct {
	ID                       int64 // from 1, given by the importer
	Dialect, Version, Reason string
	Confidence               int
	Order                    model.Order
	Session, Parent, Title   string
	Spec                     []byte // the importer's own, opaque
}

// SessionRow is a session with what the importer needs to go on with it.
type SessionRow struct {
	model.Session // Key from 1, given by the importer
	Stream        int64
	Rank          int64  // order of the first event in the dump
	State         []byte // linker state, opaque; nil keeps what the index has
	Order         model.Order
	SeqSorted     bool // seq never decreases with pos
}

// EventRow is an event on its way into the index. Of Event.Links the one that
// equals *Event.Cause is stored on the row, the others beside it.
type EventRow struct {
	Session int64 // key
	Event   *model.Event
	// LinkTo names the session key of each link's target, parallel to
	// Event.Links; a short slice or 0 means the event's own session.
	LinkTo []int64
}

// Link adds a link to an event that is stored already. It never changes the
// event's cause. Adding the same link again has no effect.
type Link struct {
	Session, Pos int64 // of the event that the link starts from
	Link         model.Link
	ToSession    int64 // 0: the same session
}

// Cause sets the preferred cause, root and depth of a stored event. A zero
// Link.To.Pos takes the cause away.
type Cause struct {
	Session, Pos int64
	Link         model.Link
	ToSession    int64 // 0: the same session
	Root, Depth  int64
}

// Mended makes a broken link of a stored event whole: the link that has the
// same reason and ToID gets Link's target. AsCause makes it the preferred
// cause, and what was the cause an ordinary link.
type Mended struct {
	Session, Pos int64
	Link         model.Link
	ToSession    int64 // 0: the same session
	AsCause      bool
}

// Pointed sets the target of a link that a stored event has to one of another
// session. N is the link's place among the event's, as PointedAt tells it.
type Pointed struct {
	Session, Pos, N  int64
	ToSession, ToPos int64
}

// Mate sets the other half of a stored event; 0 takes it away.
type Mate struct{ Session, Pos, Mate int64 }

// Cut deletes the events of a session from a pos on, with their links and
// aliases, and frees calls before it whose result stood behind it.
type Cut struct{ Session, From int64 }

// Quarantine is a span that could not be read as events.
type Quarantine struct {
	Source, Offset, Length int64
	Reason                 string
}

// Evidence is a span that holds no events but is read.
type Evidence struct {
	Source, Offset, Length int64
	What                   string
}

// Skipped is a member of the dump that was not read at all.
type Skipped struct{ Name, Reason string }

// SpoolBlock keeps Raw bytes of a source from Offset on, compressed by
// EncodeBlock.
type SpoolBlock struct {
	Source, Offset, Raw int64
	Data                []byte
}

// Batch is what one transaction brings. Its parts are applied in the order of
// the fields. Streams, sources and sessions replace the rows of the same key;
// the events of a session come in pos order.
type Batch struct {
	Reread      []Quarantine // spans that are not quarantined any more
	Cuts        []Cut
	Drop        []int64 // sessions to delete with all that is theirs, by key
	Streams     []Stream
	Sources     []Source
	Sessions    []SessionRow
	Events      []EventRow
	Links       []Link
	Mended      []Mended
	Pointed     []Pointed
	Causes      []Cause
	Mates       []Mate
	Quarantined []Quarantine
	Evidence    []Evidence
	Skipped     []Skipped
	Spool       []SpoolBlock
	Meta        map[string]string // an empty value deletes the key
}
