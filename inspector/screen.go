package inspector

import (
	"sync"
	"sync/atomic"
	"time"

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

	polled  atomic.Pointer[tcell.EventKey] // the newest event from the terminal, if it was a key
	handled *tcell.EventKey                // the newest key that has been handled
	skips   bool                           // the frame at hand is not drawn
	drawn   time.Time                      // the last frame
}

// openScreen initialises a screen, the terminal's where s is nil.
func openScreen(s tcell.Screen) (*screen, error) {
	if s == nil {
		var err error
		if s, err = newTerminal(); err != nil {
			return nil, err
		}
	}
	if err := s.Init(); err != nil {
		return nil, err
	}
	return &screen{Screen: s}, nil
}

// Init does nothing: openScreen has done it.
func (s *screen) Init() error { return nil }

// Fini restores the terminal, once.
func (s *screen) Fini() { s.finish.Do(s.Screen.Fini) }

// PollEvent waits for input, and remembers the newest key.
func (s *screen) PollEvent() tcell.Event {
	ev := s.Screen.PollEvent()
	key, _ := ev.(*tcell.EventKey)
	s.polled.Store(key)
	return ev
}

// took tells that a key has been handled.
func (s *screen) took(key *tcell.EventKey) { s.handled = key }

// drawnWithin bounds how long a held key may keep the screen as it is.
const drawnWithin = 100 * time.Millisecond

// behind reports whether another key waits: what would be drawn now is old
// before anyone sees it, and the keys would lag behind the drawing.
func (s *screen) behind() bool {
	key := s.polled.Load()
	return key != nil && key != s.handled && time.Since(s.drawn) < drawnWithin
}

// Clear begins a frame, unless a key waits: then there will be another.
func (s *screen) Clear() {
	if s.skips = s.behind(); !s.skips {
		s.Screen.Clear()
	}
}

// Show draws what has changed.
func (s *screen) Show() {
	if s.skips {
		return
	}
	s.drawn = time.Now()
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
