package inspector

import (
	"context"
	"slices"

	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// knew is when the tracked text was in the model's view.
type knew struct {
	answer  answer.Knew
	session string // of the answer; empty: there is none yet
	late    bool   // it waits for the fold
}

// texts are what the reader may mean by the text under the cursor, the likeliest
// first: of the selected line or value, in the timeline what a search looks for
// or what the row tells, then what is tracked.
func (u *ui) texts() []string {
	var ways []string
	switch {
	case u.overlay != nil && u.overlay.file != nil:
		ways = pane.Parts(u.overlay.file.view.Selected())
	case u.inTree():
		ways = pane.Parts(u.state.Text())
	case u.overlay == nil && u.focus == onDetail:
		ways = pane.LineParts(u.detail.Current())
	case u.overlay == nil && u.focus == onDiff:
		ways = pane.LineParts(u.diff.Current())
	default:
		ways = append(ways, u.st.Search.Text)
		if row, ok := u.timeline.Row(); ok {
			ways = append(ways, pane.Telling(row)...)
		}
	}
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(append(ways, u.st.Tracked), func(s string) bool {
		known := seen[s]
		seen[s] = true
		return known
	})
}

func (u *ui) knewKey(travel.Stroke)   { u.aboutText(knewPrompt, "knew ") }
func (u *ui) originKey(travel.Stroke) { u.aboutText(originPrompt, "origin of ") }

func (u *ui) aboutText(kind promptKind, label string) {
	if !u.st.At.Nowhere() && (u.overlay == nil || u.overlay.file != nil) {
		u.askText(kind, label, u.texts())
	}
}

// track shows when a text was in the model's view; an empty one ends that.
func (u *ui) track(s string) {
	u.deep.cancel("knew")
	u.step(travel.Track{Text: s})
	u.knew = knew{}
	if s != "" {
		u.showKnew()
	}
}

// showKnew asks for the lane, once all states are folded: a span may end
// anywhere.
func (u *ui) showKnew() {
	if u.knew.late = !u.status.Folded; u.knew.late || u.st.Tracked == "" {
		return
	}
	id, tracked := u.session.ID, u.st.Tracked
	u.deep.submit("knew", func(ctx context.Context) func() {
		k, err := u.idx.Knew(ctx, id, tracked)
		return func() {
			if err != nil {
				u.sayError(err)
			} else if id == u.session.ID && tracked == u.st.Tracked {
				u.knew = knew{answer: k, session: id}
			}
		}
	})
}

// drawLane draws the tracked text's presence over the whole session, and what
// that says of the selected event.
func (u *ui) drawLane(s tcell.Screen, x, y, w int) {
	left := render.Line{{Text: " knew ", Role: theme.Heading}, {Text: "“" + text.CleanCut(u.st.Tracked, max(w/5, 8)) + "”  ", Role: theme.StringLit}}
	right := u.laneNote()
	used := widget.Draw(s, x, y, w, left, u.look, theme.Plain)
	rw := min(render.Width(right), w/2)
	cells := w - used - rw - 3
	if u.knew.session != u.session.ID || cells < 8 {
		widget.Draw(s, x+used, y, w-used, render.Cut(right, max(w-used, 1)), u.look, theme.Plain)
		return
	}
	lane := render.Lane(u.knew.answer.Spans, u.session.LastPos, cells, u.look.Glyphs)
	widget.Draw(s, x+used, y, cells, render.Line{{Text: lane, Role: theme.Ok}}, u.look, theme.Plain)
	at := int((u.st.At.Pos - 1) * int64(cells) / max(u.session.LastPos, 1))
	widget.Draw(s, x+used+between(at, 0, cells-1), y, 1, render.Line{{Text: u.look.Glyphs.Vertical, Role: theme.Match}}, u.look, theme.Plain)
	widget.Draw(s, x+used+cells+2, y, rw, render.Cut(right, max(rw, 1)), u.look, theme.Plain)
}

// laneNote tells whether the tracked text is in view after the selected event,
// and what carries it or took it out.
func (u *ui) laneNote() render.Line {
	switch {
	case u.knew.late:
		return render.Line{{Text: u.foldNote(), Role: theme.Dim}}
	case u.knew.session != u.session.ID:
		return render.Line{{Text: "…", Role: theme.Dim}}
	}
	return presence(u.knew.answer.Spans, u.st.At.Pos)
}

// presence tells of the spans in which a text was in view whether it is after
// the event at pos.
func presence(spans []answer.Span, pos int64) render.Line {
	if len(spans) == 0 {
		return render.Line{{Text: "never in the model's view", Role: theme.Warn}}
	}
	var before *answer.Span
	for i := range spans {
		if spans[i].From.Pos > pos {
			break
		}
		before = &spans[i]
	}
	switch {
	case before == nil:
		first := spans[0].From
		return render.Line{{Text: "not yet: from ", Role: theme.Warn}, {Text: itoa(first.Seq), Role: theme.Seq}}
	case before.To != nil && before.To.Pos < pos:
		l := render.Line{{Text: "gone since ", Role: theme.Warn}}
		if by := before.OutBy; by != nil {
			return append(l, render.Span{Text: itoa(by.Seq), Role: theme.Seq})
		}
		return append(l, render.Span{Text: "after " + itoa(before.To.Seq), Role: theme.Seq})
	}
	l := render.Line{{Text: "in view, from ", Role: theme.Ok}, {Text: itoa(before.From.Seq), Role: theme.Seq}}
	if before.To != nil {
		l = append(l, render.Span{Text: " to ", Role: theme.Dim}, render.Span{Text: itoa(before.To.Seq), Role: theme.Seq})
	}
	if !before.Exact {
		l = append(l, render.Span{Text: "  not exact", Role: theme.Warn})
	}
	return l
}

// origin goes to the first event in which a text appears, or lists the way from
// there.
func (u *ui) origin(s string) {
	at := u.st.At
	u.say("looking through the session … Esc gives up", theme.Dim)
	u.hold("jump", func(ctx context.Context) func() {
		o, err := u.askOrigin(ctx, at, s)
		return func() {
			u.msg = nil
			if err != nil || !u.st.At.Same(at) {
				u.sayError(err)
				return
			}
			u.showOrigin(at, o)
		}
	})
}

func (u *ui) askOrigin(ctx context.Context, at travel.Place, s string) (answer.Origin, error) {
	if ready, err := u.idx.StateReady(ctx, at.Session); err != nil || ready < at.Pos {
		if err == nil {
			err = errUnfolded
		}
		return answer.Origin{}, err
	}
	e, err := u.idx.Event(ctx, at.Session, at.Pos)
	if err != nil {
		return answer.Origin{}, err
	}
	return u.idx.Origin(ctx, e, s)
}

func (u *ui) showOrigin(at travel.Place, o answer.Origin) {
	switch {
	case o.First == nil:
		u.say("no event up to "+itoa(at.Seq)+" holds “"+text.CleanCut(o.Text, 60)+"”", theme.Dim)
	case len(o.Path) < 2 && o.First.Pos == at.Pos:
		u.say(itoa(at.Seq)+" is its first mention", theme.Dim)
	case len(o.Path) < 2:
		u.jump(travel.Place{Session: o.First.Session, Pos: o.First.Pos, Seq: o.First.Seq})
	default:
		links := pane.NewLinks(u.look)
		links.Set(at, pane.OriginEntries(o, u.look.Glyphs))
		shows := u.here("origin", o.Text, "--at", u.seq())
		u.openLinks("origin of “"+text.CleanCut(o.Text, 40)+"”", links, shows)
	}
}

// openLinks opens a page of events to go to.
func (u *ui) openLinks(name string, links *pane.Links, shows []string) {
	u.open_(&overlay{name: name, view: links, shows: shows, enter: func() {
		if p, ok := links.Target(); ok {
			u.closeOverlay()
			u.jump(p)
		}
	}})
}
