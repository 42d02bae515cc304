package inspector

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/rivo/tview"

	"hindcast/inspector/widget"
)

// seat is a program's place on the terminal: it shares it with the shell that
// started it, with an editor, and with signals from outside.
type seat struct {
	app     *tview.Application
	screen  *screen
	pump    *pump      // any goroutine
	life    sync.Mutex // held while suspended: the application must not be stopped then
	signals chan os.Signal
	editing atomic.Bool // an editor has the terminal: any goroutine
}

// take gives a seat its screen, and the pump between its frames.
func (s *seat) take(on *screen, o Options) {
	s.app, s.screen, s.pump, s.signals = tview.NewApplication(), on, newPump(o.tick), make(chan os.Signal, 4)
	on.after = o.after
	s.app.EnablePaste(true) // has tview gather pastes; the screen is told in sit
	s.app.SetScreen(on)
}

// sit starts what the screen needs; ctx ends it. What is drawn with look follows
// the terminal's background, where it is to be asked.
func (s *seat) sit(ctx context.Context, mouse bool, look *widget.Look, ask bool) {
	s.screen.EnablePaste()
	s.screen.mouse(mouse)
	if two := look.Theme.On(true) != look.Theme.On(false); two && ask && s.screen.asker != nil {
		s.screen.asker.ask(func(light bool) {
			s.pump.post(func() { look.Theme = look.Theme.On(light) })
		})
	}
	s.pump.safe("pump", func() { s.pump.run(ctx, s.app, &s.life) })
}

// suspend gives the terminal back and stops the process, as Ctrl-Z would.
func (s *seat) suspend() { s.lend(func() { stopProcess(s) }) }

// lend gives the terminal away while f runs.
func (s *seat) lend(f func()) {
	s.life.Lock()
	defer s.life.Unlock()
	if !s.pump.stopped() {
		s.app.Suspend(f)
	}
}

// loop runs the event loop; a panic in it becomes a CrashError. tview has
// restored the terminal by then.
func (s *seat) loop() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &CrashError{Where: "event loop", Value: p, Stack: debug.Stack()}
		}
	}()
	return s.app.Run()
}

// wait tells why the loop has ended.
func (s *seat) wait(err error) error {
	var crash *CrashError
	if errors.As(err, &crash) {
		return err
	}
	if reason := s.pump.reason(); reason != nil {
		return reason
	}
	if err != nil {
		return &TerminalError{err}
	}
	return nil
}
