package inspector

import (
	"sync"

	"github.com/gdamore/tcell/v2"
)

// mouseFlags leave out motion without a button: reports for every cell that the
// pointer crosses would flood a slow link for nothing.
const mouseFlags = tcell.MouseButtonEvents | tcell.MouseDragEvents

// screen is a tcell.Screen that is initialised and finished once, however often
// it is asked to: tview initialises what it is given without looking at the
// error, and every way out finishes it.
type screen struct {
	tcell.Screen
	finish sync.Once
	after  func()
	asker  asker // nil: it cannot be asked anything
}

// openScreen initialises a screen, the terminal's where s is nil.
func openScreen(s tcell.Screen) (*screen, error) {
	out := &screen{Screen: s}
	if s == nil {
		var err error
		if out.Screen, out.asker, err = newTerminal(); err != nil {
			return nil, err
		}
	}
	if err := out.Screen.Init(); err != nil {
		return nil, err
	}
	return out, nil
}

// Init does nothing: openScreen has done it.
func (s *screen) Init() error { return nil }

// Fini restores the terminal, once.
func (s *screen) Fini() {
	s.finish.Do(func() {
		if s.asker != nil {
			s.asker.answered(answerPatience)
		}
		s.Screen.Fini()
	})
}

// Show draws what has changed.
func (s *screen) Show() {
	s.Screen.Show()
	if s.after != nil {
		s.after()
	}
}

func (s *screen) mouse(on bool) {
	if on {
		s.EnableMouse(mouseFlags)
	} else {
		s.DisableMouse()
	}
}
