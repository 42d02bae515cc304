//go:build !unix

package inspector

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

func watchSignals(at *seat) func() {
	ch := at.signals
	signal.Notify(ch, os.Interrupt)
	done := make(chan struct{})
	at.pump.safe("signals", func() {
		select {
		case <-done:
		case <-ch:
			at.pump.stop(&ExitError{Signal: "interrupt", Code: 130})
		}
	})
	return func() {
		signal.Stop(ch)
		close(done)
	}
}

// stopProcess does nothing: there is no job control here.
func stopProcess(*seat) {}

// editor is the command that edits a file, by the words of $EDITOR.
func editor(words, path string) (*exec.Cmd, func()) {
	list := append(strings.Fields(words), path)
	cmd := exec.Command(list[0], list[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd, func() {}
}

func (s *seat) runEditor(cmd *exec.Cmd) error { return cmd.Run() }

// runShell runs a line of the platform's shell with an input and waits for Enter
// afterwards, so that what it printed can be read.
func (s *seat) runShell(line string, input []byte) error {
	cmd := exec.Command("cmd", "/C", line)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), os.Stdout, os.Stderr
	err := cmd.Run()
	said := "done"
	if err != nil {
		said = err.Error()
	}
	fmt.Printf("\n-- %s; Enter goes back to hindcast --", said)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return err
}
