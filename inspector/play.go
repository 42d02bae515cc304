package inspector

import (
	"time"

	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/render/theme"
)

// play is the cursor's way along recorded time.
type play struct {
	on    bool
	speed travel.Speed
	turn  int // counts plays: a timer of an older one does nothing
}

func (u *ui) playKey(travel.Stroke) {
	if u.overlay == nil && !u.st.At.Nowhere() {
		u.play.on = true
		u.playOn()
	}
}

// playing takes a key while time is played: + and - change the speed, any other
// stops.
func (u *ui) playing(key string) bool {
	if !u.play.on {
		return false
	}
	switch key {
	case "+":
		u.play.speed = u.play.speed.Faster()
	case "-":
		u.play.speed = u.play.speed.Slower()
	default:
		u.stopPlaying("stopped at " + itoa(u.st.At.Seq))
		return true
	}
	u.playOn()
	return true
}

func (u *ui) stopPlaying(why string) {
	u.play.on = false
	u.play.turn++
	u.say(why, theme.Dim)
}

// playOn waits as long as the recording did for the next row, and goes there.
func (u *ui) playOn() {
	u.play.turn++
	turn := u.play.turn
	next, ok, end := u.timeline.Next()
	if end {
		u.stopPlaying("played to the end")
		return
	}
	u.say("playing "+u.play.speed.String()+"  + faster, - slower, any other key stops", theme.Prompt)
	gap := 300 * time.Millisecond // until the row is at hand
	if row, here := u.timeline.Row(); ok && here {
		last := row.Event.Time
		if row.Result != nil {
			last = row.Result.Time
		}
		gap = elapsed(last, next.Event.Time)
	}
	time.AfterFunc(u.play.speed.Wait(gap), func() {
		u.pump.post(func() {
			if u.play.on && u.play.turn == turn && u.prompt == nil {
				u.timeline.Move(1)
				u.playOn()
			}
		})
	})
}

// elapsed is the time from one moment to another, 0 where either is not known.
func elapsed(a, b model.Time) time.Duration {
	if !a.Known || !b.Known {
		return 0
	}
	return time.Duration(b.Nanos - a.Nanos)
}
