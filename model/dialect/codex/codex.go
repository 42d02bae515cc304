// Package codex reads the threads of the Codex CLI: rollout files of all eras
// (flat, enveloped, paginated), and what `codex exec --json` prints.
//
// A rollout mixes what the model sees (response items), what the screen showed
// (events, most of them the same again) and settings. Claim finds the threads
// by their file names or their first line; Decode turns a line into an event
// without remembering anything; the linker sees a session's events in replay
// order and adds what only the order tells: which call a result answers, what a
// response was made from, which record an item repeats, where a fork goes on.
package codex

import "hindcast/model"

// Name is the dialect's name on the command line.
const Name = "codex"

type dialect struct{}

// New returns the dialect. It holds no state.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     Name,
		Title:    "OpenAI Codex CLI threads (rollouts, exec --json)",
		Versions: "0.29 to 0.171",
		Packs: []string{
			"rollout-*.jsonl, plain or .zst, alone or in sessions/YYYY/MM/DD and archived_sessions",
			"forks and reverts as files that go on from another one",
			"stdout of codex exec --json",
			"thread_history_1.sqlite and state_5.sqlite beside rollouts",
		},
		Layout:  true,
		Detects: "names rollout-<time>-<thread>.jsonl, proved by a first line session_meta; elsewhere that line, or thread.started",
		Context: "exact", Files: "partial", Cost: "none", Status: "recorded", OwnShells: true,
	}
}

// NewLinker starts the stateful half for one session.
func (dialect) NewLinker(s *model.Stream, session string) model.Linker {
	return newLinker(metaOf(s), session)
}

// meta is what Claim tells the linker and the effector about a stream.
type meta struct {
	// Segments gives the session of a segment, by the segment's id: what goes on
	// from it may name that alone.
	Segments map[string]string
	// Sizes gives the length of a thread's or segment's file, by its id.
	Sizes map[string]int64
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
