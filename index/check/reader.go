package check

import (
	"context"

	"hindcast/model"
)

// Reader tells the facts about one session that rules judge.
type Reader interface {
	Session() model.Session
	Event(ctx context.Context, pos int64) (model.Event, error)
	// Notes are what the fold noticed, by pos.
	Notes(ctx context.Context) ([]model.Note, error)
	// WriterBefore finds the last event before pos that wrote a cell; 0: none.
	WriterBefore(ctx context.Context, path string, pos int64) (int64, error)
	// Checkpoints are the records that claim a state, in pos order, and behind
	// them states that stand beside the log.
	Checkpoints(ctx context.Context) ([]Checkpoint, error)
	// Unused lists the checkpoint files that neither a record names nor their
	// own word places in the log.
	Unused(ctx context.Context) ([]string, error)
	// Gaps lists the numbers that are missing in a sequence that is otherwise
	// without holes, up to the event at pos.
	Gaps(ctx context.Context, pos int64) ([]Gap, error)
}

// Checkpoint is a claim about the state of the session, held against the fold.
type Checkpoint struct {
	// Event is of the record; where a file beside the log makes the claim, the
	// base.
	Event model.Event
	Name  string // for people: its id, or the file
	// Named: the record says where it stands. A restart relies on it; otherwise
	// the base is taken to be what came before.
	Named bool
	Base  Base
	// Recorded: the state is there, and was compared where the base is known.
	Recorded    bool
	Differences []Difference
	// Missing are the ids of the recorded context that no event of the log has.
	Missing []string
	// Unread says what of the recorded state could not be compared, and why;
	// empty: all was, or there is none.
	Unread string
	// FileBase is the base that the checkpoint file names, where it is another
	// one than the record's.
	FileBase *int64
}

// Base is the event at which a checkpoint claims the state.
type Base struct {
	Seq    int64
	Pos    int64        // 0: not in the log, or not before the checkpoint
	Broken model.Broken // why Pos is 0
}

// Difference is a place where record and fold contradict each other.
type Difference struct {
	Path string // of the change, as diff has it
	Cell string
	By   int64 // the first event behind the base that brought what is recorded; 0: none did
	// Unsure: the fold does not claim to know what stood there.
	Unsure bool
}

// Gap is a run of sequence numbers that no event has.
type Gap struct{ From, To int64 }
