package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"hindcast/model"
)

// openLimit bounds the calls that are remembered as unanswered. Beyond it the
// oldest are let go.
const openLimit = 1 << 12

// Linker makes the links of a session from the notes of its records: a result
// to its call, a reply to what it answers.
type Linker struct{ s linked }

// linked is what a linker carries from one event to the next.
type linked struct {
	Sum     model.Summary
	Open    []openCall // in the order of their events
	Trigger int64      // pos of the last prompt or result
}

type openCall struct {
	ID   string
	Pos  int64
	Tool string
}

// NewLinker starts a session of which the stream tells what from tells.
func NewLinker(from model.Summary) *Linker { return &Linker{linked{Sum: from}} }

// Link completes one event.
func (l *Linker) Link(e *model.Event, look model.Lookup) {
	n := ReadNote(e.Note)
	if n.Flags.Has(Copy) {
		e.Origin = model.OriginCopied
	}
	if e.Origin == model.OriginCopied {
		return
	}
	for i, id := range n.Calls {
		if !n.answers(id) {
			l.open(openCall{id, e.Pos, n.tool(i, e.Tool)})
		}
	}
	for _, id := range n.Results {
		l.answer(e, id, n.makes(id), look)
	}
	if n.Flags.Has(Nearest) && len(l.s.Open) > 0 {
		c := l.s.Open[0]
		l.s.Open = l.s.Open[1:]
		l.toCall(e, c, look, true)
	}
	if n.Flags.Has(Reply) && l.s.Trigger > 0 {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, Inferred: true, To: at(e, l.s.Trigger, look)})
	}
	if !n.Flags.Has(Late) && (n.Flags.Has(Prompt|Nearest) || len(n.Results) > 0) {
		l.s.Trigger = e.Pos
	}
	l.tell(e, &n)
}

// answers reports a call whose result stands in the same record, and makes a
// result whose call does.
func (n *Note) answers(id string) bool { return id != "" && slices.Contains(n.Results, id) }
func (n *Note) makes(id string) bool   { return id != "" && slices.Contains(n.Calls, id) }

// tool is the tool of the i-th call.
func (n *Note) tool(i int, otherwise string) string {
	if i < len(n.Tools) && n.Tools[i] != "" {
		return n.Tools[i]
	}
	return otherwise
}

func (l *Linker) open(c openCall) {
	if len(l.s.Open) >= openLimit {
		l.s.Open = append(l.s.Open[:0], l.s.Open[1:]...)
	}
	l.s.Open = append(l.s.Open, c)
}

// answer links a result to the latest open call of its id, else to the event
// that carries the id first. What it answers in its own record needs no link.
func (l *Linker) answer(e *model.Event, id string, own bool, look model.Lookup) {
	for i := len(l.s.Open) - 1; i >= 0; i-- {
		if c := l.s.Open[i]; c.ID == id {
			l.s.Open = append(l.s.Open[:i], l.s.Open[i+1:]...)
			l.toCall(e, c, look, false)
			return
		}
	}
	b, ok := look.ByID(id)
	switch {
	case ok && b.Pos < e.Pos:
		l.toCall(e, openCall{ID: id, Pos: b.Pos}, look, false)
	case !ok && !own:
		e.Links = append(e.Links, model.Link{Reason: model.ReasonAction, ToID: id})
	}
}

func (l *Linker) toCall(e *model.Event, c openCall, look model.Lookup, inferred bool) {
	if e.Tool == "" {
		e.Tool = c.Tool
	}
	link := model.Link{Reason: model.ReasonAction, Inferred: inferred, ToID: c.ID, To: at(e, c.Pos, look)}
	if link.To.Pos > 0 {
		e.Links = append(e.Links, link)
	}
}

// at names an earlier event of the session; zero where it is not there.
func at(e *model.Event, pos int64, look model.Lookup) model.Ref {
	b, ok := look.At(pos)
	if !ok || pos >= e.Pos {
		return model.Ref{}
	}
	return model.Ref{Session: e.Session, Seq: b.Seq, Pos: pos}
}

// tell takes over what a record tells of its session. The first title counts,
// of all else the last.
func (l *Linker) tell(e *model.Event, n *Note) {
	sum := &l.s.Sum
	sum.Title = cmp.Or(sum.Title, n.Title)
	sum.Version = cmp.Or(n.Version, sum.Version)
	sum.Parent = cmp.Or(n.Parent, sum.Parent)
	sum.Outcome = cmp.Or(n.Outcome, sum.Outcome)
	switch {
	case e.Usage == nil:
	case n.Flags.Has(Total):
		sum.Usage = *e.Usage
	default:
		sum.Usage = sum.Usage.Add(*e.Usage)
	}
}

// Summary tells of the session so far.
func (l *Linker) Summary() model.Summary {
	l.s.Sum.OpenCalls = int64(len(l.s.Open))
	return l.s.Sum
}

// Save and Load carry the working state across a stop.
func (l *Linker) Save() ([]byte, error) { return json.Marshal(l.s) }

// Load takes up what Save wrote.
func (l *Linker) Load(state []byte) error {
	var s linked
	if err := json.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("load the links of a session: %w", err)
	}
	l.s = s
	return nil
}
