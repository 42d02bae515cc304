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
		"Suspects come from the error's own words: the script that it names was written at 92, with the port that fails. The chain below goes back over what the dump recorded: past 93, where the script was written, to 90, an answer to the warning at 89."},
	{"What happened there?", []string{"query", "seq:86..93"}, "greeter",
		"88 returned the configuration. 90 answers the warning behind it instead, and 91 rebuilds the context: 88 is gone for good."},
	{"What did 88 say, that 90 forgot?", []string{"show", "88"}, "",
		"Port 8080, as the user asked. The agent went by its older memory of 8000, wrote it down at 92, and spent the rest of the run looking for the fault in the handler."},
	{"Did the model know the port?", []string{"knew", "8080"}, "",
		"It did, twice: until the rebuild at 76, and from 88 to 90, just long enough to answer the warning. When it wrote the script at 92, nothing in its view said 8080."},
	{"Who wrote the port?", []string{"blame", "file:config/app.yaml", "--at", "88"}, "",
		"Line 3 is by 59, the move to 8080. The file was right all the time."},
	{"What changed across the first checkpoint?", []string{"diff", "cp:1-1", "cp:1"}, "",
		"Nothing but the checkpoint itself."},
	{"Are the checkpoints right?", []string{"check"}, "",
		"The second one holds what an event behind its base did: a runtime that restarts from it would do that twice."},
}

const tourOutro = "hindcast demo opens the same run in the inspector: E goes to the last error, c to its cause, x shows what the model had in view, * when it knew a text, d what a step changed, Ctrl-O goes back, ? explains the keys. hindcast help lists the verbs; hindcast query --help explains the filter language."

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
		line += " " + command.Quoted(w)
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
