// Package sweagent reads the trajectories of SWE-agent: steps of an action and
// what was observed, with the whole request of each step beside them, and
// demonstrations, which hold a history only.
package sweagent

import (
	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "sweagent"

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
		Title:    "SWE-agent trajectories",
		Versions: "0.x and 1.x",
		Packs:    []string{".traj", "demonstrations with a history only"},
		Detects:  "an object with trajectory and history, or a history of messages with agent and message_type",
		Context:  "exact", Files: "partial", Cost: "totals", Status: "recorded",
	}
}

// The confidences of a claim.
const (
	confidenceShape  = 92
	confidenceForced = 1
)

// Claim finds trajectories. Each is one record, since its prompt, steps and
// outcome stand in different members.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i)
		if !ok {
			continue
		}
		s := model.Stream{
			Dialect: name, Files: []int{i}, Framing: model.Framing{Mode: model.FrameWhole, Torn: true}, Order: model.OrderArrival, Session: chat.Stem(look.Name),
			Confidence: confidenceShape, Reason: reason(&look),
		}
		if s.Reason == "" {
			if !force {
				continue
			}
			s.Confidence, s.Reason = confidenceForced, "forced: no trajectory was seen"
		}
		streams = append(streams, s)
	}
	return streams
}

// reason says what was seen; empty where it is no trajectory.
func reason(look *chat.Look) string {
	steps, history := first(look.Top("trajectory")), first(look.Top("history"))
	switch {
	case jsonscan.Get(steps, "observation") != nil && jsonscan.Get(steps, "response") != nil:
		return "trajectory of steps with response and observation"
	case jsonscan.Kind(look.Top("trajectory")) == '[' && jsonscan.Get(history, "agent") != nil, jsonscan.Get(history, "message_type") != nil && jsonscan.Get(history, "role") != nil:
		return "history of messages with agent and message_type"
	}
	return ""
}

func first(list []byte) (v []byte) {
	jsonscan.Elements(list, func(e []byte) bool {
		v = e
		return false
	})
	return v
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(*model.Stream, string) model.Linker { return chat.NewLinker(model.Summary{}) }
