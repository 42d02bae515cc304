package inspector

import (
	"context"
	"strconv"
	"time"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/theme"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// selected follows the cursor to another event: the panes beside it are asked
// for anew. A newer selection cancels what an older one asked for.
func (u *ui) selected() {
	u.sawEnd()
	now := time.Now()
	u.hurried, u.selectedAt = now.Sub(u.selectedAt) < held, now
	if row, ok := u.timeline.Row(); ok && pane.Holds(row, u.st.At.Pos) {
		u.id = row.Event.ID
		if row.Result != nil && row.Result.Pos == u.st.At.Pos {
			u.id = row.Result.ID
		}
	}
	u.showDetail()
	u.showBeside()
	u.showSought()
	if o := u.overlay; o != nil && o.file != nil {
		u.showFile(o.file)
	}
	if k, n := u.timeline.Number(); k == 0 || n == 0 {
		u.facts()
	}
}

// records are the events that the detail shows: those of the selected row, or
// the event alone where no row shows it.
func (u *ui) records(ctx context.Context, row index.Row, ok bool, at travel.Place) ([]model.Event, error) {
	if !ok || !pane.Holds(row, at.Pos) {
		e, err := u.idx.Event(ctx, at.Session, at.Pos)
		return []model.Event{e}, err
	}
	events := []model.Event{row.Event}
	switch {
	case row.Result == nil:
	case row.Result.Outcome.Failed(): // what went wrong is what one wants to read
		events = []model.Event{*row.Result, row.Event}
	default:
		events = append(events, *row.Result)
	}
	return events, nil
}

func (u *ui) showDetail() {
	at, raw := u.st.At, u.st.Raw
	row, ok := u.timeline.Row()
	u.front.submit("detail", func(ctx context.Context) func() {
		events, err := u.records(ctx, row, ok, at)
		if err != nil {
			return func() { u.sayError(err) }
		}
		docs := make([]*render.Doc, len(events))
		sections := make([]pane.Section, len(events))
		for i, e := range events {
			sections[i].Event = e
			if docs[i], sections[i].Err = u.doc(ctx, e, raw); docs[i] != nil {
				sections[i].Body = docs[i]
			}
		}
		return func() {
			if !u.st.At.Same(at) || u.st.Raw != raw {
				return
			}
			for i, e := range events {
				sections[i].Note = u.st.NoteAt(travel.Place{Session: e.Session, Pos: e.Pos})
			}
			u.detail.Set(at, sections)
			if !raw {
				u.colour(at, sections, docs)
			}
		}
	})
}

func (u *ui) doc(ctx context.Context, e model.Event, raw bool) (*render.Doc, error) {
	b, err := u.idx.Raw(ctx, e)
	if err != nil {
		return nil, err
	}
	if raw {
		return render.Raw(b), nil
	}
	return render.Payload(b), nil
}

// colour highlights the code in a detail that is already shown: that may take
// a while.
func (u *ui) colour(at travel.Place, sections []pane.Section, docs []*render.Doc) {
	u.back.submit("colour", func(context.Context) func() {
		bright := make([]pane.Section, len(sections))
		copy(bright, sections)
		for i, d := range docs {
			if d != nil {
				bright[i].Body = d.Colour()
			}
		}
		return func() {
			if u.detail.At().Same(at) && u.st.At.Same(at) && !u.st.Raw {
				u.detail.Set(at, bright)
			}
		}
	})
}

// showWhy asks what led to the selected event.
func (u *ui) showWhy() {
	at := u.st.At
	if u.why.At.Same(at) && u.answer != nil {
		return
	}
	u.back.submit("why", func(ctx context.Context) func() {
		w, err := u.askWhy(ctx, at)
		return func() {
			if err != nil {
				u.sayError(err)
			} else if u.st.At.Same(at) {
				u.setWhy(at, w)
			}
		}
	})
}

func (u *ui) askWhy(ctx context.Context, at travel.Place) (answer.Why, error) {
	e, err := u.idx.Event(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.Why{}, err
	}
	return u.idx.Why(ctx, e)
}

func (u *ui) setWhy(at travel.Place, w answer.Why) {
	u.answer = &w
	u.why.Set(at, pane.WhyEntries(w, u.folder(), u.look.Glyphs))
}

// withWhy runs then with the answer for the selected event, now or once it has
// come.
func (u *ui) withWhy(then func(answer.Why)) {
	at := u.st.At
	if at.Nowhere() {
		return
	}
	if u.answer != nil && u.why.At.Same(at) {
		then(*u.answer)
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		w, err := u.askWhy(ctx, at)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			if u.st.At.Same(at) {
				u.setWhy(at, w)
				then(w)
			}
		}
	})
}

// cause jumps to the n-th place of an answer that is not in the same row: a
// result's first cause is its call, on which the reader stands already.
func (u *ui) cause(s travel.Stroke) {
	if u.focus == onWhy && s.Count == 0 && u.overlay == nil {
		if p, ok := u.why.Target(); ok {
			u.jump(p)
			return
		}
	}
	u.withWhy(func(w answer.Why) {
		n := s.Times()
		for _, p := range pane.Causes(w) {
			if u.sameRow(p) {
				continue
			}
			if n--; n == 0 {
				u.jump(p)
				return
			}
		}
		if s.Times() > 1 {
			u.say("fewer than "+itoa(s.Times())+" causes are known", theme.Dim)
			return
		}
		u.say("nothing led to "+itoa(u.st.At.Seq)+": it is a beginning", theme.Dim)
	})
}

func (u *ui) sameRow(p travel.Place) bool {
	row, ok := u.timeline.Row()
	return ok && p.Session == u.st.At.Session && pane.Holds(row, p.Pos) && pane.Holds(row, u.st.At.Pos)
}

func (u *ui) rootCause(travel.Stroke) {
	u.withWhy(func(w answer.Why) {
		for _, p := range pane.Roots(w) {
			if !p.Same(u.st.At) {
				u.jump(p)
				return
			}
		}
		u.say(itoa(u.st.At.Seq)+" is a root itself", theme.Dim)
	})
}
