// Command hindcast opens the event stream that an AI agent left behind: what
// happened, why, and what the world looked like at any event. It is the command
// line and the way into the inspector; both are built from the registry of
// verbs in inspector/command.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(realMain()) }

// realMain is main with an exit code, so that tests can run it in process.
func realMain() int {
	// Writing to a pipe that nobody reads must come back as an error: the
	// index is closed first, then the program ends quietly.
	signal.Ignore(syscall.SIGPIPE)
	// Half the usual head room: what lives during an import is mostly tables, and
	// its memory has a bound to keep.
	debug.SetGCPercent(50)
	p := newProgram(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	ctx, stop := p.withSignals()
	defer stop()
	return p.run(ctx, os.Args[1:])
}
