//go:build unix

package inspector

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// watchSignals ends or suspends the inspector on signals from outside: without
// it they would leave the terminal in raw mode. The returned function stops
// watching.
func watchSignals(at *seat) func() {
	ch := at.signals
	signal.Notify(ch, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGTSTP)
	done := make(chan struct{})
	at.pump.safe("signals", func() {
		for {
			select {
			case <-done:
				return
			case s := <-ch:
				switch {
				case s == syscall.SIGTSTP && at.editing.Load(): // the editor stops: so must its job, or the shell would not come back
					_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
					continue
				case s == syscall.SIGTSTP:
					at.pump.post(at.suspend)
					continue
				}
				at.pump.stop(&ExitError{Signal: s.String(), Code: 128 + int(s.(syscall.Signal))})
			}
		}
	})
	return func() {
		signal.Stop(ch)
		close(done)
	}
}

// stopProcess stops the whole job, as the terminal would on Ctrl-Z, and returns
// once it has been continued. Where nobody could continue it (a terminal window
// of its own), the kernel ignores the signal, and so do we after a moment.
func stopProcess(at *seat) {
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, syscall.SIGCONT)
	defer signal.Stop(cont)
	signal.Reset(syscall.SIGTSTP)
	defer signal.Notify(at.signals, syscall.SIGTSTP)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-cont:
	case <-time.After(300 * time.Millisecond):
	}
}

// runEditor waits for an editor. An interrupt from the keyboard, which goes to
// the whole job, is the editor's own meanwhile: it is ignored here once the
// editor has started, since a program inherits what is ignored.
func (s *seat) runEditor(cmd *exec.Cmd) error {
	s.editing.Store(true)
	defer s.editing.Store(false)
	if err := cmd.Start(); err != nil {
		return err
	}
	signal.Ignore(syscall.SIGINT, syscall.SIGQUIT)
	defer signal.Notify(s.signals, syscall.SIGINT, syscall.SIGQUIT)
	return cmd.Wait()
}

// runShell runs a line of a shell with an input, on the terminal, and waits for
// Enter afterwards, so that what it printed can be read. The terminal belongs to
// an inspector again once it returns.
func (s *seat) runShell(line string, input []byte) error {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer tty.Close()
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), tty, tty
	s.editing.Store(true)
	defer s.editing.Store(false)
	if err := cmd.Start(); err != nil {
		return err
	}
	signal.Ignore(syscall.SIGINT, syscall.SIGQUIT)
	defer signal.Notify(s.signals, syscall.SIGINT, syscall.SIGQUIT)
	err = cmd.Wait()
	if errors.Is(err, syscall.EPIPE) { // it has read enough
		err = nil
	}
	said := "done"
	if err != nil {
		said = err.Error()
	}
	fmt.Fprintf(tty, "\n-- %s; Enter goes back to hindcast --", said)
	_, _ = bufio.NewReader(tty).ReadString('\n')
	return err
}

// editor is the command that edits a file, as a shell reads $EDITOR, on the
// terminal of the program: its own input may be a dump. The returned function
// lets go of the terminal.
func editor(words, path string) (*exec.Cmd, func()) {
	cmd := exec.Command("/bin/sh", "-c", words+` "$1"`, "sh", path)
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		return cmd, func() {}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	return cmd, func() { tty.Close() }
}
