package opencode

import (
	"bytes"
	"encoding/json"
	"fmt"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// effector turns a session's rows into effects, in replay order. The kind of an
// event says what is new about its object; what the effector keeps is bounded
// whatever the length of the log.
type effector struct {
	meta  *meta
	state told
	last  kept
}

// kept is the record read last: of one that tells several moments, the next
// event is often another of these.
type kept struct {
	raw []byte
	row row
}

// rowOf gives the row of an event.
func (f *effector) rowOf(e *model.Event, raw []byte) row {
	if e.Origin != model.OriginDerived {
		return readRow(raw)
	}
	if !bytes.Equal(f.last.raw, raw) {
		f.last = kept{raw, readRow(raw)}
	}
	return f.last.row
}

// told is what an effector carries from one row to the next.
type told struct {
	// Exact: the rows tell the context for sure (from 1.14 on, and from the
	// session's beginning).
	Exact bool `json:",omitempty"`
	Began bool `json:",omitempty"`
	// Directory is the session's, Session what was last set of its members.
	Directory string            `json:",omitempty"`
	Session   map[string]string `json:",omitempty"`
	// Recent are the messages lately seen, the latest last.
	Recent []seen `json:",omitempty"`
	// Called are the parts of open calls whose arguments were told.
	Called map[string]bool `json:",omitempty"`

	HasStatus bool   `json:",omitempty"` // the stream records states: none is inferred
	Execution string `json:",omitempty"` // last inferred

	Compaction compaction
	Revert     revert
	Marks      []mark `json:",omitempty"`
}

// NewEffector starts a session.
func (dialect) NewEffector(s *model.Stream, _ string) model.Effector {
	return &effector{meta: metaOf(s)}
}

// Effects tells what a row does. One that stands again does nothing.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	r := f.rowOf(e, raw)
	if f.meta.Synced && !r.sync && r.op != opLive {
		return nil // the plain twin of a row
	}
	if !f.state.Began && (r.op == opSession || r.op == opMessage || r.op == opPart) {
		// A log that begins in the middle of a session does not tell what came
		// before.
		f.state.Began = true
		f.state.Exact = e.Kind == model.KindSession && isExact(jsonscan.Str(jsonscan.Get(r.object, "version")))
	}
	switch r.op {
	case opSession:
		return f.session(e, &r, view)
	case opMessage:
		return f.message(e, &r, view)
	case opPart:
		return f.part(e, &r, view)
	case opMessageGone, opPartGone:
		return f.gone(&r, view)
	case opLive:
		return f.live(e, &r)
	case opRun:
		return f.run(e, &r, raw, view)
	case opNext:
		return f.next(e, &r, view)
	case opNextRow:
		return f.nextRow(e, &r, view)
	case opTodo:
		return todoRow(&r)
	case opGoSession, opGoMessage, opGoFile:
		return f.goRow(e, &r, view)
	}
	return nil
}

// inferStatus is the state that a row shows where the stream records none.
func (f *effector) inferStatus(execution, reason string) []model.Effect {
	if f.state.HasStatus || f.state.Execution == execution && reason == "" {
		return nil
	}
	f.state.Execution = execution
	return []model.Effect{model.Status{Execution: execution, Reason: reason, Inferred: true}}
}

// failure is what an error object says.
func failure(err []byte) model.Fail {
	data := jsonscan.Get(err, "data")
	return model.Fail{
		Code:    firstNonEmpty(jsonscan.Scalar(jsonscan.Get(data, "statusCode")), jsonscan.Str(jsonscan.Get(err, "name")), jsonscan.Str(jsonscan.Get(err, "type"))),
		Message: firstNonEmpty(jsonscan.Str(jsonscan.Get(data, "message")), jsonscan.Str(jsonscan.Get(err, "message"))),
	}
}

// Save returns the effector's working state.
func (f *effector) Save() ([]byte, error) {
	b, err := json.Marshal(&f.state)
	if err != nil {
		return nil, fmt.Errorf("save opencode effects: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (f *effector) Load(b []byte) error {
	var st told
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load opencode effects: %w", err)
	}
	f.state = st
	return nil
}
