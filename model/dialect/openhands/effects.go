package openhands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// effector turns a session's records into effects, in replay order. What it
// keeps between them is bounded whatever the length of the log.
type effector struct {
	meta  meta
	state told
	// act holds the call that the record at hand answers; it is large, and used
	// again.
	act   record
	notes notes
}

// foreseen is what a record says by itself.
type foreseen struct {
	rec   record
	note  note
	chars int64 // of a V1 record that comes into view
	notes notes
}

// spare holds foreseen records that are not in use: they are large, and no more
// of them are needed than are read ahead.
var spare = sync.Pool{New: func() any { return new(foreseen) }}

// told is what an effector carries from one record to the next.
type told struct {
	Tree  tree
	Calls openCalls
	// Delegates are the V0 delegates that run, the innermost last (pos).
	Delegates []int64 `json:",omitempty"`
	Previous  int64   // pos of the event before
	Response  string  `json:",omitempty"` // V0: of the last call, whose text the next of it repeats
	// HasStatus and HasStats: the log records states, costs; nothing is inferred
	// or spread any more.
	HasStatus, HasStats bool
	// Charged are the latest responses whose tokens were told.
	Charged []string `json:",omitempty"`
	// Old: spellings of versions before 1.10 were seen.
	Old bool
}

// NewEffector starts a session.
func (dialect) NewEffector(s *model.Stream, _ string) model.Effector {
	return &effector{meta: metaOf(s)}
}

// Effects tells what a record does. A record that stands again does nothing.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	return f.EffectsOf(f.Foresee(e, raw), e, raw, view)
}

// Foresee reads a record.
func (f *effector) Foresee(e *model.Event, raw []byte) any {
	if e.Origin == model.OriginCopied {
		return nil
	}
	s := spare.Get().(*foreseen)
	readEvent(&s.rec, raw)
	s.note = s.notes.of(e, raw, &s.rec)
	if s.note.Flags.has(inView) && !s.note.Flags.has(isV0) {
		s.chars = charsV1(e.Type, &s.rec)
	}
	return s
}

// EffectsOf tells what a record does that was read.
func (f *effector) EffectsOf(seen any, e *model.Event, _ []byte, view model.View) (out []model.Effect) {
	s := seen.(*foreseen)
	if s.note.Flags.has(isV0) {
		out = f.v0(e, &s.rec, &s.note, view)
	} else {
		out = f.v1(e, s, view)
	}
	f.state.Previous = e.Pos
	s.rec, s.note, s.chars = record{}, note{}, 0 // nothing holds on to the bytes
	spare.Put(s)
	return out
}

// notes makes the notes of events again: a note need not outlive its import.
type notes struct {
	decoder decoder
	raw     model.Record
}

// of is what Decode said of a record, whose event r was read already.
func (m *notes) of(e *model.Event, raw []byte, r *record) (n note) {
	if e.Note != "" {
		return parseNote(e.Note)
	}
	if jsonscan.Kind(raw) != '{' {
		return n
	}
	m.raw.Raw = raw
	isMade := false
	m.decoder.rec, m.decoder.emit = &m.raw, func(made *model.Event) {
		if !isMade {
			n, isMade = parseNote(made.Note), true
		}
	}
	sc := scope{start: spaceEnd(raw, 0), end: len(raw), whole: true, first: e.Pos == 1}
	if isText(r.kind) {
		m.decoder.v1(r, sc)
	} else {
		m.decoder.object(sc, 0)
	}
	m.raw.Raw = nil
	return n
}

// readEvent reads the event of a record, which may stand in a frame.
func readEvent(r *record, raw []byte) {
	r.read(raw)
	if !isText(r.kind) && !isText(r.action) && !isText(r.observation) && isText(r.typ) && isObject(r.event) {
		inner := r.event
		*r = record{}
		r.read(inner)
	}
}

// spent is what a record says of tokens and money. What a container told of
// the whole run stands on its last event only.
func (f *effector) spent(e *model.Event, total *model.Usage) []model.Effect {
	switch {
	case total != nil:
		f.state.HasStats = true
		return []model.Effect{model.Spend{Usage: *total, Cumulative: true}}
	case e.Usage != nil && e.Usage.Told != 0:
		return []model.Effect{model.Spend{Usage: *e.Usage}}
	}
	return nil
}

// charge reports whether a response's tokens are still to be told, and notes
// that they are now. One without an id cannot be told from another.
func (f *effector) charge(response string) bool {
	if response == "" || slices.Contains(f.state.Charged, response) {
		return false
	}
	f.state.Charged = remember(f.state.Charged, response)
	return true
}

// inferStatus is the state that a record shows where the log records none.
func (f *effector) inferStatus(execution string) []model.Effect {
	if execution == "" || f.state.HasStatus || f.meta.HasStatus {
		return nil
	}
	return []model.Effect{model.Status{Execution: execution, Inferred: true}}
}

func (f *effector) recordStatus(execution, reason string) []model.Effect {
	if execution == "" {
		return nil
	}
	f.state.HasStatus = true
	return []model.Effect{model.Status{Execution: execution, Reason: reason}}
}

// say puts a record into the context.
func say(n *note, role model.Role, chars int64) model.Say {
	return model.Say{Response: n.Response, Role: role, Chars: chars, Tokens: model.TokensUnknown}
}

// checkpointID names a condensation; one without an id goes by its place.
func checkpointID(e *model.Event) string {
	if e.ID != "" {
		return e.ID
	}
	return "#" + strconv.FormatInt(e.Pos, 10)
}

// Save returns the effector's working state.
func (f *effector) Save() ([]byte, error) {
	b, err := json.Marshal(&f.state)
	if err != nil {
		return nil, fmt.Errorf("save openhands effects: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (f *effector) Load(b []byte) error {
	var st told
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load openhands effects: %w", err)
	}
	f.state = st
	return nil
}
