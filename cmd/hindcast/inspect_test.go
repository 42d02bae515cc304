//go:build unix

package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"hindcast/fixtures"
)

// TestInspectorComesAndGoes: the demo opens on a terminal, and every way out
// gives the terminal back.
func TestInspectorComesAndGoes(t *testing.T) {
	tests := []struct {
		name string
		args []string
		end  func(tty io.Writer, kill func(syscall.Signal) error) error
		code int
	}{
		{"quit", []string{"demo"}, func(tty io.Writer, _ func(syscall.Signal) error) error {
			_, err := io.WriteString(tty, "q")
			return err
		}, 0},
		{"open at an event", []string{"open", "--at", "error", "demo:"}, func(tty io.Writer, _ func(syscall.Signal) error) error {
			_, err := io.WriteString(tty, "q")
			return err
		}, 0},
		{"control-c", []string{"demo:"}, func(tty io.Writer, _ func(syscall.Signal) error) error {
			_, err := io.WriteString(tty, "\x03")
			return err
		}, exitSignal + int(syscall.SIGINT)},
		{"terminate", []string{"demo:"}, func(_ io.Writer, kill func(syscall.Signal) error) error {
			return kill(syscall.SIGTERM)
		}, exitSignal + int(syscall.SIGTERM)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd, _ := newCommand(t, nil, tt.args...)
			tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
			if err != nil {
				t.Skipf("no pseudo-terminal: %v", err)
			}
			defer tty.Close()
			var screen, none buffer
			done := make(chan struct{})
			go func() {
				defer close(done)
				// Reading a terminal whose program has ended is an error on Linux.
				_, _ = io.Copy(&screen, tty)
			}()
			await(t, &screen, &none, "greeter")
			kill := func(s syscall.Signal) error { return cmd.Process.Signal(s) }
			if err := tt.end(tty, kill); err != nil {
				t.Fatal(err)
			}
			code := exitOf(t, cmd.Wait())
			tty.Close()
			<-done
			out := screen.String()
			if code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			on, off := strings.LastIndex(out, "\x1b[?1049h"), strings.LastIndex(out, "\x1b[?1049l")
			if on < 0 || off < on || strings.LastIndex(out, "\x1b[?25h") < on {
				t.Errorf("the terminal is not given back: screen on at %d, off at %d of %d", on, off, len(out))
			}
		})
	}
}

// TestChooseOnTerminal: without a dump the sessions of installed agents are
// listed; the one that is chosen opens, and behind it the list stands again.
func TestChooseOnTerminal(t *testing.T) {
	home := t.TempDir()
	for from, to := range map[string]string{"claudecode/clean/projects": ".claude/projects", "openhands/v1-clean": ".openhands/conversations", "opencode/late": ".local/share/opencode"} {
		sub, err := fs.Sub(fixtures.FS, from)
		if err == nil {
			err = os.CopyFS(filepath.Join(home, to), sub)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	unset := []string{"HOME=" + home, "CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "XDG_DATA_HOME=", "OPENCODE_DB=", "OPENHANDS_PERSISTENCE_DIR=", "OPENHANDS_CONVERSATIONS_DIR="}
	cmd, _ := newCommand(t, unset)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer tty.Close()
	var screen, none buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(&screen, tty)
	}()
	for _, step := range []struct{ see, keys string }{
		{"Fix the rounding", "/rounding"},
		{"1 of 3", "\r"},
		{"[detail]", "q"},
	} {
		await(t, &screen, &none, step.see)
		if _, err := io.WriteString(tty, step.keys); err != nil {
			t.Fatal(err)
		}
	}
	again := func() bool { // the list, on the third screen
		screens := strings.Split(screen.String(), "\x1b[?1049h")
		return len(screens) > 3 && strings.Contains(screens[3], "Fix the rounding")
	}
	for deadline := time.Now().Add(waitLimit); !again(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the list does not come back: %q", screen.String())
		}
	}
	if _, err := io.WriteString(tty, "q"); err != nil {
		t.Fatal(err)
	}
	if code := exitOf(t, cmd.Wait()); code != 0 {
		t.Errorf("exit %d", code)
	}
	tty.Close()
	<-done
	if out := screen.String(); strings.LastIndex(out, "\x1b[?1049l") < strings.LastIndex(out, "\x1b[?1049h") {
		t.Error("the terminal is not given back")
	}
}
