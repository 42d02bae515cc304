package model

// Effect is what an event does to the world, in hindcast's closed vocabulary.
// A dialect turns a record into effects; package replay turns effects into
// writes. Effects of one event apply in order.
type Effect interface{ effect() }

// Role is who speaks in the model's context.
type Role uint8

// The roles of messages, as providers name them.
const (
	RoleUser Role = iota
	RoleAssistant
	RoleTool
	RoleSystem
)

var roleNames = [...]string{"user", "assistant", "tool", "system"}

// String is the role's name in JSON.
func (r Role) String() string { return nameOf(roleNames[:], int(r)) }

// ParseRole is the inverse of Role.String.
func ParseRole(name string) (Role, bool) {
	i := indexOf(roleNames[:], name)
	return Role(max(i, 0)), i >= 0
}

// Certainty says how much is known of a file's text.
type Certainty uint8

// The certainties: something may have changed the file (the last text is
// kept); a range was seen; an edit was applied to known text; the full text is
// recorded.
const (
	CertaintyUnknown Certainty = iota
	CertaintyPartial
	CertaintyDerived
	CertaintyKnown
)

var certaintyNames = [...]string{"unknown", "partial", "derived", "known"}

// String is the certainty's name in JSON.
func (c Certainty) String() string { return nameOf(certaintyNames[:], int(c)) }

// ParseCertainty is the inverse of Certainty.String.
func ParseCertainty(name string) (Certainty, bool) {
	i := indexOf(certaintyNames[:], name)
	return Certainty(max(i, 0)), i >= 0
}

// Say puts a record into the model's context.
type Say struct {
	// Key is the message's place in the context: keys are ordered bytewise, and
	// a second Say of a key replaces the first. Empty: MessageKey of the event's
	// pos, which is behind all that came before.
	Key      string
	Response string // records of one response are one provider message; empty where the record stands alone
	Role     Role
	Chars    int64 // code points of the text as the provider gets it, thinking left out
	Tokens   int64 // TokensUnknown where nothing tells
	Summary  bool  // a summary that stands for what was forgotten
}

// TokensUnknown is a token count that no record tells.
const TokensUnknown = -1

// MessageKey is the key of a message that takes its place by its event's pos.
func MessageKey(pos int64) string {
	const digits = 10
	var b [digits]byte
	for i := digits - 1; i >= 0; i-- {
		b[i] = byte('0' + pos%10)
		pos /= 10
	}
	return string(b[:])
}

// LostReason says how a message left the model's context.
type LostReason uint8

// The ways out of the context.
const (
	LostCompaction LostReason = iota
	LostCondensation
	LostRevert
	LostBranch
	LostPrune
	LostRebuild
	LostWindow
)

var lostNames = [...]string{"compaction", "condensation", "revert", "branch", "prune", "rebuild", "window"}

// String is the reason's name in JSON.
func (r LostReason) String() string { return nameOf(lostNames[:], int(r)) }

// ParseLostReason is the inverse of LostReason.String.
func ParseLostReason(name string) (LostReason, bool) {
	i := indexOf(lostNames[:], name)
	return LostReason(max(i, 0)), i >= 0
}

// Forget takes messages out of the context, all or part of them.
type Forget struct {
	Keys   []string // messages that leave; keys that are not in view are passed over
	Reason LostReason
	// Replace: the messages stay, with a text of this many characters instead
	// of their own (pruned output).
	Replace      bool
	ReplaceChars int64
	// Summary, where set, comes in for what left. Its Key says where.
	Summary *Say
	// Checkpoint is the id of the compaction that this is part of; a later
	// Forget of the same id is the same checkpoint. Empty: no checkpoint (a
	// branch, a rebuild without one).
	Checkpoint string
}

// Call opens a call, Return closes it, whatever its outcome.
type Call struct {
	ID   string
	Tool string
}

// Return closes the pending call of that id; without one it changes nothing.
type Return struct {
	ID string
}

// WriteFile sets a file's whole text.
type WriteFile struct {
	Path      string
	Content   string
	Certainty Certainty // CertaintyKnown or CertaintyDerived
	Before    *string   // the text that the record claims stood there
}

// EditFile replaces text in a file. Where Insert is set, New goes in behind
// line InsertLine (0: before the first) and Old is not looked at.
type EditFile struct {
	Path       string
	Old, New   string
	All        bool // every occurrence, not only the first
	Insert     bool
	InsertLine int64
	Before     *string
}

// DeleteFile and MoveFile take a file away; of an untracked path they change
// nothing, but that a deletion whose record tells what stood there shows it.
type DeleteFile struct {
	Path   string
	Before *string
}

// MoveFile keeps text and certainty.
type MoveFile struct{ From, To string }

// SeeFile is a look at a file. Whole: Content is all of it.
type SeeFile struct {
	Path    string
	Content string
	Whole   bool
}

// DoubtFiles lowers the tracked files among these to CertaintyUnknown: somebody
// whose edits are not this session's own may have changed them.
type DoubtFiles struct{ Paths []string }

// Run is a command in the shell.
type Run struct {
	Command string  // empty: the one before goes on (input to it, a look at it)
	Cwd     *string // after the command; nil: not known, and nothing changes
	Exit    *int64  // nil: not known, which of a new command makes it null
	Running bool    // it has not ended
	// Quiet: the command's files are not lowered (it cannot have run).
	Quiet bool
}

// Cwd sets the shell's directory, without a command.
type Cwd struct{ Path string }

// Tasks replaces the whole task list.
type Tasks struct{ List []Task }

// Task is an item of a task list. ID is its 1-based number as text where the
// source has none. Status: todo, in_progress, done or cancelled.
type Task struct{ ID, Title, Status string }

// TaskItem changes one task, or adds it at the end.
type TaskItem struct {
	Task   Task
	Delete bool
}

// Status is the state of the run. Empty Reason: none is recorded.
type Status struct {
	Execution string
	Reason    string
	Inferred  bool
}

// Spend is Usage: tokens and money, per event or (Cumulative) the total so far.
type Spend struct {
	Usage      Usage
	Cumulative bool
}

// Fail counts an error of the run.
type Fail struct{ Code, Message, Stack string }

// Snapshot is a checkpoint that claims the state at Base.
type Snapshot struct {
	Checkpoint string
	BasePos    int64  // 0: not known or missing
	BaseSeq    int64  // as recorded; meaningful where HasBase
	HasBase    bool   // the record names a base
	State      []byte // the recorded state as JSON in the dialect's own shape; nil where it is not in the record
	File       string // checkpoint file that holds it, as the dialect names it; empty: none
}

// Facets say which parts of the state a Revert takes back.
type Facets uint8

// The facets of the state.
const (
	FacetContext Facets = 1 << iota
	FacetFiles
	FacetTasks
	FacetShell
	FacetUsage
	FacetStatus
	FacetVars
)

// Revert takes facets back to what they were after event To (0: the start).
// Restored writes remember the ones that they restore.
type Revert struct {
	To     int64 // pos
	Facets Facets
	Reason LostReason // of the messages that leave
}

// Set writes a named value below /vars; Unset removes it. Path is a JSON
// Pointer that begins with /vars/, Value is JSON.
type Set struct {
	Path  string
	Value []byte
}

// Unset removes the value at Path and what is below it.
type Unset struct{ Path string }

func (Say) effect()        {}
func (Forget) effect()     {}
func (Call) effect()       {}
func (Return) effect()     {}
func (WriteFile) effect()  {}
func (EditFile) effect()   {}
func (DeleteFile) effect() {}
func (MoveFile) effect()   {}
func (SeeFile) effect()    {}
func (DoubtFiles) effect() {}
func (Run) effect()        {}
func (Cwd) effect()        {}
func (Tasks) effect()      {}
func (TaskItem) effect()   {}
func (Status) effect()     {}
func (Spend) effect()      {}
func (Fail) effect()       {}
func (Snapshot) effect()   {}
func (Revert) effect()     {}
func (Set) effect()        {}
func (Unset) effect()      {}
