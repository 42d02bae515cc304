package openhands

import (
	"encoding/json"
	"fmt"
	"strconv"

	"hindcast/model"
	"hindcast/model/phrase"
)

// linker completes a session's events in replay order. All that it keeps
// between events is in state, which is bounded whatever the length of the log.
type linker struct {
	meta   meta
	parent string
	title  string
	state  state
}

// state is what a linker carries from one import to the next.
type state struct {
	Tree  tree
	Calls calls
	// Turns remembers what the latest responses were made from, oldest first:
	// all records of a response share it.
	Turns []turn `json:",omitempty"`
	// Announced are calls that an assistant message held before their own
	// records, as one port writes them.
	Announced []announced `json:",omitempty"`
	// Guards are hooks that named an event which had not come yet.
	Guards []guard `json:",omitempty"`
	// ACP are the first records of calls that an ACP agent ran.
	ACP []openCall `json:",omitempty"`

	User     int64 // pos of the last message of the user
	LastV0   int64 // pos of the last V0 event in the agent's history
	Previous int64 // pos of the event before
	Asked    int64 // pos of a request for a condensation that is the event before
	Leaf     int64 // pos of the head that the conversation's state names

	Title    string `json:",omitempty"`
	Version  string `json:",omitempty"`
	Status   string `json:",omitempty"` // as recorded
	Inferred string `json:",omitempty"`
	// Usage is what was spent so far: as recorded last, or, until HasTotals, the
	// sum over the responses.
	Usage     model.Usage
	HasTotals bool
}

// turn is a response, and what it was made from.
type turn struct {
	ID     string
	Source int64
}

// announced is a call, the message that held it, and what that was made from.
type announced struct {
	turn
	Pos int64
}

// guard is a hook that ran before the event that it names.
type guard struct {
	Target string
	Hook   int64
	Blocks bool
}

// The bounds of what is remembered of the latest events. Records of one
// response, and a hook and what it guards, stand close together.
const (
	turnLimit  = 256
	guardLimit = 1024
	acpLimit   = 1024
	rangeLimit = 1 << 13 // events before a condensation that its range is looked for in
)

// NewLinker starts a session.
func (dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	l := &linker{meta: metaOf(s)}
	if s != nil {
		l.parent, l.title = s.Parent, s.Title
	}
	return l
}

// Link completes an event: where it stands in the tree, what it answers, what
// it was made from.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	n := parseNote(e.Note)
	if n.Flags.has(isV0) {
		l.linkV0(e, &n, look)
	} else {
		l.linkV1(e, &n, look)
	}
	l.learn(e, &n)
	l.state.Previous = e.Pos
}

func (l *linker) linkV1(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	at := st.Tree.place(e.Pos, l.namedParent(e, n, look), n.Flags.has(transparent), look)
	if at.branch && at.parent > 0 {
		if b, ok := look.At(at.parent); ok {
			e.Title = phrase.Fit("branch from " + strconv.FormatInt(b.Seq, 10) + ": " + e.Title)
		}
	}
	if n.Flags&(hasParent|noParentLink) == 0 && at.parent > 0 {
		l.infer(e, model.ReasonParent, at.parent, look)
	}
	l.guarded(e, n, look)
	l.answered(e, n, look)
	l.made(e, n, at.newest, look)
	if n.Flags.has(acp) {
		l.acp(e, n, look)
	}
	if n.Flags.has(forgetsPast) {
		l.condensed(e, look)
	}
	if e.Kind == model.KindCheckpoint && !n.Flags.has(forgetsPast) && st.Previous > 0 {
		l.infer(e, model.ReasonBase, st.Previous, look)
	}
	st.Tree.add(e.Pos, at, n.Flags)
	st.Asked = 0
	if n.Flags.has(asksToForget) {
		st.Asked = e.Pos
	}
	if l.meta.Leaf != "" && e.ID == l.meta.Leaf {
		st.Leaf = e.Pos
	}
}

// namedParent resolves parent_id: its pos, 0 for an explicit root, -1 where
// there is none or it names nothing that came before.
func (l *linker) namedParent(e *model.Event, n *note, look model.Lookup) int64 {
	switch {
	case !n.Flags.has(hasParent):
		return -1
	case n.Parent == rootParent:
		return 0
	}
	if b, ok := look.ByID(n.Parent); ok && b.Pos < e.Pos {
		return b.Pos
	}
	return -1
}

// guarded turns a hook's forward reference round: the event that a hook names
// links back to the hook.
func (l *linker) guarded(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if n.Guards != "" {
		if b, ok := look.ByID(n.Guards); ok && b.Pos < e.Pos {
			// It stands behind what it names, so it looks back like any other.
			reason := model.ReasonSource
			if b.Kind == model.KindAction {
				reason = model.ReasonAction
			}
			recorded(e, reason, n.Guards)
			return
		}
		if len(st.Guards) >= guardLimit {
			st.Guards = append(st.Guards[:0], st.Guards[guardLimit/2:]...)
		}
		st.Guards = append(st.Guards, guard{Target: n.Guards, Hook: e.Pos, Blocks: n.Flags.has(blocks)})
		return
	}
	if e.ID == "" || len(st.Guards) == 0 {
		return
	}
	for _, g := range st.Guards {
		if g.Target == e.ID {
			l.link(e, model.Link{Reason: model.ReasonParent}, g.Hook, look)
		}
	}
}

// answered finds the call that a result answers, and says which tool it was.
func (l *linker) answered(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if n.Flags.has(opensCall) || n.Flags.has(deadCall) {
		st.Calls.open(openCall{Pos: e.Pos, Call: e.Call, Tool: e.Tool, Dead: n.Flags.has(deadCall)})
	}
	if !n.Flags.has(answersCall) || n.Flags.has(acp) {
		return
	}
	target := ""
	for _, k := range e.Links {
		if k.Reason == model.ReasonAction {
			target = k.ToID
		}
	}
	switch b, ok := look.ByID(target); {
	case target != "" && ok && b.Pos < e.Pos:
		l.close(e, b.Pos)
	case target != "":
	case e.Call != "":
		e.Noise = e.Kind == model.KindMessage && st.Calls.answered(e.Call) // the result again, as the model gets it
		if o, ok := st.Calls.nearest(e.Call); ok {
			l.link(e, model.Link{Reason: model.ReasonAction}, o.Pos, look)
			l.close(e, o.Pos)
		} else if b, ok := look.ByID(e.Call); ok && b.Pos < e.Pos && b.Kind == model.KindAction {
			l.link(e, model.Link{Reason: model.ReasonAction, ToID: e.Call}, b.Pos, look)
		} else {
			recorded(e, model.ReasonAction, e.Call) // it stays open: the call is missing
		}
	}
	if n.Flags.has(hookReject) {
		l.blockedBy(e, target, look)
	}
}

func (l *linker) close(e *model.Event, pos int64) {
	if o, ok := l.state.Calls.answer(pos); ok {
		if e.Tool == "" {
			e.Tool = o.Tool
		}
		if e.Call == "" {
			e.Call = o.Call
		}
	}
}

// blockedBy links a rejection to the hook that refused the call.
func (l *linker) blockedBy(e *model.Event, call string, look model.Lookup) {
	for i := len(l.state.Guards) - 1; i >= 0; i-- {
		if g := l.state.Guards[i]; g.Blocks && g.Target == call {
			l.link(e, model.Link{Reason: model.ReasonSource}, g.Hook, look)
			return
		}
	}
}

// made says what an agent's record was made from: the newest record that the
// model had in view before its response began.
func (l *linker) made(e *model.Event, n *note, newest int64, look model.Lookup) {
	if !n.Flags.has(sourced) {
		return
	}
	st := &l.state
	source, isKnown := newest, false
	if a, ok := latest(st.Announced, func(a announced) string { return a.ID }, e.Call); ok {
		// The message that holds the call is the same answer of the model.
		l.link(e, model.Link{Reason: model.ReasonBatch, ToID: e.Call}, a.Pos, look)
		source, isKnown = a.Source, true
	}
	if n.Response != "" {
		if b, ok := look.ByID(n.Response); ok && b.Pos < e.Pos {
			l.link(e, model.Link{Reason: model.ReasonBatch, ToID: n.Response}, b.Pos, look)
			if t, ok := latest(st.Turns, func(t turn) string { return t.ID }, n.Response); ok && !isKnown {
				source, isKnown = t.Source, true
			}
		}
	}
	if !isKnown && n.Response != "" {
		st.Turns = remember(st.Turns, turn{n.Response, source})
	}
	if source > 0 && source < e.Pos {
		l.infer(e, model.ReasonSource, source, look)
	}
	for _, call := range n.Announces {
		st.Announced = remember(st.Announced, announced{turn{call, source}, e.Pos})
	}
}

// latest finds the newest entry of an id; no entry has an empty one.
func latest[T any](list []T, idOf func(T) string, id string) (found T, ok bool) {
	for i := len(list) - 1; i >= 0 && id != ""; i-- {
		if idOf(list[i]) == id {
			return list[i], true
		}
	}
	return found, false
}

// remember adds an entry; of too many it lets the older half go.
func remember[T any](list []T, x T) []T {
	if len(list) >= turnLimit {
		list = append(list[:0], list[turnLimit/2:]...)
	}
	return append(list, x)
}

// condensed links a condensation to the request directly before it.
func (l *linker) condensed(e *model.Event, look model.Lookup) {
	if l.state.Asked > 0 {
		l.infer(e, model.ReasonSource, l.state.Asked, look)
	}
}

// acp sorts the records of a call that an ACP agent ran: the first is the
// call, the end of it the result, what stands between is progress.
func (l *linker) acp(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	for i := len(st.ACP) - 1; i >= 0; i-- {
		if o := st.ACP[i]; o.Call == e.Call {
			l.link(e, model.Link{Reason: model.ReasonAction}, o.Pos, look)
			if n.Flags.has(answersCall) {
				e.Kind = model.KindObservation
				st.Calls.answer(o.Pos)
			} else {
				e.Kind, e.Noise = model.KindDelta, true
			}
			return
		}
	}
	if len(st.ACP) >= acpLimit {
		st.ACP = append(st.ACP[:0], st.ACP[acpLimit/2:]...)
	}
	o := openCall{Pos: e.Pos, Call: e.Call, Tool: e.Tool}
	st.ACP = append(st.ACP, o)
	if !n.Flags.has(answersCall) {
		st.Calls.open(o)
	}
}

// infer adds a link that hindcast made.
func (l *linker) infer(e *model.Event, reason model.Reason, pos int64, look model.Lookup) {
	l.link(e, model.Link{Reason: reason, Inferred: true}, pos, look)
}

// link adds a link to an earlier event of the session.
func (l *linker) link(e *model.Event, k model.Link, pos int64, look model.Lookup) {
	b, ok := look.At(pos)
	if !ok || pos >= e.Pos {
		return
	}
	k.To = model.Ref{Session: e.Session, Seq: b.Seq, Pos: pos, ID: k.ToID}
	e.Links = append(e.Links, k)
}

// Save returns the linker's working state.
func (l *linker) Save() ([]byte, error) {
	b, err := json.Marshal(&l.state)
	if err != nil {
		return nil, fmt.Errorf("save openhands session: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (l *linker) Load(b []byte) error {
	var st state
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load openhands session: %w", err)
	}
	l.state = st
	return nil
}
