// Package claudecode reads what Claude Code leaves behind: session files, one
// JSON value a line, with those of their sub-agents, and what
// --output-format stream-json writes to stdout.
//
// It knows names and bytes only. Claim finds the sessions of a dump and what
// belongs to them; Decode turns one line into one event without remembering
// anything; the linker sees a session's events in the order of the file and
// adds what only the order tells: which call a result answers, what a response
// was made from, where the conversation went back.
package claudecode

import "hindcast/model"

const name = "claudecode"

// dialect has no state: everything that Claim learns travels in Stream.Meta.
type dialect struct{}

// New returns the dialect.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "Claude Code sessions",
		Versions: "1.0 to 2.1.332",
		Packs: []string{
			"session JSONL, alone or a project folder or a whole projects tree",
			"sub-agent JSONL with its meta.json; side chains within the session",
			"stdout of --output-format stream-json",
			"file-history, tool-results, tasks (evidence)",
		},
		Layout:  true,
		Detects: "JSON lines with a type, uuid, parentUuid and sessionId (or session_id); names of its folders tell what else belongs to a session",
		Context: "exact", Files: "known", Cost: "totals", Status: "inferred",
	}
}

// meta is what Claim tells Decode and the linker about a stream.
type meta struct {
	// Own: all records of the main thread belong to the stream's session, whatever
	// session they name: a fork and an old resume repeat those of another one.
	Own bool
	// Stream: the records are a capture of stdout.
	Stream bool
	// Spawn is the id of the call that made the session of a sub-agent, as far as
	// Claim found it; Inferred: not recorded, told by an equal prompt.
	Spawn    string
	Inferred bool
	// Sides are the side chains within the file, by the uuid of their records.
	Sides map[string]int
	// SideSpawns are the calls that made side chains, by the chains' numbers.
	SideSpawns map[int]string
	// ForkedUpTo is the uuid of the last record that a fork has from its origin.
	ForkedUpTo string
}

// metaOf is the stream's meta; the zero value where Claim made none.
func metaOf(s *model.Stream) *meta {
	if s != nil {
		if m, ok := s.Meta.(*meta); ok && m != nil {
			return m
		}
	}
	return &meta{}
}
