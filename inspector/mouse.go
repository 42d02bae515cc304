package inspector

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
)

// wheelRows is how far a turn of the wheel scrolls.
const wheelRows = 3

// MouseHandler implements tview.Primitive.
func (r *root) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return func(action tview.MouseAction, ev *tcell.EventMouse, _ func(tview.Primitive)) (bool, tview.Primitive) {
		return r.u.onMouse(ev, action), nil
	}
}

// onMouse handles every mouse event and reports whether it did anything.
func (u *ui) onMouse(ev *tcell.EventMouse, action tview.MouseAction) bool {
	if u.pump.stopped() || !u.mouse {
		return false
	}
	x, y := ev.Position()
	switch action {
	case tview.MouseLeftDown:
		u.grip = noGrip
		u.click(x, y)
	case tview.MouseLeftUp:
		u.grip = noGrip
	case tview.MouseMove:
		if u.grip != noGrip && ev.Buttons() == tcell.Button1 {
			u.drag(x, y)
			return true
		}
		if pos, ok := u.mapAt(x, y); ok && u.overlay == nil && u.prompt == nil && ev.Buttons() == tcell.Button1 {
			u.toMap(pos, true)
		}
	case tview.MouseLeftDoubleClick:
		if u.overlay != nil || u.focus != onDetail {
			u.enter(travel.Stroke{})
		}
	case tview.MouseScrollUp:
		u.wheel(x, y, -wheelRows)
	case tview.MouseScrollDown:
		u.wheel(x, y, wheelRows)
	default:
		return false
	}
	return true
}

// paneAt is the pane drawn at a cell.
func (u *ui) paneAt(x, y int) (panel, bool) {
	for _, p := range u.frame.shown {
		if px, py, w, h := u.panel(p).GetRect(); x >= px && x < px+w && y >= py && y < py+h {
			return p, true
		}
	}
	return 0, false
}

func (u *ui) click(x, y int) {
	if u.prompt != nil {
		return
	}
	if u.overlay != nil {
		selectAt(u.overlay.view, x, y)
		return
	}
	if pos, ok := u.mapAt(x, y); ok {
		u.toMap(pos, false)
		return
	}
	if i := u.frame.tabAt(x, y); i >= 0 {
		u.setFocus(panel(i))
		return
	}
	if u.grip = u.frame.gripAt(x, y); u.grip != noGrip {
		return
	}
	if p, ok := u.paneAt(x, y); ok {
		u.setFocus(p)
		selectAt(u.panel(p), x, y)
	}
}

// rowed is a pane with rows to click on.
type rowed interface {
	RowAt(x, y int) int
	Select(i int)
}

func selectAt(v view, x, y int) {
	if l, ok := v.(rowed); ok {
		if i := l.RowAt(x, y); i >= 0 {
			l.Select(i)
		}
	}
}

// wheel scrolls what lies under the pointer, wherever the focus is.
func (u *ui) wheel(x, y, n int) {
	v := u.focused()
	if u.overlay == nil {
		p, ok := u.paneAt(x, y)
		if !ok {
			return
		}
		v = u.panel(p)
	}
	if s, ok := v.(interface{ Scroll(int) }); ok {
		s.Scroll(n)
	}
}

var (
	_ rowed = (*widget.List)(nil)
	_ view  = (*widget.List)(nil)
	_ view  = (*widget.Text)(nil)
)
