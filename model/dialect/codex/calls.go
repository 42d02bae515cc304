package codex

import (
	"strings"

	"hindcast/model"
	"hindcast/model/phrase"
)

// open notes a call, and what stands before it that tells of it already.
func (l *linker) open(e *model.Event, look model.Lookup) {
	st := &l.state
	c := openCall{Pos: e.Pos, Call: e.Call, Tool: e.Tool}
	if e.Tool == scriptTool {
		c.Script = e.Title
	}
	for _, o := range take(&st.Copies, func(o original) bool { return o.ID == e.Call }) {
		l.link(e, model.Link{Reason: model.ReasonParent, ToID: e.Call}, o.Pos, look)
	}
	if len(st.Calls) >= callLimit {
		half := callLimit / 2
		st.Lost += int64(half)
		st.Calls = append(st.Calls[:0], st.Calls[half:]...)
	}
	st.Calls = append(st.Calls, c)
}

// callAt finds the newest open call of an id; -1: none is open.
func (st *state) callAt(id string) int {
	for i := len(st.Calls) - 1; i >= 0; i-- {
		if st.Calls[i].Call == id {
			return i
		}
	}
	return -1
}

// answer leads a result to its call. How it went its item told, if there was
// one; else the result's text does.
func (l *linker) answer(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	i := st.callAt(e.Call)
	if i < 0 {
		b, ok := look.ByID(e.Call)
		switch {
		case ok && b.Pos < e.Pos && b.Kind == model.KindAction:
			l.link(e, model.Link{Reason: model.ReasonAction, ToID: e.Call}, b.Pos, look)
		case n.Flags.has(isStdoutRow):
			e.Call = "" // some items are told at their end alone
		default:
			e.Links = append(e.Links, model.Link{Reason: model.ReasonAction, ToID: e.Call})
		}
		e.Title = phrase.OneLine(e.Tool + " " + e.Title)
		return
	}
	c := st.Calls[i]
	st.Calls = append(st.Calls[:i], st.Calls[i+1:]...)
	l.link(e, model.Link{Reason: model.ReasonAction, ToID: e.Call}, c.Pos, look)
	if c.Told {
		e.Outcome = model.OutcomeOK
		if c.Failed {
			e.Outcome = model.OutcomeFailed
		}
	}
	if e.Tool == "" {
		e.Tool = c.Tool
	}
	e.Title = phrase.OneLine(e.Tool + " " + e.Title)
}

// tell leads an item to the call that it shows, and keeps for the result how
// that went. The row of the call says it all then, but of a thread that it made.
func (l *linker) tell(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if i := st.callAt(e.Call); i >= 0 {
		c := &st.Calls[i]
		if n.Flags.has(callFailed) || n.Flags.has(callWorked) {
			c.Told, c.Failed = true, n.Flags.has(callFailed)
		}
		e.Tool = c.Tool
		l.link(e, model.Link{Reason: model.ReasonAction, ToID: e.Call}, c.Pos, look)
		e.Noise = len(e.Aliases) == 0
		return
	}
	if b, ok := look.ByID(e.Call); ok && b.Pos < e.Pos {
		l.link(e, model.Link{Reason: model.ReasonAction, ToID: e.Call}, b.Pos, look)
		e.Noise = len(e.Aliases) == 0
		return
	}
	st.Copies = keepLast(st.Copies, original{Pos: e.Pos, ID: e.Call}, copyLimit)
}

// script leads what a script did to the call that runs it, which nothing names:
// the newest open one that speaks of it, else the newest open one. It is no
// result of that call, which has one of its own.
func (l *linker) script(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	found := int64(0)
	for i := len(st.Calls) - 1; i >= 0; i-- {
		c := &st.Calls[i]
		if c.Tool != scriptTool {
			continue
		}
		if n.Line != "" && strings.Contains(c.Script, n.Line) {
			found = c.Pos
			break
		}
		if found == 0 {
			found = c.Pos
		}
	}
	if found > 0 {
		l.infer(e, model.ReasonSource, found, look)
	}
}

// scriptTool is the tool that runs scripts.
const scriptTool = "exec"

// copied finds what a copy repeats: the record of the same id, else of the same
// text. A copy that stands before its original waits for it.
func (l *linker) copied(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	from := &st.Made
	if n.Flags.has(isPrompted) {
		from = &st.Prompts
	}
	found := take(from, func(o original) bool {
		return n.Original != "" && o.ID == n.Original || o.Sum == n.Sum
	})
	if len(found) > 0 {
		o := found[len(found)-1]
		l.link(e, model.Link{Reason: model.ReasonParent, ToID: n.Original, Inferred: n.Original == "" || o.ID != n.Original}, o.Pos, look)
		if b, ok := look.At(o.Pos); ok {
			e.Title = copyTitle(b.Seq)
		}
		if n.Flags.has(isPrompted) && !st.Asked && e.Origin == model.OriginRecorded {
			st.Asked, st.Named, st.Title = true, true, n.Line
		}
		return
	}
	if n.Flags.has(isPrompted) {
		// Nothing in the history says it: this is the only record of it.
		e.Kind, e.Noise = model.KindMessage, false
		st.Next = []int64{e.Pos}
		st.Turns = keepLast(st.Turns, e.Pos, turnLimit)
		return
	}
	st.Copies = keepLast(st.Copies, original{Pos: e.Pos, ID: n.Original, Sum: n.Sum}, copyLimit)
}

// repeated links a record of the history to the copies that stood before it.
func (l *linker) repeated(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	found := take(&st.Copies, func(o original) bool {
		return o.ID != "" && o.ID == e.ID || o.Sum != 0 && o.Sum == n.Sum
	})
	for _, o := range found {
		named := o.ID != "" && o.ID == e.ID
		k := model.Link{Reason: model.ReasonParent, Inferred: !named}
		if named {
			k.ToID = o.ID
		}
		l.link(e, k, o.Pos, look)
	}
	if len(found) == 0 {
		st.Made = keepLast(st.Made, original{Pos: e.Pos, ID: e.ID, Sum: n.Sum}, copyLimit)
	}
}

// take removes and returns what a list holds of a kind.
func take(list *[]original, is func(original) bool) (taken []original) {
	kept := (*list)[:0]
	for _, o := range *list {
		if is(o) {
			taken = append(taken, o)
		} else {
			kept = append(kept, o)
		}
	}
	*list = kept
	return taken
}

// keepLast adds an entry; of too many it lets the older half go.
func keepLast[T any](list []T, x T, limit int) []T {
	if len(list) >= limit {
		list = append(list[:0], list[limit/2:]...)
	}
	return append(list, x)
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
