package index

import (
	"context"

	"hindcast/model"
	"hindcast/model/answer"
)

// Travel is what an open index answers about states: what the world looked like
// after an event, who wrote what, what the model knew. A point of state is an
// event; the state is the one after it. Points with Pos 0 stand before the
// first event of their session. Questions wait until the fold has come as far
// as they need.
type Travel interface {
	// StateReady reports how far the session's events have been folded.
	StateReady(ctx context.Context, session string) (pos int64, err error)
	// WaitStates blocks until the states of all events are there, and returns why
	// that stopped early if it did.
	WaitStates(ctx context.Context) error

	// State is the whole document after at; restore: what a restart at that
	// point would rebuild (the latest checkpoint, then the events after its base).
	State(ctx context.Context, at model.Event, restore bool) (answer.State, error)
	// StateValue is one value of it. A path that names nothing is a *PathError.
	StateValue(ctx context.Context, at model.Event, path string) (answer.StateValue, error)
	// Children pages through the members of an object or collection, bytewise by
	// path (messages, tasks and pending in their order), after the path given.
	Children(ctx context.Context, at model.Event, path, after string, limit int) (answer.Children, error)

	// Diff is the change from a to b, below a path where one is given; the
	// points may stand in either order.
	Diff(ctx context.Context, a, b model.Event, path string) (answer.Diff, error)
	// DiffRestored compares the state after at with what a restart there would
	// rebuild, DiffRecorded the fold at a checkpoint's base with what it recorded.
	DiffRestored(ctx context.Context, at model.Event, path string) (answer.Diff, error)
	DiffRecorded(ctx context.Context, checkpoint model.Event, path string) (answer.Diff, error)

	// Blame finds the event that wrote a value, BlameFile those that wrote the
	// lines of a file (line 0: all).
	Blame(ctx context.Context, at model.Event, path string) (answer.Blame, error)
	BlameFile(ctx context.Context, at model.Event, file string, line int64) (answer.BlameFile, error)
	// FileNamed completes the name of a file: one that the session does not
	// have by the states up to at, and that ends the path of exactly one of its
	// files, means that file.
	FileNamed(ctx context.Context, at model.Event, name string) (string, error)
	// History calls yield with the writes of a path, oldest first, until it
	// returns an error, which ends it. A path at which nothing ever stood is a
	// *PathError.
	History(ctx context.Context, session, path string, yield func(answer.HistoryWrite) error) error
	// WriteNear finds the nearest event after (back: before) pos that wrote a
	// path or something below it; ok is false if there is none.
	WriteNear(ctx context.Context, session, path string, pos int64, back bool) (e model.Event, ok bool, err error)

	// Notes lists what was noticed when the effects of an event were applied: an
	// edit whose old text stands several times, a file that nobody had changed.
	// ErrStatesBehind: the fold is far from there, which is not waited for.
	Notes(ctx context.Context, e model.Event) ([]model.Note, error)

	// Checkpoints lists the checkpoints of a session, in pos order.
	Checkpoints(ctx context.Context, session string) ([]Checkpoint, error)

	Context(ctx context.Context, q ContextQuery) (answer.Context, error)
	// Knew finds the spans in which a text was in the model's view.
	Knew(ctx context.Context, session, text string) (answer.Knew, error)
	// Origin finds where a text that at uses first appeared.
	Origin(ctx context.Context, at model.Event, text string) (answer.Origin, error)
	// Bisect finds the events at which an expression over the state document
	// turns. An expression that does not compile is an *ExprError.
	Bisect(ctx context.Context, session, expr string) (answer.Bisect, error)
	// WhyPath starts from a value: its writer, and what led to that.
	WhyPath(ctx context.Context, at model.Event, path string) (answer.Why, error)

	// Check lists the findings of one session (empty: of all).
	Check(ctx context.Context, session string) (answer.Check, error)
}

// ContextQuery asks for the model's context.
type ContextQuery struct {
	At     model.Event
	For    bool // what was given to produce At, instead of what is in view after it
	Cold   bool // the view of a process that starts again from the log
	Lost   bool // the messages that are gone, with what took them out
	Window int  // > 0: list as lost what a keep-the-last-so-many policy would have dropped
}

// PathError is a path that names nothing in the state, with what stands near.
type PathError struct {
	Path    string
	Reason  string
	Nearest []string // paths that exist; at most a few
}

// Error says what was asked and what exists near it.
func (e *PathError) Error() string {
	return nearest("no "+e.Path+" in the state: "+e.Reason, e.Nearest)
}

// ExprError is an expression that does not compile; Column is 1-based, 0 where
// it is not known.
type ExprError struct {
	Expr   string
	Column int
	Reason string
}

// Error says what is wrong with the expression.
func (e *ExprError) Error() string { return "expression: " + e.Reason }
