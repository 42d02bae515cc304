package inspector

import (
	"cmp"
	"context"
	"errors"
	"sort"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/theme"
)

// pageRows is how many rows are asked for on either side of a place.
const pageRows = 150

// pageQuery is what the timeline shows, for Page and Count.
func (u *ui) pageQuery() index.PageQuery {
	return index.PageQuery{Session: u.session.ID, Where: both(u.st.Where, u.wantedNow()), Visibility: u.st.Visibility}
}

// window is a run of rows around an event.
type window struct {
	rows        []index.Row
	first, last bool
	event       model.Event
	anchor      int64 // pos of the row that shows the event
}

// around reads a window. A result stands in the row of its call where rows are
// folded.
func around(ctx context.Context, idx index.API, q index.PageQuery, pos int64) (w window, err error) {
	if w.event, err = idx.Event(ctx, q.Session, pos); err != nil {
		return w, err
	}
	w.anchor = pos
	if e := w.event; q.Visibility == index.Folded && e.Mate > 0 && e.Mate < e.Pos {
		w.anchor = e.Mate
	}
	q.Limit = pageRows
	q.From, q.Desc = w.anchor, true
	before, err := idx.Page(ctx, q)
	if err != nil {
		return w, err
	}
	q.From, q.Desc = w.anchor+1, false
	after, err := idx.Page(ctx, q)
	w.rows = append(before, after...)
	w.first, w.last = len(before) < pageRows, len(after) < pageRows
	return w, err
}

// load shows the rows around an event of this session. snap: where none of them
// shows the event, the reader goes to the nearest that is shown.
func (u *ui) load(p travel.Place, snap bool) {
	epoch, q := u.epoch, u.pageQuery()
	u.hold("page", func(ctx context.Context) func() {
		w, err := around(ctx, u.idx, q, p.Pos)
		return func() {
			if epoch != u.epoch {
				return
			}
			if err != nil {
				u.sayError(err)
				return
			}
			if snap {
				u.snap(&w)
			}
			u.show(w)
			u.payRows()
		}
	})
}

// show puts a window on the screen with the cursor on its event.
func (u *ui) show(w window) {
	u.landing = true
	exact := u.timeline.Replace(w.rows, w.first, w.last, w.anchor)
	u.landing = false
	e := w.event
	u.step(travel.Move{To: travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}})
	if !exact {
		u.sayHidden(e, len(w.rows) == 0)
	}
	u.selected()
}

// snap turns a window to the row at or after its event, else to the one before,
// and makes that a jump: the way back is to where the reader stood.
func (u *ui) snap(w *window) {
	if len(w.rows) == 0 {
		return
	}
	i := sort.Search(len(w.rows), func(i int) bool { return w.rows[i].Event.Pos >= w.anchor })
	row := w.rows[min(i, len(w.rows)-1)]
	if pane.Holds(row, w.event.Pos) {
		return
	}
	w.event, w.anchor = row.Event, row.Event.Pos
	if row.Result != nil {
		w.event = *row.Result
	}
	u.step(travel.Jump{To: rowPlace(row)})
}

func (u *ui) sayHidden(e model.Event, none bool) {
	switch {
	case none && u.st.Where != nil:
		u.say("no event matches the filter: \\ shows all", theme.Warn)
	case u.st.Where != nil:
		u.say(itoa(e.Seq)+" does not match the filter: \\ shows all", theme.Warn)
	case u.st.Visibility == index.Folded:
		where := ": a shows it"
		if row, ok := u.timeline.Row(); ok {
			where = "; the cursor stands at " + itoa(rowPlace(row).Seq) + where
		}
		u.say(itoa(e.Seq)+" is hidden among folded rows"+where, theme.Warn)
	}
}

// loadEnd shows the first or last rows and jumps there.
func (u *ui) loadEnd(last bool) {
	epoch, q := u.epoch, u.pageQuery()
	q.Limit, q.Desc = 2*pageRows, last
	u.hold("page", func(ctx context.Context) func() {
		rows, err := u.idx.Page(ctx, q)
		return func() {
			if epoch != u.epoch || err != nil {
				u.sayError(err)
				return
			}
			u.showEnd(rows, last)
			u.payRows()
		}
	})
}

func (u *ui) showEnd(rows []index.Row, last bool) {
	if len(rows) == 0 {
		u.timeline.Clear()
		return
	}
	whole := len(rows) < 2*pageRows
	row := rows[0]
	if last {
		row = rows[len(rows)-1]
	}
	u.landing = true
	u.timeline.Replace(rows, !last || whole, last || whole, row.Event.Pos)
	u.landing = false
	follow := u.st.Follow
	if follow || u.st.At.Nowhere() {
		u.step(travel.Move{To: rowPlace(row)})
	} else {
		u.step(travel.Jump{To: rowPlace(row)})
	}
	u.selected()
}

// fetch reads rows beyond the window; the timeline asks.
func (u *ui) fetch(back bool, from int64, limit int) {
	topic := "more"
	if back {
		topic = "more before"
	}
	if u.fetching[topic] || from < 1 {
		return
	}
	u.fetching[topic] = true
	epoch, q := u.epoch, u.pageQuery()
	q.From, q.Desc, q.Limit = from, back, limit
	u.front.submit(topic, func(ctx context.Context) func() {
		rows, err := u.idx.Page(ctx, q)
		return func() {
			u.fetching[topic] = false
			if epoch != u.epoch || err != nil {
				u.sayError(err)
				return
			}
			u.timeline.Extend(back, rows, len(rows) < limit)
		}
	})
}

// reload shows the same place under another filter or visibility, or what is
// nearest to it there.
func (u *ui) reload(snap bool) {
	u.epoch++
	u.timeline.Counted(-1, -1, -1)
	u.showMap(true)
	switch {
	case u.st.Follow:
		u.loadEnd(true)
	case u.st.At.Nowhere():
		u.loadEnd(false)
	default:
		u.load(u.st.At, snap)
	}
}

// open finds the session to show. While the dump is still being read it may not
// be there yet: growth asks again.
func (u *ui) open() {
	if u.opening {
		u.again = true
		return
	}
	u.opening, u.again = true, false
	at, q := cmp.Or(u.was.address(), u.goal.at), u.pageQuery()
	q.Limit = 2 * pageRows
	u.front.submit("open", func(ctx context.Context) func() {
		seen := u.idx.Status()
		s, more, err := u.idx.Session(ctx, u.opt.Session)
		if err != nil {
			return func() { u.notYet(err) }
		}
		q.Session = s.ID
		f := found{seen: seen, session: s, more: more, query: q}
		f.event, f.known, f.err = u.find(ctx, seen, s.ID, at)
		return u.opened(ctx, f)
	})
}

// found is what there was to open.
type found struct {
	seen    index.Status // before it was looked for
	session model.Session
	more    int // sessions beside it
	query   index.PageQuery
	event   model.Event // the goal, where known
	known   bool        // there is a goal and it can be told, or err
	err     error
}

// resolve finds the event that an address names; an empty one names none.
func resolve(ctx context.Context, idx index.API, session, at string) (model.Event, error) {
	if at == "" {
		return model.Event{}, nil
	}
	a, err := model.ParseAddress(at)
	if err != nil {
		return model.Event{}, err
	}
	return idx.Resolve(ctx, session, a, index.AsEvent)
}

// opened reads the first page and returns what shows it. It runs in the worker.
func (u *ui) opened(ctx context.Context, f found) func() {
	s, e, q := f.session, f.event, f.query
	var w window
	var err error
	if e.Pos > 0 {
		q.Session = e.Session
		w, err = around(ctx, u.idx, q, e.Pos)
	} else {
		w.rows, err = u.idx.Page(ctx, q)
		w.first, w.last = true, len(w.rows) < q.Limit
	}
	if err == nil && e.Session != "" && e.Session != s.ID {
		s, _, err = u.idx.Session(ctx, e.Session)
	}
	return func() {
		was := u.was
		if err != nil || len(w.rows) == 0 && !u.status.Done || was != nil && e.Pos == 0 && !f.seen.Done {
			u.notYet(err)
			return
		}
		u.opening, u.others, u.ready = false, f.more, true
		if u.opt.Session == "" && e.Session == "" {
			u.home = s.ID
		}
		u.enterSession(s)
		if e.Pos > 0 {
			u.show(w)
		} else {
			u.showEnd(w.rows, false)
			u.timeline.Replace(w.rows, w.first, w.last, u.st.At.Pos)
		}
		if render.Plain(u.msg) == readingNote {
			u.msg = nil
		}
		u.was = nil
		switch {
		case was == nil && f.known && !u.goal.quiet:
			u.sayError(f.err)
		case was != nil:
			u.forgetBeside()
			u.showBeside()
			if was.gone && e.Pos == 0 {
				u.say("the dump was cut or replaced: it is read from its start", theme.Warn)
			}
		}
		u.remarks()
		u.greet()
		if u.goal.from = u.st.At; f.known && f.seen.Done {
			u.goal.at = ""
		}
		if u.st.Follow {
			u.loadEnd(true)
		}
		u.refilter()
		if u.again { // what has grown meanwhile was told to nobody
			u.took(f.seen)
		}
	}
}

// notYet waits for more of the dump, or says that there is nothing.
func (u *ui) notYet(err error) {
	u.opening = false
	if u.again {
		u.open()
		return
	}
	var missing *index.SessionError
	if !u.status.Done && (err == nil || errors.As(err, &missing)) {
		return
	}
	if u.was != nil { // of what stood there nothing is left
		u.was = nil
		u.timeline.Clear()
		u.forgetBeside()
	}
	if err != nil {
		u.sayError(err)
		return
	}
	u.say("no events in this dump", theme.Warn)
}

func (u *ui) enterSession(s model.Session) {
	u.session = s
	u.epoch++
	u.timeline.Clear()
	u.timeline.View.Start, u.timeline.View.LastSeq, u.timeline.View.LastPos = s.Started, s.Last, s.LastPos
	u.checkpoints = -1
	u.showMap(true)
	u.facts()
	u.spent["check"] = cost{}
	u.showFamily()
	u.showFindings()
	u.showKnew()
	u.scan()
}

// loadSession shows another session at a place, or its first row.
func (u *ui) loadSession(id string, p travel.Place) {
	u.hold("session", func(ctx context.Context) func() {
		s, _, err := u.idx.Session(ctx, id)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.enterSession(s)
			if p.Nowhere() {
				u.loadEnd(false)
			} else {
				u.load(p, false)
			}
		}
	})
}
