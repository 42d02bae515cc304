package inspector

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"hindcast/index"
	"hindcast/inspector/command"
	"hindcast/inspector/config"
	"hindcast/inspector/keep"
	"hindcast/inspector/travel"
	"hindcast/model/query"
	"hindcast/render/theme"
)

// kept is what the inspector keeps for its reader between two runs.
type kept struct {
	layouts  keep.Layout
	grip     grip        // what the mouse holds
	arranged keep.Layout // as it was read
	leftAs   keep.View   // how the dump was left last; its filter is still to be set
	refused  bool        // that nothing can be kept has been said
	read     bool        // the marks and notes of the whole dump have been
	remarked int         // counts marks and notes that were made: what was read before is stale
}

// recall takes up what was kept of the screen and of the dump. A place that was
// asked for says otherwise: then only looks are taken up.
func (u *ui) recall() {
	layout, err := u.opt.Keep.Layout()
	u.sayKept(err)
	u.layouts, u.arranged = layout, layout
	if !u.set.Remember || u.opt.Demo {
		return
	}
	v, ok, err := u.opt.Keep.View(u.opt.KeepAs)
	u.sayKept(err)
	if !ok {
		return
	}
	u.st.Clock, u.st.Pins = clockNamed(v.Clock), v.Pins
	if p, ok := panelNamed(v.Tab); ok && p != onTimeline {
		u.tab = p
	}
	if p, ok := panelNamed(v.Low); ok {
		u.low = p
	}
	if p, ok := panelNamed(v.Focus); ok {
		u.focus = p
	}
	elsewhere := u.opt.Session != "" && !strings.HasPrefix(v.Session, u.opt.Session)
	if u.opt.At != "" || elsewhere || u.st.Follow {
		return
	}
	u.leftAs = v
	u.st.Visibility = visibilityNamed(v.Records)
	u.goal = goal{at: v.Session + "@@#" + itoa(v.Pos), quiet: true}
	if v.Event != "" {
		u.goal.at = v.Session + "@@id:" + v.Event
	}
}

// leave keeps how the screen and the dump are left.
func (u *ui) leave() error {
	var errs []error
	if u.layouts != u.arranged {
		errs = append(errs, u.opt.Keep.SetLayout(u.layouts))
	}
	if u.set.Remember && !u.opt.Demo && u.ready && !u.st.At.Nowhere() {
		errs = append(errs, u.opt.Keep.SetView(keep.View{
			Dump: u.opt.KeepAs, Session: u.st.At.Session, Event: u.id, Pos: u.st.At.Pos, Filter: u.st.Filter,
			Records: recordsName(u.st.Visibility), Clock: clockName(u.st.Clock), Pins: u.st.Pins,
			Focus: panelNames[u.focus], Tab: panelNames[u.tab], Low: panelNames[u.low],
		}))
	}
	return errors.Join(errs...)
}

// refilter sets the filter with which the dump was left, once it is open; one
// that cannot be read is nobody's any more.
func (u *ui) refilter() {
	line := u.leftAs.Filter
	u.leftAs.Filter = ""
	if x, err := query.Parse(line); err == nil && x != nil {
		u.filter(line)
	}
}

func panelNamed(name string) (panel, bool) {
	for p, n := range panelNames {
		if n == name {
			return panel(p), true
		}
	}
	return 0, false
}

// sayKept tells that something could not be kept or read: once, since every
// further try would say the same.
func (u *ui) sayKept(err error) {
	if err == nil || u.refused {
		return
	}
	u.refused = true
	u.over()
	u.say("not kept beyond this run: "+err.Error(), theme.Warn)
}

// ownRemarks is what was kept of the sessions of a dump, with the events found.
type ownRemarks struct {
	marks    map[rune]travel.Place
	notes    map[travel.Place]string
	problems []error
}

// remarks reads the marks and notes of all sessions. It is asked for when the
// dump is opened, and again when its order may have changed.
func (u *ui) remarks() {
	if u.opt.Keep != nil {
		u.back.submit("remarks", u.recalled(nil))
	}
}

// withRemarks runs then once the marks and notes have been read.
func (u *ui) withRemarks(then func()) {
	if u.opt.Keep == nil || u.read {
		then()
		return
	}
	u.hold("jump", u.recalled(then))
}

// recalled is the job that reads marks and notes; then is run behind it, where it
// is not nil.
func (u *ui) recalled(then func()) func(context.Context) func() {
	made := u.remarked
	return func(ctx context.Context) func() {
		got, err := readRemarks(ctx, u.idx, u.opt.Keep)
		return func() {
			switch {
			case err != nil:
				u.sayError(err)
				return
			case made != u.remarked && then == nil:
				u.remarks()
				return
			}
			u.read = u.status.Done
			if u.refused { // what could not be kept is still the reader's
				maps.Copy(got.marks, u.st.Marks)
				maps.Copy(got.notes, u.st.Notes)
			}
			u.step(travel.Remember{Marks: got.marks, Notes: got.notes})
			u.showDetail()
			u.sayKept(errors.Join(got.problems...))
			if then != nil {
				then()
			}
		}
	}
}

func readRemarks(ctx context.Context, idx index.API, store *keep.Store) (r ownRemarks, err error) {
	r = ownRemarks{marks: map[rune]travel.Place{}, notes: map[travel.Place]string{}}
	list, problems, err := command.Remarks(ctx, idx, store, "")
	r.problems = problems
	newest := map[rune]time.Time{}
	for _, one := range list {
		if !one.Found {
			continue
		}
		at := travel.Place{Session: one.On.Session, Pos: one.On.Pos, Seq: one.On.Seq}
		if one.Mark == "" {
			r.notes[at] = one.Text
			continue
		}
		name := []rune(one.Mark)[0]
		if !one.Changed.Before(newest[name]) {
			newest[name], r.marks[name] = one.Changed, at
		}
	}
	return r, err
}

// keepMark keeps a mark of the selected event. Of one letter there is one in a
// dump: that of another session goes.
func (u *ui) keepMark(name rune, before travel.Place) {
	u.remarked++
	at := u.st.At
	r := keep.Remark{Session: at.Session, Event: u.id, Pos: at.Pos, Seq: at.Seq, Mark: string(name), Changed: u.opt.clock()}
	err := u.opt.Keep.Set(r)
	if err == nil && !before.Nowhere() && before.Session != at.Session {
		err = u.opt.Keep.Forget(before.Session, r.Mark)
	}
	u.sayKept(err)
}

// noteKey edits the note on the selected event.
func (u *ui) noteKey(travel.Stroke) {
	if u.st.At.Nowhere() || u.overlay != nil {
		return
	}
	u.ask(notePrompt, "note on "+itoa(u.st.At.Seq)+": ", u.st.NoteAt(u.st.At))
}

// commitNote puts a note on the selected event; an empty one takes it off.
func (u *ui) commitNote(text string) {
	had := u.st.NoteAt(u.st.At) != ""
	if !u.step(travel.SetNote{Text: text}) {
		return
	}
	switch {
	case text != "":
		u.say("noted: ]m and [m go over notes and marks, ' lists them", theme.Dim)
	case had:
		u.say("the note is gone", theme.Dim)
	}
	u.remarked++
	at := u.st.At
	u.sayKept(u.opt.Keep.Set(keep.Remark{Session: at.Session, Event: u.id, Pos: at.Pos, Seq: at.Seq, Text: text, Changed: u.opt.clock()}))
	u.showDetail()
}

// clockName and recordsName are the configuration's words.
func clockName(c travel.Clock) string { return config.Clocks[int(c)%len(config.Clocks)] }

func recordsName(v index.Visibility) string {
	if v == index.All {
		return "all"
	}
	return "folded"
}

func visibilityNamed(name string) index.Visibility {
	if name == recordsName(index.All) {
		return index.All
	}
	return index.Folded
}
