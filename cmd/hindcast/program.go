package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"hindcast/index"
	"hindcast/inspector/command"
	"hindcast/model/dialect/mapped"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// program is one run of hindcast: its streams, and what the global flags say.
type program struct {
	stdin  io.Reader
	stdout *sink
	stderr io.Writer
	getenv func(string) string
	open   func(ctx context.Context, dumps []string, o index.Options) (index.API, error)

	outTerminal, errTerminal bool
	width                    int // of the terminal on stdout; 0 where there is none

	json, noColor    bool
	dialect, session string
	dumps            []string         // -d
	mappings         []string         // --mapping: files
	known            []mapped.Mapping // those and the folder's
	code             int              // of a run that did not fail
}

func newProgram(stdin, stdout, stderr *os.File, getenv func(string) string) *program {
	p := &program{stdin: stdin, stderr: stderr, getenv: getenv, open: openIndex}
	p.stdout = newSink(stdout)
	p.outTerminal = term.IsTerminal(int(stdout.Fd()))
	p.errTerminal = term.IsTerminal(int(stderr.Fd())) && getenv("TERM") != "dumb"
	if p.outTerminal {
		if w, _, err := term.GetSize(int(stdout.Fd())); err == nil {
			p.width = w
		}
	}
	return p
}

// signalError is the cause of a context that a signal ended.
type signalError struct{ signal syscall.Signal }

// Error names the signal.
func (e signalError) Error() string { return "stopped by signal: " + e.signal.String() }

// withSignals gives a context that the first INT, TERM, HUP, QUIT or ABRT ends;
// the second ends the program at once. The last two would else print the stacks
// of all goroutines.
func (p *program) withSignals() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	go func() {
		for n := 0; ; n++ {
			s, ok := (<-ch).(syscall.Signal)
			if !ok {
				return
			}
			if n > 0 {
				os.Exit(128 + int(s))
			}
			cancel(signalError{s})
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(ch)
		cancel(nil)
	}
}

// run executes a command line and returns the exit code.
func (p *program) run(ctx context.Context, words []string) int {
	root := p.rootCommand()
	root.SetArgs(protect(words))
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	if flushed := p.stdout.Flush(); err == nil {
		err = flushed
	}
	if err == nil {
		return p.code
	}
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		err = cause
	}
	return p.report(err, wantsJSON(words))
}

// note tells the user something beside the answer.
func (p *program) note(message string) {
	fmt.Fprintln(p.stderr, "hindcast: "+text.Clean(message))
}

// theme is how lines on stdout are coloured; nil: not at all.
func (p *program) theme() *theme.Theme {
	if !p.outTerminal || p.noColor || p.getenv("NO_COLOR") != "" || p.getenv("TERM") == "dumb" {
		return nil
	}
	return theme.Detect(p.getenv)
}

func (p *program) output() *command.Output {
	o := &command.Output{W: p.stdout, Width: p.width, Theme: p.theme()}
	if p.json {
		o.Format = command.JSON
	}
	return o
}

// sink is stdout. It remembers its first failure, to tell a reader that went
// away or a full disk from a failure to answer.
type sink struct {
	buf   *bufio.Writer
	wrote bool
}

// outputError is a failure to write the answer.
type outputError struct{ err error }

// Error says that writing failed.
func (e *outputError) Error() string { return "write the output: " + e.err.Error() }

// Unwrap gives the system's error.
func (e *outputError) Unwrap() error { return e.err }

func newSink(w io.Writer) *sink { return &sink{buf: bufio.NewWriterSize(w, 64<<10)} }

// Write buffers.
func (s *sink) Write(b []byte) (int, error) {
	s.wrote = s.wrote || len(b) > 0
	n, err := s.buf.Write(b)
	if err != nil {
		return n, &outputError{err}
	}
	return n, nil
}

// Flush sends what is buffered.
func (s *sink) Flush() error {
	if err := s.buf.Flush(); err != nil {
		return &outputError{err}
	}
	return nil
}
