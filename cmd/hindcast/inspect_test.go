//go:build unix

package main

import (
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
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
