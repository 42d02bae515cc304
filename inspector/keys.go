package inspector

import (
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/travel"
	"hindcast/render/theme"
)

// keyNames spells the keys that are no characters. Several have two codes in
// terminals: Ctrl-I is Tab, Ctrl-M is Enter, Ctrl-H is Backspace.
var keyNames = map[tcell.Key]string{
	tcell.KeyEnter: "Enter", tcell.KeyTab: "Tab", tcell.KeyBacktab: "S-Tab", tcell.KeyEscape: "Esc",
	tcell.KeyUp: "Up", tcell.KeyDown: "Down", tcell.KeyLeft: "Left", tcell.KeyRight: "Right",
	tcell.KeyPgUp: "PgUp", tcell.KeyPgDn: "PgDn", tcell.KeyHome: "Home", tcell.KeyEnd: "End",
	tcell.KeyF1: "F1", tcell.KeyF2: "F2", tcell.KeyF3: "F3", tcell.KeyF4: "F4", tcell.KeyF5: "F5", tcell.KeyF6: "F6",
	tcell.KeyF7: "F7", tcell.KeyF8: "F8", tcell.KeyF9: "F9", tcell.KeyF10: "F10", tcell.KeyF11: "F11", tcell.KeyF12: "F12", tcell.KeyInsert: "Insert",
	tcell.KeyBackspace: "Backspace", tcell.KeyBackspace2: "Backspace",
	tcell.KeyCtrlRightSq: "Ctrl-]", tcell.KeyDelete: "Delete",
}

// keyName spells a key as the key table does; empty for keys without a name.
// With the newer keyboard protocols a Ctrl chord has a rune as well, so the key
// is looked at first.
func keyName(ev *tcell.EventKey) string {
	if ev.Key() == tcell.KeyRune {
		r := ev.Rune()
		switch {
		case ev.Modifiers()&tcell.ModCtrl != 0:
			return "Ctrl-" + string(r)
		case ev.Modifiers()&(tcell.ModAlt|tcell.ModMeta) != 0:
			return "Alt-" + string(r)
		case r == ' ':
			return "Space"
		}
		return string(r)
	}
	if name, ok := keyNames[ev.Key()]; ok {
		if ev.Modifiers()&tcell.ModAlt != 0 {
			return "Alt-" + name
		}
		return name
	}
	if k := ev.Key(); k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ {
		return "Ctrl-" + string(rune('A'+k-tcell.KeyCtrlA))
	}
	return ""
}

// onKey handles every key; tview gets none.
func (u *ui) onKey(ev *tcell.EventKey) *tcell.EventKey {
	if u.pump.stopped() {
		return nil
	}
	switch name := keyName(ev); {
	case name == "Ctrl-C":
		u.pump.stop(&ExitError{Signal: "Ctrl-C", Code: 130})
	case name == "Ctrl-Z":
		u.suspend()
	case !u.held(ev):
		u.key(ev)
	}
	return nil
}

// key does what a key means here and now.
func (u *ui) key(ev *tcell.EventKey) {
	u.over()
	name := keyName(ev)
	if u.playing(name) {
		return
	}
	if s, ok := u.keys.Settled(name, u.table.bound); ok && u.prompt == nil && name != "" && name != "Esc" {
		u.keys = travel.Keys{}
		if u.stroke(s); u.held(ev) {
			return
		}
	}
	switch {
	case u.prompt != nil:
		u.promptKey(ev)
	case name != "":
		u.press(name)
	}
}

func (u *ui) press(name string) {
	var s travel.Stroke
	var done bool
	if u.keys, s, done = u.keys.Feed(name, u.table.bound); done {
		u.stroke(s)
		return
	}
	if _, ok := u.keys.Settled("", u.table.bound); ok {
		u.settleKeys(u.keys)
	}
}

// keyWait is how long a key that also begins others waits for them.
const keyWait = 300 * time.Millisecond

// settleKeys does what has been typed unless something follows in time.
func (u *ui) settleKeys(typed travel.Keys) {
	u.waited++
	gen := u.waited
	time.AfterFunc(keyWait, func() {
		u.pump.post(func() {
			if s, ok := u.keys.Settled("", u.table.bound); ok && u.keys == typed && gen == u.waited {
				u.keys = travel.Keys{}
				u.stroke(s)
			}
		})
	})
}

// stroke does what a whole key sequence means.
func (u *ui) stroke(s travel.Stroke) {
	u.msg = nil
	if a, ok := u.table.do[s.Seq]; ok {
		s.Seq = a.seq
		if s.Seq[0] == '[' || s.Seq[0] == ']' {
			u.motion = motion{s, a.do}
		}
		a.do(u, s)
		return
	}
	u.say(s.Seq+" is not bound; "+firstKey(u.table.keysOf("help"))+" shows the keys", theme.Dim)
}

// firstKey is the first of a binding's keys.
func firstKey(keys string) string {
	first, _, _ := strings.Cut(keys, " ")
	return first
}

// motion is a stroke that can be repeated, and what it does.
type motion struct {
	stroke travel.Stroke
	do     func(*ui, travel.Stroke)
}

// repeat repeats the last motion of the form [x or ]x; a count is its own.
func (u *ui) repeat(s travel.Stroke) {
	m := u.motion
	if m.do == nil {
		u.say("; repeats a motion such as ]k or [w: none was made yet", theme.Dim)
		return
	}
	if s.Count > 0 {
		m.stroke.Count = s.Count
	}
	m.do(u, m.stroke)
}
