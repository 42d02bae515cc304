package inspector

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"hindcast/model/answer"
)

// shelf is a made-up home with sessions; it notes which were looked at.
type shelf struct {
	rows []answer.InstalledSession
	told []answer.InstalledSession

	mu     sync.Mutex
	looked map[int]int
}

var _ Shelf = (*shelf)(nil)

func (s *shelf) Rows() []answer.InstalledSession {
	return append([]answer.InstalledSession{}, s.rows...)
}

func (s *shelf) Look(_ context.Context, row int) answer.InstalledSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked[row]++
	return s.told[row]
}

func (s *shelf) looks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.looked)
}

// chosenAt is when the list is looked at.
var chosenAt = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// newShelf has n sessions, each a quarter of an hour older than the one before.
func newShelf(n int) *shelf {
	s := &shelf{looked: map[int]int{}}
	text := func(s string) *string { return &s }
	tasks := []string{"Fix the tax rate", "Add a health check", "Write docs/api.md", "Find out why make smoke fails", "Rename the config"}
	dialects := []string{"claudecode", "codex", "opencode", "openhands"}
	for i := range n {
		size, failed := int64(1000+i*i*700), int64(i%4)
		row := answer.InstalledSession{
			ID: fmt.Sprintf("session-%04d", i), Dialect: dialects[i%4], Dumps: []string{}, Changed: chosenAt.Add(-time.Duration(i) * 15 * time.Minute).Format(time.RFC3339),
			Bytes: &size, Read: answer.ReadNothing, Here: i < 3, Cwd: text("/srv/shop"),
		}
		if i >= 3 {
			row.Cwd = nil
		}
		s.rows = append(s.rows, row)
		row.Dumps = []string{fmt.Sprintf("/home/u/dump-%d", i)}
		row.Title, row.Outcome, row.Failed, row.Read = text(fmt.Sprintf("part %d: %s", i, tasks[i%5])), text([]string{"finished", "running", "idle"}[i%3]), &failed, answer.ReadWhole
		if i >= 3 {
			row.Cwd = text(fmt.Sprintf("/srv/p%d", i%7))
		}
		if i%8 == 7 {
			row.Read = answer.ReadEnds
		}
		s.told = append(s.told, row)
	}
	return s
}

// choice is a driver of the list, and what was chosen once it has ended.
type choice struct {
	*driver
	s  answer.InstalledSession
	ok bool
}

func driveChoice(t *testing.T, s Shelf, w, h int, note string, o Options) *choice {
	t.Helper()
	c := &choice{driver: &driver{t: t, sim: newSim(t), done: make(chan error, 1), fresh: make(chan struct{}, 1)}}
	c.sim.SetSize(w, h)
	o.Screen, o.tick, o.after, o.now = initialised{c.sim, c.driver}, time.Millisecond, c.snap, chosenAt
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		var err error
		c.s, c.ok, err = Choose(ctx, s, note, o)
		c.done <- err
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case <-c.done:
		case <-time.After(patience):
			t.Error("the list did not end")
		}
	})
	return c
}

// chosen waits for the end, and gives the id of what was chosen; empty: nothing.
func (c *choice) chosen() string {
	c.t.Helper()
	if err := c.ends(); err != nil {
		c.t.Fatal(err)
	}
	if !c.ok {
		return ""
	}
	return c.s.ID
}

func TestChooseScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		w, h := size[0], size[1]
		name := fmt.Sprintf("choose-%dx%d", w, h)
		t.Run(name, func(t *testing.T) {
			c := driveChoice(t, newShelf(60), w, h, "", Options{})
			c.see("part 0: Fix", "part 19: Ren").golden(name)
			c.press("/", "smoke 8").see("6 of 60", "narrow: smoke 8", "part 38:").golden(name + "-narrowed")
			c.press("zzz").see("nothing holds").golden(name + "-nothing")
		})
	}
}

func TestChoose(t *testing.T) {
	tests := []struct {
		name string
		keys []string
		want string
	}{
		{"the first", []string{"Enter"}, "session-0000"},
		{"the third", []string{"Down", "Down", "Enter"}, "session-0002"},
		{"the last", []string{"End", "Enter"}, "session-0599"},
		{"by its words", []string{"/", "rename", " ", "part 9:", "Enter"}, "session-0009"},
		{"by an id", []string{"/", "session-0312", "Enter"}, "session-0312"},
		{"after going back", []string{"/", "x", "y", "Backspace", "Backspace", "Down", "Enter"}, "session-0001"},
		{"with a q", []string{"/", "q", "Esc", "Enter"}, "session-0000"},
		{"with j and k", []string{"j", "j", "k", "?", "Enter"}, "session-0001"},
		{"with G", []string{"G", "k", "Enter"}, "session-0598"},
		{"with g", []string{"G", "x", "g", "Enter"}, "session-0000"},
		{"none", []string{"q"}, ""},
		{"none with Esc", []string{"/", "part", "Esc", "Esc"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := driveChoice(t, newShelf(600), 100, 30, "", Options{})
			c.see("part 0:")
			for _, k := range tt.keys {
				if k == "Enter" {
					c.until("had settled", func(s string) bool { return c.settled() })
				}
				c.press(k)
			}
			if got := c.chosen(); got != tt.want {
				t.Errorf("chose %q, want %q", got, tt.want)
			}
			if tt.want != "" && len(c.s.Dumps) != 1 {
				t.Errorf("opens %q", c.s.Dumps)
			}
		})
	}
}

// settled waits until no frame has come for a moment: what is typed narrows at
// once, and what is found later comes in behind.
func (c *choice) settled() bool {
	c.rest(100 * time.Millisecond)
	return true
}

// TestChooseLooksAtFew: of thousands of sessions those on the screen are looked
// at, and not again; words that narrow have no more than so many looked at.
func TestChooseLooksAtFew(t *testing.T) {
	s := newShelf(3000)
	c := driveChoice(t, s, 80, 24, "", Options{})
	c.see("part 19:")
	c.settled()
	if n := s.looks(); n > 24 {
		t.Errorf("%d sessions were looked at for one screen", n)
	}
	c.press("Down", "Up", "PgDn", "PgUp").see("part 0:")
	c.settled()
	if n := s.looks(); n > 48 {
		t.Errorf("%d sessions were looked at for two screens", n)
	}
	c.press("/", "no such words").see("nothing holds")
	c.settled()
	if n := s.looks(); n > 48+len("no such words")*narrowCredit {
		t.Errorf("%d sessions were looked at", n)
	}
	for row, n := range s.looked {
		if n > 1 {
			t.Errorf("session %d was looked at %d times", row, n)
		}
	}
	c.press("Esc", "q")
	if got := c.chosen(); got != "" {
		t.Errorf("chose %s", got)
	}
}

// TestChooseAgain: coming back, the cursor stands where it was, and what went
// wrong is said.
func TestChooseAgain(t *testing.T) {
	c := driveChoice(t, newShelf(40), 80, 24, "open it: \x1b[31mpermission denied", Options{Session: "session-0030"})
	c.see("permission denied", "part 30:").press("Enter")
	if got := c.chosen(); got != "session-0030" {
		t.Errorf("chose %s", got)
	}
}

// TestChooseGone: a session whose dump has gone meanwhile is not opened.
func TestChooseGone(t *testing.T) {
	s := newShelf(3)
	s.told[0].Dumps = []string{}
	c := driveChoice(t, s, 80, 24, "", Options{})
	c.see("part 2:").press("Enter").see("it has gone").press("q")
	if got := c.chosen(); got != "" {
		t.Errorf("chose %s", got)
	}
}

func TestChooseEnds(t *testing.T) {
	c := driveChoice(t, newShelf(3), 80, 24, "", Options{})
	c.see("part 2:").press("Ctrl-C")
	var exit *ExitError
	if err := c.ends(); !errors.As(err, &exit) || exit.Code != 130 {
		t.Errorf("%v", err)
	}
	for _, size := range [][2]int{{19, 4}, {20, 5}, {21, 6}, {300, 100}} {
		driveChoice(t, newShelf(30), size[0], size[1], "", Options{}).until("drew", func(s string) bool { return len(s) > size[1] }).press("q").ends()
	}
}
