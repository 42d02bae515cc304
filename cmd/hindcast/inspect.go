package main

import (
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
		return &noTerminal{why, "the verbs work anywhere: hindcast query " + quoted(dumps[0])}
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

// promptWidth is the width for which the answers of the prompt are drawn.
const promptWidth = 100

func (p *program) inspectorOptions(idx index.API, dumps []string, a command.Args) inspector.Options {
	o := inspector.Options{
		Session: p.session, At: a.Text("at"), Source: quoted(dumps[0]),
		NoMouse: a.Bool("no-mouse"), Theme: theme.Detect(p.getenv), Glyphs: theme.DetectGlyphs(p.getenv),
		Demo:  len(dumps) == 1 && dumps[0] == demoDump,
		Fixed: slices.Contains(dumps, pipe),
	}
	if p.noColor {
		o.Theme = theme.Mono
	}
	o.RunCommand = func(ctx context.Context, line string) ([]render.Line, error) {
		env := &command.Env{Index: idx, Session: p.session, Terminal: true, Version: p.version()}
		return command.Execute(ctx, env, line, promptWidth)
	}
	for _, c := range command.All() {
		o.Commands = append(o.Commands, c.Name)
	}
	return o
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
