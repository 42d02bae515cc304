package answer

import (
	"encoding/json"

	"hindcast/model"
)

// Event is EVENT: an event as JSON shows it.
type Event struct {
	Session string          `json:"session"`
	Seq     int64           `json:"seq"`
	Pos     int64           `json:"pos"`
	ID      *string         `json:"id"`
	Type    string          `json:"type"`
	Kind    string          `json:"kind"`
	Origin  string          `json:"origin"`
	Time    *string         `json:"time"`
	Source  *string         `json:"source"`
	Tool    *string         `json:"tool"`
	Call    *string         `json:"call"`
	Title   string          `json:"title"`
	Failed  *bool           `json:"failed"`
	Links   []Link          `json:"links"`
	Bytes   int64           `json:"bytes"`
	Payload json.RawMessage `json:"payload,omitempty"`
	Notes   []Note          `json:"notes,omitempty"` // of show alone
}

// Note is something that was noticed when an event's effects were applied.
type Note struct {
	Kind string `json:"kind"`
	Path string `json:"path"` // of the state
	Text string `json:"text"`
}

// NewNotes converts what the fold noticed.
func NewNotes(notes []model.Note) []Note {
	var out []Note
	for _, n := range notes {
		out = append(out, Note{Kind: n.Kind.String(), Path: n.Path, Text: n.Text})
	}
	return out
}

// Link is one edge of an event.
type Link struct {
	Reason   string `json:"reason"`
	To       Ref    `json:"to"`
	Inferred bool   `json:"inferred"`
}

// Events is the answer of query.
type Events struct {
	Events []Event `json:"events"`
}

// NewEvent converts an event of the index. Links that lead nowhere are left
// out: they are findings, not edges.
func NewEvent(e model.Event) Event {
	out := Event{
		Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: orNull(e.ID),
		Type: e.Type, Kind: e.Kind.String(), Origin: e.Origin.String(),
		Time: orNull(e.Time.String()), Source: orNull(e.Source), Tool: orNull(e.Tool), Call: orNull(e.Call),
		Title: e.Title, Links: []Link{}, Bytes: e.Span.Length,
	}
	if e.Outcome != model.OutcomeUnknown {
		failed := e.Outcome.Failed()
		out.Failed = &failed
	}
	for _, l := range e.Links {
		if l.Resolved() {
			out.Links = append(out.Links, Link{Reason: l.Reason.String(), To: NewRef(l.To), Inferred: l.Inferred})
		}
	}
	return out
}
