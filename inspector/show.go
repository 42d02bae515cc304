package inspector

import (
	"context"

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
			u.open_(&overlay{name: "sessions", view: page, shows: []string{"sessions"}, enter: func() { u.enterSelected(page) }})
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
	u.enterSession_(s.ID)
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
	u.clip(b)
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
			u.copy("record "+itoa(at.Seq), b)
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
