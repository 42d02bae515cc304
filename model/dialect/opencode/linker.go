package opencode

import (
	"encoding/json"
	"fmt"
	"slices"

	"hindcast/model"
	"hindcast/model/phrase"
)

// linker completes a session's events in replay order. All that it keeps
// between events is in state, which is bounded whatever the length of the log.
type linker struct {
	meta    *meta
	session string
	state   state
	// byID finds messages and parts of the state.
	messages map[string]*messageState
	parts    map[string]*partState
}

// state is what a linker carries from one import to the next.
type state struct {
	// Messages and Parts are the latest that were made, oldest first.
	Messages []*messageState `json:",omitempty"`
	Parts    []*partState    `json:",omitempty"`
	// Steps names the latest answer to each of the latest prompts.
	Steps []answered `json:",omitempty"`

	Seq      int64   // of the latest row of the log
	Numbered bool    // there was one
	Created  int64   // pos of the session's creation
	User     string  // id of the latest prompt
	Latest   string  // id of the latest answer
	Unseen   []int64 `json:",omitempty"` // results that no answer was made from yet

	Title, Agent, Sum string
	Archived          bool   `json:",omitempty"`
	Revert            string `json:",omitempty"` // what the session was taken back to
	Staged            int64  // pos of the row that did
	Removed           bool   // something was removed since

	Version string `json:",omitempty"`
	Parent  string `json:",omitempty"`
	Outcome string `json:",omitempty"`
	Heard   string `json:",omitempty"` // the state that the live stream told last
	Open    int64
	// Tools names the tools of calls whose results do not; the oldest call of too
	// many goes with its name.
	Tools []calledTool `json:",omitempty"`
	Usage model.Usage
}

// messageState is what is remembered of a message.
type messageState struct {
	ID, Role string
	Parent   string `json:",omitempty"` // the message that it answers
	Provider string `json:",omitempty"`
	First    int64  // pos of its first row
	Last     int64
	Said     int64   `json:",omitempty"` // pos of its first text, file or request
	Line     string  `json:",omitempty"` // that text's first line
	Call     int64   `json:",omitempty"` // pos of its first call
	Asked    int64   `json:",omitempty"` // pos of its compaction part
	Summary  int64   `json:",omitempty"` // pos of the summary that answers it
	Trigger  []int64 `json:",omitempty"` // what it was made from, the latest first
	Inferred bool    `json:",omitempty"` // nothing names the trigger
	Unnamed  bool    `json:",omitempty"` // nor the message that it answers
	Results  []int64 `json:",omitempty"` // of its calls, in order
	Done     bool    `json:",omitempty"`
	Failed   bool    `json:",omitempty"`
	IsSum    bool    `json:",omitempty"`
}

// partState is what is remembered of a part.
type partState struct {
	ID      string
	Last    int64
	Pending int64 `json:",omitempty"`
	Running int64 `json:",omitempty"`
	Result  int64 `json:",omitempty"`
	Final   bool  `json:",omitempty"` // its text was said
	Pruned  bool  `json:",omitempty"`
}

// calledTool is an open call and its tool.
type calledTool struct{ Call, Tool string }

// answered is a prompt and the latest message that answers it.
type answered struct{ Prompt, Answer string }

// The bounds of what is remembered. What comes later for an older object is a
// correction of it, and its first row is found by its id.
const (
	messageLimit = 512
	partLimit    = 1024
	stepLimit    = 64
	resultLimit  = 128
	lineLimit    = 80
)

// NewLinker starts a session.
func (dialect) NewLinker(s *model.Stream, session string) model.Linker {
	l := &linker{meta: metaOf(s), session: session}
	l.index()
	return l
}

// index makes the maps of what the state remembers.
func (l *linker) index() {
	l.messages = make(map[string]*messageState, len(l.state.Messages))
	for _, m := range l.state.Messages {
		l.messages[m.ID] = m
	}
	l.parts = make(map[string]*partState, len(l.state.Parts))
	for _, p := range l.state.Parts {
		l.parts[p.ID] = p
	}
}

// Link completes an event: what its row means against the row before of the
// same object, what it answers, what it was made from.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	n := parseNote(e.Note)
	l.number(e)
	if e.Usage != nil {
		u, provider := *e.Usage, ""
		if m := l.messages[n.Parent]; m != nil {
			provider = m.Provider
		}
		disjoint(&u, l.state.Version, provider)
		l.state.Usage = l.state.Usage.Add(u)
	}
	switch n.Op {
	case opSession:
		l.linkSession(e, &n, look)
	case opMessage:
		l.linkMessage(e, &n, look)
	case opPart:
		l.linkPart(e, &n, look)
	case opMessageGone, opPartGone:
		l.linkGone(e, &n, look)
	case opLive:
		l.linkLive(e, &n, look)
	case opNext:
		l.linkNext(e, &n, look)
	case opRun:
		l.linkRun(e, &n, look)
	case opGoSession, opGoMessage:
		l.linkGo(e, &n, look)
	}
}

// number gives what stands in no log the number of the log's row before it.
func (l *linker) number(e *model.Event) {
	st := &l.state
	switch {
	case e.HasSeq:
		st.Seq, st.Numbered = e.Seq, true
	case !l.meta.Synced && !l.meta.Logged || l.meta.Unnumbered:
	case !st.Numbered:
		e.Seq = l.meta.Begins[l.session] - 1
	default:
		e.Seq = st.Seq
	}
}

// message finds a message, or remembers it as made by e. fresh says that it was
// not known.
func (l *linker) message(id string, e *model.Event) (m *messageState, fresh bool) {
	if m = l.messages[id]; m != nil {
		return m, false
	}
	m = &messageState{ID: id, First: e.Pos}
	st := &l.state
	if len(st.Messages) >= messageLimit {
		for _, old := range st.Messages[:messageLimit/2] {
			delete(l.messages, old.ID)
		}
		st.Messages = append(st.Messages[:0], st.Messages[messageLimit/2:]...)
	}
	st.Messages = append(st.Messages, m)
	l.messages[id] = m
	return m, true
}

func (l *linker) part(id string) (p *partState, fresh bool) {
	if p = l.parts[id]; p != nil {
		return p, false
	}
	p = &partState{ID: id}
	st := &l.state
	if len(st.Parts) >= partLimit {
		for _, old := range st.Parts[:partLimit/2] {
			delete(l.parts, old.ID)
		}
		st.Parts = append(st.Parts[:0], st.Parts[partLimit/2:]...)
	}
	st.Parts = append(st.Parts, p)
	l.parts[id] = p
	return p, true
}

// link adds a link to an earlier event of the session.
func (l *linker) link(e *model.Event, reason model.Reason, inferred bool, pos int64, look model.Lookup) {
	if pos <= 0 || pos >= e.Pos {
		return
	}
	b, ok := look.At(pos)
	if !ok {
		return
	}
	for _, k := range e.Links {
		if k.Reason == reason && k.To.Pos == pos {
			return
		}
	}
	e.Links = append(e.Links, model.Link{Reason: reason, Inferred: inferred, To: model.Ref{Session: e.Session, Seq: b.Seq, Pos: pos}})
}

// result notes a call's result, which the next answer is made from.
func (l *linker) result(m *messageState, pos int64) {
	st := &l.state
	if len(m.Results) < resultLimit {
		m.Results = append(m.Results, pos)
	}
	if len(st.Unseen) >= resultLimit {
		st.Unseen = append(st.Unseen[:0], st.Unseen[1:]...)
	}
	st.Unseen = append(st.Unseen, pos)
}

// called opens a call whose result will not name its tool.
func (l *linker) called(e *model.Event) {
	st := &l.state
	st.Open++
	if len(st.Tools) >= stepLimit {
		st.Tools = append(st.Tools[:0], st.Tools[1:]...)
	}
	st.Tools = append(st.Tools, calledTool{e.Call, e.Tool})
}

// returned closes a call, and names its tool.
func (l *linker) returned(e *model.Event) {
	st := &l.state
	for i, c := range st.Tools {
		if c.Call == e.Call {
			e.Tool, e.Title = c.Tool, phrase.OneLine(c.Tool+" "+e.Title)
			st.Tools = slices.Delete(st.Tools, i, i+1)
			st.Open--
			return
		}
	}
}

// follows links a row to the one before it of the same object, instead of what
// holds the object. A derived one keeps both: its place is found by them.
func (l *linker) follows(e *model.Event, pos int64, look model.Lookup) {
	if e.Origin != model.OriginDerived {
		e.Links = slices.DeleteFunc(e.Links, func(k model.Link) bool { return k.Reason == model.ReasonParent })
	}
	l.link(e, model.ReasonParent, false, pos, look)
}

// from links an event to what its message was made from.
func (l *linker) from(e *model.Event, m *messageState, look model.Lookup) {
	for i, pos := range m.Trigger {
		l.link(e, model.ReasonSource, m.Inferred || i > 0, pos, look)
	}
}

// Summary tells what is known of the session so far.
func (l *linker) Summary() model.Summary {
	st := &l.state
	return model.Summary{Title: st.Title, Version: st.Version, Parent: st.Parent, Outcome: st.Outcome, OpenCalls: st.Open, Usage: st.Usage}
}

// Save returns the linker's working state.
func (l *linker) Save() ([]byte, error) {
	b, err := json.Marshal(&l.state)
	if err != nil {
		return nil, fmt.Errorf("save opencode session: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (l *linker) Load(b []byte) error {
	var st state
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load opencode session: %w", err)
	}
	l.state = st
	l.index()
	return nil
}
