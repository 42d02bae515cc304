//go:build unix

package inspector

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// watchSignals ends or suspends the inspector on signals from outside: without
// it they would leave the terminal in raw mode. The returned function stops
// watching.
func watchSignals(u *ui) func() {
	ch := u.signals
	signal.Notify(ch, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTSTP)
	done := make(chan struct{})
	u.pump.safe("signals", func() {
		for {
			select {
			case <-done:
				return
			case s := <-ch:
				if s == syscall.SIGTSTP {
					u.pump.post(u.suspend)
					continue
				}
				u.pump.stop(&ExitError{Signal: s.String(), Code: 128 + int(s.(syscall.Signal))})
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
func stopProcess(u *ui) {
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, syscall.SIGCONT)
	defer signal.Stop(cont)
	signal.Reset(syscall.SIGTSTP)
	defer signal.Notify(u.signals, syscall.SIGTSTP)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select {
	case <-cont:
	case <-time.After(300 * time.Millisecond):
	}
}
