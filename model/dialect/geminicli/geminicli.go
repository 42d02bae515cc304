// Package geminicli reads the chats of Gemini CLI: the log of changes that it
// writes a line at a time, the older objects that hold a whole chat, and what
// it prints as stream-json.
package geminicli

import (
	"path"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "geminicli"

type dialect struct{}

var _ model.Teller = dialect{}

// New returns the dialect. It also implements model.Teller.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "Gemini CLI chats",
		Versions: "0.23 to 0.61",
		Packs:    []string{"chats/session-*.jsonl and those of sub-agents", "older session-*.json", "stdout as stream-json"},
		Detects:  "sessionId beside projectHash, or lines with $set, $rewindTo, or messages of type gemini",
		Context:  "partial", Files: "known", Cost: "totals", Status: "none",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 97
	confidenceShape  = 85
	confidenceForced = 1
)

// Claim finds the files that hold a chat.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i, "messages")
		if !ok {
			continue
		}
		s := model.Stream{Dialect: name, Files: []int{i}, Framing: look.Framing, Order: model.OrderArrival, Session: chat.Stem(look.Name)}
		if !recognise(&s, &look) {
			if !force {
				continue
			}
			s.Confidence, s.Reason = confidenceForced, "forced: no chat was seen"
		}
		streams = append(streams, s)
	}
	return streams
}

// recognise fills in what the first records tell.
func recognise(s *model.Stream, look *chat.Look) bool {
	if look.Framing.Mode == model.FrameMember {
		if jsonscan.Str(look.Top("sessionId")) == "" || look.Top("projectHash") == nil {
			return false
		}
		s.Session, s.Confidence, s.Reason = jsonscan.Str(look.Top("sessionId")), confidenceNamed, "sessionId and projectHash beside messages"
		return true
	}
	for _, v := range look.Records(8) {
		id := jsonscan.Str(jsonscan.Get(v, "sessionId"))
		switch {
		case id != "" && jsonscan.Get(v, "projectHash") != nil:
			s.Session, s.Confidence, s.Reason = id, confidenceNamed, "a line with sessionId and projectHash"
			if jsonscan.Str(jsonscan.Get(v, "kind")) == "subagent" {
				s.Parent = path.Base(path.Dir(look.Name)) // chats/<parent>/<id>.jsonl
				s.Meta = s.Parent
			}
			return true
		case jsonscan.Kind(jsonscan.Get(v, "$set")) == '{', jsonscan.Get(v, "$rewindTo") != nil,
			jsonscan.Str(jsonscan.Get(v, "type")) == "gemini" && jsonscan.Get(v, "id") != nil:
			s.Confidence, s.Reason = confidenceShape, "lines that change a chat"
		case jsonscan.Str(jsonscan.Get(v, "type")) == "init" && jsonscan.Get(v, "session_id") != nil && jsonscan.Get(v, "model") != nil && jsonscan.Get(v, "tools") == nil,
			jsonscan.Str(jsonscan.Get(v, "type")) == "tool_use" && jsonscan.Get(v, "tool_name") != nil && jsonscan.Get(v, "tool_id") != nil:
			s.Confidence, s.Reason = confidenceShape, "events of stream-json with tool_name and tool_id"
			if id := jsonscan.Str(jsonscan.Get(v, "session_id")); id != "" {
				s.Session = id
			}
		}
	}
	return s.Confidence > 0
}
