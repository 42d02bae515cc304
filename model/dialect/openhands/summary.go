package openhands

import "hindcast/model"

// The states that are inferred where a log records none (section 6 of the
// format), in the words of the newer family.
const (
	statusRunning  = "running"
	statusFinished = "finished"
	statusPaused   = "paused"
	statusError    = "error"
	statusWaiting  = "waiting"
)

// learn keeps what an event says of the session as a whole, and turns its
// cumulative usage into its own.
func (l *linker) learn(e *model.Event, n *note) {
	st := &l.state
	if n.Flags.has(userTurn) {
		st.User = e.Pos
		if st.Title == "" {
			st.Title = n.Line
		}
	}
	if n.Version != "" {
		st.Version = n.Version
	}
	if n.Status != "" {
		e.Noise = e.Noise || e.Kind == model.KindSession && n.Status == st.Status // nothing new
		st.Status = n.Status
	}
	if s := inferredStatus(n.Flags); s != "" {
		st.Inferred = s
	}
	switch {
	case e.Usage == nil:
	case n.Flags.has(ofResponse):
		st.Usage = st.Usage.Add(*e.Usage)
	default:
		now := *e.Usage
		own := since(st.Usage, now)
		e.Usage = &own
		st.Usage, st.HasTotals = now, true
	}
}

func inferredStatus(f flags) string {
	switch {
	case f.has(userTurn):
		return statusRunning
	case f.has(breaks):
		return statusError
	case f.has(pauses):
		return statusPaused
	case f.has(turnEnds):
		return statusFinished
	case f.has(opensCall):
		return statusRunning
	}
	return ""
}

// since is what one cumulative count says beyond the one before it. A counter
// that went back was reset (a fork): all of it is new.
func since(before, now model.Usage) model.Usage {
	if now.Input < before.Input || now.Output < before.Output || now.CostUSD < before.CostUSD {
		return now
	}
	return model.Usage{
		Input: now.Input - before.Input, Output: now.Output - before.Output,
		CacheRead: now.CacheRead - before.CacheRead, CacheWrite: now.CacheWrite - before.CacheWrite,
		Reasoning: now.Reasoning - before.Reasoning, CostUSD: now.CostUSD - before.CostUSD,
		Told: now.Told,
	}
}

// Summary tells the session's outcome and counters so far. What the log
// records goes before the conversation's state file, which goes before what is
// inferred.
func (l *linker) Summary() model.Summary {
	st := &l.state
	s := model.Summary{Title: l.title, Version: l.meta.Family.String(), Parent: l.parent, Usage: st.Usage}
	if s.Title == "" {
		s.Title = st.Title
	}
	if st.Version != "" {
		s.Version += " " + st.Version
	}
	if s.Usage.Told == 0 {
		s.Usage = l.meta.Usage
	}
	s.OpenCalls = l.openCalls()
	switch {
	case st.Status != "":
		s.Outcome = st.Status
	case l.meta.Status != "":
		s.Outcome = l.meta.Status
	case st.Inferred == statusRunning && s.OpenCalls > 0:
		s.Outcome = statusWaiting
	default:
		s.Outcome = st.Inferred
	}
	return s
}

// openCalls counts the calls that are pending on the path to the head.
func (l *linker) openCalls() int64 {
	st := &l.state
	t := &st.Tree
	if len(t.Segments) < 2 || t.Full {
		return st.Calls.pending(func(int64) bool { return true })
	}
	tip := t.Solid
	if st.Leaf > 0 {
		tip = st.Leaf
	}
	on := t.pathTo(tip)
	return st.Calls.pending(func(pos int64) bool {
		end, isOn := on[t.segmentOf(pos)]
		return isOn && pos <= end
	})
}
