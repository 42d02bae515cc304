package opencode

import (
	"hindcast/model"
	"hindcast/model/phrase"
)

// linkPart judges a part's new value against the one before.
func (l *linker) linkPart(e *model.Event, n *note, look model.Lookup) {
	m, fresh := l.message(n.Parent, e)
	if fresh {
		if b, ok := look.ByID(n.Parent); ok {
			m.First = b.Pos
		}
	}
	e.Source = m.Role
	p, fresh := l.part(n.Object)
	if fresh {
		if b, ok := look.ByID(n.Object); ok { // made so long ago that it was let go
			p.Last, p.Result, p.Running, p.Final = b.Pos, b.Pos, b.Pos, true
		}
	}
	if p.Last > 0 {
		l.follows(e, p.Last, look)
	}
	switch n.State {
	case callPending, callRunning, callCompleted, callError:
		if e.Tool != "" {
			l.linkTool(e, n, m, p, look)
		}
	case "text", "reasoning":
		l.linkText(e, n, m, p, look)
	case "file", "subtask", "agent":
		l.said(e, n, m)
	case "compaction":
		l.linkCompaction(e, n, m, p, look)
	case "step-start":
		// Where one message holds all steps of a turn, the later ones are made
		// from the results of those before.
		if len(m.Results) > 0 {
			m.Trigger, m.Inferred, m.Results, m.Call = backwards(m.Results), true, nil, 0
			l.state.Unseen = nil
		}
	case "retry":
		l.from(e, m, look)
	}
	p.Last = e.Pos
}

// said marks the first thing that a message says.
func (l *linker) said(e *model.Event, n *note, m *messageState) {
	if m.Said == 0 {
		m.Said, m.Line = e.Pos, n.Text
		if len(m.Line) > lineLimit {
			m.Line = phrase.OneLine(m.Line)
		}
	}
}

// linkText is a text or a thought: said once it is whole, progress before.
func (l *linker) linkText(e *model.Event, n *note, m *messageState, p *partState, look model.Lookup) {
	who := m.Role
	switch {
	case n.State == "reasoning":
		who = "thinking"
	case n.Flags.has(isSynthetic):
		who, e.Source = "synthetic", "synthetic" // nobody typed it
	case m.IsSum:
		who = "summary"
	}
	e.Title = phrase.Titled(who, n.Text)
	growing := n.Flags.has(isTimed) && !n.Flags.has(isEnded) && n.Stage == stageWhole
	if n.Flags.has(isEmpty) || growing || p.Final {
		e.Kind, e.Noise = model.KindDelta, true
		return
	}
	p.Final = true
	if m.Role == "user" && m.Said == 0 && n.Flags.has(isSynthetic) {
		l.goesOn(e, look)
	}
	l.said(e, n, m)
	if m.Role == "assistant" {
		l.from(e, m, look)
	}
}

// goesOn links a prompt that nobody typed to the summary that it stands behind:
// the program lets a run that was compacted on its way go on by itself.
func (l *linker) goesOn(e *model.Event, look model.Lookup) {
	sum := l.messages[l.state.Latest]
	if sum == nil || !sum.IsSum {
		return
	}
	if asked := l.messages[sum.Parent]; asked != nil {
		l.link(e, model.ReasonSource, true, asked.Summary, look)
	}
}

// linkTool is a row of a call: it waits, it runs, it came to its end, or its
// output was pruned.
func (l *linker) linkTool(e *model.Event, n *note, m *messageState, p *partState, look model.Lookup) {
	st := &l.state
	switch n.State {
	case callPending:
		if p.Pending == 0 && p.Running == 0 {
			p.Pending = e.Pos
			st.Open++
			l.from(e, m, look)
		}
	case callRunning:
		if p.Running > 0 || p.Result > 0 {
			e.Kind, e.Noise, e.Title = model.KindDelta, true, phrase.OneLine(e.Tool+" running")
			if n.Other != "" { // whoever comes from the session that it made goes on from the call
				l.link(e, model.ReasonAction, false, p.Running, look)
			}
			return
		}
		if p.Pending == 0 {
			st.Open++
		}
		p.Running = e.Pos
		l.from(e, m, look)
		l.link(e, model.ReasonBatch, false, m.Call, look)
		m.Call = firstOf(m.Call, e.Pos)
	default:
		l.linkResult(e, n, m, p, look)
	}
}

func (l *linker) linkResult(e *model.Event, n *note, m *messageState, p *partState, look model.Lookup) {
	st := &l.state
	pruned := n.Flags.has(isPruned)
	switch {
	case p.Result > 0 && pruned && !p.Pruned:
		e.Kind, e.Outcome = model.KindState, model.OutcomeUnknown
		e.Title = phrase.OneLine("output pruned: " + e.Tool + " " + n.Text)
		l.link(e, model.ReasonForgets, false, p.Result, look)
	case p.Result > 0:
		e.Kind, e.Outcome, e.Noise, e.Title = model.KindDelta, model.OutcomeUnknown, true, phrase.OneLine(e.Tool+" updated")
	default:
		if p.Pending > 0 || p.Running > 0 {
			st.Open--
			l.link(e, model.ReasonAction, false, firstOf(p.Running, p.Pending), look)
		} else {
			l.from(e, m, look)
		}
		p.Result = e.Pos
		l.result(m, e.Pos)
	}
	p.Pruned = p.Pruned || pruned
}

// linkCompaction is a request to compact, or, once the summary stands, the tail
// that was kept.
func (l *linker) linkCompaction(e *model.Event, n *note, m *messageState, p *partState, look model.Lookup) {
	if m.Asked == 0 {
		m.Asked = e.Pos
		l.said(e, n, m)
		if filled := backwards(l.state.Unseen); len(filled) > 0 { // what the context grew by last
			l.link(e, model.ReasonSource, true, filled[0], look)
		} else if latest := l.messages[l.state.Latest]; latest != nil {
			l.link(e, model.ReasonSource, true, latest.Said, look)
		}
	}
	switch {
	case n.Flags.has(isTail) && !p.Final:
		p.Final = true
		if kept := l.messages[n.Other]; kept != nil && kept.Line != "" {
			e.Title = phrase.OneLine("compaction: tail kept from: " + kept.Line)
		}
		l.link(e, model.ReasonSource, false, m.Summary, look)
	case p.Last > 0:
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "compaction updated"
	}
}

// linkRun is a line of `run --format json`, which holds neither prompts nor
// calls before they are done.
func (l *linker) linkRun(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	m, fresh := l.message(n.Parent, e)
	if fresh {
		m.Role, m.Trigger, m.Inferred = "assistant", backwards(st.Unseen), true
		st.Unseen, st.Latest = nil, m.ID
		st.Outcome = "running"
	} else if m.First > 0 {
		l.follows(e, m.First, look)
	}
	if e.Kind == model.KindMessage || e.Kind == model.KindObservation || e.Kind == model.KindError {
		l.from(e, m, look)
	}
	switch e.Kind {
	case model.KindMessage:
		who := "assistant"
		if n.State == "reasoning" {
			who = "thinking"
		}
		e.Title = phrase.Titled(who, n.Text)
	case model.KindObservation:
		l.result(m, e.Pos)
	case model.KindError:
		st.Outcome = "error"
	}
	if n.Flags.has(isIdle) {
		st.Outcome = "idle"
	}
}
