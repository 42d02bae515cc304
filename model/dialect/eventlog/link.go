package eventlog

import (
	"hindcast/model"
)

// openCallLimit bounds the calls that a linker remembers as unreturned. Beyond
// it the oldest are forgotten: they stay counted as open, and a result can
// only reach them by a recorded link.
const openCallLimit = 10_000

// baseWindow is how many events before a checkpoint are looked at one by one
// for its base; beyond it they are searched by halves, as sequences rise.
const baseWindow = 512

// linker makes the links of one session, in replay order.
type linker struct {
	session string
	sum     model.Summary
	trigger *ref // nearest earlier user input, result or error
	calls   openCalls
}

// ref is an earlier event as the linker remembers it.
type ref struct {
	Pos int64
	Seq int64
	ID  string
}

func newLinker(session string) *linker {
	return &linker{session: session, calls: newOpenCalls()}
}

// Link resolves the recorded links of e, infers one where none is recorded and
// the format allows it, and takes e into the session's working state. A
// recorded link that leads nowhere stays as it is: nothing takes its place.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	if standsAgain(e, look) {
		e.Origin = model.OriginCopied
	}
	recorded := false
	var call *openCall
	for i := range e.Links {
		link := &e.Links[i]
		if link.Reason == model.ReasonBase && link.ToID == "" {
			l.base(e, link, look)
			continue
		}
		recorded = true
		if target := l.resolve(e, link, look); target != nil {
			call = target
		}
	}
	if !recorded {
		call = l.infer(e)
	}
	if call != nil {
		l.fillResult(e, call)
	}
	if e.Origin != model.OriginCopied {
		l.keep(e, call)
	}
}

// standsAgain reports a record that carries the id and the sequence number of an
// earlier one: it was written again, whatever else it says this time. Those of
// one number stand side by side.
func standsAgain(e *model.Event, look model.Lookup) bool {
	if e.ID == "" || !e.HasSeq || e.Pos < 2 {
		return false
	}
	if before, ok := look.At(e.Pos - 1); !ok || before.Seq != e.Seq {
		return false
	}
	first, ok := look.ByID(e.ID)
	return ok && first.Pos < e.Pos && first.Seq == e.Seq
}

// resolve finds the target of a recorded link. Where that is the call of a
// result, the link's reason is action and the call is returned.
func (l *linker) resolve(e *model.Event, link *model.Link, look model.Lookup) *openCall {
	if link.To.Session != "" && link.To.Session != e.Session || link.ToID == "" {
		return nil
	}
	if e.ID != "" && link.ToID == e.ID {
		link.Broken = model.LinkSelf
		return nil
	}
	target, ok := look.ByID(link.ToID)
	if !ok || target.Pos >= e.Pos {
		return nil
	}
	link.To = model.Ref{Session: e.Session, Seq: target.Seq, Pos: target.Pos, ID: link.ToID}
	if e.Type != typeResult || target.Kind != model.KindAction {
		return nil
	}
	link.Reason = model.ReasonAction
	if c := l.calls.at(target.Pos); c != nil {
		return c
	}
	return &openCall{ref: ref{Pos: target.Pos, Seq: target.Seq, ID: link.ToID}}
}

// base resolves a checkpoint's base: the last event before it that carries the
// sequence number. That of a session which goes on from another is what it has
// from there last.
func (l *linker) base(e *model.Event, link *model.Link, look model.Lookup) {
	want, inherited := link.To.Seq, link.To.Session != ""
	link.To = model.Ref{Seq: want}
	switch {
	case inherited:
		if before, ok := look.At(e.Pos - 1); ok && before.Seq <= want {
			link.To = model.Ref{Session: e.Session, Seq: before.Seq, Pos: before.Pos}
		} else {
			link.Broken = model.LinkMissing
		}
	case want == e.Seq:
		link.Broken = model.LinkSelf
	case want > e.Seq:
		link.Broken = model.LinkLater
	default:
		pos, ok := lastOfSeq(want, e.Pos-1, look)
		if !ok {
			link.Broken = model.LinkMissing
			return
		}
		link.To.Session, link.To.Pos = e.Session, pos
	}
}

// lastOfSeq finds the last event at or before pos that has the sequence number.
func lastOfSeq(seq, pos int64, look model.Lookup) (int64, bool) {
	for stop := max(pos-baseWindow, 0); pos > stop; pos-- {
		if b, ok := look.At(pos); ok && b.Seq == seq {
			return pos, true
		}
	}
	low, high := int64(0), pos // the answer is in (low, high]
	for low < high {
		mid := low + (high-low+1)/2
		b, ok := look.At(mid)
		if ok && b.Seq <= seq {
			low = mid
		} else {
			high = mid - 1
		}
	}
	b, ok := look.At(low)
	return low, low > 0 && ok && b.Seq == seq
}

// infer adds the link that the format lets a reader conclude for an event that
// records none: a result to a call, an action to what came before it, an error
// to the call that was under way.
func (l *linker) infer(e *model.Event) *openCall {
	switch e.Type {
	case typeResult:
		call := l.calls.nearest(e.Tool)
		if call != nil {
			l.addInferred(e, model.ReasonAction, call.ref)
		}
		return call
	case typeAction:
		if l.trigger != nil {
			l.addInferred(e, model.ReasonSource, *l.trigger)
		}
	case typeError:
		if call := l.calls.nearest(""); call != nil {
			l.addInferred(e, model.ReasonSource, call.ref)
		}
	}
	return nil
}

func (l *linker) addInferred(e *model.Event, reason model.Reason, to ref) {
	e.Links = append(e.Links, model.Link{
		Reason: reason, Inferred: true,
		To: model.Ref{Session: e.Session, Seq: to.Seq, Pos: to.Pos, ID: to.ID},
	})
}

// fillResult gives a result its call id, and the tool that it did not name.
func (l *linker) fillResult(e *model.Event, call *openCall) {
	e.Call = call.ID
	if e.Tool != "" || call.Tool == "" {
		return
	}
	e.Tool = call.Tool
	e.Title = string(clip([]byte(oneLine(e.Tool)+" "+e.Title), false))
}

// keep takes the event into the working state.
func (l *linker) keep(e *model.Event, call *openCall) {
	here := ref{Pos: e.Pos, Seq: e.Seq, ID: e.ID}
	switch e.Type {
	case typeUser:
		if l.sum.Title == "" {
			l.sum.Title = trimUser(e.Title)
		}
		l.setTrigger(here)
	case typeResult:
		if call != nil {
			l.calls.remove(call.Pos)
		}
		l.setTrigger(here)
	case typeError:
		l.setTrigger(here)
	case typeAction:
		if e.Kind == model.KindAction {
			l.calls.add(openCall{ref: here, Tool: e.Tool})
		}
	}
	if e.Usage != nil {
		l.sum.Usage = l.sum.Usage.Add(*e.Usage)
	}
	if e.Note != "" {
		l.keepNote(e, parseNote(e.Note))
	}
}

// setTrigger remembers what a later action without a recorded source answers.
func (l *linker) setTrigger(here ref) {
	if l.trigger == nil {
		l.trigger = new(ref)
	}
	*l.trigger = here
}

func (l *linker) keepNote(e *model.Event, n note) {
	if n.version != "" {
		l.sum.Version = "schema " + n.version
	}
	if n.state != "" {
		l.sum.Outcome = n.state
	}
	if e.Origin == model.OriginInherited {
		return // the rest is of the base
	}
	if n.base.Session != "" && n.base.Session != l.session {
		l.sum.Base = n.base
	}
	if n.parent != "" && n.parent != l.session && l.sum.Parent == "" {
		l.sum.Parent = n.parent
	}
}

func trimUser(title string) string {
	const prefix = "user: "
	if len(title) > len(prefix) {
		return title[len(prefix):]
	}
	return title
}

// Summary tells the session's title, last state, open calls and usage so far.
func (l *linker) Summary() model.Summary {
	s := l.sum
	s.OpenCalls = l.calls.count()
	return s
}
