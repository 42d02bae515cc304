//go:build !unix

package inspector

import (
	"os"
	"os/signal"
)

func watchSignals(u *ui) func() {
	ch := u.signals
	signal.Notify(ch, os.Interrupt)
	done := make(chan struct{})
	u.pump.safe("signals", func() {
		select {
		case <-done:
		case <-ch:
			u.pump.stop(&ExitError{Signal: "interrupt", Code: 130})
		}
	})
	return func() {
		signal.Stop(ch)
		close(done)
	}
}

// stopProcess does nothing: there is no job control here.
func stopProcess(*ui) {}
