package answer

import "encoding/json"

// State is the answer of state: the state document after one event, behind a
// heading that is not part of the state. Null is what nobody recorded.
type State struct {
	Session    string                     `json:"session"`
	Seq        int64                      `json:"seq"`
	Pos        int64                      `json:"pos"`
	Event      *string                    `json:"event"`
	Time       *string                    `json:"time"`
	Status     StateStatus                `json:"status"`
	Context    StateContext               `json:"context"`
	Files      map[string]StateFile       `json:"files"` // by path
	Shell      StateShell                 `json:"shell"`
	Tasks      []StateTask                `json:"tasks"`   // in the order of the list
	Pending    []StateCall                `json:"pending"` // the oldest first
	Usage      Usage                      `json:"usage"`
	Errors     StateErrors                `json:"errors"`
	Checkpoint *StateCheckpoint           `json:"checkpoint"`
	Vars       map[string]json.RawMessage `json:"vars"` // by name
}

// StateStatus is the state of the run, in the dialect's words.
type StateStatus struct {
	Execution *string `json:"execution"`
	Reason    *string `json:"reason"`
}

// StateContext is what the model has in view. Forgotten counts the messages
// that left so far; Tokens is the sum over those in view, null where one of
// them does not tell.
type StateContext struct {
	Messages  []StateMessage `json:"messages"` // bytewise by key
	Forgotten int64          `json:"forgotten"`
	Tokens    *int64         `json:"tokens"`
}

// StateMessage is a record in view; Seq, Pos and Event name the event that says
// it.
type StateMessage struct {
	Key     string  `json:"key"`
	Seq     int64   `json:"seq"`
	Pos     int64   `json:"pos"`
	Event   *string `json:"event"`
	Role    string  `json:"role"`
	Tokens  *int64  `json:"tokens"`
	Chars   int64   `json:"chars"`
	Summary bool    `json:"summary"`
}

// StateFile is a file. WrittenBy (a seq) and WrittenPos name the event that
// wrote the content; null where no event of the session did.
type StateFile struct {
	Content    *string `json:"content"`
	Certainty  string  `json:"certainty"`
	Lines      int64   `json:"lines"`
	SHA256     *string `json:"sha256"`
	WrittenBy  *int64  `json:"written_by"`
	WrittenPos *int64  `json:"written_pos"`
}

// StateShell is the shell's directory and its last command.
type StateShell struct {
	Cwd      *string `json:"cwd"`
	Command  *string `json:"command"`
	ExitCode *int64  `json:"exit_code"`
	Running  *bool   `json:"running"`
}

// StateTask is an item of the task list.
type StateTask struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Status string `json:"status"`
}

// StateCall is a call that no result has answered.
type StateCall struct {
	Call string  `json:"call"`
	Seq  int64   `json:"seq"`
	Pos  int64   `json:"pos"`
	Tool *string `json:"tool"`
}

// StateErrors counts the events that failed; LastSeq is the last one's.
type StateErrors struct {
	Count   int64  `json:"count"`
	LastSeq *int64 `json:"last_seq"`
}

// StateCheckpoint is the latest checkpoint; BaseSeq is the event at which it
// claims the state, null where none is recorded.
type StateCheckpoint struct {
	ID      *string `json:"id"`
	Seq     int64   `json:"seq"`
	Pos     int64   `json:"pos"`
	BaseSeq *int64  `json:"base_seq"`
}
