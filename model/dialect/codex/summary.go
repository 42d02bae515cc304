package codex

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/phrase"
)

// keep takes the event into the working state.
func (l *linker) keep(e *model.Event, n *note) {
	st := &l.state
	f := n.Flags
	if f.has(isItem) {
		l.item(e, n)
	} else if !f.has(isStdoutRow) || e.Kind == model.KindSession {
		st.Apart = true
	}
	if f.has(isStdoutRow) && f.has(isInput) {
		st.Next = keepLast(st.Next, e.Pos, inputLimit)
	}
	if f.has(isStdoutRow) && f.has(isMade) {
		st.LastItem = e.Pos
	}
	if n.Thread != "" && st.Thread == "" {
		st.Thread = n.Thread
	}
	if n.Status != "" {
		st.Status = n.Status
	}
	switch {
	case f.has(isPrompted), f.has(opensCall):
		st.Inferred = statusRunning
	case f.has(isMade) && e.Kind == model.KindMessage:
		st.Inferred = statusIdle
	}
	l.spend(e, n)
}

// item counts an item of the history, and notes what it is for what follows.
func (l *linker) item(e *model.Event, n *note) {
	st := &l.state
	f := n.Flags
	st.Apart = false
	if n.Own > 0 {
		st.Numbers = keepLast(st.Numbers, place{span{n.Own, n.Own}, e.Pos}, numberKept)
	}
	if e.Kind == model.KindCheckpoint || e.Kind == model.KindOther {
		return
	}
	st.Items++
	st.LastItem = e.Pos
	if st.FirstItem == 0 {
		st.FirstItem = e.Pos
	}
	switch {
	case f.has(isPrompted): // what was not answered before, is not now
		st.Next = []int64{e.Pos}
	case f.has(isInput):
		st.Next = keepLast(st.Next, e.Pos, inputLimit)
	}
	if f.has(isDraft) {
		st.Draft = e.Pos
	} else if f.has(isPrompted) || f.has(isMade) {
		st.Draft = 0
	}
	if f.has(isPrompted) {
		st.Turns = keepLast(st.Turns, e.Pos, turnLimit)
		st.Prompts = keepLast(st.Prompts, original{Pos: e.Pos, ID: e.ID, Sum: n.Sum}, copyLimit)
	}
	if n.Line != "" && (e.Origin == model.OriginRecorded && !st.Named || st.Title == "" && st.Own == 0) {
		// A fork is named by what was asked of it, where anything was.
		st.Title, st.Named = n.Line, e.Origin == model.OriginRecorded
	}
}

// spend counts tokens: response by response where the file tells them so, else
// as what the total so far has gained.
func (l *linker) spend(e *model.Event, n *note) {
	st := &l.state
	if e.Usage == nil {
		return
	}
	if n.Flags.has(isUsage) {
		st.Counted = true
		st.Usage = st.Usage.Add(*e.Usage)
		return
	}
	now := *e.Usage
	e.Usage = nil
	if st.Counted {
		return
	}
	own := now.Sub(st.Total)
	if now.Input < st.Total.Input || now.Output < st.Total.Output {
		own = now // counted anew
	}
	st.Total = now
	if own != (model.Usage{Told: own.Told}) {
		e.Usage = &own
		st.Usage = st.Usage.Add(own)
	}
}

// Summary tells the session's outcome and counters so far.
func (l *linker) Summary() model.Summary {
	st := &l.state
	s := model.Summary{
		Title: st.Title, Version: st.Version, Parent: st.Parent, Base: st.Base,
		Outcome: st.Status, OpenCalls: int64(len(st.Calls)) + st.Lost, Usage: st.Usage,
	}
	if s.Outcome == "" {
		s.Outcome = st.Inferred
	}
	return s
}

// copyTitle is the title of a copy.
func copyTitle(seq int64) string { return "copy of " + strconv.FormatInt(seq, 10) }

// cutTitle parts a title of settings into what they are of and what they say.
func cutTitle(title string) (what, rest string, ok bool) { return strings.Cut(title, ": ") }

// changedTitle names what is new: the model and the directory with their
// values, the others by name.
func changedTitle(what string, changed []string, n *note) string {
	var words []string
	for _, name := range changed {
		switch {
		case name == "model" && n.Model != "":
			name = "model " + n.Model
		case name == "cwd" && n.Cwd != "":
			name = "cwd " + n.Cwd
		}
		words = append(words, name)
	}
	return phrase.Titled(what+" changed", strings.Join(words, ", "))
}
