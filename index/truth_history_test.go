package index

import (
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

// checkSessions: the sessions are there, with their parents, titles and records.
func (w *world) checkSessions() {
	known := make(map[string]bool)
	for _, want := range w.want.Sessions {
		id := w.names.of(sessionOf(want.ID, want.File))
		s := w.session(id)
		if s == nil {
			w.absent("sessions", want.ID)
			continue
		}
		w.say("sessions", holds, "")
		known[s.ID] = true
		w.say("parents", told(s.Parent, w.names.of(string(want.Parent))), "session %s has the parent %q, not %q", id, s.Parent, want.Parent)
		if want.Title != "" {
			w.say("titles", holdsIf(s.Title == string(want.Title)), "session %s is called %q, not %q", id, s.Title, want.Title)
		}
		if want.Records > 0 {
			var n int64
			for _, p := range w.parts(id) {
				n += p.Events + p.Copies + p.Inherited
			}
			w.say("records", holdsIf(n == want.Records), "session %s has %d records, not %d", id, n, want.Records)
		}
	}
	for _, s := range w.sessions {
		w.say("dialect", holdsIf(isDialect(s.Dialect, w.want.Dialect)), "session %s is of %s", s.ID, s.Dialect)
		own, _, _ := strings.Cut(s.ID, "/side")
		if len(known) > 0 && !known[own] {
			w.say("other sessions", missing, "a session %s", s.ID)
		}
	}
}

// checkCounts counts the events that a session does not have from another one by
// their types.
func (w *world) checkCounts() {
	if !w.names.counted {
		return
	}
	got := make(map[string]int)
	for _, all := range w.events {
		for _, e := range all {
			if e.Origin != model.OriginInherited {
				got[e.Type]++
			}
		}
	}
	for typ, n := range w.want.Counts {
		if typ != "(no type)" {
			w.say("counts", holdsIf(string(n) == strconv.Itoa(got[typ])), "%d events of type %s, not %s", got[typ], typ, n)
		}
	}
}

// told compares texts of which ours may be unknown, or left out on request.
func told(ours, truth string) verdict {
	switch {
	case ours == truth:
		return holds
	case ours == "", strings.HasPrefix(ours, "[redacted:"):
		return missing
	}
	return wrong
}

func (w *world) checkLinks() {
	for _, l := range w.want.Links {
		from, to := w.belonging(l.From), w.belonging(l.To)
		if l.Reason == "spawn" && len(from) > 0 { // its session was made there
			from = w.events[from[0].Session][:1]
			if strings.HasPrefix(string(l.From), "ses_") && from[0].Session != string(l.From) {
				from = nil // the call alone names it
			}
		}
		if len(from) == 0 || len(to) == 0 && !l.Dangling {
			w.absent("links", l.From, l.To)
			continue
		}
		ok := slices.ContainsFunc(from, func(e model.Event) bool { return isOneOf(e, to) }) // one record is both
		switch {
		case ok:
		case l.Dangling:
			ok = slices.ContainsFunc(from, func(e model.Event) bool {
				return slices.ContainsFunc(e.Links, func(l model.Link) bool { return !l.Resolved() })
			})
		case l.Reason == "prompt":
			ok = slices.ContainsFunc(from, func(e model.Event) bool { return w.promptedBy(e, to) })
		case w.names.laterParent && to[0].Pos > from[0].Pos:
			ok = w.linkedTo(to[0], from, []model.Reason{model.ReasonParent})
		default:
			ok = slices.ContainsFunc(from, func(e model.Event) bool { return w.linkedTo(e, to, reasons(l.Reason)) })
		}
		w.say("links", holdsIf(ok), "no link %s from %s to %s", l.Reason, l.From, l.To)
	}
}

// promptedBy follows causes back to the user's message.
func (w *world) promptedBy(e model.Event, to []model.Event) bool {
	for e.Cause != nil && e.Cause.To.Session == e.Session {
		e = w.at(e.Session, e.Cause.To.Pos)
		if isOneOf(e, to) {
			return true
		}
		if e.Source == "user" && e.Kind == model.KindMessage {
			return false
		}
	}
	return false
}

// checkFailures: what failed is told, and nothing else.
func (w *world) checkFailures() {
	known := make(map[model.Ref]bool)
	for _, list := range [][]word{w.want.Failed, w.want.Rejected, w.want.Interrupted, w.want.Copies} {
		for _, id := range list {
			for _, e := range w.belonging(id) {
				known[model.Ref{Session: e.Session, Pos: e.Pos}] = true
			}
		}
	}
	for _, id := range slices.Concat(w.want.Failed, w.want.Rejected) {
		events := w.belonging(id)
		if len(events) == 0 {
			w.absent("failures", id)
			continue
		}
		ok := slices.ContainsFunc(events, func(e model.Event) bool { return e.Outcome.Failed() })
		w.say("failures", holdsIf(ok), "%s did not fail: %s", id, events[0].Title)
	}
	for _, id := range w.want.Rejected {
		if events := w.named(id); len(events) > 0 {
			ok := slices.ContainsFunc(events, func(e model.Event) bool { return strings.Contains(e.Title, "reject") })
			w.say("rejections", holdsIf(ok), "%s does not say that it was refused: %s", id, events[0].Title)
		}
	}
	for _, s := range w.sessions {
		for _, e := range w.events[s.ID] {
			if e.Outcome.Failed() && e.Origin != model.OriginInherited && !known[model.Ref{Session: e.Session, Pos: e.Pos}] {
				w.say("other failures", missing, "%s #%d %s failed: %s", s.ID, e.Pos, e.ID, e.Title)
			}
		}
	}
}

// checkCauses: what really caused a failure is among the first three suspects,
// and what led to another event is in its chain. Of a failure that is its own
// cause nothing else is suspected.
func (w *world) checkCauses() {
	for _, c := range w.want.Causes {
		e, ok := w.settled(c.Of)
		if !ok {
			w.absent("causes", c.Of)
			continue
		}
		why, err := w.x.Why(w.ctx, e)
		if err != nil {
			w.Fatal(err)
		}
		var found []answer.Event
		for _, s := range why.Suspects[:min(3, len(why.Suspects))] {
			found = append(found, s.Event)
		}
		if !e.Outcome.Failed() {
			for _, s := range why.Chain {
				found = append(found, s.Event)
			}
		}
		for _, root := range c.Roots {
			means := w.belonging(root)
			ok := isOneOf(e, means) && len(found) == 0 || slices.ContainsFunc(found, func(f answer.Event) bool {
				return slices.ContainsFunc(means, func(x model.Event) bool {
					return x.Session == f.Session && (x.Pos == f.Pos || x.Mate == f.Pos)
				})
			})
			w.say("causes", holdsIf(ok), "of %s: %s is not among %s", c.Of, root, titlesOf(found))
		}
	}
}

func isOneOf(e model.Event, list []model.Event) bool {
	return slices.ContainsFunc(list, func(x model.Event) bool { return x.Session == e.Session && x.Pos == e.Pos })
}

func titlesOf(events []answer.Event) string {
	var out []string
	for _, e := range events {
		out = append(out, e.Title)
	}
	return strings.Join(out, "; ")
}
