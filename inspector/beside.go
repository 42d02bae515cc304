package inspector

import (
	"context"
	"slices"
	"time"

	"hindcast/index"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// folding is what is known of the fold behind the import, without which nothing
// can be told about states.
type folding struct {
	pos  int64 // how far it has come in this session
	late bool  // a pane waits for it
}

// showBeside asks for what the panes on the screen lack of the selected event.
func (u *ui) showBeside() {
	if u.st.At.Nowhere() {
		return
	}
	s := u.frame.size
	f := u.layout(s.x, s.y, s.w, s.h)
	for p, show := range map[panel]func(){onWhy: u.showWhy, onState: u.showState, onContext: u.showContext} {
		if f.shows(p) {
			show()
		}
	}
	if f.shows(onDiff) {
		u.showDiff(max(f.places[onDiff].w-1, minWidth))
	}
}

// forgetBeside drops what the panes show: it is not true any more.
func (u *ui) forgetBeside() {
	u.answer = nil
	u.state.Clear()
	u.context.Clear()
	u.diff.Clear()
}

// A held key moves the cursor faster than held; while it does, the cursor must
// rest before a question about states is asked, which else nobody waits for. A
// single press is answered at once.
const (
	held = 100 * time.Millisecond
	rest = 15 * time.Millisecond
)

// stated asks a question about a state as soon as the fold has come that far;
// until then, and where there is no answer, the pane says why.
func (u *ui) stated(l *lane, p panel, at travel.Place, run func(ctx context.Context) (func(), error)) {
	wait := time.Duration(0)
	if u.hurried {
		wait = rest
	}
	l.submit(panelNames[p], func(ctx context.Context) func() {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		changed := u.idx.Changed()
		pos, err := u.idx.StateReady(ctx, at.Session)
		if err == nil && pos < at.Pos {
			return func() { u.unfolded(p, pos, changed) }
		}
		var then func()
		if err == nil {
			then, err = run(ctx)
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return func() { u.blank(p, render.Of(err.Error(), theme.Warn)) }
		}
		return func() {
			if u.st.At.Session == at.Session { // newer questions have replaced those that are not asked any more
				then()
			}
		}
	})
}

// unfolded says how far the fold has come; growth asks again. changed is closed
// if it has come further meanwhile, of which nobody would tell.
func (u *ui) unfolded(p panel, pos int64, changed <-chan struct{}) {
	u.folding.pos, u.folding.late = pos, true
	switch s := u.status; {
	case s.FoldErr != nil:
		u.blank(p, render.Of("no states: "+s.FoldErr.Error(), theme.Warn))
	case s.Folded:
		u.blank(p, render.Of("no states in this index: open the dump itself", theme.Warn))
	default:
		u.blank(p, render.Line{{Text: u.foldNote(), Role: theme.Dim}})
		select {
		case <-changed:
			u.showBeside()
		default:
		}
	}
}

func (u *ui) foldNote() string {
	return "states: folded " + text.Count(u.folding.pos) + " of " + text.Count(u.session.LastPos)
}

// blank empties a pane and says why.
func (u *ui) blank(p panel, why render.Line) {
	if u.was != nil {
		return
	}
	switch p {
	case onState:
		u.state.Empty = why
		u.state.Clear()
	case onContext:
		u.context.Empty = why
		u.context.Clear()
	case onDiff:
		u.diff.Empty = why
		u.diff.Clear()
	}
}

// stepFrom is the pos after which the selected step begins: before the call
// where the row shows it with its result, and nothing stands between them; else
// before the event.
func (u *ui) stepFrom() int64 {
	at := u.st.At.Pos
	row, ok := u.timeline.Row()
	if ok && row.Result != nil && row.Result.Pos == at && row.Event.Pos == at-1 {
		return at - 2
	}
	return at - 1
}

// point is an event as a point of state; pos 0 is before the first.
func (u *ui) point(ctx context.Context, session string, pos int64) (model.Event, error) {
	if pos < 1 {
		return model.Event{Session: session}, nil
	}
	return u.idx.Event(ctx, session, pos)
}

// points are the two ends of a comparison.
func (u *ui) points(ctx context.Context, session string, from, to int64) (a, b model.Event, err error) {
	if a, err = u.point(ctx, session, from); err == nil {
		b, err = u.point(ctx, session, to)
	}
	return a, b, err
}

func (u *ui) showState() {
	at, from, pins := u.st.At, u.stepFrom(), u.st.Pins
	u.showPulses()
	if u.state.At().Same(at) && u.state.From() == from && slices.Equal(u.state.Pinned(), pins) {
		return
	}
	u.stated(u.side, onState, at, func(ctx context.Context) (func(), error) {
		d, err := u.askState(ctx, at, from, pins)
		return func() { u.state.Set(d) }, err
	})
}

// memberPage is how many messages and calls the state pane lists.
const memberPage = 200

// askState gathers the state after an event part by part: the whole document
// may be large.
func (u *ui) askState(ctx context.Context, at travel.Place, from int64, pins []string) (pane.StateData, error) {
	d := pane.StateData{At: at, From: from}
	a, b, err := u.points(ctx, at.Session, from, at.Pos)
	if err != nil {
		return d, err
	}
	diff, err := u.idx.Diff(ctx, a, b, "")
	if err != nil {
		return d, err
	}
	d.Changes = render.PathChanges(diff.Changes)
	q := stateQuery{u.idx, ctx, b}
	if d.Pins, err = q.pins(pins); err != nil {
		return d, err
	}
	for _, part := range []func() (pane.Node, error){
		q.group("/status"), q.context, q.files, q.group("/shell"), q.tasks, q.pending, q.group("/usage"), q.group("/errors"), q.checkpoint, q.group("/vars"),
	} {
		n, err := part()
		if err != nil {
			return d, err
		}
		d.Roots = append(d.Roots, n)
	}
	return d, nil
}

// stateQuery asks for the parts of one state.
type stateQuery struct {
	idx index.API
	ctx context.Context
	at  model.Event
}

func (q stateQuery) group(path string) func() (pane.Node, error) {
	return func() (pane.Node, error) {
		c, err := q.idx.Children(q.ctx, q.at, path, "", memberPage)
		return pane.Group(path, pane.Members(c), c.Total), err
	}
}

func (q stateQuery) context() (pane.Node, error) {
	messages, err := q.idx.Children(q.ctx, q.at, model.PathMessages, "", memberPage)
	if err != nil {
		return pane.Node{}, err
	}
	forgotten, err := q.idx.StateValue(q.ctx, q.at, "/context/forgotten")
	if err != nil {
		return pane.Node{}, err
	}
	tokens, err := q.idx.StateValue(q.ctx, q.at, "/context/tokens")
	return pane.ContextGroup(q.at.Session, messages, forgotten, tokens), err
}

func (q stateQuery) files() (pane.Node, error) {
	v, err := q.idx.StateValue(q.ctx, q.at, model.PathFiles)
	kids := pane.Files(q.at.Session, v.Value)
	return pane.Group(model.PathFiles, kids, int64(len(kids))), err
}

func (q stateQuery) tasks() (pane.Node, error) {
	v, err := q.idx.StateValue(q.ctx, q.at, model.PathTasks)
	return pane.TaskGroup(v.Value), err
}

func (q stateQuery) pending() (pane.Node, error) {
	c, err := q.idx.Children(q.ctx, q.at, model.PathPending, "", memberPage)
	return pane.Group(model.PathPending, pane.Collection(q.at.Session, c), c.Total), err
}

func (q stateQuery) checkpoint() (pane.Node, error) {
	v, err := q.idx.StateValue(q.ctx, q.at, "/checkpoint")
	n := pane.Leaf("/checkpoint", v.Value)
	n.By = v.By
	return n, err
}

// speaks reports events that the model made: what it was given for them can be
// asked.
func speaks(e model.Event) bool {
	return e.Kind == model.KindAction || e.Kind == model.KindMessage && model.SpokenByModel(e.Source)
}

// given is the event whose context is shown: the model's own of the selected
// row, else the selected one.
func (u *ui) given() (e model.Event, made bool) {
	if row, ok := u.timeline.Row(); ok && pane.Holds(row, u.st.At.Pos) && speaks(row.Event) {
		return row.Event, true
	}
	at := u.st.At
	return model.Event{Session: at.Session, Pos: at.Pos, Seq: at.Seq}, false
}

// goneReach bounds the pos up to which the context pane names what has left the
// view: that needs a look at every write. Beyond it, it tells how many.
const goneReach = 20_000

func (u *ui) showContext() {
	at := u.st.At
	of, made := u.given()
	if d := u.context.Data(); d.At.Same(at) && (d.Context.For != nil) == made {
		return
	}
	u.stated(u.deep, onContext, at, func(ctx context.Context) (func(), error) {
		e, err := u.idx.Event(ctx, of.Session, of.Pos)
		if err != nil {
			return nil, err
		}
		d := pane.ContextData{At: at}
		named := of.Pos <= goneReach
		if d.Context, err = u.idx.Context(ctx, index.ContextQuery{At: e, For: made, Lost: named}); err != nil {
			return nil, err
		}
		if d.Gone = int64(len(d.Context.Lost)); !named {
			d.Gone, err = u.left(ctx, d.Context.At)
		}
		return func() { u.context.Show(d) }, err
	})
}

// left counts the messages that have left the view, those that came back
// included.
func (u *ui) left(ctx context.Context, after answer.Ref) (int64, error) {
	if after.Pos == 0 {
		return 0, nil
	}
	v, err := u.idx.StateValue(ctx, model.Event{Session: after.Session, Pos: after.Pos, Seq: after.Seq}, "/context/forgotten")
	return pane.Number(v.Value), err
}

// compared are the ends of the comparison that the diff pane shows: of the
// range where one is set, else of the step. pos 0 is before the first event.
func (u *ui) compared() (from, to int64) {
	at, anchor := u.st.At, u.st.Anchor
	if anchor.Nowhere() || anchor.Session != at.Session || anchor.Pos == at.Pos {
		return u.stepFrom(), at.Pos
	}
	return min(anchor.Pos, at.Pos), max(anchor.Pos, at.Pos)
}

func (u *ui) showDiff(width int) {
	at := u.st.At
	from, to := u.compared()
	if k := u.diff.Key; k.B.Session == at.Session && k.A.Pos == from && k.B.Pos == to && k.Width == width {
		return
	}
	last := travel.Place{Session: at.Session, Pos: to}
	u.stated(u.side, onDiff, last, func(ctx context.Context) (func(), error) {
		a, b, err := u.points(ctx, at.Session, from, to)
		if err != nil {
			return nil, err
		}
		d, err := u.idx.Diff(ctx, a, b, "")
		if err != nil {
			return nil, err
		}
		lines, stops := render.DiffStops(d, render.DiffPoints, width)
		key := pane.DiffKey{A: eventPlace(a), B: eventPlace(b), From: nameOf(a), To: nameOf(b), Width: width}
		return func() {
			u.diff.Set(key, len(d.Changes), lines, stops)
			u.hop()
		}, nil
	})
}

func eventPlace(e model.Event) travel.Place {
	return travel.Place{Session: e.Session, Pos: e.Pos, Seq: e.Seq}
}
