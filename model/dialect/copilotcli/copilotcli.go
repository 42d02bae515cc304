// Package copilotcli reads the event logs of GitHub Copilot CLI, which VS Code
// Chat writes in the same envelope.
package copilotcli

import (
	"path"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "copilotcli"

type dialect struct{}

var _ model.Teller = dialect{}

// New returns the dialect. It also implements model.Teller.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "GitHub Copilot CLI sessions",
		Versions: "events of the Copilot SDK, 2025 to 2026",
		Packs:    []string{"session-state/<id>/events.jsonl", "its events as JSON lines"},
		Detects:  "lines with type (session.start, user.message, tool.execution_start, ...) and data",
		Context:  "partial", Files: "partial", Cost: "recorded", Status: "recorded",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 96
	confidenceShape  = 80
	confidenceForced = 1
)

// families are the first words of the event types that a log must hold.
var families = map[string]bool{
	"session.start": true, "session.resume": true, "user.message": true, "assistant.message": true, "assistant.turn_start": true, "assistant.turn_end": true,
	"tool.execution_start": true, "tool.execution_complete": true, "session.info": true, "session.model_change": true, "system.message": true,
}

// Claim finds event logs.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i)
		if !ok {
			continue
		}
		s := model.Stream{Dialect: name, Files: []int{i}, Framing: look.Framing, Order: model.OrderArrival, Session: sessionName(look.Name)}
		if !recognise(&s, &look) {
			if !force {
				continue
			}
			s.Confidence, s.Reason = confidenceForced, "forced: no event was seen"
		}
		streams = append(streams, s)
	}
	return streams
}

// sessionName: <id>/events.jsonl is named by its folder.
func sessionName(file string) string {
	if dir := path.Base(path.Dir(file)); chat.Stem(file) == "events" && dir != "." && dir != "/" {
		return dir
	}
	return chat.Stem(file)
}

func recognise(s *model.Stream, look *chat.Look) bool {
	for _, v := range look.Records(8) {
		typ := jsonscan.Str(jsonscan.Get(v, "type"))
		if !families[typ] || jsonscan.Kind(jsonscan.Get(v, "data")) != '{' || jsonscan.Get(v, "specversion") != nil {
			continue
		}
		if typ == "session.start" {
			if id := jsonscan.Str(jsonscan.Get(v, "data", "sessionId")); id != "" {
				s.Session = id
			}
			s.Version = jsonscan.Str(jsonscan.Get(v, "data", "copilotVersion"))
		}
		if s.Confidence == 0 {
			s.Confidence, s.Reason = confidenceShape, "lines with type "+typ+" and data"
		}
		if jsonscan.Get(v, "id") != nil && jsonscan.Get(v, "parentId") != nil {
			s.Confidence, s.Reason = confidenceNamed, "events with id, parentId and type "+typ
		}
	}
	return s.Confidence > 0
}
