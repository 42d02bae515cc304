package model

// Recorder is a dialect whose dumps hold recorded states: in a checkpoint's
// record, or in a file beside the events.
type Recorder interface {
	// Recorded reads a recorded state: what Snapshot.State carries, or the bytes
	// of the file that Snapshot.File names. It fails where that is no state.
	Recorded(raw []byte) (RecordedState, error)
}

// RecordedState is a state as a program recorded it, in the terms of the state
// document. Only what the record holds is there to be compared: a nil part is
// not recorded, an empty one is recorded as empty.
type RecordedState struct {
	// Checkpoint, Session and BaseSeq are what a checkpoint file says of itself;
	// empty, and HasBase false, where it does not.
	Checkpoint string
	Session    string
	BaseSeq    int64
	HasBase    bool

	Context   []string          // ids of the events in view, in order
	Files     map[string]string // whole texts by path, paths as written
	Cwd       *string           // empty: recorded as null
	Execution *string           // empty: recorded as null
	Tasks     []Task            // in order
	Vars      map[string][]byte // by name, JSON as written

	// Unread are JSON Pointers, into the state as it is recorded, to what it
	// holds beyond that or in a shape that the format does not know, in the
	// order of the record. It cannot be compared.
	Unread []string
}
