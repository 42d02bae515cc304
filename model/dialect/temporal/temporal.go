// Package temporal reads the event histories of Temporal workflows as its tools
// export them: one JSON document of numbered events, with type names of either
// spelling. What an event follows from stands in its attributes.
package temporal

import (
	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "temporal"

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
		Name: name, Title: "Temporal: histories of workflows", Versions: "histories of any server",
		Packs:   []string{"JSON history (events)", "events as JSON lines or array"},
		Detects: "records with eventId, eventType and the attributes of that type",
		Context: "partial", Files: "none", Cost: "none", Status: "recorded",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 97
	confidenceForced = 1
)

// looked is how many records decide.
const looked = 8

// Claim takes the files whose first records all are events of a history.
func (dialect) Claim(d model.Dump, force bool) []model.Stream {
	var streams []model.Stream
	used := map[string]bool{}
	for i := range d.Files() {
		look, ok := chat.LookAt(d, i, "events")
		if !ok {
			continue
		}
		st := model.Stream{
			Dialect: name, Confidence: confidenceNamed, Reason: "events with eventId, eventType and attributes",
			Files: []int{i}, Framing: look.Framing, Order: model.OrderSeq, Session: chat.Stem(look.Name),
		}
		records := look.Records(looked)
		if !histories(records) {
			if !force {
				continue
			}
			st.Confidence, st.Reason = confidenceForced, "forced"
		}
		if len(records) > 0 {
			if run := ownRun(attributes(records[0])); run != "" {
				st.Session = run
			}
		}
		if used[st.Session] {
			// A reset copies the start, and the ids in it, to another history.
			st.Session += "/" + chat.Stem(look.Name)
		}
		used[st.Session] = true
		streams = append(streams, st)
	}
	return streams
}

func histories(records [][]byte) bool {
	for _, r := range records {
		if _, ok := jsonscan.Int(jsonscan.Get(r, "eventId")); !ok || jsonscan.Kind(jsonscan.Get(r, "eventType")) != '"' || attributes(r) == nil && jsonscan.Get(r, "eventTime") == nil {
			return false
		}
	}
	return len(records) > 0
}

// ownRun names the session of a history by what its start says; empty where it
// says nothing.
func ownRun(start []byte) string {
	return runName(jsonscan.Get(start, "workflowId"), jsonscan.Get(start, "originalExecutionRunId"))
}

func runName(workflow, run []byte) string {
	w, r := jsonscan.Scalar(workflow), jsonscan.Scalar(run)
	if w != "" && r != "" {
		return w + "/" + r
	}
	return r
}

// parentRun is the session that a history goes on from, or was started by.
func parentRun(start []byte) string {
	if before := jsonscan.Get(start, "continuedExecutionRunId"); jsonscan.Scalar(before) != "" {
		return runName(jsonscan.Get(start, "workflowId"), before)
	}
	parent := jsonscan.Get(start, "parentWorkflowExecution")
	return runName(jsonscan.Get(parent, "workflowId"), jsonscan.Get(parent, "runId"))
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(*model.Stream, string) model.Linker {
	return linker{chat.NewLinker(model.Summary{})}
}

// linker adds what no attribute says: a workflow task is scheduled because of
// the event before it.
type linker struct{ *chat.Linker }

// Link completes one event.
func (l linker) Link(e *model.Event, look model.Lookup) {
	l.Linker.Link(e, look)
	if e.Origin == model.OriginCopied || plain(e.Type) != "workflowtaskscheduled" && plain(e.Type) != "decisiontaskscheduled" {
		return
	}
	if b, ok := look.At(e.Pos - 1); ok {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, Inferred: true, To: model.Ref{Session: e.Session, Seq: b.Seq, Pos: b.Pos}})
	}
}
