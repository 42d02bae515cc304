package claudecode

import "hindcast/model"

// The states of a run, none of which a session file records.
const (
	statusRunning     = "running"
	statusFinished    = "finished"
	statusInterrupted = "interrupted"
	statusError       = "error"
	statusWaiting     = "waiting"
)

// learn keeps what an event says of the session as a whole, and makes its usage
// its own share.
func (l *linker) learn(e *model.Event, n *note) {
	st := &l.state
	l.spent(e, n)
	switch {
	case n.Flags.has(interrupts):
		st.Status = statusInterrupted
	case n.Flags.has(breaks):
		st.Status = statusError
	case n.Flags.has(endsTurn):
		st.Status = statusFinished
	case n.Flags&(isPrompt|notifies|answers|fromModel) != 0:
		st.Status = statusRunning
	}
	switch {
	case n.Flags.has(setsTitle):
		st.Chosen = n.Line
	case n.Flags.has(guessesTitle):
		st.Made = n.Line
	case n.Flags.has(isPrompt) && st.First == "" && e.Origin != model.OriginInherited:
		st.First = n.Line
	case n.Flags.has(fromModel) && st.First == "" && e.Origin != model.OriginInherited:
		st.First = st.Command // the model answers it: the command was a prompt
	case n.Flags.has(clientText) && n.Line != "" && st.First == "":
		st.Command = n.Line
	}
}

// spent turns totals into what came since the last ones. What a fork repeats
// was spent by its origin.
func (l *linker) spent(e *model.Event, n *note) {
	st := &l.state
	if e.Usage == nil {
		return
	}
	if e.Origin == model.OriginInherited {
		e.Usage = nil
		return
	}
	own := *e.Usage
	if n.Flags.has(totals | runTotals) {
		own.CostUSD = max(0, own.CostUSD-st.Usage.CostUSD)
	}
	if n.Flags.has(runTotals) {
		own = beyond(own, st.Run)
		st.Run = model.Usage{}
	} else {
		st.Run = st.Run.Add(own)
	}
	e.Usage = &own
	st.Usage = st.Usage.Add(own)
}

// beyond is what a run's totals say beyond the sum of its messages, whose usage
// a stream tells as it was when they began.
func beyond(all, sum model.Usage) model.Usage {
	all.Input = max(0, all.Input-sum.Input)
	all.Output = max(0, all.Output-sum.Output)
	all.CacheRead = max(0, all.CacheRead-sum.CacheRead)
	all.CacheWrite = max(0, all.CacheWrite-sum.CacheWrite)
	all.Reasoning = max(0, all.Reasoning-sum.Reasoning)
	return all
}

// Summary tells the session's outcome and counters so far.
func (l *linker) Summary() model.Summary {
	st := &l.state
	s := model.Summary{Parent: l.parent, Usage: st.Usage, OpenCalls: st.Open.count(), Outcome: st.Status}
	for _, title := range []string{st.Chosen, l.title, st.Made, st.First, st.Command} {
		if s.Title = title; title != "" {
			break
		}
	}
	if s.Outcome == statusRunning && s.OpenCalls > 0 {
		s.Outcome = statusWaiting
	}
	return s
}
