package opencode

import (
	"hindcast/model"
)

// linkLive is a frame that no log holds.
func (l *linker) linkLive(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	latest := l.messages[st.Latest]
	switch {
	case n.Flags.has(isAborted):
		st.Outcome = "interrupted"
	case n.Flags.has(isFailed):
		if latest != nil {
			for _, pos := range latest.Trigger {
				l.link(e, model.ReasonSource, true, pos, look)
			}
		}
		if n.State == "" {
			st.Outcome = "error"
		}
	case n.State != "" && e.Kind == model.KindSession:
		e.Noise = n.State == st.Heard || n.State == "busy" // which the prompt says
		st.Heard = n.State
		if n.State == "busy" {
			st.Outcome = "running"
		} else if st.Outcome != "interrupted" && st.Outcome != "error" {
			st.Outcome = n.State
		}
	case n.Extra != "":
		if b, ok := look.ByID(n.Extra); ok {
			l.link(e, model.ReasonAction, false, b.Pos, look)
		}
	}
}

// linkNext is an event of the coming model. Its steps are the messages.
func (l *linker) linkNext(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	switch n.State {
	case "prompted", "synthetic", "shell.started":
		m, _ := l.message("prompt "+n.Object, e)
		l.said(e, n, m)
		st.User = m.ID
		if n.State == "shell.started" {
			l.called(e)
		}
		st.Outcome = "running"
	case "step.started":
		m, fresh := l.message(n.Parent, e)
		if fresh {
			m.Role, m.Parent = "assistant", st.User
			l.trigger(m)
			st.Latest = m.ID
		}
		l.from(e, m, look)
	case "text.ended", "reasoning.ended", "tool.called", "step.failed":
		m, _ := l.message(n.Parent, e)
		l.from(e, m, look)
		if n.State == "tool.called" {
			l.called(e)
			l.link(e, model.ReasonBatch, false, m.Call, look)
			m.Call = firstOf(m.Call, e.Pos)
		}
		if n.State == "step.failed" {
			st.Outcome = "error"
		}
	case "tool.success", "tool.failed", "shell.ended":
		m, _ := l.message(n.Parent, e)
		if b, ok := look.ByID(e.Call); ok && b.Kind == model.KindAction {
			l.link(e, model.ReasonAction, false, b.Pos, look)
		}
		l.returned(e)
		l.result(m, e.Pos)
	case "step.ended":
		if n.Flags.has(isIdle) {
			st.Outcome = "idle"
		}
	}
}

// linkGo is a row of the old Go program.
func (l *linker) linkGo(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if n.Op == opGoSession {
		st.Title, st.Parent, st.Created = n.Text, n.Parent, e.Pos
		return
	}
	m, _ := l.message(firstNonEmpty(n.Object, n.Parent), e)
	switch n.State {
	case "user":
		m.Role, st.User = "user", m.ID
		m.Said = e.Pos
		if st.Parent != "" {
			l.link(e, model.ReasonSource, true, st.Created, look)
		}
		st.Outcome = "running"
	case "assistant":
		m.Role, m.Parent, m.Unnamed = "assistant", st.User, true
		l.trigger(m)
		l.from(e, m, look)
		if prompt := l.messages[st.User]; prompt != nil {
			l.link(e, model.ReasonParent, true, prompt.First, look)
		}
		st.Latest = m.ID
		switch {
		case n.Flags.has(isFailed):
			st.Outcome = "error"
		case n.Flags.has(isIdle):
			st.Outcome = "idle"
		}
	case "tool_call":
		l.called(e)
		l.from(e, m, look)
		l.link(e, model.ReasonBatch, false, m.Call, look)
		m.Call = firstOf(m.Call, e.Pos)
	case "tool_result":
		l.returned(e)
		l.result(m, e.Pos)
	}
}
