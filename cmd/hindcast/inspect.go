package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hindcast/index"
	"hindcast/inspector"
	"hindcast/inspector/command"
	"hindcast/render"
	"hindcast/render/theme"
)

// noTerminal is a place where the inspector cannot open.
type noTerminal struct{ reason, hint string }

// Error says why.
func (e *noTerminal) Error() string { return "the inspector needs a terminal: " + e.reason }

// screenless says why there can be no inspector here, or nothing.
func (p *program) screenless() string {
	switch term := p.getenv("TERM"); {
	case !p.outTerminal:
		return "the output is none"
	case term == "":
		return "TERM is not set"
	case term == "dumb":
		return "TERM=dumb cannot move the cursor"
	}
	return ""
}

// inspect opens the inspector on dumps.
func (p *program) inspect(ctx context.Context, dumps []string, a command.Args) error {
	if why := p.screenless(); why != "" {
		return &noTerminal{why, "the verbs work anywhere: hindcast query " + command.Quoted(dumps[0])}
	}
	open, _ := command.Find("open")
	idx, err := p.open(ctx, dumps, p.options(open, a))
	if err != nil {
		return err
	}
	defer idx.Close()
	return inspector.Run(ctx, idx, p.inspectorOptions(idx, dumps, a))
}

// pipe is the dump that can be read once only.
const pipe = "-"

func (p *program) inspectorOptions(idx index.API, dumps []string, a command.Args) inspector.Options {
	o := inspector.Options{
		Session: p.session, At: a.Text("at"), Source: p.named(dumps),
		NoMouse: a.Bool("no-mouse"), Theme: theme.Detect(p.getenv), Glyphs: theme.DetectGlyphs(p.getenv),
		Demo: len(dumps) == 1 && dumps[0] == demoDump, Editor: cmp.Or(p.getenv("VISUAL"), p.getenv("EDITOR")),
	}
	if slices.Contains(dumps, pipe) {
		o.Fixed, o.Unrepeatable = true, "from a pipe: not repeatable"
	}
	if p.noColor {
		o.Theme = theme.Mono
	}
	o.RunCommand = func(ctx context.Context, session, line string, width int) ([]render.Line, error) {
		env := &command.Env{Index: idx, Session: session, Terminal: true, Version: p.version(), Options: index.Options{Mappings: p.known}, Here: command.HereOf(p.getenv)}
		return command.Execute(ctx, env, line, width)
	}
	for _, c := range command.All() {
		o.Commands = append(o.Commands, c.Name)
	}
	return o
}

// named is the end of a command line that opens these dumps as this one did.
func (p *program) named(dumps []string) string {
	var words []string
	if p.dialect != "" {
		words = append(words, "--dialect", command.Quoted(p.dialect))
	}
	for _, file := range p.mappings {
		words = append(words, "--mapping", command.Quoted(file))
	}
	return strings.Join(append(words, command.DumpWords(dumps)), " ")
}
