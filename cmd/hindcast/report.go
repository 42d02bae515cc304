package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"hindcast/index"
	"hindcast/index/mapping"
	"hindcast/inspector"
	"hindcast/inspector/command"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render/text"
)

// The exit codes.
const (
	exitUsage      = 2
	exitUnreadable = 4
	exitHere       = 5
	exitSignal     = 128
)

// fault is an error as it is told: a stable word, what to do next, and the code
// to exit with.
type fault struct {
	code string
	hint string
	exit int
}

// report tells an error on stderr, and on stdout where JSON was asked for and
// no part of an answer stands there, and returns the exit code. A reader that
// went away is told nothing.
func (p *program) report(err error, asJSON bool) int {
	if errors.Is(err, syscall.EPIPE) {
		return exitSignal + int(syscall.SIGPIPE)
	}
	f := diagnose(err)
	if f.exit != exitSignal+int(syscall.SIGINT) { // who pressed Ctrl-C knows
		fmt.Fprintln(p.stderr, "hindcast: "+text.Clean(err.Error()))
	}
	var syntax *query.SyntaxError
	if errors.As(err, &syntax) {
		fmt.Fprint(p.stderr, caret(syntax))
	}
	if f.hint != "" && !strings.Contains(err.Error(), f.hint) {
		fmt.Fprintln(p.stderr, "  "+text.Clean(f.hint))
	}
	if asJSON && !p.stdout.wrote {
		body := answer.ErrorBody{Code: f.code, Message: err.Error(), Hint: f.hint}
		if answer.Encode(p.stdout, answer.Error{Error: body}) != nil || p.stdout.Flush() != nil {
			return exitHere
		}
	}
	return f.exit
}

// diagnose sorts an error into what the command line promises.
func diagnose(err error) fault {
	var (
		usage    *command.UsageError
		path     *index.PathError
		expr     *index.ExprError
		syntax   *query.SyntaxError
		badAddr  *model.AddressSyntaxError
		address  *index.AddressError
		session  *index.SessionError
		stopped  signalError
		exit     *inspector.ExitError
		terminal *inspector.TerminalError
		noTerm   *noTerminal
		output   *outputError
		missing  *missingDump
		crash    *inspector.CrashError
		wrong    *mapping.Error
	)
	switch {
	case errors.As(err, &stopped):
		return fault{"interrupted", "", exitSignal + int(stopped.signal)}
	case errors.As(err, &exit):
		return fault{"interrupted", "", exit.Code}
	case errors.As(err, &usage) && errors.As(err, &path):
		return fault{"path", usage.Hint, exitUsage}
	case errors.As(err, &path):
		return fault{"path", nearest(path.Nearest), exitUsage}
	case errors.As(err, &usage) && errors.As(err, &expr):
		return fault{"expression", usage.Hint, exitUsage}
	case errors.As(err, &expr):
		return fault{"expression", "", exitUsage}
	case errors.As(err, &usage):
		return fault{"usage", usage.Hint, exitUsage}
	case errors.As(err, &wrong):
		return fault{"mapping", wrong.Hint, exitUsage}
	case errors.As(err, &syntax):
		return fault{"expression", syntax.Hint, exitUsage}
	case errors.As(err, &badAddr):
		return fault{"address", badAddr.Hint, exitUsage}
	case errors.As(err, &address):
		return fault{"address", nearest(address.Nearest), exitUsage}
	case errors.As(err, &session):
		return fault{"session", "hindcast sessions lists them", exitUsage}
	case errors.As(err, &noTerm):
		return fault{"terminal", noTerm.hint, exitHere}
	case errors.As(err, &terminal):
		return fault{"terminal", "", exitHere}
	case errors.As(err, &crash):
		return fault{"internal", keepStack(crash), exitHere}
	case errors.As(err, &output):
		return fault{"output", "is the disk full, or the output closed?", exitHere}
	case errors.As(err, &missing):
		return fault{"unreadable", "a dump is a file, a folder, an archive, - or demo:", exitUnreadable}
	case errors.Is(err, context.Canceled):
		return fault{"interrupted", "", exitSignal + int(syscall.SIGINT)}
	}
	return diagnoseIndex(err)
}

func nearest(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "nearest: " + strings.Join(list, ", ")
}

// caret repeats a filter with a mark under the column of its fault.
func caret(e *query.SyntaxError) string {
	runes := []rune(e.Text)
	if len(runes) == 0 || len(runes) > 200 {
		return ""
	}
	before := text.Clean(string(runes[:e.Column-1]))
	return "    " + before + text.Clean(string(runes[e.Column-1:])) + "\n    " + strings.Repeat(" ", text.Width(before)) + "^\n"
}
