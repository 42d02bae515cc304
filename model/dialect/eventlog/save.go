package eventlog

import (
	"encoding/json"
	"fmt"

	"hindcast/model"
)

// saved is a linker's working state as Save writes it. Texts of the dump are
// kept as bytes: JSON would replace what is not UTF-8 in them.
type saved struct {
	Title, Version, Parent, Outcome []byte
	Usage                           model.Usage
	Trigger                         *savedRef
	Calls                           []savedCall
	Forgotten                       int64
}

type savedRef struct {
	Pos, Seq int64
	ID       []byte
}

type savedCall struct {
	savedRef
	Tool []byte
}

func saveRef(r ref) savedRef       { return savedRef{Pos: r.Pos, Seq: r.Seq, ID: []byte(r.ID)} }
func (s savedRef) load() ref       { return ref{Pos: s.Pos, Seq: s.Seq, ID: string(s.ID)} }
func (s savedCall) load() openCall { return openCall{ref: s.savedRef.load(), Tool: string(s.Tool)} }

// Save writes the working state; its size is bounded by openCallLimit.
func (l *linker) Save() ([]byte, error) {
	s := saved{
		Title: []byte(l.sum.Title), Version: []byte(l.sum.Version), Parent: []byte(l.sum.Parent),
		Outcome: []byte(l.sum.Outcome), Usage: l.sum.Usage, Forgotten: l.calls.forgotten,
	}
	if l.trigger != nil {
		r := saveRef(*l.trigger)
		s.Trigger = &r
	}
	for _, c := range l.calls.list() {
		s.Calls = append(s.Calls, savedCall{savedRef: saveRef(c.ref), Tool: []byte(c.Tool)})
	}
	state, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("save eventlog session: %w", err)
	}
	return state, nil
}

// Load takes up what Save wrote.
func (l *linker) Load(state []byte) error {
	var s saved
	if err := json.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("load eventlog session: %w", err)
	}
	l.sum = model.Summary{
		Title: string(s.Title), Version: string(s.Version), Parent: string(s.Parent),
		Outcome: string(s.Outcome), Usage: s.Usage,
	}
	l.trigger = nil
	if s.Trigger != nil {
		r := s.Trigger.load()
		l.trigger = &r
	}
	l.calls = newOpenCalls()
	for _, c := range s.Calls {
		l.calls.add(c.load())
	}
	l.calls.forgotten = s.Forgotten
	return nil
}
