package inspector

import (
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
)

// TestFramesWaitForKeys: while a newer key waits nothing is drawn, but never for
// long, and always once it has been handled.
func TestFramesWaitForKeys(t *testing.T) {
	frames := 0
	s := &screen{Screen: newSim(t), after: func() { frames++ }}
	poll := func() *tcell.EventKey {
		s.PostEvent(tcell.NewEventKey(tcell.KeyRune, 'j', tcell.ModNone))
		for {
			if key, ok := s.PollEvent().(*tcell.EventKey); ok {
				return key
			}
		}
	}
	draw := func(want int) {
		t.Helper()
		s.Clear()
		if s.Show(); frames != want {
			t.Errorf("%d frames, want %d", frames, want)
		}
	}
	first := poll()
	s.took(first)
	draw(1)
	second := poll()
	draw(1)
	s.drawn = time.Now().Add(-drawnWithin)
	draw(2)
	draw(2)
	s.took(second)
	draw(3)
}
