package claudecode

import (
	"path"
	"strings"
)

// role is what a file's name says that it is.
type role uint8

const (
	roleUnknown  role = iota // its content must tell
	roleAgent                // the file of a sub-agent
	roleMeta                 // what is said beside it
	roleOutput               // the output of a tool, too long for the record
	roleBackup               // the body of a file before an edit
	roleTasks                // a task list
	roleWorkflow             // the run of a workflow
	roleSecret               // never read
)

// evidenceNames are what evidence of each role is called.
var evidenceNames = map[role]string{
	roleMeta: "metadata", roleOutput: "tool output", roleBackup: "file backup", roleTasks: "tasks", roleWorkflow: "workflow",
}

// placed is a file with what its name tells.
type placed struct {
	role    role
	session string // that it belongs to; empty where the name does not tell
	agent   string
}

const (
	agentPrefix = "agent-"
	lineSuffix  = ".jsonl"
	metaSuffix  = ".meta.json"
)

// placeOf reads a file's name: <session>.jsonl, agent-<id>.jsonl,
// <session>/subagents/..., <session>/tool-results/..., file-history/<session>/...,
// tasks/<session>/..., todos/<session>-agent-<id>.json.
func placeOf(file string) placed {
	parts := strings.Split(file, "/")
	base := parts[len(parts)-1]
	p := placed{}
	if base == ".credentials.json" || base == ".claude.json" {
		return placed{role: roleSecret}
	}
	for i, part := range parts[:len(parts)-1] {
		switch part {
		case "subagents", "tool-results", "workflows":
			if i > 0 && p.session == "" && isSessionID(parts[i-1]) {
				p.session = parts[i-1]
			}
		case "file-history", "tasks", "todos":
			if i+2 < len(parts) && isSessionID(parts[i+1]) {
				p.session = parts[i+1]
			}
		}
		switch part {
		case "tool-results":
			p.role = roleOutput
		case "workflows":
			p.role = roleWorkflow
		case "file-history":
			p.role = roleBackup
		case "tasks", "todos":
			p.role = roleTasks
		}
	}
	switch {
	case p.role != roleUnknown && p.role != roleWorkflow:
		if p.session == "" && p.role == roleTasks {
			p.session, _, _ = strings.Cut(base, "-"+agentPrefix)
		}
		if !isSessionID(p.session) {
			return placed{} // somebody else's folder of that name
		}
	case strings.HasPrefix(base, agentPrefix) && strings.HasSuffix(base, metaSuffix):
		p.role, p.agent = roleMeta, strings.TrimSuffix(strings.TrimPrefix(base, agentPrefix), metaSuffix)
	case strings.HasPrefix(base, agentPrefix) && strings.HasSuffix(stem(base)+lineSuffix, lineSuffix):
		p.role, p.agent = roleAgent, strings.TrimPrefix(stem(base), agentPrefix)
	case p.role == roleWorkflow && p.session == "":
		return placed{}
	}
	return p
}

// stem is a file's base name without the suffixes of lines and of packing.
func stem(file string) string {
	base := path.Base(file)
	for _, packed := range []string{".gz", ".zst", ".xz", ".bz2"} {
		base = strings.TrimSuffix(base, packed)
	}
	return strings.TrimSuffix(base, lineSuffix)
}

// isSessionID reports a UUID.
func isSessionID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
