package inspector

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// lossKey lists what the selected step took out of the model's view, what it
// left there, and what has come back since.
func (u *ui) lossKey(travel.Stroke) {
	at, from := u.st.At, u.stepFrom()
	if at.Nowhere() || u.overlay != nil {
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		b, err := u.stretch(ctx, at.Session, from, at.Pos)
		return u.exchanged(ctx, func([]answer.Lost) string { return "view over " + itoa(at.Seq) }, b, err)
	})
}

// acrossKey lists the same for the nearest checkpoint.
func (u *ui) acrossKey(travel.Stroke) {
	at := u.st.At
	if at.Nowhere() || u.overlay != nil {
		return
	}
	u.hold("jump", func(ctx context.Context) func() {
		if !u.foldedSoon(ctx) {
			return func() { u.sayError(errUnfolded) }
		}
		list, err := u.idx.Checkpoints(ctx, at.Session)
		if err != nil {
			return func() { u.sayError(err) }
		}
		cp, ok, err := u.nearestCheckpoint(ctx, at, list)
		if err == nil && !ok {
			return func() { u.say("no checkpoint in this session", theme.Dim) }
		}
		var cut model.Event
		var b bounds
		if err == nil {
			cut, err = u.idx.Event(ctx, at.Session, cp.Last)
		}
		if err == nil {
			b, err = u.stretch(ctx, at.Session, cp.First-1, cp.Last)
		}
		return u.exchanged(ctx, func(lost []answer.Lost) string { return cutTitle(cut, b, lost) }, b, err)
	})
}

// foldPatience is how long a key waits for the states, which come a moment after
// the events: of a small dump they are there before the reader wonders.
const foldPatience = 2 * time.Second

// foldedSoon waits for all states and reports whether they came in time. It
// runs in the worker.
func (u *ui) foldedSoon(ctx context.Context) bool {
	late := time.After(foldPatience)
	for {
		changed := u.idx.Changed()
		if u.idx.Status().Folded {
			return true
		}
		select {
		case <-changed:
		case <-late:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// cutTitle names what cut the view: by the reason that messages left with, else
// a checkpoint if it is one.
func cutTitle(cut model.Event, b bounds, lost []answer.Lost) string {
	title := "change of the view"
	if cut.Kind == model.KindCheckpoint {
		title = "checkpoint"
	}
	for _, l := range lost {
		if by := l.By.Pos; by > b.before.Pos && by <= b.after.Pos {
			title = cutWord(l.Reason)
			break
		}
	}
	title += " " + itoa(cut.Seq)
	if cut.Title != "" {
		title += "  " + text.CleanCut(cut.Title, 60)
	}
	return title
}

// cutWord is what people call the event that messages left with for a reason.
func cutWord(reason string) string {
	switch reason {
	case model.LostRebuild.String():
		return "context rebuilt"
	case model.LostPrune.String():
		return "pruning"
	}
	return reason
}

// bounds are the points of an exchange: before it, after it, and how far what
// came back is looked for. Pos 0 is before the first event.
type bounds struct{ before, after, until model.Event }

func (u *ui) stretch(ctx context.Context, session string, from, to int64) (b bounds, err error) {
	if b.before, b.after, err = u.points(ctx, session, from, to); err != nil {
		return b, err
	}
	b.until, err = u.stretchEnd(ctx, b.after)
	return b, err
}

// nearestCheckpoint is the checkpoint at a place, else the one around the nearest
// event that took something out of the view, else the nearest of any kind.
func (u *ui) nearestCheckpoint(ctx context.Context, at travel.Place, list []index.Checkpoint) (index.Checkpoint, bool, error) {
	if c, ok := checkpointAt(list, at.Pos); ok {
		return c, true, nil
	}
	e, ok, err := nearestOf(at.Pos, func(pos int64, back bool) (model.Event, bool, error) {
		return u.idx.WriteNear(ctx, at.Session, pathForgotten, pos, back)
	})
	if err != nil {
		return index.Checkpoint{}, false, err
	}
	if ok {
		c, within := checkpointAt(list, e.Pos)
		if !within {
			c = index.Checkpoint{First: e.Pos, Last: e.Pos}
		}
		return c, true, nil
	}
	var near index.Checkpoint
	for _, c := range list { // the earlier of two at the same distance
		if near.Last == 0 || apart(c.Last, at.Pos) < apart(near.Last, at.Pos) {
			near = c
		}
	}
	return near, near.Last > 0, nil
}

func apart(a, b int64) int64 { return max(a-b, b-a) }

// checkpointAt is the checkpoint one of whose records stands at a pos, or in
// between them.
func checkpointAt(list []index.Checkpoint, pos int64) (index.Checkpoint, bool) {
	i := slices.IndexFunc(list, func(c index.Checkpoint) bool { return c.First <= pos && pos <= c.Last })
	if i < 0 {
		return index.Checkpoint{}, false
	}
	return list[i], true
}

// pathForgotten is written by whatever takes messages out of the view.
const pathForgotten = "/context/forgotten"

// nearestOf is what find finds nearest to a pos, the event there included; of
// two at the same distance the earlier.
func nearestOf(pos int64, find func(pos int64, back bool) (model.Event, bool, error)) (model.Event, bool, error) {
	before, back, err := find(pos+1, true)
	if err != nil {
		return before, false, err
	}
	after, ahead, err := find(pos, false)
	if !back || ahead && after.Pos-pos < pos-before.Pos {
		return after, ahead, err
	}
	return before, true, err
}

// stretchEnd is the last event before the view is cut again: until there, what
// was dropped may have come back.
func (u *ui) stretchEnd(ctx context.Context, after model.Event) (model.Event, error) {
	s, _, err := u.idx.Session(ctx, after.Session)
	if err != nil {
		return after, err
	}
	ready, err := u.idx.StateReady(ctx, after.Session)
	if err != nil {
		return after, err
	}
	last := min(s.LastPos, ready)
	var next model.Event
	cut := false
	if u.idx.Status().Folded {
		next, cut, err = u.idx.WriteNear(ctx, after.Session, pathForgotten, after.Pos, false)
	}
	if cut {
		last = min(last, next.Pos-1)
	}
	if err != nil || last <= after.Pos {
		return after, err
	}
	return u.idx.Event(ctx, after.Session, last)
}

// exchanged asks for the three views and returns what shows the lists; title
// names them by what was lost. It runs in the worker.
func (u *ui) exchanged(ctx context.Context, title func(lost []answer.Lost) string, b bounds, err error) func() {
	var views [3]pane.Seen
	for i, e := range []model.Event{b.before, b.after, b.until} {
		if err != nil {
			return func() { u.sayError(err) }
		}
		if e.Pos > 0 && (i < 2 || e.Pos != b.after.Pos) {
			views[i], err = u.viewAt(ctx, e, i == 1)
		} else if i == 2 {
			views[i] = views[1]
		}
	}
	if err != nil {
		return func() { u.sayError(err) }
	}
	x := pane.Exchanged(views[0], views[1], views[2])
	if x.User == nil && b.before.Pos > 0 {
		said, ok, err := u.idx.Next(ctx, b.before.Session, b.before.Pos+1, true, turns())
		if err != nil {
			return func() { u.sayError(err) }
		}
		if ok {
			x.User = pane.Unseen(answer.NewEvent(said))
		}
	}
	return func() {
		links := pane.NewLinks(u.look)
		links.Set(eventPlace(b.after), pane.ExchangeEntries(x, u.look.Glyphs))
		var shows []string
		if b.before.Pos > 0 {
			shows = u.here("diff", nameOf(b.before), nameOf(b.after), "/context")
		} else {
			shows = u.here("context", "--at", nameOf(b.after))
		}
		u.openLinks(title(views[1].Lost), links, shows)
	}
}

// viewAt is the model's view after an event, with its records as the state has
// them, and what has left it where that is asked for and not too far to look.
func (u *ui) viewAt(ctx context.Context, e model.Event, lost bool) (v pane.Seen, err error) {
	q := index.ContextQuery{At: e, Lost: lost && e.Pos <= goneReach}
	if v.Context, err = u.idx.Context(ctx, q); err != nil {
		return v, err
	}
	said, err := u.idx.StateValue(ctx, e, model.PathMessages)
	if err != nil {
		return v, err
	}
	var list []answer.StateMessage
	if err = json.Unmarshal(said.Value, &list); err != nil {
		return v, err
	}
	v.Records = make(map[int64][]answer.StateMessage, len(list))
	for _, m := range list {
		v.Records[m.Pos] = append(v.Records[m.Pos], m)
	}
	return v, nil
}
