package inspector

import (
	"context"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"hindcast/inspector/pane"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Shelf is what a session can be chosen from.
type Shelf interface {
	// Rows lists the sessions, as far as they are known without a look.
	Rows() []answer.InstalledSession
	// Look tells more of a session, which may take a moment. It is called from one
	// goroutine at a time.
	Look(ctx context.Context, row int) answer.InstalledSession
}

// Choose has the reader choose a session: it shows the list until one is chosen
// (ok), the reader quits, a signal comes or ctx ends. Of the options it heeds
// Session (where the cursor stands at first, an exact id) and what concerns the
// screen; note is said at first. The errors are those of Run.
func Choose(ctx context.Context, shelf Shelf, note string, o Options) (s answer.InstalledSession, ok bool, err error) {
	screen, err := openScreen(o.Screen)
	if err != nil {
		return s, false, &TerminalError{err}
	}
	defer screen.Fini()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newChooser(ctx, shelf, note, o, screen)
	defer watchSignals(&c.seat)()
	c.pump.safe("looker", func() { c.lane.run(ctx) })
	c.sit(ctx, o.settings().Mouse, c.look, o.AskBackground)
	err = c.wait(c.loop())
	return c.chosen, err == nil && c.done, err
}

// chooser is the list of sessions to choose from. All of it belongs to the UI
// goroutine.
type chooser struct {
	seat
	*tview.Box
	ctx     context.Context
	shelf   Shelf
	lane    *lane
	look    *widget.Look
	page    *pane.Installed
	input   *widget.Input
	typing  bool // what is typed narrows, from / on
	looked  []bool
	looking bool
	credit  int // sessions that may be looked at for the words' sake
	enter   int // the session to open once it has been looked at; -1: none
	chosen  answer.InstalledSession
	done    bool
	note    string
}

// narrowCredit is how many sessions are looked at for the sake of the words
// that were typed: those behind them are found by what is known without.
const narrowCredit = 512

// lookBatch is how many sessions are looked at between two frames.
const lookBatch = 8

func newChooser(ctx context.Context, shelf Shelf, note string, o Options, on *screen) *chooser {
	c := &chooser{Box: tview.NewBox(), ctx: ctx, shelf: shelf, look: o.look(), enter: -1, note: note}
	c.take(on, o)
	c.lane = newLane(c.pump.post)
	rows := shelf.Rows()
	c.looked = make([]bool, len(rows))
	c.page = pane.NewInstalled(c.look, rows)
	c.page.Now = o.clock()
	c.page.Focus(nil)
	c.page.GoTo(o.Session)
	c.input = widget.NewInput(c.look)
	c.input.Label = " narrow: "
	c.app.SetRoot(c, true).SetInputCapture(c.onKey)
	return c
}

// clock is the moment of which ages are told.
func (o Options) clock() time.Time {
	if o.now.IsZero() {
		return time.Now()
	}
	return o.now
}

// Draw implements tview.Primitive.
func (c *chooser) Draw(s tcell.Screen) {
	x, y, w, h := c.GetRect()
	s.HideCursor()
	if w < minWidth || h < minHeight {
		widget.Draw(s, x, y, w, render.Line{{Text: "enlarge the terminal", Role: theme.Warn}}, c.look, theme.Plain)
		return
	}
	rule := widget.Rule{Look: c.look, Names: []string{"sessions of installed agents"}, Focus: true, Note: c.count()}
	rule.Draw(s, x, y, w)
	c.page.SetRect(x, y+1, w, h-3)
	c.page.Draw(s)
	foot := render.Line{{Text: " j/k moves  g/G first, last  Enter opens  / narrows  q ends  ? help", Role: theme.Dim}}
	if c.typing {
		foot = render.Line{{Text: " what is typed narrows  Up Down moves  Enter opens  Esc shows all", Role: theme.Dim}}
	}
	if c.note != "" {
		foot = render.Line{{Text: " " + text.Clean(c.note), Role: theme.Warn}}
	}
	widget.Draw(s, x, y+h-2, w, foot, c.look, theme.Plain)
	c.input.SetRect(x, y+h-1, w, 1)
	c.input.Draw(s)
	c.ask()
}

// count says how many sessions are shown, and how many of them are this folder's.
func (c *chooser) count() render.Line {
	said := text.Count(int64(c.page.All()))
	if n := c.page.Len(); n != c.page.All() {
		said = text.Count(int64(n)) + " of " + said
	}
	return render.Line{{Text: said, Role: theme.Dim}}
}

// ask has sessions looked at that are to be shown, opened, or searched.
func (c *chooser) ask() {
	rows := c.wanted()
	if c.looking || len(rows) == 0 {
		return
	}
	c.looking = true
	c.lane.submit("look", func(ctx context.Context) func() {
		told := make([]answer.InstalledSession, len(rows))
		for i, row := range rows {
			told[i] = c.shelf.Look(ctx, row)
		}
		return func() {
			c.looking = false
			for i, row := range rows {
				c.looked[row] = true
				c.page.Learn(row, told[i])
			}
			c.open()
			c.ask()
		}
	})
}

// wanted lists the next sessions to look at.
func (c *chooser) wanted() (rows []int) {
	want := func(row int) {
		if !c.looked[row] && len(rows) < lookBatch {
			rows = append(rows, row)
		}
	}
	if c.enter >= 0 {
		want(c.enter)
	}
	for _, row := range c.page.InView() {
		want(row)
	}
	if len(rows) == 0 && c.input.Text() != "" && c.credit > 0 {
		for row := range c.looked {
			want(row)
		}
		c.credit -= len(rows)
	}
	return rows
}

// open ends the list with the session that was chosen, once all is known of it.
func (c *chooser) open() {
	if c.enter < 0 || !c.looked[c.enter] {
		return
	}
	s := c.page.Session(c.enter)
	c.enter = -1
	if len(s.Dumps) == 0 {
		c.note = "it has gone"
		return
	}
	c.chosen, c.done = s, true
	c.pump.stop(nil)
}

// onKey handles every key; tview gets none.
func (c *chooser) onKey(ev *tcell.EventKey) *tcell.EventKey {
	if c.pump.stopped() {
		return nil
	}
	c.note = ""
	switch name := keyName(ev); name {
	case "Ctrl-C":
		c.pump.stop(&ExitError{Signal: "Ctrl-C", Code: 130})
	case "Ctrl-Z":
		c.suspend()
	case "Up", "Ctrl-P":
		c.page.Move(-1)
	case "Down", "Ctrl-N":
		c.page.Move(1)
	case "PgUp":
		c.page.Move(-c.page.Height())
	case "PgDn":
		c.page.Move(c.page.Height())
	case "Home":
		c.page.First()
	case "End":
		c.page.Last()
	default:
		c.typed(name, ev)
	}
	return nil
}

// typed handles what is no move.
func (c *chooser) typed(name string, ev *tcell.EventKey) {
	switch {
	case name == "Enter":
		if row, ok := c.page.Selected(); ok {
			c.enter = row
			c.open()
		}
	case !c.typing:
		c.command(name)
	case name == "Esc":
		c.typing = false
		c.input.Set("")
		c.narrow()
	case c.input.Key(ev) == widget.Edited:
		c.narrow()
	}
}

// command does what a key means before anything is typed, as in the inspector.
func (c *chooser) command(name string) {
	switch name {
	case "q", "Esc":
		c.pump.stop(nil)
	case "/":
		c.typing = true
	case "j":
		c.page.Move(1)
	case "k":
		c.page.Move(-1)
	case "g":
		c.page.First()
	case "G":
		c.page.Last()
	case "?":
		c.note = "/ narrows to sessions that hold all words typed: title, folder, outcome, id"
	}
}

// narrow shows what the words leave.
func (c *chooser) narrow() {
	c.credit = narrowCredit
	c.page.Narrow(c.input.Text())
}

// PasteHandler implements tview.Primitive: a paste narrows.
func (c *chooser) PasteHandler() func(string, func(tview.Primitive)) {
	return func(s string, _ func(tview.Primitive)) {
		c.typing = true
		c.input.Insert(s)
		c.narrow()
	}
}

// MouseHandler implements tview.Primitive.
func (c *chooser) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return func(action tview.MouseAction, ev *tcell.EventMouse, _ func(tview.Primitive)) (bool, tview.Primitive) {
		if c.pump.stopped() {
			return false, nil
		}
		i := c.page.RowAt(ev.Position())
		switch action {
		case tview.MouseScrollUp:
			c.page.Scroll(-wheelRows)
		case tview.MouseScrollDown:
			c.page.Scroll(wheelRows)
		case tview.MouseLeftDown:
			if i >= 0 {
				c.page.Select(i)
			}
		case tview.MouseLeftDoubleClick:
			if row, ok := c.page.Selected(); ok && i >= 0 {
				c.enter = row
				c.open()
			}
		default:
			return false, nil
		}
		return true, nil
	}
}
