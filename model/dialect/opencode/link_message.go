package opencode

import (
	"fmt"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/phrase"
)

// linkSession judges a session's new value against the one before.
func (l *linker) linkSession(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if n.Extra != "" && st.Version == "" {
		st.Version = n.Extra
	}
	if strings.HasPrefix(e.Type, "session.created") {
		st.Created = e.Pos
		st.Title, st.Agent, st.Sum, st.Parent = n.Text, n.Agent, n.Sum, n.Parent
		if n.Parent != "" {
			// The parent's task part carries this session's id; the importer
			// looks there for what this session does not hold.
			e.Links = append(e.Links, model.Link{Reason: model.ReasonSpawn, ToID: l.session})
		}
		if st.Outcome == "" {
			st.Outcome = "idle"
		}
		return
	}
	says := func(key string) bool {
		return !n.Flags.has(isPartial) || slices.Contains(strings.Fields(n.State), key)
	}
	l.link(e, model.ReasonParent, false, st.Created, look)
	switch {
	case says("revert") && n.Other != st.Revert:
		l.reverted(e, n, look)
	case says("title") && n.Text != st.Title:
		e.Kind, e.Title = model.KindState, phrase.OneLine("title = "+n.Text)
	case (says("agent") || says("model")) && n.Agent != st.Agent && n.Agent != "\x1f":
		e.Kind = model.KindState
		e.Title = "agent" + aside(strings.Split(n.Agent, "\x1f")...)
	case says("permission") && n.Sum != st.Sum:
		e.Kind, e.Title = model.KindState, "permission or share changed"
	case n.Flags.has(isArchived) != st.Archived && says("time"):
		e.Kind, e.Title = model.KindState, "archived"
	default:
		e.Noise = true
	}
	if says("title") {
		st.Title = n.Text
	}
	if says("agent") || says("model") {
		st.Agent = n.Agent
	}
	if says("permission") {
		st.Sum = n.Sum
	}
	if says("time") {
		st.Archived = n.Flags.has(isArchived)
	}
}

// reverted is a session that was taken back, or brought forward again.
func (l *linker) reverted(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	switch {
	case n.Other != "":
		e.Kind, e.Title = model.KindCheckpoint, phrase.OneLine("revert staged to "+n.Other)
		if m := l.messages[n.Other]; m != nil && m.Line != "" {
			e.Title = phrase.OneLine("revert staged to before: " + m.Line)
		}
		if b, ok := look.ByID(n.Other); ok {
			l.link(e, model.ReasonBase, false, b.Pos-1, look)
		}
		st.Staged, st.Removed = e.Pos, false
	case st.Removed:
		e.Kind, e.Title = model.KindState, "revert committed"
		l.link(e, model.ReasonBase, false, st.Staged, look)
	default:
		e.Kind, e.Title = model.KindCheckpoint, "unrevert"
		l.link(e, model.ReasonBase, false, st.Staged, look)
	}
	st.Revert = n.Other
}

// linkMessage judges a message's new value against the one before.
func (l *linker) linkMessage(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	m, fresh := l.message(n.Object, e)
	if fresh {
		if b, ok := look.ByID(n.Object); ok { // made so long ago that it was let go
			m.First, fresh = b.Pos, false
		}
		m.Role, m.Parent, m.IsSum, m.Provider = n.State, n.Parent, n.Flags.has(isSummary), n.Extra
	}
	if fresh {
		l.born(e, n, m, look)
	} else {
		l.follows(e, max(m.Last, m.First), look)
		l.renewed(e, n, m, look)
	}
	m.Last = e.Pos
	switch {
	case n.Flags.has(isAborted):
		l.from(e, m, look)
		st.Outcome = "interrupted"
	case n.Flags.has(isFailed):
		l.from(e, m, look)
		st.Outcome = "error"
	case n.Flags.has(isIdle) && m.Role == "assistant":
		st.Outcome = "idle"
	case fresh:
		st.Outcome = "running"
	}
	m.Failed = m.Failed || n.Flags.has(isFailed|isAborted)
	m.Done = m.Done || n.Flags.has(isFinished)
}

// born is a message's first row.
func (l *linker) born(e *model.Event, n *note, m *messageState, look model.Lookup) {
	st := &l.state
	if m.Role != "assistant" {
		st.User = m.ID
		if st.Parent != "" {
			l.link(e, model.ReasonSource, true, st.Created, look)
		}
		return
	}
	if m.Parent == "" { // before parentID: the prompt before it
		m.Parent, m.Unnamed = st.User, true
	}
	l.trigger(m)
	if m.IsSum {
		l.summarises(m)
	}
	l.from(e, m, look)
	st.Latest = m.ID
}

// trigger finds what an answer was made from: the prompt, where it is the first
// to it, and the results that no answer has seen so far.
func (l *linker) trigger(m *messageState) {
	st := &l.state
	prompt, answered := l.messages[m.Parent], l.answerTo(m.Parent) != ""
	var results []int64
	if !m.IsSum {
		results, st.Unseen = backwards(st.Unseen), nil
	}
	m.Trigger, m.Inferred = results, true
	if prompt != nil && (!answered || len(results) == 0) {
		m.Trigger = append([]int64{firstOf(prompt.Said, prompt.First)}, results...)
		m.Inferred = m.Unnamed
	}
	l.answer(m.Parent, m.ID)
}

// summarises finds what a summary was made from: the request for it, and what
// no answer has seen yet. Where no tail is kept, nobody sees that later.
func (l *linker) summarises(m *messageState) {
	st := &l.state
	if asked := l.messages[m.Parent]; asked != nil && asked.Asked > 0 {
		m.Trigger, m.Inferred = []int64{asked.Asked}, false
	}
	m.Trigger = append(m.Trigger, backwards(st.Unseen)...)
	if !keepsTail(st.Version) {
		st.Unseen = nil
	}
}

// keepsTail reports that a version keeps the latest turns when it compacts.
func keepsTail(version string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 {
		return true
	}
	return major > 1 || major == 1 && minor >= 14
}

func (l *linker) answerTo(prompt string) string {
	for _, a := range l.state.Steps {
		if a.Prompt == prompt {
			return a.Answer
		}
	}
	return ""
}

func (l *linker) answer(prompt, answer string) {
	st := &l.state
	st.Steps = slices.DeleteFunc(st.Steps, func(a answered) bool { return a.Prompt == prompt })
	if len(st.Steps) >= stepLimit {
		st.Steps = append(st.Steps[:0], st.Steps[1:]...)
	}
	st.Steps = append(st.Steps, answered{prompt, answer})
}

// renewed is a later row of a message.
func (l *linker) renewed(e *model.Event, n *note, m *messageState, look model.Lookup) {
	switch {
	case n.Flags.has(isAborted), n.Flags.has(isFailed):
		if m.Failed { // the error stands in each row that follows
			e.Kind, e.Outcome, e.Noise, e.Title = model.KindDelta, model.OutcomeUnknown, true, "message updated"
		}
	case m.IsSum && n.Flags.has(isFinished) && !m.Done:
		e.Kind, e.Noise, e.Title = model.KindCheckpoint, false, "compaction: a summary stands for what came before"
		if asked := l.messages[m.Parent]; asked != nil {
			asked.Summary = e.Pos
			l.link(e, model.ReasonSource, false, asked.Asked, look)
		}
	default:
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "message updated"
	}
}

// linkGone links what was removed to its first row.
func (l *linker) linkGone(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	if m := l.messages[n.Object]; m != nil && m.Line != "" {
		e.Title = phrase.Titled(e.Title, m.Line)
	}
	if b, ok := look.ByID(n.Object); ok {
		l.link(e, model.ReasonForgets, false, b.Pos, look)
	}
	if st.Revert != "" {
		l.link(e, model.ReasonBase, false, st.Staged, look)
		st.Removed = true
	}
}

// backwards is a list with the latest first.
func backwards(list []int64) []int64 {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

func firstOf(a, b int64) int64 {
	if a > 0 {
		return a
	}
	return b
}
