package inspector

import (
	"context"
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/index"
	"hindcast/inspector/config"
	"hindcast/inspector/keep"
	"hindcast/inspector/widget"
	"hindcast/render"
	"hindcast/render/theme"
)

// Options say how to open the inspector. The zero value is what a person wants.
type Options struct {
	Session       string         // unique prefix of the session to show; empty: the root session with most events
	At            string         // address of the first selected event; empty: the first
	Source        string         // the dump (and its dialect) as a shell command names it, for the commands that are shown and copied
	Screen        tcell.Screen   // nil: the terminal. Run initialises it and gives it back finished
	Settings      *config.Config // what the user has set; nil: config.Default
	AskBackground bool           // have the terminal tell its background, and choose the theme's face for it
	Shell         bool           // | may run commands
	Clipboard     bool           // copies go to the platform's clipboard program as well
	Keep          *keep.Store    // keeps marks, notes, views and the layout; nil: nothing is kept
	KeepAs        string         // names the dump among those that were left; empty: how it is left is not kept
	Note          string         // said at first: something is wrong with the settings
	Theme         *theme.Theme   // nil: theme.Dark
	Glyphs        *theme.Glyphs  // nil: theme.Unicode
	Demo          bool           // greet with the first steps of the tour; fixed
	Follow        bool           // keep to the newest row
	Fixed         bool           // the dump cannot grow (it is a pipe): it is not watched

	// Unrepeatable says why no command can show the dump again ("from a pipe: not
	// repeatable"); empty: Source can.
	Unrepeatable string

	// RunCommand runs a line of the `:` prompt that is neither a number nor an
	// address, about the session on the screen, and returns what to show, for a
	// width in cells. nil: there are no commands. It is called from a worker and
	// must end when ctx does.
	RunCommand func(ctx context.Context, session, line string, width int) ([]render.Line, error)
	// Commands lists the names that RunCommand knows: a line that begins with
	// one is a command, whatever else it could be.
	Commands []string

	tick  time.Duration // between frames that no key asked for; 0: 12 ms
	after func()        // called after each frame, for tests
	now   time.Time     // the moment of which ages are told; zero: that of the start
}

// ExitError says that a signal ended the inspector; the process should exit
// with Code.
type ExitError struct {
	Signal string
	Code   int // 128 and the signal's number
}

// Error names the signal.
func (e *ExitError) Error() string { return "ended by " + e.Signal }

// TerminalError says that the terminal cannot show the inspector.
type TerminalError struct{ Err error }

// Error says why, and what to do.
func (e *TerminalError) Error() string {
	return fmt.Sprintf("open terminal: %v (the verbs work without one: hindcast help)", e.Err)
}

// Unwrap gives the terminal library's error.
func (e *TerminalError) Unwrap() error { return e.Err }

// CrashError is a panic of the inspector's own code, caught so that the
// terminal could be restored.
type CrashError struct {
	Where string // the goroutine
	Value any
	Stack []byte
}

// Error says what happened, without the stack.
func (e *CrashError) Error() string {
	return fmt.Sprintf("inspector crashed in %s: %v", e.Where, e.Value)
}

// Run shows the inspector until the reader quits, a signal comes or ctx ends.
// The terminal is restored before it returns, whatever the way out. It returns
// nil for q, *ExitError for a signal or Ctrl-C, *TerminalError where there is no
// usable terminal, *CrashError for a panic, and ctx's error.
func Run(ctx context.Context, idx index.API, o Options) error {
	screen, err := openScreen(o.Screen)
	if err != nil {
		return &TerminalError{err}
	}
	defer screen.Fini()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	u := newUI(ctx, idx, o, screen)
	defer watchSignals(&u.seat)()
	u.start()
	err = u.wait(u.loop())
	cancel()
	<-u.followed // the index may be closed once Run has returned
	u.leave()    // what cannot be kept has been told, or nobody is there to be told
	return err
}

// settings are what the user has set.
func (o Options) settings() config.Config {
	if o.Settings == nil {
		return config.Default()
	}
	return *o.Settings
}

// look is how everything is drawn.
func (o Options) look() *widget.Look {
	l := &widget.Look{Theme: o.Theme, Glyphs: o.Glyphs}
	if l.Theme == nil {
		l.Theme = theme.Dark
	}
	if l.Glyphs == nil {
		l.Glyphs = &theme.Unicode
	}
	return l
}
