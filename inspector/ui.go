package inspector

import (
	"context"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"hindcast/index"
	"hindcast/inspector/config"
	"hindcast/inspector/pane"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// view is what keys and the mouse can do to any pane.
type view interface {
	tview.Primitive
	Move(n int)
	Height() int
	First()
	Last()
}

// panel names a pane of the main screen.
type panel uint8

const (
	onTimeline panel = iota
	onWhy
	onDetail
	onState
	onContext
	onDiff
	panelCount
)

var panelNames = [panelCount]string{"timeline", "why", "detail", "state", "context", "diff"}

// lower are the panes that share the place below the timeline on small
// screens, and wideLower those on wide ones: the others stand at the right.
var (
	lower     = []panel{onWhy, onDetail, onState, onContext, onDiff}
	wideLower = []panel{onDetail, onDiff}
	wideRight = []panel{onWhy, onContext, onState}
)

// overlay is a page that lies over the panes: help, sessions, output.
type overlay struct {
	name  string
	view  view
	enter func()    // Enter on the selected row; nil: no row is selected
	shows []string  // the verb and its arguments that print the same; none: no verb does
	file  *filePage // what it is, where it is a file: it follows the cursor
	pins  []string  // the paths of its rows, where it is the list of pins
}

// ui is the inspector. All of it belongs to the UI goroutine but what says
// otherwise.
type ui struct {
	seat
	ctx    context.Context
	idx    index.API
	opt    Options
	set    config.Config
	front  *lane // what the reader waits for
	back   *lane // what may take long: counts, searches, why
	side   *lane // the panes that follow the cursor
	deep   *lane // the model's view, which may take long
	sweep  *lane // what looks through the whole session or dump
	judge  *lane // the verdict on opening
	look   *widget.Look
	root   *root
	wanted query.Expr // leaves out of folded rows what the reader has hidden for good

	st       travel.State
	keys     travel.Keys
	waited   int // counts keys that wait for others to follow
	table    *keyTable
	session  model.Session
	home     string // the session that the verbs take by default, where known
	others   int    // sessions beside this one
	status   index.Status
	epoch    int  // counts changes of session, filter or visibility: older answers are dropped
	ready    bool // a session is shown
	opening  bool // one is being looked for
	again    bool // and the index has grown meanwhile
	was      *was // the dump is being read anew
	greeting greeting
	landing  bool // the cursor is being put somewhere: its moves are no steps
	goal     goal
	id       string // of the selected event, to find it again when the order settles

	timeline   *pane.Timeline
	detail     *pane.Detail
	why        *pane.Links
	answer     *answer.Why // of why.At
	state      *pane.State
	context    *pane.Context
	diff       *pane.Diff
	folding    folding
	selectedAt time.Time // when the cursor was last put on an event
	hurried    bool      // the cursor moves faster than a reader looks: a key is held
	knew       knew
	pulses     map[string]pulse // of the pinned paths
	hops       int              // changes to step over once the diff is there
	motion     motion           // the last of the form [x or ]x
	overlay    *overlay
	prompt     *prompt
	history    map[promptKind][]string
	focus      panel
	tab        panel // which of lower is in front, where they share a place
	low        panel // which of wideLower is
	zoom       bool
	frame      frame
	mouse      bool

	kept
	outline

	msg         render.Line
	checkpoints int64
	growing     bool                       // fresh rows for the window are on their way
	owed        struct{ rows, facts bool } // asked for again while an answer was on its way
	followed    chan struct{}              // closed when nothing imports on behalf of the inspector
	hits        hits
	hit         hitFacts
	play        play
	holds       holds
	fetching    map[string]bool // rows beyond the window are on their way, by direction
	spent       map[string]cost
}

func newUI(ctx context.Context, idx index.API, o Options, s *screen) *ui {
	set := o.settings()
	u := &ui{
		ctx: ctx, idx: idx, opt: o, followed: make(chan struct{}), look: o.look(),
		st: travel.New(), table: newKeyTable(bindings(), set.Preset, set.Keys), set: set, wanted: wanted(set.HideKinds, set.HideTypes), tab: onDetail, low: onDetail,
		mouse: set.Mouse, history: map[promptKind][]string{}, spent: map[string]cost{}, fetching: map[string]bool{},
		pulses: map[string]pulse{},
	}
	u.checks = map[string]findings{}
	u.take(s, o)
	u.st.Follow, u.st.Clock, u.goal.at = o.Follow || set.Follow, clockNamed(set.Clock), o.At
	u.st.Visibility = visibilityNamed(set.Records)
	u.front, u.back = newLane(u.pump.post), newLane(u.pump.post)
	u.side, u.deep, u.sweep = newLane(u.pump.post), newLane(u.pump.post), newLane(u.pump.post)
	u.slow, u.judge = newLane(u.pump.post), newLane(u.pump.post)
	u.recall()
	u.makePanes()
	u.root = &root{Box: tview.NewBox(), u: u}
	u.app.SetRoot(u.root, true).SetInputCapture(u.onKey)
	return u
}

func (u *ui) makePanes() {
	u.timeline = pane.NewTimeline(u.look)
	u.timeline.Moved = u.stepped
	u.timeline.Fetch = u.fetch
	u.timeline.View.Mark = u.markAt
	u.timeline.View.Without, u.timeline.View.Timeless = columns(u.set.Columns)
	u.timeline.View.Noted = func(pos int64) bool {
		return u.st.NoteAt(travel.Place{Session: u.session.ID, Pos: pos}) != ""
	}
	u.timeline.View.Finding, u.timeline.View.Agents, u.timeline.View.Cut = u.isFinding, u.agentsAt, u.cutAt
	u.timeline.View.Folder = u.folder
	u.timeline.View.Hit = func(pos int64) bool { return u.hits.has(pos) }
	u.detail = pane.NewDetail(u.look)
	u.detail.Needle = func() query.Term { return u.st.Search.Term }
	u.why = pane.NewLinks(u.look)
	u.state, u.context, u.diff = pane.NewState(u.look), pane.NewContext(u.look), pane.NewDiff(u.look)
	u.state.Pulse = u.pulseOf
	u.context.Folder = u.folder
	u.setFocus(u.focus)
}

func (u *ui) start() {
	if len(u.msg) == 0 {
		u.say(readingNote, theme.Dim)
	}
	if u.opt.Note != "" {
		u.greeting.done = true // the first thing said stays until a key is pressed
		u.say(u.opt.Note, theme.Warn)
	}
	u.pump.safe("front worker", func() { u.front.run(u.ctx) })
	u.pump.safe("slow worker", func() { u.slow.run(u.ctx) })
	u.pump.safe("back worker", func() { u.back.run(u.ctx) })
	u.pump.safe("side worker", func() { u.side.run(u.ctx) })
	u.pump.safe("deep worker", func() { u.deep.run(u.ctx) })
	u.pump.safe("verdict worker", func() { u.judge.run(u.ctx) })
	u.pump.safe("sweep worker", func() { u.sweep.run(u.ctx) })
	u.pump.safe("watcher", u.watch)
	u.pump.safe("follower", u.follow)
	u.sit(u.ctx, u.mouse, u.look, u.opt.AskBackground)
	u.open()
}

// readingNote is said until there is something to show.
const readingNote = "reading …"

// say shows a message until the next key.
func (u *ui) say(s string, role theme.Role) {
	u.msg = render.Line{{Text: text.Clean(s), Role: role}}
}

// sayError shows what went wrong; nil and cancellations are no errors.
func (u *ui) sayError(err error) {
	if err == nil || u.ctx.Err() != nil || u.was != nil { // what is asked while the dump is read anew finds half of it
		return
	}
	u.say(err.Error(), theme.Warn)
}

// step applies an action of travel and reports whether it could.
func (u *ui) step(a travel.Action) bool {
	next, err := travel.Step(u.st, a)
	if err != nil {
		u.sayError(err)
		return false
	}
	u.st = next
	u.timeline.View.At, u.timeline.View.Clock, u.timeline.View.Needle = next.At, next.Clock, next.Search.Term
	return true
}

func (u *ui) markAt(pos int64) rune {
	if u.st.Anchor.Same(travel.Place{Session: u.session.ID, Pos: pos}) {
		return 'A'
	}
	return u.st.MarkAt(travel.Place{Session: u.session.ID, Pos: pos})
}

// root is the one primitive that tview knows. It draws the frame and takes what
// is pasted.
type root struct {
	*tview.Box
	u *ui
}

// Draw implements tview.Primitive.
func (r *root) Draw(s tcell.Screen) {
	x, y, w, h := r.GetRect()
	r.u.draw(s, x, y, w, h)
}

// PasteHandler implements tview.Primitive: a paste is text for the prompt, and
// nothing where there is none.
func (r *root) PasteHandler() func(string, func(tview.Primitive)) {
	return func(s string, _ func(tview.Primitive)) {
		if r.u.prompt == nil {
			r.u.say("paste into a prompt: open one with / f or :", theme.Dim)
			return
		}
		r.u.prompt.input.Insert(s)
		r.u.prompt.seek.pasted = true
		r.u.edited()
	}
}
