package check

import (
	"context"
	"encoding/json"

	"hindcast/model"
)

// Reader tells the facts about one session that rules judge.
type Reader interface {
	Session() model.Session
	// BaseThere: the dump holds the session that this one goes on from.
	BaseThere(ctx context.Context) (bool, error)
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
	// OpenCalls are those that have no result by the end, in pos order.
	OpenCalls(ctx context.Context) ([]OpenCall, error)
	// Results are those that no call has as its first, in pos order.
	Results(ctx context.Context) ([]Result, error)
	// Cuts are the events that took part of what belongs together out of the
	// model's context, in pos order.
	Cuts(ctx context.Context) ([]Cut, error)
	// Repeats are the records that carry an earlier record's id, by what differs.
	Repeats(ctx context.Context) ([]Repeat, error)
	// Shared are the user's messages that stand in a later session of the dump as
	// well, by session.
	Shared(ctx context.Context) ([]Shared, error)
	// Moves are the changes of the shell's directory that no command explains, in
	// pos order.
	Moves(ctx context.Context) ([]Move, error)
}

// OpenCall is a call that nothing answered.
type OpenCall struct {
	Event model.Event
	Next  model.Event // the record behind it; Pos 0: none
	// Later: the run went on without a result.
	Later bool
}

// Result is a result without a call, or a further one of a call.
type Result struct {
	Event model.Event
	Call  model.Event // Pos 0: the log has none
	First model.Event // the call's first result
	// Early: nothing before it called anything; the log may begin in the middle.
	Early bool
}

// Cut is an event that took messages out of the context.
type Cut struct {
	Event  model.Event
	Pieces []Piece // what it left, in pos order
}

// Piece is a record in view that lost its other half.
type Piece struct {
	Event model.Event
	Lost  model.Event // what it belongs to
	Loss  Loss
	// Response is the id of the answer that both are part of; of LossBatch.
	Response string
}

// Loss says what a record in view lost.
type Loss uint8

// The losses: a call its result, a result its call, part of an answer the rest.
const (
	LossResult Loss = iota
	LossCall
	LossBatch
)

// Repeat is a set of records that stand again under their ids.
type Repeat struct {
	Differ         []string // names of the fields that differ; none: byte for byte the same
	Unread         bool     // nothing is known of what differs: they were not compared
	Parent         bool     // what differs names the record before it
	Copied         bool     // they are taken for copies, which do nothing
	Count          int
	First, FirstOf model.Event // the first of them, and the record whose id it carries
	Last           model.Event
}

// Shared is a set of messages that stand in two sessions.
type Shared struct {
	Session string // the other
	Count   int
	Here    model.Event // the first of them
	There   model.Event
}

// Move is a change of the shell's directory.
type Move struct {
	Event    model.Event
	From, To string
	// Child is the sub-agent that had gone there before, and By its event; empty:
	// none had.
	Child string
	By    model.Event
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
	// Old is by the events, New as recorded; nil: nothing.
	Old, New json.RawMessage
	By       int64 // the first event behind the base that brought what is recorded; 0: none did
	// Unsure: the fold does not claim to know what stood there.
	Unsure bool
}

// Gap is a run of sequence numbers that no event has.
type Gap struct{ From, To int64 }
