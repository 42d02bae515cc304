package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// session reads a session's new value, or the two moments of one that stands as
// it was in the end.
func (d *decoder) session(r row) {
	s := readSession(r.object)
	if !r.derived {
		d.sessionAt(r, &s, stageWhole)
		return
	}
	d.sessionAt(r, &s, stageBirth)
	if s.changed() {
		d.sessionAt(r, &s, stageDone)
	}
}

func (d *decoder) sessionAt(r row, s *session, at stage) {
	typ := r.typ
	if at == stageBirth {
		typ = "session.created"
	}
	e := d.start(r, typ)
	n := note{Op: opSession, Stage: at, Text: s.title, Other: s.revertID(), Extra: s.version, Sum: sum(s.permission, s.share)}
	n.Agent = s.agent + "\x1f" + s.model
	moment(e, r.session, at, r.at)
	alias(e, r.session)
	e.Kind, e.Title = model.KindDelta, "session touched"
	if typ == "session.created" {
		e.Kind, e.Title = model.KindSession, phrase.Titled("session created", s.title)
		n.Parent = s.parentID
		if at == stageBirth {
			e.Time, n.Other = s.created, ""
		}
	}
	if !s.full {
		n.Flags |= isPartial
		n.State = s.present
	}
	if s.archived {
		n.Flags |= isArchived
	}
	d.finish(e, &n)
}

// message reads a message's new value, or its moments.
func (d *decoder) message(r row) {
	if !r.derived {
		d.messageAt(r, stageWhole)
		return
	}
	d.messageAt(r, stageBirth)
	m := r.asMessage
	if m.err != nil || m.finish != "" || m.completed.Known || m.diffs != nil || m.role == "assistant" && (present(m.tokens) || present(m.cost)) {
		d.messageAt(r, stageDone)
	}
}

func (d *decoder) messageAt(r row, at stage) {
	m := r.messageAt(at)
	e := d.start(r, typeWith(r.typ, m.role))
	n := note{Op: opMessage, Stage: at, Object: r.message, State: m.role, Parent: m.parentID, Agent: firstNonEmpty(m.agent, m.mode), Extra: m.provider}
	if at == stageBirth {
		moment(e, r.message, at, m.created)
	} else if at != stageWhole {
		moment(e, r.message, at, m.completed)
	}
	alias(e, r.message)
	e.Source = m.role
	n.Text = m.role + " message" + aside(n.Agent, m.modelID)
	if m.summary {
		n.Flags |= isSummary
	}
	if m.finish != "" || m.completed.Known || m.err != nil {
		n.Flags |= isFinished
	}
	if m.completed.Known && m.finish != "tool-calls" {
		n.Flags |= isIdle
	}
	switch {
	case m.aborted():
		n.Flags |= isAborted
		e.Kind, e.Title = model.KindSession, "aborted"
	case m.err != nil:
		n.Flags |= isFailed
		e.Kind, e.Outcome, e.Title = model.KindError, model.OutcomeFailed, errorTitle(m.err)
	default:
		e.Kind, e.Noise, e.Title = model.KindOther, true, n.Text
	}
	recorded(e, model.ReasonParent, m.parentID)
	d.finish(e, &n)
}

// part reads a part's new value, or its moments.
func (d *decoder) part(r row) {
	if !r.derived {
		d.partAt(r, stageWhole)
		return
	}
	p := r.asPart
	switch p.typ {
	case "tool":
		c := r.asCall
		if !c.done() || c.start.Known {
			d.partAt(r, stageBirth)
		}
		if c.done() {
			d.partAt(r, stageDone)
		}
		if c.compacted.Known {
			d.partAt(r, stageLater)
		}
	case "compaction":
		d.partAt(r, stageBirth)
		if isText(p.tail) {
			d.partAt(r, stageLater)
		}
	default:
		d.partAt(r, stageBirth)
	}
}

func (d *decoder) partAt(r row, at stage) {
	p, c := r.partAt(at)
	e := d.start(r, typeWith(r.typ, p.typ))
	n := note{Op: opPart, Stage: at, Object: r.part, Parent: r.message, State: p.typ}
	if at != stageWhole {
		moment(e, r.part, at, firstTime(p.end, p.start, r.at))
	}
	alias(e, r.part, p.call)
	recorded(e, model.ReasonParent, r.message)
	switch p.typ {
	case "tool":
		d.tool(e, &n, &p, &c, r.at)
	case "text", "reasoning":
		spoken(e, &n, &p)
	case "file":
		e.Kind = model.KindMessage
		e.Title = phrase.Titled("attached", firstNonEmpty(jsonscan.Str(p.filename), phrase.Head(p.url, phrase.LineLimit)))
	case "subtask":
		e.Kind = model.KindMessage
		e.Title = phrase.Titled("subtask", firstNonEmpty(jsonscan.Str(p.description), jsonscan.Str(p.agent)))
	case "step-start":
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "step begins"
	case "step-finish":
		e.Kind, e.Noise = model.KindDelta, true
		e.Usage = usageOf(p.tokens, p.cost)
		e.Title = stepTitle(e.Usage, p.reason)
	case "patch":
		e.Kind = model.KindState
		e.Title = phrase.OneLine("work tree changed: " + fileNames(p.files))
	case "compaction":
		compacted(e, &n, &p)
	case "retry":
		e.Kind, e.Outcome = model.KindError, model.OutcomeFailed
		e.Title = phrase.Titled("retry", errorTitle(jsonscan.Get(r.object, "error")))
	default:
		e.Kind, e.Noise, e.Title = model.KindOther, true, phrase.OneLine("part "+p.typ)
	}
	d.finish(e, &n)
}

// spoken is a text or a thought. Who says it shows only in its message.
func spoken(e *model.Event, n *note, p *part) {
	e.Kind = model.KindMessage
	n.Text = phrase.Said(phrase.Head(p.text, phrase.LineLimit))
	if n.Text == "" {
		n.Flags |= isEmpty
	}
	if p.ended {
		n.Flags |= isEnded
	}
	if p.timed {
		n.Flags |= isTimed
	}
	if p.synthetic {
		n.Flags |= isSynthetic
	}
	e.Title = phrase.Titled(p.typ, n.Text)
}

func compacted(e *model.Event, n *note, p *part) {
	e.Kind, e.Title = model.KindState, "compaction requested"
	if p.auto {
		e.Title += " (auto)"
	}
	if isText(p.tail) {
		n.Flags |= isTail
		n.Other = jsonscan.Str(p.tail)
		e.Kind, e.Title = model.KindCheckpoint, phrase.OneLine("compaction: tail kept from "+n.Other)
	}
}

// tool is a call: pending, running, or at its end.
func (d *decoder) tool(e *model.Event, n *note, p *part, c *call, at model.Time) {
	e.Tool, e.Call = p.tool, p.call
	n.State, n.Other = c.status, c.child
	subject := subjectOf(p.tool, c.input)
	switch {
	case n.Stage == stageBirth:
		e.Time = firstTime(c.start, at)
	case n.Stage == stageDone:
		e.Time = firstTime(c.end, c.start, at)
	case n.Stage == stageLater:
		e.Time = c.compacted
	}
	if c.child != "" {
		alias(e, c.child)
	}
	switch c.status {
	case callPending:
		e.Kind, e.Noise, e.Title = model.KindDelta, true, phrase.OneLine(p.tool+" …")
	case callRunning:
		e.Kind, e.Title = model.KindAction, phrase.OneLine(p.tool+" "+subject)
		n.Text = subject
	case callCompleted, callError:
		e.Kind, e.Outcome = model.KindObservation, model.OutcomeOK
		if c.failed(p.tool) {
			e.Outcome = model.OutcomeFailed
			n.Flags |= isFailed
		}
		e.Title = phrase.OneLine(p.tool + " " + resultTitle(p.tool, c))
		if n.Op == opRun { // no row of the call stands before it
			e.Title = phrase.OneLine(p.tool + " " + subject)
			if e.Outcome.Failed() {
				e.Title = phrase.OneLine(e.Title + " → " + resultTitle(p.tool, c))
			}
		}
		if c.compacted.Known {
			n.Flags |= isPruned
			n.Text = subject
		}
		if n.Stage == stageLater {
			e.Kind, e.Outcome = model.KindState, model.OutcomeUnknown
			e.Title = phrase.OneLine("output pruned: " + p.tool + " " + subject)
		}
	default:
		e.Kind, e.Title = model.KindOther, phrase.OneLine(p.tool+" "+c.status)
	}
}

// gone is an object that was taken away.
func (d *decoder) gone(r row) {
	e := d.start(r, r.typ)
	e.Kind = model.KindState
	n := note{Op: r.op, Object: firstNonEmpty(r.part, r.message), Parent: r.message}
	switch r.op {
	case opMessageGone:
		n.Object = r.message
		e.Title = "message removed"
	case opPartGone:
		e.Title = "part removed"
	default:
		e.Kind, e.Title = model.KindSession, "session deleted"
	}
	d.finish(e, &n)
}

// todo is a row of the table of tasks, which stands there as it was in the end.
func (d *decoder) todo(r row) {
	e := d.start(r, "todo")
	e.Kind, e.Noise, e.Time = model.KindState, true, model.Time{}
	e.Title = phrase.Titled("todo", phrase.Head(jsonscan.Get(r.object, "content"), phrase.LineLimit))
	d.finish(e, &note{Op: opTodo})
}

func typeWith(typ, what string) string {
	if what == "" {
		return typ
	}
	return typ + "/" + what
}

func firstTime(all ...model.Time) model.Time {
	for _, t := range all {
		if t.Known {
			return t
		}
	}
	return model.Time{}
}

// aside is what stands in parentheses behind a title.
func aside(words ...string) string {
	var said []string
	for _, w := range words {
		if w != "" {
			said = append(said, w)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}

// count is the number of elements of a list.
func count(list []byte) (n int) {
	jsonscan.Elements(list, func([]byte) bool { n++; return true })
	return n
}
