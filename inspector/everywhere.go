package inspector

import (
	"context"
	"time"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// searchAll lists the sessions in which the text that is searched for stands, with
// how often and where first, while they are looked through.
func (u *ui) searchAll(s string, term query.Term, where query.Expr) {
	list := pane.NewFound(u.look)
	name := "all sessions  " + searchSign(term) + text.CleanCut(s, 40)
	page := &overlay{name: name, view: list, shows: []string{"query", query.Print(where)}}
	page.enter = func() {
		if f, ok := list.Selected(); ok {
			u.step(travel.SetSearch{Text: s, Term: term, Where: where})
			u.closeOverlay()
			u.scan()
			u.jump(eventPlace(f.First))
		}
	}
	u.open_(page)
	show := func(found []pane.InSession, done bool) {
		if u.overlay == page {
			list.Set(found, done)
		}
	}
	u.sweep.submit("search", func(ctx context.Context) func() {
		found, err := u.lookEverywhere(ctx, where, func(part []pane.InSession) {
			u.pump.post(func() { show(part, false) })
		})
		return func() {
			u.sayError(err)
			show(found, err == nil)
		}
	})
}

// lookEverywhere counts the hits of each session that has any, telling as it
// goes.
func (u *ui) lookEverywhere(ctx context.Context, where query.Expr, tell func([]pane.InSession)) ([]pane.InSession, error) {
	sessions, err := u.idx.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	titles := make(map[string]string, len(sessions))
	for _, s := range sessions {
		titles[s.ID] = s.Title
	}
	var found []pane.InSession
	told := time.Now()
	err = u.idx.Query(ctx, "", where, func(e model.Event) bool {
		if n := len(found); n == 0 || found[n-1].Session != e.Session {
			found = append(found, pane.InSession{Session: e.Session, Title: titles[e.Session], First: e})
		}
		found[len(found)-1].Hits++
		if time.Since(told) > 150*time.Millisecond {
			told = time.Now()
			tell(append([]pane.InSession(nil), found...))
		}
		return ctx.Err() == nil
	})
	return found, err
}

// foundNote says on the rule of the list what is in it.
func foundNote(f *pane.Found) render.Line {
	hits, sessions, done := f.Total()
	note := text.Plural(hits, "hit") + " in " + text.Plural(int64(sessions), "session")
	if !done {
		note += " so far …"
	}
	return render.Line{{Text: note, Role: theme.Dim}}
}
