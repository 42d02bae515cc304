package inspector

import (
	"context"
	"strings"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/render/text"
	"hindcast/render/theme"
)

func (u *ui) toggleRaw(travel.Stroke) {
	u.step(travel.ToggleRaw{})
	u.detail.Home()
	u.showDetail()
}

func (u *ui) nextClock(travel.Stroke) {
	u.step(travel.NextClock{})
	u.say("time "+u.st.Clock.String(), theme.Dim)
}

func (u *ui) toggleFollow(travel.Stroke) {
	u.step(travel.ToggleFollow{})
	if !u.st.Follow {
		u.say("follow off", theme.Dim)
		return
	}
	u.say("following the newest row: F or a move stops", theme.Dim)
	u.loadEnd(true)
}

func (u *ui) openSessions(travel.Stroke) {
	current := u.session.ID
	u.hold("sessions", func(ctx context.Context) func() {
		list, err := u.idx.Sessions(ctx)
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			page := pane.NewSessions(u.look)
			page.Set(list, current)
			u.open_(&overlay{name: "sessions", view: page, enter: func() { u.enterSelected(page) }})
		}
	})
}

// enterSelected shows the session under the cursor, and remembers the way back.
func (u *ui) enterSelected(page *pane.Sessions) {
	s, ok := page.Selected()
	u.closeOverlay()
	if !ok || s.ID == u.session.ID {
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		e, err := resolve(ctx, u.idx, s.ID, "first")
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.jump(travel.Place{Session: s.ID, Pos: e.Pos, Seq: e.Seq})
		}
	})
}

// ClipLimit bounds what is copied, in bytes: more than that, terminals drop in
// silence.
const ClipLimit = 64 << 10

// copy hands text to the terminal's clipboard (OSC 52: it works through ssh).
// The terminal library encodes it, so nothing in it can act on the terminal.
func (u *ui) copy(what string, b []byte) {
	if len(b) > ClipLimit {
		u.say(what+" is "+text.Size(int64(len(b)))+", more than terminals take ("+text.Size(ClipLimit)+"): yc copies the command that prints it", theme.Warn)
		return
	}
	u.screen.SetClipboard(b)
	u.say("copied "+what+" ("+text.Size(int64(len(b)))+")", theme.Dim)
}

func (u *ui) copyRecord(travel.Stroke) {
	at := u.st.At
	if at.Nowhere() {
		return
	}
	u.front.submit("copy", func(ctx context.Context) func() {
		e, err := u.idx.Event(ctx, at.Session, at.Pos)
		var b []byte
		if err == nil {
			b, err = u.idx.Raw(ctx, e)
		}
		return func() {
			if err != nil {
				u.sayError(err)
				return
			}
			u.copy("record #"+itoa(at.Seq), b)
		}
	})
}

func (u *ui) copyID(travel.Stroke) {
	if u.id == "" {
		u.say("the record has no id: ya copies its address", theme.Dim)
		return
	}
	u.copy("id "+text.Cut(text.Clean(u.id), 60), []byte(u.id))
}

func (u *ui) copyAddress(travel.Stroke) {
	if !u.st.At.Nowhere() {
		u.copy("address "+u.address(), []byte(u.address()))
	}
}

func (u *ui) copyCommand(travel.Stroke) {
	if c := u.reproduce(); c != "" {
		u.copy("command", []byte(c))
	}
}

// address names the selected event: by seq, which people know, unless a row
// beside the source's own log only shares its neighbour's.
func (u *ui) address() string {
	row, ok := u.timeline.Row()
	if ok {
		e := row.Event
		if row.Result != nil && row.Result.Pos == u.st.At.Pos {
			e = *row.Result
		}
		if e.Pos == u.st.At.Pos && !e.HasSeq && e.Seq != e.Pos {
			return "#" + itoa(e.Pos)
		}
	}
	return itoa(u.st.At.Seq)
}

// reproduce is the command line that shows what the focused pane shows.
func (u *ui) reproduce() string {
	if u.st.At.Nowhere() {
		return ""
	}
	var parts []string
	switch {
	case u.overlay != nil && u.overlay.name == "sessions":
		return join("hindcast", "sessions", u.source())
	case u.focus == onWhy || u.focus == onTimeline && u.frame.shared && u.tab == onWhy:
		parts = []string{"hindcast", "why", u.address()}
	case u.focus == onTimeline && u.st.Filter != "":
		parts = []string{"hindcast", "query", shell(u.st.Filter)}
	case u.st.Raw:
		parts = []string{"hindcast", "show", u.address(), "--raw"}
	default:
		parts = []string{"hindcast", "show", u.address()}
	}
	if u.others > 0 && u.session.ID != u.home {
		parts = append(parts, "--session", shell(u.session.ID))
	}
	return join(append(parts, u.source())...)
}

func (u *ui) source() string { return u.opt.Source }

func join(parts ...string) string { return strings.TrimSpace(strings.Join(parts, " ")) }

// shell quotes a word for a POSIX shell where it needs that.
func shell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/:@+,=%", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
