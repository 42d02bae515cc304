package inspector

import (
	"context"
	"slices"
	"time"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// findings are what check found in the session that is shown.
type findings struct {
	session string // of the answer; empty: there is none yet
	events  int64  // how many the dump had when it was asked
	list    []answer.Finding
	pos     []int64 // of the events that prove them, ascending
}

// showFindings has the session checked once all its states are folded: on a lane
// of its own, since that may take long.
func (u *ui) showFindings() {
	u.showCuts()
	u.showWork()
	if u.session.ID == "" {
		return
	}
	if known, ok := u.checks[u.session.ID]; ok {
		u.found = known
	}
	c, known := u.spent["check"], u.found.session == u.session.ID
	switch {
	case !u.status.Done || !u.status.Folded:
		return
	case known && (u.found.events == u.status.Events || u.slow.busy("check") || time.Since(c.at) < 10*c.took):
		return
	}
	events := u.status.Events
	id := u.session.ID
	u.slow.submit("check", func(ctx context.Context) func() {
		begin := time.Now()
		check, err := u.idx.Check(ctx, id)
		took := time.Since(begin)
		return func() {
			u.spent["check"] = cost{took, time.Now()}
			if err != nil || id != u.session.ID { // where the states cannot be made, the panes say so
				return
			}
			u.found = findings{session: id, events: events, list: check.Findings}
			for _, f := range check.Findings {
				for _, e := range f.Events {
					if e.Session == id {
						u.found.pos = append(u.found.pos, e.Pos)
					}
				}
			}
			slices.Sort(u.found.pos)
			u.found.pos = slices.Compact(u.found.pos)
			u.checks[id] = u.found
		}
	})
}

// isFinding reports whether an event proves a finding.
func (u *ui) isFinding(pos int64) bool {
	_, ok := slices.BinarySearch(u.found.pos, pos)
	return ok && u.found.session == u.session.ID
}

// checked reports whether findings are known, and says so where they are not.
func (u *ui) checked() bool {
	if u.found.session != u.session.ID {
		u.say("the session is being checked, which needs all its states", theme.Dim)
		return false
	}
	if len(u.found.list) == 0 {
		u.say("no findings in this session", theme.Dim)
		return false
	}
	return true
}

func (u *ui) toFinding(s travel.Stroke) {
	if !u.checked() {
		return
	}
	list := u.found.pos
	u.leap(func(ctx context.Context, from travel.Place, back bool) (model.Event, bool, error) {
		i, at := slices.BinarySearch(list, from.Pos)
		switch {
		case back:
			i--
		case at:
			i++
		}
		if i < 0 || i >= len(list) {
			return model.Event{}, false, nil
		}
		e, err := u.idx.Event(ctx, from.Session, list[i])
		return e, err == nil, err
	}, s.Seq[0] == '[', s, "finding")
}

// findingList lists the findings; Enter goes to the first event of one.
func (u *ui) findingList(travel.Stroke) {
	if !u.checked() {
		return
	}
	page := pane.NewFindings(u.look)
	page.Set(u.found.list)
	u.open_(&overlay{name: text.Plural(int64(len(u.found.list)), "finding"), view: page, shows: []string{"check", "--session", u.session.ID}, enter: func() {
		f, ok := page.Selected()
		u.closeOverlay()
		if ok && len(f.Events) > 0 {
			e := f.Events[0]
			u.jump(travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq})
		}
	}})
}

// findingCount is how many there are, for the header; nothing where there are
// none, or that is not known.
func (u *ui) findingCount() render.Line {
	if u.found.session != u.session.ID || len(u.found.list) == 0 {
		return nil
	}
	return render.Line{{Text: "  " + u.look.Glyphs.Finding + " " + itoa(int64(len(u.found.list))), Role: theme.Warn}}
}
