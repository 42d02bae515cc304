package command

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"hindcast/render"
	"hindcast/render/theme"
)

// MaxPromptLines bounds what a line typed at a prompt may print.
const MaxPromptLines = 10_000

// errEnough ends a stream whose reader has seen enough.
var errEnough = errors.New("enough lines")

// Execute runs one line as typed at a prompt ("why 83 --effects") on the open
// index, and gives its lines for a width. Verbs that need the program itself
// are refused, and so is what never ends.
func Execute(ctx context.Context, env *Env, line string, width int) ([]render.Line, error) {
	words, err := SplitLine(line)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	c, ok := Find(words[0])
	if !ok {
		return nil, usage("no verb "+words[0], "verbs: "+strings.Join(runnable(), " "))
	}
	if c.Run == nil || c.Input == InputDumps {
		return nil, usage(c.Name+" works on the command line only", "verbs here: "+strings.Join(runnable(), " "))
	}
	words, session := cutSession(words)
	if session != "" {
		of := *env
		of.Session = session
		env = &of
	}
	a, err := c.ParseArgs(words[1:])
	if err != nil {
		return nil, err
	}
	if a.Bool("follow") || a.Bool("raw") {
		return nil, usage("--follow and --raw work on the command line only", "")
	}
	return collect(ctx, env, c, a, width)
}

// cutSession takes --session, which is a flag of the program and of no verb, out
// of a line's words.
func cutSession(words []string) (rest []string, session string) {
	for i, w := range words {
		value, inline := strings.CutPrefix(w, "--session=")
		switch {
		case w == "--":
			return words, ""
		case inline:
			return slices.Concat(words[:i], words[i+1:]), value
		case w == "--session" && i+1 < len(words):
			return slices.Concat(words[:i], words[i+2:]), words[i+1]
		}
	}
	return words, ""
}

// collect gathers an answer's lines; what does not come as lines (JSON, CSV)
// is cleaned on its way.
func collect(ctx context.Context, env *Env, c *Command, a Args, width int) ([]render.Line, error) {
	got, err := c.Run(ctx, env, a)
	if err != nil {
		return nil, err
	}
	var lines []render.Line
	take := func(more []render.Line) error {
		lines = append(lines, more...)
		if len(lines) > MaxPromptLines {
			lines = append(lines[:MaxPromptLines], render.Of("... (the prompt shows no more than this)", theme.Dim))
			return errEnough
		}
		return nil
	}
	out := &lineSink{take: take}
	err = got.Write(ctx, &Output{W: out, Width: width, Sink: take})
	if err == nil {
		err = out.end()
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	return lines, err
}

// lineSink cuts written bytes into lines.
type lineSink struct {
	rest []byte
	take func([]render.Line) error
}

// Write takes what has a line end, and keeps the rest.
func (s *lineSink) Write(p []byte) (int, error) {
	s.rest = append(s.rest, p...)
	var lines []render.Line
	for {
		i := bytes.IndexByte(s.rest, '\n')
		if i < 0 {
			break
		}
		lines = append(lines, render.Of(string(s.rest[:i]), theme.Plain))
		s.rest = s.rest[i+1:]
	}
	if len(lines) == 0 {
		return len(p), nil
	}
	return len(p), s.take(lines)
}

func (s *lineSink) end() error {
	if len(s.rest) == 0 {
		return nil
	}
	return s.take([]render.Line{render.Of(string(s.rest), theme.Plain)})
}

// runnable lists the verbs that a prompt can run.
func runnable() []string {
	var names []string
	for _, c := range table() {
		if c.Run != nil && c.Input != InputDumps {
			names = append(names, c.Name)
		}
	}
	return names
}
