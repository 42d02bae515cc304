package inspector

import (
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render/theme"
)

// pathHere is the place of the state on which the reader's cursor stands; empty
// where it stands on none.
func (u *ui) pathHere() string {
	switch {
	case u.overlay != nil && u.overlay.file != nil:
		return model.PathFiles + "/" + model.EscapePointer(u.overlay.file.name)
	case u.inTree():
		return u.state.Path()
	case u.overlay == nil && u.focus == onDiff:
		return u.diff.Path()
	}
	return ""
}

// toChange goes to the next or previous change of the diff, which it brings to
// the front, or of the lists of an exchange.
func (u *ui) toChange(s travel.Stroke) {
	n, back := steps(s), s.Seq[0] == '['
	if back {
		n = -n
	}
	switch o := u.overlay; {
	case o != nil:
		if l, ok := o.view.(*pane.Links); !ok || !l.Section(back) {
			u.say("no further list here", theme.Dim)
		}
	case u.st.At.Nowhere():
	default:
		if u.frame.single {
			u.setFocus(onDiff)
		} else {
			u.raise(onDiff)
		}
		if u.hops += n; u.compares() {
			u.hop()
		}
	}
}

// compares reports whether the diff pane shows the comparison that it is about.
func (u *ui) compares() bool {
	from, to := u.compared()
	k := u.diff.Key
	return k.B.Session == u.st.At.Session && k.A.Pos == from && k.B.Pos == to
}

// hop steps over the changes that were asked for before they were there.
func (u *ui) hop() {
	n := u.hops
	u.hops = 0
	switch {
	case n == 0 || u.diff.Step(n):
	case u.diff.Count == 0:
		u.say("nothing has changed here", theme.Dim)
	default:
		u.say("no further change here: , and . go on in time", theme.Dim)
	}
}

// toSameTool goes to the next or previous call of the selected row's tool.
func (u *ui) toSameTool(s travel.Stroke) {
	row, ok := u.timeline.Row()
	if !ok || row.Event.Tool == "" {
		u.say("the selected row is no call of a tool", theme.Dim)
		return
	}
	tool := query.Term{Field: query.FieldTool, Op: query.OpIs, Text: row.Event.Tool}
	u.next(query.All(kindIs(model.KindAction), tool), s.Seq[0] == '[', s, "call of "+row.Event.Tool)
}
