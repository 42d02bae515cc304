package generic

import (
	"encoding/json"
	"fmt"

	"hindcast/model"
)

// callLimit bounds the calls that a linker remembers; the oldest go first.
const callLimit = 10_000

// linker joins results to calls by the call id that both carry. Links by event
// id are left to the importer.
type linker struct {
	calls   map[string]call
	order   []string // ids in calls, oldest first
	summary model.Summary
}

// call is a tool call that came by.
type call struct {
	Pos  int64
	Seq  int64
	ID   string
	Tool string
	Open bool
}

func newLinker() *linker { return &linker{calls: make(map[string]call)} }

// Link notes calls and adds the link from a result to its call.
func (l *linker) Link(e *model.Event, _ model.Lookup) {
	if e.Kind == model.KindMessage && l.summary.Title == "" {
		l.summary.Title = e.Title
	}
	if e.Call == "" || e.Origin == model.OriginCopied {
		return
	}
	c, known := l.calls[e.Call]
	switch {
	case e.Kind == model.KindAction && !known:
		l.note(e)
	case e.Kind == model.KindObservation && known:
		if c.Open {
			c.Open = false
			l.calls[e.Call] = c
			l.summary.OpenCalls--
		}
		if e.Tool == "" {
			e.Tool = c.Tool
		}
		to := model.Ref{Session: e.Session, Seq: c.Seq, Pos: c.Pos, ID: c.ID}
		e.Links = append(e.Links, model.Link{Reason: model.ReasonAction, ToID: c.ID, To: to})
	}
}

func (l *linker) note(e *model.Event) {
	if len(l.order) == callLimit {
		delete(l.calls, l.order[0])
		l.order = l.order[1:]
	}
	l.order = append(l.order, e.Call)
	l.calls[e.Call] = call{Pos: e.Pos, Seq: e.Seq, ID: e.ID, Tool: e.Tool, Open: true}
	l.summary.OpenCalls++
}

// Summary tells the session's first words and how many calls have no result.
func (l *linker) Summary() model.Summary { return l.summary }

// saved is the working state, in the order in which calls came.
type saved struct {
	Title string
	Open  int64
	Calls []savedCall
}

type savedCall struct {
	Key string
	call
}

// Save writes the working state as JSON.
func (l *linker) Save() ([]byte, error) {
	s := saved{Title: l.summary.Title, Open: l.summary.OpenCalls}
	for _, key := range l.order {
		s.Calls = append(s.Calls, savedCall{key, l.calls[key]})
	}
	b, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("save generic linker: %w", err)
	}
	return b, nil
}

// Load takes up the state that Save wrote.
func (l *linker) Load(state []byte) error {
	var s saved
	if err := json.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("load generic linker: %w", err)
	}
	*l = *newLinker()
	l.summary.Title, l.summary.OpenCalls = s.Title, s.Open
	for _, c := range s.Calls {
		l.order = append(l.order, c.Key)
		l.calls[c.Key] = c.call
	}
	return nil
}
