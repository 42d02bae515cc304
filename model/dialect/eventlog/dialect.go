// Package eventlog is the dialect of event-sourced agent runtimes: one
// envelope (event_id, event_type, session_id, sequence, timestamp,
// source_event_id, schema_version, payload), six event types, an append-only
// stream a session, and checkpoint files beside it. It is hindcast's reference
// dialect. It knows bytes and names, never files or the index.
package eventlog

import "hindcast/model"

// Name is the dialect's name on the command line.
const Name = "eventlog"

// The event types of the format. Any other is kept as kind other.
const (
	typeUser       = "UserInput"
	typeAction     = "AgentAction"
	typeResult     = "ToolResult"
	typeSession    = "SessionEvent"
	typeCheckpoint = "Checkpoint"
	typeError      = "SystemError"
)

// stateRebuilt is the session state that shrinks the context and leaves the
// execution status alone.
const stateRebuilt = "context_rebuilt"

type dialect struct{}

// New returns the eventlog dialect. It holds no state.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     Name,
		Title:    "event-sourced agent runtime, one envelope and six event types",
		Versions: "schema 1; higher ones are read tolerantly",
		Packs: []string{
			"JSONL", "a stream of JSON values", "a JSON array", `{"events":[...]}`,
			"a folder or archive of events/<session>/*.jsonl and checkpoints/<session>/<snapshot>.json",
		},
		Detects: "objects with event_type beside event_id, sequence or payload; the six type names make it certain",
		Context: "exact",
		Files:   "known",
		Cost:    "recorded",
		Status:  "recorded",
	}
}

// NewLinker starts the stateful half for one session.
func (dialect) NewLinker(_ *model.Stream, session string) model.Linker {
	return newLinker(session)
}
