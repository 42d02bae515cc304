package inspector

import (
	"context"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render/theme"
)

// goal is the address at which the reader asked to open. What it names may not
// have been read yet, or (the last error, say) may be another event with every
// commit: it is kept until the whole dump has been read.
type goal struct {
	at    string       // empty: reached, or none
	from  travel.Place // where the reader was put meanwhile
	busy  bool         // an answer is on its way
	owed  bool         // and was asked for before the newest growth
	quiet bool         // the reader did not ask for it: where they were last
}

// steady reports whether an address, once it names an event, goes on naming it
// as the dump is read.
func steady(text string) bool {
	a, err := model.ParseAddress(text)
	if err != nil || len(a.Readings) == 0 {
		return false
	}
	switch r := a.Readings[0]; r.Form {
	case model.FormFirst, model.FormSeq, model.FormPos, model.FormID:
		return true
	case model.FormError, model.FormCheckpoint, model.FormTurn:
		return r.N > 0
	}
	return false
}

// find looks for the goal in a session, given a status read before the session
// was. ok is false while it is too early to tell.
func (u *ui) find(ctx context.Context, seen index.Status, session, at string) (e model.Event, ok bool, err error) {
	if at == "" || !seen.Done && !steady(at) {
		return e, false, nil
	}
	e, err = resolve(ctx, u.idx, session, at)
	return e, err == nil || seen.Done, err
}

// seek goes to the goal as soon as it is known, if the reader has not gone
// elsewhere.
func (u *ui) seek() {
	g := &u.goal
	switch {
	case g.at == "" || !u.ready:
		return
	case g.busy:
		g.owed = true
		return
	case !u.st.At.Same(g.from):
		if u.status.Done && g.quiet {
			g.at = ""
		} else if u.status.Done {
			u.say("all is read: :"+g.at+" goes where --at asked", theme.Dim)
			g.at = ""
		}
		return
	}
	g.busy = true
	at := g.at
	job := func(ctx context.Context) func() {
		seen := u.idx.Status()
		s, _, err := u.idx.Session(ctx, u.opt.Session)
		var e model.Event
		ok := seen.Done
		if err == nil {
			e, ok, err = u.find(ctx, seen, s.ID, at)
		}
		return func() { u.sought(e, ok, seen.Done, err) }
	}
	if u.status.Done {
		u.hold("seek", job) // what is typed now is meant for where it leads
	} else {
		u.front.submit("seek", job)
	}
}

// sought takes the answer of seek: whole tells that it is the last word.
func (u *ui) sought(e model.Event, ok, whole bool, err error) {
	g := &u.goal
	g.busy = false
	to := travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}
	switch at := u.st.At; {
	case !ok || !at.Same(g.from):
	case err != nil && g.quiet:
	case err != nil:
		u.sayError(err)
	case !at.Same(to):
		over := u.overlay
		u.step(travel.Move{To: to})
		u.arrive()
		if over != nil {
			u.open_(over)
		}
		g.from = to
		if !g.quiet {
			u.say("at "+g.at+": "+itoa(to.Seq), theme.Dim)
		}
	}
	if whole && u.st.At.Same(g.from) {
		g.at = ""
	}
	if whole || g.owed {
		g.owed = false
		u.seek()
	}
}
