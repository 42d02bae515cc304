package main

import (
	"context"
	"strconv"

	"hindcast/index"
	"hindcast/inspector/command"
	"hindcast/render"
	"hindcast/render/theme"
)

// stop is one stop of the demo's guided tour: what is asked, how, and what to
// see in the answer. The answer itself is never written down: it comes from
// running the command.
type stop struct {
	question string
	words    []string // of the command, without the program and the dump
	session  string
	remark   string
}

const tourIntro = "An agent works on greeter, a small web service. It reads the right port from the configuration, and writes the wrong one four events later. The run ends with a failing test and the word Done. Where did it go wrong? Every command below can be typed as it stands: demo: is a dump inside this program."

var tourStops = []stop{
	{"What is in the dump?", []string{"sessions"}, "",
		"A run of 120 events, and a sub-agent that it called. It says that it completed; look at its failures."},
	{"What was the agent asked for?", []string{"query", "kind:message source:user"}, "greeter",
		"The port moves to 8080 at 56, and 82 wants a script for it. Keep these two in mind."},
	{"What failed?", []string{"query", "kind:error"}, "greeter",
		"Three errors. The last one is the end of the run; the second is only a warning of the disk, and passes."},
	{"What led to the last error?", []string{"why", "error"}, "",
		"The chain goes back over what the dump recorded. It does not stop at the failing test: it passes 93, where the script was written, and reaches 90, an answer to the warning at 89."},
	{"What happened there?", []string{"query", "seq:86..93"}, "greeter",
		"88 returned the configuration. 90 answers the warning behind it instead, and 91 rebuilds the context: 88 is gone for good."},
	{"What did 88 say, that 90 forgot?", []string{"show", "88"}, "",
		"Port 8080, as the user asked. The agent went by its older memory of 8000, wrote it down at 92, and spent the rest of the run looking for the fault in the handler."},
}

const tourOutro = "hindcast demo opens the same run in the inspector: E goes to the last error, c to its cause, Ctrl-O back, ? explains the keys. hindcast help lists the verbs; hindcast query --help explains the filter language."

// tourWidth is the width of the tour where no terminal says otherwise.
const tourWidth = 80

// demo opens the inspector on the embedded demo, or prints its guided tour.
func (p *program) demo(ctx context.Context, a command.Args) error {
	if !a.Bool("no-tui") && !p.json && p.screenless() == "" {
		return p.inspect(ctx, []string{demoDump}, a)
	}
	if p.json {
		return &command.UsageError{Message: "the tour has no machine form", Hint: "ask the demo itself: hindcast sessions --json " + demoDump}
	}
	demo, _ := command.Find("demo")
	idx, err := p.openDump(ctx, demo, a, []string{demoDump})
	if err != nil {
		return err
	}
	defer idx.Close()
	return p.tour(ctx, idx)
}

func (p *program) tour(ctx context.Context, idx index.API) error {
	o := p.output()
	if o.Width == 0 || o.Width > 120 {
		o.Width = tourWidth
	}
	say := func(s string, role theme.Role) error {
		return o.Lines(render.Wrap(render.Of(s, role), o.Width, 0))
	}
	if err := say(tourIntro, theme.Plain); err != nil {
		return err
	}
	for i, s := range tourStops {
		if err := p.visit(ctx, idx, i+1, s, o, say); err != nil {
			return err
		}
	}
	if err := o.Lines([]render.Line{nil}); err != nil {
		return err
	}
	return say(tourOutro, theme.Plain)
}

// visit shows a question, the command that answers it, and its answer.
func (p *program) visit(ctx context.Context, idx index.API, n int, s stop, o *command.Output, say func(string, theme.Role) error) error {
	line := "$ hindcast"
	for _, w := range s.words {
		line += " " + quoted(w)
	}
	if s.session != "" {
		line += " --session " + s.session
	}
	if err := o.Lines([]render.Line{nil, render.Of(strconv.Itoa(n)+". "+s.question, theme.Heading), nil, render.Of(line+" "+demoDump, theme.Strong)}); err != nil {
		return err
	}
	c, _ := command.Find(s.words[0])
	a, err := c.ParseArgs(s.words[1:])
	if err != nil {
		return err
	}
	env := &command.Env{Index: idx, Session: s.session, Version: p.version()}
	got, err := c.Run(ctx, env, a)
	if err != nil {
		return err
	}
	if err := got.Write(ctx, o); err != nil {
		return err
	}
	if err := o.Lines([]render.Line{nil}); err != nil {
		return err
	}
	return say(s.remark, theme.Plain)
}
