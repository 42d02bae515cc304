// Command hindcast opens the event stream that an AI agent left behind: what
// happened and why. It is the command line and the way into the inspector; both
// are built from the registry of verbs in inspector/command.
package main

import (
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(realMain()) }

// heapGoal is the heap in bytes that an import should stay under; SQLite's
// caches (about 70 MB) and the program itself come on top of it.
const heapGoal = 128 << 20

// realMain is main with an exit code, so that tests can run it in process.
func realMain() int {
	// Writing to a pipe that nobody reads must come back as an error: the
	// index is closed first, then the program ends quietly.
	signal.Ignore(syscall.SIGPIPE)
	// The collector may sleep until the heap nears what an import may take, and
	// hurries from there: most of what is allocated lives for a batch.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(heapGoal)
	p := newProgram(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	ctx, stop := p.withSignals()
	defer stop()
	return p.run(ctx, os.Args[1:])
}
