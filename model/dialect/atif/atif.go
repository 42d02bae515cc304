// Package atif reads the Agent Trajectory Interchange Format: documents of
// numbered steps as Harbor, terminal-bench and exporters of other programs write
// them, with the files in which they are continued and the trajectories of
// sub-agents; and ATOF, the event lines of the NeMo Agent Toolkit.
package atif

import (
	"hindcast/model"
	"hindcast/model/chat"
)

const name = "atif"

type dialect struct{}

var _ interface {
	model.Teller
	model.Requester
} = dialect{}

// New returns the dialect. It also implements model.Teller and model.Requester.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "Agent Trajectory Interchange Format (Harbor, terminal-bench, NeMo Agent Toolkit)",
		Versions: "ATIF 1.0 to 1.8, ATOF 0.1",
		Packs:    []string{"ATIF document", "document continued in further files", "documents as JSON lines", "ATOF JSON lines"},
		Detects:  "schema_version ATIF, or steps with step_id and source; for ATOF, lines with scope_category and uuid",
		Context:  "partial", Files: "none", Cost: "recorded", Status: "none",
	}
}

// meta is what Claim tells the rest about a stream.
type meta struct {
	Program string // name and version of the agent
	Parent  string // session of the trajectory that started this one
	// Spawn is the id by which a step of the parent names this trajectory.
	Spawn string
	// Continued: further files belong to the session, whose steps count anew.
	Continued bool
}

func metaOf(s *model.Stream) meta {
	if s != nil {
		if m, ok := s.Meta.(meta); ok {
			return m
		}
	}
	return meta{}
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(s *model.Stream, session string) model.Linker {
	m, from := metaOf(s), model.Summary{}
	if s != nil && session == s.Session {
		from.Parent, from.Version = m.Parent, m.Program
	}
	return chat.NewLinker(from)
}
