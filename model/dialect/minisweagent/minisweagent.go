// Package minisweagent reads the runs of mini-swe-agent: a list of messages,
// bare or beside an info, in which every call is one shell command.
package minisweagent

import (
	"bytes"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "minisweagent"

type dialect struct{}

var _ model.Teller = dialect{}

// New returns the dialect. It also implements model.Teller.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "mini-swe-agent runs",
		Versions: "v0 to v2 (trajectory_format 1.1)",
		Packs:    []string{"*.traj.json", "a bare list of messages"},
		Detects:  "trajectory_format mini-swe-agent or info.mini_version; of a bare list, the block in which it asks for commands",
		Context:  "exact", Files: "none", Cost: "recorded", Status: "recorded",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 98
	confidenceShape  = 75
	confidenceForced = 1
)

// meta is what Claim tells the effector.
type meta struct{ Cwd string }

// Claim finds lists of messages.
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
			s.Confidence, s.Reason = confidenceForced, "forced: no run was seen"
		}
		streams = append(streams, s)
	}
	return streams
}

func recognise(s *model.Stream, look *chat.Look) bool {
	if look.Framing.Mode == model.FrameMember {
		format, info := jsonscan.Str(look.Top("trajectory_format")), look.Top("info")
		s.Version = jsonscan.Scalar(jsonscan.Get(info, "mini_version"))
		s.Meta = meta{Cwd: jsonscan.Str(jsonscan.Get(info, "config", "environment", "cwd"))}
		switch {
		case strings.HasPrefix(format, "mini-swe-agent"):
			s.Confidence, s.Reason = confidenceNamed, "trajectory_format "+format
		case s.Version != "":
			s.Confidence, s.Reason = confidenceNamed, "info with mini_version"
		}
		if s.Confidence > 0 {
			return true
		}
	}
	if look.Framing.Mode != model.FrameElements && look.Framing.Mode != model.FrameMember {
		return false
	}
	for _, v := range look.Records(6) {
		if jsonscan.Get(v, "role") == nil {
			return false
		}
		if bytes.Contains(v, []byte("```mswea_bash_command")) || bytes.Contains(v, []byte("<returncode>")) {
			s.Confidence, s.Reason = confidenceShape, "messages with the blocks in which mini-swe-agent writes commands and results"
			return true
		}
	}
	return false
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	var from model.Summary
	if s != nil {
		from.Version = s.Version
	}
	return chat.NewLinker(from)
}
