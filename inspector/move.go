package inspector

import (
	"strconv"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/render/theme"
)

// focused is the pane that keys go to: the overlay where one is open.
func (u *ui) focused() view {
	if u.overlay != nil {
		return u.overlay.view
	}
	return u.panel(u.focus)
}

func (u *ui) panel(p panel) view {
	switch p {
	case onDetail:
		return u.detail
	case onWhy:
		return u.why
	case onState:
		return u.state
	case onContext:
		return u.context
	case onDiff:
		return u.diff
	}
	return u.timeline
}

// steps makes a count into a number of rows that cannot overflow.
func steps(s travel.Stroke) int { return int(min(s.Times(), 1<<30)) }

func rows(sign int) func(*ui, travel.Stroke) {
	return func(u *ui, s travel.Stroke) { u.focused().Move(sign * steps(s)) }
}

func pages(sign int) func(*ui, travel.Stroke) {
	return func(u *ui, s travel.Stroke) {
		v := u.focused()
		page(v, sign*int(min(s.Times(), 1<<20))*max(v.Height()-1, 1))
	}
}

// page moves by so many rows: what scrolls scrolls, though a line is selected.
func page(v view, n int) {
	if t, ok := v.(interface{ Page(int) }); ok {
		t.Page(n)
		return
	}
	v.Move(n)
}

func (u *ui) halfPage(s travel.Stroke) {
	v := u.focused()
	n := int(min(s.Times(), 1<<20)) * max(v.Height()/2, 1)
	if s.Seq == "Ctrl-U" {
		n = -n
	}
	page(v, n)
}

func (u *ui) nudge(s travel.Stroke) {
	n := steps(s)
	if s.Seq == "," {
		n = -n
	}
	u.timeline.Move(n)
}

func (u *ui) scrollDetail(s travel.Stroke) {
	n := steps(s)
	if s.Seq == "K" {
		n = -n
	}
	if low, ok := u.panel(u.tab).(interface{ Scroll(int) }); ok && u.frame.shared && u.tab != onDetail {
		low.Scroll(n)
		return
	}
	u.detail.Scroll(n)
}

func (u *ui) space(s travel.Stroke) {
	switch {
	case u.effectsPage() != nil && u.effectsPage().Tree:
		u.effectsPage().Toggle()
	case u.inTree():
		u.state.Toggle()
	case u.overlay == nil && u.focus == onTimeline:
		u.setFocus(u.tab)
	default:
		pages(1)(u, s)
	}
}

func (u *ui) place(s travel.Stroke) {
	where := map[string]int{"zt": -1, "zz": 0, "zb": 1}[s.Seq]
	if l, ok := u.focused().(interface{ Place(int) }); ok {
		l.Place(where)
	}
}

func (u *ui) first(s travel.Stroke) {
	if u.overlay != nil || u.focus != onTimeline {
		u.focused().First()
		return
	}
	if s.Count > 0 {
		u.goAddress(strconv.FormatInt(s.Count, 10))
		return
	}
	u.toEnd(false)
}

func (u *ui) last(s travel.Stroke) {
	switch {
	case s.Count > 0 && s.Seq == "G":
		u.goAddress(strconv.FormatInt(s.Count, 10))
	case u.overlay != nil || u.focus != onTimeline:
		u.focused().Last()
	default:
		u.toEnd(true)
	}
}

// toEnd jumps to the first or last row.
func (u *ui) toEnd(last bool) {
	n := u.timeline.Len()
	first, reached := u.timeline.Ends()
	if n > 0 && (last && reached || !last && first) {
		from := u.st.At
		u.landing = true
		if last {
			u.timeline.Last()
		} else {
			u.timeline.First()
		}
		u.landing = false
		if row, ok := u.timeline.Row(); ok && !from.Same(rowPlace(row)) {
			u.step(travel.Jump{To: rowPlace(row)})
			u.selected()
		}
		return
	}
	u.loadEnd(last)
}

// rowPlace is where a cursor in a row stands: its last record.
func rowPlace(r index.Row) travel.Place {
	e := r.Event
	if r.Result != nil {
		e = *r.Result
	}
	return travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}
}

// stepped follows the timeline's cursor to another row.
func (u *ui) stepped() {
	row, ok := u.timeline.Row()
	if !ok || u.landing {
		return
	}
	if _, end := u.timeline.Ends(); u.st.Follow && (!end || u.timeline.Cursor() < u.timeline.Len()-1) {
		u.step(travel.ToggleFollow{})
		u.say("follow off: F follows again", theme.Dim)
	}
	u.step(travel.Move{To: rowPlace(row)})
	u.selected()
}

// jump goes to an event from anywhere and remembers where it came from.
func (u *ui) jump(to travel.Place) {
	if u.step(travel.Jump{To: to}) {
		u.arrive()
	}
}

// arrive puts the timeline's cursor where travel says the reader stands.
func (u *ui) arrive() {
	p := u.st.At
	u.overlay = nil
	u.setFocus(u.focus)
	if p.Session != u.session.ID {
		u.loadSession(p.Session, p)
		return
	}
	if i, exact := u.timeline.Find(p.Pos); exact {
		u.land(i)
		u.selected()
		return
	}
	u.load(p, false)
}

// land selects a row of the window without making that a step.
func (u *ui) land(i int) {
	u.landing = true
	u.timeline.Select(i)
	u.landing = false
}

func (u *ui) back_(s travel.Stroke) {
	if u.step(travel.Back{N: s.Times()}) {
		u.arrive()
	}
}

func (u *ui) forward_(s travel.Stroke) {
	if u.step(travel.Forward{N: s.Times()}) {
		u.arrive()
	}
}

func (u *ui) previous(travel.Stroke) {
	if u.step(travel.Previous{}) {
		u.arrive()
	}
}

func lastRune(s string) rune {
	r := []rune(s)
	return r[len(r)-1]
}

func (u *ui) setMark(s travel.Stroke) {
	name := lastRune(s.Seq)
	before := u.st.Marks[name]
	if u.step(travel.SetMark{Name: name}) {
		u.say("mark "+string(name)+" set: '"+string(name)+" comes back here", theme.Dim)
		u.keepMark(name, before)
	}
}

func (u *ui) goMark(s travel.Stroke) {
	u.withRemarks(func() {
		if u.step(travel.GoMark{Name: lastRune(s.Seq)}) {
			u.arrive()
		}
	})
}

func (u *ui) toMark(s travel.Stroke) {
	u.withRemarks(func() {
		p, ok := u.st.NextMark(s.Seq[0] == '[')
		if !ok {
			u.say("no further mark or note: m and a letter sets a mark, M writes a note", theme.Dim)
			return
		}
		u.jump(p)
	})
}

// enter reads the detail, or goes where the selected row of a list leads.
func (u *ui) enter(travel.Stroke) {
	switch {
	case u.overlay != nil:
		if u.overlay.enter != nil {
			u.overlay.enter()
		}
	case u.focus == onTimeline && u.enterAgent():
	case u.focus == onTimeline:
		u.setFocus(onDetail)
	case u.focus == onWhy:
		u.follow_(u.why.Target())
	case u.focus == onContext:
		u.follow_(u.context.Target())
	case u.inTree():
		u.enterTree()
	}
}

// follow_ goes where a selected row leads, if anywhere.
func (u *ui) follow_(p travel.Place, ok bool) {
	if ok {
		u.jump(p)
	}
}

// enterTree opens a file, goes to the event of a message or call, or folds.
func (u *ui) enterTree() {
	if name := u.state.File(); name != "" {
		u.openFile(name, false)
		return
	}
	if p, ok := u.state.Event(); ok {
		u.jump(p)
		return
	}
	u.state.Toggle()
}

// escape backs out of one thing at a time and never quits.
func (u *ui) escape(travel.Stroke) {
	switch {
	case u.overlay != nil:
		u.closeOverlay()
	case u.zoom:
		u.zoom = false
	case u.st.Search.Where != nil:
		u.endSearch()
	case !u.st.Anchor.Nowhere():
		u.dropAnchor()
	case u.st.Tracked != "":
		u.track("")
	case u.focus != onTimeline:
		u.setFocus(onTimeline)
	}
}

func (u *ui) closeTop(travel.Stroke) {
	switch {
	case u.overlay != nil:
		u.closeOverlay()
	case u.zoom:
		u.zoom = false
	default:
		u.pump.stop(nil)
	}
}

func (u *ui) end(travel.Stroke) { u.pump.stop(&ExitError{Signal: "Ctrl-C", Code: 130}) }

func (u *ui) open_(o *overlay) {
	u.overlay = o
	u.setFocus(u.focus)
	o.view.Focus(nil)
}

func (u *ui) closeOverlay() {
	u.overlay = nil
	u.setFocus(u.focus)
}

func (u *ui) openHelp(travel.Stroke) {
	if u.overlay != nil && u.overlay.name == "help" {
		u.closeOverlay()
		return
	}
	u.showDoc("help", pane.NewHelp(u.table.topics()), nil)
}
