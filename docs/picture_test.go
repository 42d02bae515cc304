//go:build unix

package docs_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long a picture waits for what must come to the screen.
const patience = 30 * time.Second

// TestPictures draws the program's real screen, in a terminal that is emulated.
func TestPictures(t *testing.T) {
	dependOnSources(t)
	for _, p := range []struct {
		file string
		w, h int
	}{{"screen.svg", 120, 40}, {"screen-80x24.svg", 80, 24}} {
		t.Run(p.file, func(t *testing.T) {
			s := open(t, p.w, p.h, "demo")
			s.until("the demo", "row 1/", "133 in", "Try E") // it greets once all is read
			s.press("E", "118 of 120")
			s.press("c", "92 of 120", "scripts/smoke.sh")
			s.rest()
			have, err := os.ReadFile(p.file)
			if err != nil && !(*update && errors.Is(err, os.ErrNotExist)) {
				t.Fatal(err)
			}
			settle(t, p.file, string(have), s.svg("hindcast demo"))
			s.quit()
		})
	}
}

// screen is a running program and the terminal that shows it.
type screen struct {
	t    *testing.T
	tty  *os.File
	cmd  *exec.Cmd
	w, h int
	done chan struct{} // the program's output has ended

	mu   sync.Mutex
	em   *vt.Emulator
	last time.Time // of the last output
}

func open(t *testing.T, w, h int, args ...string) *screen {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(stop)
	s := &screen{t: t, w: w, h: h, em: vt.NewEmulator(w, h), done: make(chan struct{}), last: time.Now()}
	s.cmd = exec.CommandContext(ctx, filepath.Join(program, "hindcast"), args...)
	s.cmd.Env = environment()
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	s.tty = tty
	t.Cleanup(func() { tty.Close() })
	go func() { _, _ = io.Copy(tty, s.em) }() // the terminal's answers; ends with it
	go s.pump()
	return s
}

// pump feeds the terminal. Reading one whose program has ended is an error on
// some systems, and the end on others.
func (s *screen) pump() {
	defer close(s.done)
	buf := make([]byte, 1<<15)
	for {
		n, err := s.tty.Read(buf)
		if n > 0 {
			s.mu.Lock()
			_, _ = s.em.Write(buf[:n])
			s.last = time.Now()
			s.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.em.String()
}

func (s *screen) until(what string, parts ...string) {
	s.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		text, missing := s.text(), ""
		for _, p := range parts {
			if !strings.Contains(text, p) {
				missing = p
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s never showed %q:\n%s", what, missing, text)
		}
	}
}

func (s *screen) press(key string, parts ...string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(key); err != nil {
		s.t.Fatal(err)
	}
	s.until("after "+key, parts...)
}

// rest waits until nothing has been drawn for a while.
func (s *screen) rest() {
	const quiet = 700 * time.Millisecond
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		idle := time.Since(s.last)
		s.mu.Unlock()
		if idle > quiet {
			return
		}
	}
	s.t.Fatal("the screen does not come to rest")
}

// quit ends the program, which must leave without complaint.
func (s *screen) quit() {
	s.t.Helper()
	if _, err := s.tty.WriteString("\x03"); err != nil {
		s.t.Fatal(err)
	}
	<-s.done
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 130) {
		s.t.Fatalf("the program ends with %v", err)
	}
}
