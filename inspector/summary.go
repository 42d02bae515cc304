package inspector

import (
	"context"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// summaryName is the page's name: by it the key that opens it closes it.
const summaryName = "summary"

// summaryKey opens the session's summary: where it went wrong, and what it took.
func (u *ui) summaryKey(travel.Stroke) {
	if u.overlay != nil && u.overlay.name == summaryName {
		u.closeOverlay()
		return
	}
	if !u.status.Folded {
		u.sayError(errUnfolded)
		return
	}
	id, at := u.session.ID, u.st.At
	u.say("counting … Esc gives up", theme.Dim)
	u.hold(summaryName, func(ctx context.Context) func() {
		stats, err := u.idx.Stats(ctx, id)
		return func() {
			if u.msg = nil; err != nil {
				u.sayError(err)
				return
			}
			u.showSummary(pane.NewSummary(u.look, stats, at.Pos))
		}
	})
}

func (u *ui) showSummary(page *pane.Summary) {
	u.open_(&overlay{name: summaryName, view: page, shows: u.within("stats"), enter: func() {
		if p, ok := page.Target(); ok {
			u.closeOverlay()
			u.jump(p)
		}
	}})
}

// greeting is the verdict on the session that is there at the beginning.
type greeting struct {
	done    bool // said, or a key came first
	asked   bool
	verdict *answer.Verdict
}

// greet says at the beginning how the session ended and whether that is to be
// believed; once, when all states are there, and only while nothing else is said.
func (u *ui) greet() {
	g := &u.greeting
	if g.done || !u.ready || !u.status.Done || !u.status.Folded || u.checkpoints < 0 || len(u.msg) > 0 {
		return
	}
	if g.verdict == nil {
		u.askVerdict()
		return
	}
	g.done = true
	line := render.Line{}
	if u.opt.Demo {
		line = append(line, render.Span{Text: "Try E: the last error, c: its cause, Ctrl-O: back.  ", Role: theme.Prompt})
	}
	line = append(line, render.Verdict(*g.verdict)...)
	if v := g.verdict; v.Unrecovered == nil && v.FailedCalls+v.OtherErrors > 0 {
		line = append(line, render.Span{Text: "; S: what was never recovered", Role: theme.Prompt})
	}
	if u.others > 0 {
		line = append(line, render.Span{Text: "; s: " + text.Plural(int64(u.others), "more session"), Role: theme.Dim})
	}
	u.msg = line
}

// verdictTopic is that of the one job of the lane judge.
const verdictTopic = "verdict"

// over ends the greeting: what a key says is not to be replaced by it.
func (u *ui) over() {
	if !u.greeting.done {
		u.greeting.done = true
		u.judge.cancel(verdictTopic)
	}
}

// askVerdict asks for the verdict, on a lane of its own: nobody waits for it.
func (u *ui) askVerdict() {
	if u.greeting.asked {
		return
	}
	u.greeting.asked = true
	id := u.session.ID
	u.judge.submit(verdictTopic, func(ctx context.Context) func() {
		v, err := u.idx.Verdict(ctx, id)
		return func() {
			if err == nil && id == u.session.ID { // else it is not missed
				u.greeting.verdict = &v
				u.greet()
			}
		}
	})
}
