// Package openhands reads the event streams of OpenHands in both of its
// families: V1 (events with a kind and UUID ids, written by the SDK, the CLI,
// the agent-server and the Cloud) and V0 (the older server's events with
// integer ids and an action or an observation).
//
// It knows names and bytes only. Claim tells the packagings apart and finds
// the conversations in them; Decode turns one record into events without
// remembering anything; the linker sees a session's events in replay order and
// adds what only the order tells: which call a result answers, what an agent's
// turn was made from, where the conversation went back.
package openhands

import (
	"sync"

	"hindcast/model"
)

const name = "openhands"

// dialect has no state but room for decoders that are not in use: everything
// that Claim learns travels in Stream.Meta.
type dialect struct{ decoders *sync.Pool }

var _ interface {
	model.Reorderer
	model.Teller
	model.Resumer
	model.Recorder
} = dialect{}

// New returns the dialect. It also implements model.Reorderer, model.Teller,
// model.Resumer and model.Recorder.
func New() model.Dialect {
	return dialect{&sync.Pool{New: func() any { return new(decoder) }}}
}

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "OpenHands conversations (V1 SDK, CLI, agent-server and Cloud; V0 server)",
		Versions: "V0 (2024 to 2025), V1 pre-releases of 2025-09 to 1.45",
		Packs: []string{
			"V1 persisted conversation folder, alone or many",
			"V1 agent-server and Cloud zip",
			"V1 app-server event store",
			"V1 JSONL, REST pages, websocket capture",
			"benchmark output.jsonl, resolver output",
			"V0 trajectory and its wrappers, V0 file store",
			"base_state.json alone",
		},
		Layout:  true,
		Detects: "file names of its stores, proved by one record; elsewhere records with kind and source (V1) or with action or observation (V0)",
		Context: "exact", Files: "known", Cost: "recorded", Status: "recorded",
	}
}

// family is one of the two unrelated event formats.
type family uint8

const (
	familyV1 family = iota
	familyV0
)

func (f family) String() string {
	if f == familyV0 {
		return "V0"
	}
	return "V1"
}

// meta is what Claim tells Decode and the linker about a stream.
type meta struct {
	Family family
	// RunPrefix stands before the session ids that are line numbers, so that
	// the runs of several files stay apart.
	RunPrefix string
	// What the conversation's own state file says of its end. The log's
	// records go before it.
	Status string
	Leaf   string // id of the event that was the conversation's head
	Usage  model.Usage
	// Responses are the tokens of single responses, by response id.
	Responses map[string]model.Usage
	Workspace string // folder that relative paths of tools start from
	// HasStatus: whoever wrote the stream writes the conversation's states into
	// it, so that none is inferred.
	HasStatus bool
}

// metaOf is the stream's meta; the zero value where Claim made none.
func metaOf(s *model.Stream) meta {
	if s != nil {
		if m, ok := s.Meta.(*meta); ok && m != nil {
			return *m
		}
	}
	return meta{}
}
