package claudecode

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/phrase"
)

// linker completes a session's events in the order of the file. All that it
// keeps between events is in state, which is bounded whatever the length of the
// file.
type linker struct {
	meta    *meta
	main    string // session of the stream
	session string
	parent  string
	title   string
	state   state
}

// state is what a linker carries from one import to the next.
type state struct {
	Chain    memory[place]  // records of the tree, by uuid
	Groups   memory[group]  // responses, by message id
	Requests memory[int64]  // what recorded requests ended in, by their ids
	Results  memory[result] // by the ids of their calls
	Open     openCalls
	// Batch are the results since the response at hand began, by pos.
	Batch []int64 `json:",omitempty"`

	User     int64 // pos of the newest user record
	Prompt   int64 // pos of the newest prompt of this segment
	Response int64 // pos of the first record of the newest response of this segment
	Boundary int64 // pos of the last compaction
	Previous int64 // pos of the event before
	Own      bool  // what a fork has from its origin is over

	// Titles: chosen, made by the program, the first prompt, the last command
	// before it.
	Chosen, Made, First, Command string
	Status                       string
	Usage                        model.Usage
	Run                          model.Usage // of a stream's run so far
}

// place is a record of the tree: the nearest record at or above it that is of
// user or model, and the user record that a response after it is made from.
type place struct {
	Solid   int64 `json:"s"`
	Trigger int64 `json:"t"`
}

// group is a response: its first record, what it was made from, its usage.
type group struct {
	Pos      int64
	Source   int64
	Inferred bool        `json:",omitempty"`
	Others   []int64     `json:",omitempty"` // results that came beside the source
	Usage    model.Usage // the most that a record told
}

// result is the answer to a call.
type result struct {
	Pos  int64
	Tool string
}

// NewLinker starts a session.
func (dialect) NewLinker(s *model.Stream, session string) model.Linker {
	l := &linker{meta: metaOf(s), session: session}
	if s == nil {
		return l
	}
	l.main = s.Session
	if session == s.Session {
		l.parent, l.title = s.Parent, s.Title
	} else if main, _, ok := strings.Cut(session, sideMark); ok {
		l.parent = main
	} else if l.meta.Stream {
		l.parent = s.Session
	}
	return l
}

// Link completes an event.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	if b, ok := look.ByID(e.ID); ok && e.ID != "" && b.Pos < e.Pos && b.Kind == e.Kind {
		// A client of another version, or at another place, wrote it again.
		e.Origin = model.OriginCopied
		l.state.Previous = e.Pos
		return
	}
	n := parseNote(e.Note)
	l.inherit(e)
	if e.Pos > 1 {
		dropSpawn(e)
	}
	switch {
	case n.Flags.has(fromUser):
		l.user(e, &n, look)
	case n.Flags.has(fromModel):
		l.response(e, &n, look)
	case n.Flags.has(asModel):
		l.asModel(e, &n, look)
	case n.Flags.has(notifies): // a stream's
		l.notified(e)
	case n.Flags.has(isBoundary):
		l.boundary(e, look)
	case n.Flags.has(isMicro):
		l.microcompaction(e, &n, look)
	case n.Flags.has(isRequest):
		l.state.Requests.put(n.Request, l.state.User, requestLimit)
	case n.Flags.has(isRetry):
		l.infer(e, model.ReasonSource, l.state.User, look)
	}
	if e.ID != "" && n.Flags&(fromUser|fromModel|asModel|isBoundary|isRequest) == 0 {
		l.state.Chain.put(e.ID, l.above(e, look), chainLimit)
	}
	l.learn(e, &n)
	l.state.Previous = e.Pos
}

// inherit marks what a fork's file repeats of its origin.
func (l *linker) inherit(e *model.Event) {
	if l.meta.ForkedUpTo == "" || l.state.Own || e.ID == "" || e.Type == "api-request" || l.session != l.main {
		return
	}
	e.Origin = model.OriginInherited
	l.state.Own = e.ID == l.meta.ForkedUpTo
}

// dropSpawn takes the link to the call that made a sub-agent off an event that
// is not its first: a stream names the call in every line.
func dropSpawn(e *model.Event) {
	kept := e.Links[:0]
	for _, k := range e.Links {
		if k.Reason != model.ReasonSpawn {
			kept = append(kept, k)
		}
	}
	e.Links = kept
}

// parentOf is the parent that the record names.
func parentOf(e *model.Event) string {
	for _, k := range e.Links {
		if k.Reason == model.ReasonParent {
			return k.ToID
		}
	}
	return ""
}

// above tells where a record's parent stands in the tree.
func (l *linker) above(e *model.Event, look model.Lookup) place {
	id := parentOf(e)
	if id == "" {
		return place{}
	}
	if p, ok := l.state.Chain.get(id); ok {
		return p
	}
	// Far back: it may be any record, so nothing is known of what it was made from.
	if b, ok := look.ByID(id); ok && b.Pos < e.Pos {
		p := place{Solid: b.Pos}
		if b.Kind == model.KindObservation {
			p.Trigger = b.Pos
		}
		return p
	}
	return place{}
}

// user links a user record: results to their calls, a summary to its
// compaction, a prompt to what it goes back to.
func (l *linker) user(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	switch {
	case n.Flags.has(answers):
		l.answered(e, look)
	case n.Flags.has(notifies):
		l.notified(e)
	case n.Flags.has(isSummary):
		l.summary(e, look)
	case n.Flags.has(isPrompt):
		l.prompt(e, look)
	}
	st.User = e.Pos
	st.Chain.put(e.ID, place{e.Pos, e.Pos}, chainLimit)
}

// notified says which tool a background task ran.
func (l *linker) notified(e *model.Event) {
	if r, ok := l.state.Results.get(e.Call); ok {
		e.Tool = r.Tool
	}
}

// answered closes the calls that a record answers, and says which tool it was.
func (l *linker) answered(e *model.Event, look model.Lookup) {
	st := &l.state
	tool := ""
	for _, k := range e.Links {
		if k.Reason != model.ReasonAction {
			continue
		}
		c, ok := st.Open.answer(k.ToID)
		if !ok {
			if r, done := st.Results.get(k.ToID); done {
				c.Tool = r.Tool
			}
		}
		if k.ToID == e.Call {
			tool = c.Tool
		}
		if ok {
			st.Results.put(k.ToID, result{e.Pos, c.Tool}, resultLimit)
		}
	}
	if tool != "" {
		e.Tool = tool
		e.Title = phrase.Titled(tool, e.Title)
	}
	if len(st.Batch) < batchLimit {
		st.Batch = append(st.Batch, e.Pos)
	}
}

// prompt finds a prompt that goes back: what stands above it ends before the
// newest response or prompt.
func (l *linker) prompt(e *model.Event, look model.Lookup) {
	st := &l.state
	parent := parentOf(e)
	tip := max(st.Response, st.Prompt)
	at := l.above(e, look).Solid
	switch {
	case l.meta.Stream || tip == 0:
	case parent == "":
		e.Title = phrase.Fit("branch from the start: " + e.Title)
	case at > 0 && at < tip:
		if b, ok := look.At(at); ok {
			e.Title = phrase.Fit("branch from " + strconv.FormatInt(b.Seq, 10) + ": " + e.Title)
		}
		e.Links = append(e.Links, model.Link{Reason: model.ReasonBase, ToID: parent})
	}
	st.Prompt = e.Pos
}

// response links a block of a provider's message: to the first block, and to
// what the message was made from.
func (l *linker) response(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	g, again := st.Groups.get(n.Group)
	if !again {
		if b, ok := look.ByID(n.Group); ok && b.Pos < e.Pos {
			// Its first block is too far back: what it told is counted already.
			e.Usage = nil
			l.link(e, model.Link{Reason: model.ReasonBatch, ToID: n.Group}, b.Pos, look)
			l.opened(e, n)
			st.Chain.put(e.ID, place{e.Pos, l.above(e, look).Trigger}, chainLimit)
			return
		}
		g = l.made(e, n, look)
		st.Response, st.Batch = e.Pos, nil
	} else {
		l.link(e, model.Link{Reason: model.ReasonBatch, ToID: n.Group}, g.Pos, look)
	}
	l.link(e, model.Link{Reason: model.ReasonSource, Inferred: g.Inferred}, g.Source, look)
	for _, pos := range g.Others {
		l.infer(e, model.ReasonSource, pos, look)
	}
	if e.Usage != nil {
		now := most(g.Usage, *e.Usage)
		grown := now.Sub(g.Usage)
		g.Usage, e.Usage = now, &grown
	}
	st.Groups.put(n.Group, g, groupLimit)
	l.opened(e, n)
	st.Chain.put(e.ID, place{e.Pos, g.Source}, chainLimit)
}

// opened keeps the calls of a block.
func (l *linker) opened(e *model.Event, n *note) {
	if e.Kind != model.KindAction {
		return
	}
	l.state.Open.open(openCall{e.Call, e.Tool})
	for _, c := range n.Calls {
		l.state.Open.open(openCall(c))
	}
}

// made tells what a response was made from: the newest user record before the
// request that it names, else what stands above it in the tree, both recorded;
// else the newest user record. Results that came beside it were sent as well.
func (l *linker) made(e *model.Event, n *note, look model.Lookup) group {
	st := &l.state
	g := group{Pos: e.Pos}
	if pos, ok := st.Requests.get(n.Request); ok && n.Request != "" {
		g.Source = pos
	} else if at := l.above(e, look); at.Trigger > 0 {
		g.Source = at.Trigger
	} else {
		g.Source, g.Inferred = st.User, true
	}
	for _, pos := range st.Batch {
		if pos == g.Source {
			g.Others = withoutPos(st.Batch, pos)
			break
		}
	}
	return g
}

func withoutPos(list []int64, pos int64) (out []int64) {
	for _, p := range list {
		if p != pos {
			out = append(out, p)
		}
	}
	return out
}

// infer adds a link that hindcast made.
func (l *linker) infer(e *model.Event, reason model.Reason, pos int64, look model.Lookup) {
	l.link(e, model.Link{Reason: reason, Inferred: true}, pos, look)
}

// link adds a link to an earlier event of the session.
func (l *linker) link(e *model.Event, k model.Link, pos int64, look model.Lookup) {
	if pos <= 0 || pos >= e.Pos {
		return
	}
	b, ok := look.At(pos)
	if !ok {
		return
	}
	k.To = model.Ref{Session: e.Session, Seq: b.Seq, Pos: pos, ID: k.ToID}
	e.Links = append(e.Links, k)
}

// Save returns the linker's working state.
func (l *linker) Save() ([]byte, error) {
	b, err := json.Marshal(&l.state)
	if err != nil {
		return nil, fmt.Errorf("save claudecode session: %w", err)
	}
	return b, nil
}

// Load takes what Save returned.
func (l *linker) Load(b []byte) error {
	var st state
	if err := json.Unmarshal(b, &st); err != nil {
		return fmt.Errorf("load claudecode session: %w", err)
	}
	l.state = st
	return nil
}
