package inspector

import (
	"slices"

	"hindcast/inspector/keep"
	"hindcast/inspector/travel"
	"hindcast/render/theme"
)

// setFocus gives the keys to a pane, and brings it to the front where panes
// share a place.
func (u *ui) setFocus(p panel) {
	u.focus = p
	u.raise(p)
	for q := range panelCount {
		if q == p && u.overlay == nil {
			u.panel(q).Focus(nil)
		} else {
			u.panel(q).Blur()
		}
	}
}

// raise brings a pane to the front where panes share a place.
func (u *ui) raise(p panel) {
	if p == onTimeline {
		return
	}
	u.tab = p
	if slices.Contains(wideLower, p) {
		u.low = p
	}
	u.showBeside()
}

// tabOrder is the way of Tab round the panes: from tab to tab where they share a
// place, else round those that stand side by side.
func (u *ui) tabOrder() []panel {
	if u.frame.shared {
		return append([]panel{onTimeline}, lower...)
	}
	if u.frame.broad {
		return append(append([]panel{onTimeline}, wideLower...), wideRight...)
	}
	return append([]panel{onTimeline, u.low}, wideRight...)
}

// tabKey gives the keys to the next pane, and brings it to the front.
func (u *ui) tabKey(s travel.Stroke) {
	if u.overlay == nil {
		u.setFocus(neighbour(u.tabOrder(), u.focus, s.Seq == "S-Tab"))
	}
}

// neighbour is the next or previous pane of a list, round the ends.
func neighbour(list []panel, p panel, back bool) panel {
	n, i := len(list), slices.Index(list, p)
	if back {
		return list[(max(i, 0)+n-1)%n]
	}
	return list[(i+1)%n]
}

func (u *ui) leftKey(travel.Stroke) {
	if page := u.effectsPage(); page != nil {
		page.Fold()
	} else if u.overlay == nil && !(u.inTree() && u.state.Fold()) {
		u.setFocus(onTimeline)
	}
}

func (u *ui) rightKey(travel.Stroke) {
	switch {
	case u.effectsPage() != nil:
		u.effectsPage().Unfold()
	case u.inTree():
		u.state.Unfold(false)
	case u.overlay == nil && u.focus == onTimeline:
		u.setFocus(u.tab)
	}
}

func (u *ui) window(s travel.Stroke) {
	if u.overlay != nil {
		return
	}
	right := slices.Index(wideRight, u.focus)
	switch key := lastRune(s.Seq); {
	case key == 'w':
		u.setFocus(neighbour(u.tabOrder(), u.focus, false))
	case u.frame.shared && key == 'j':
		u.setFocus(u.tab)
	case u.frame.shared && (key == 'h' || key == 'k'):
		u.setFocus(onTimeline)
	case u.frame.shared:
	case u.frame.broad && key == 'l' && u.focus == onDetail, u.frame.broad && key == 'j' && right == len(wideRight)-1:
		u.setFocus(onDiff)
	case u.frame.broad && key == 'h' && u.focus == onDiff:
		u.setFocus(onDetail)
	case u.frame.broad && key == 'k' && u.focus == onDiff:
		u.setFocus(wideRight[len(wideRight)-1])
	case u.frame.broad && key == 'j' && u.focus == onTimeline:
		u.setFocus(onDetail)
	case u.frame.broad && key == 'j' && right < 0:
	case right >= 0 && key == 'j' && right+1 < len(wideRight):
		u.setFocus(wideRight[right+1])
	case right > 0 && key == 'k':
		u.setFocus(wideRight[right-1])
	case key == 'j':
		u.setFocus(u.low)
	case key == 'l' && right < 0:
		u.setFocus(wideRight[0])
	case key == 'h', key == 'k' && right < 0:
		u.setFocus(onTimeline)
	}
}

func (u *ui) resizePanes(s travel.Stroke) {
	n, h := steps(s)%1000, u.hand()
	switch lastRune(s.Seq) {
	case '+':
		h.Rows += n
	case '-':
		h.Rows -= n
	case '>':
		h.Columns += n
	case '<':
		h.Columns -= n
	case '=':
		*h = keep.Hand{}
	}
	u.clampHand()
}

func (u *ui) toggleZoom(travel.Stroke) {
	if u.overlay == nil {
		u.zoom = !u.zoom
	}
}

func (u *ui) toggleMouse(travel.Stroke) {
	u.mouse = !u.mouse
	u.screen.mouse(u.mouse)
	if u.mouse {
		u.say("mouse on: click selects, the wheel scrolls", theme.Dim)
	} else {
		u.say("mouse off: the terminal selects text", theme.Dim)
	}
}
