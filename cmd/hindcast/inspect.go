package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hindcast/index"
	"hindcast/inspector"
	"hindcast/inspector/command"
	"hindcast/inspector/config"
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
	set := p.config(a.Bool("no-mouse"))
	o := inspector.Options{
		Session: p.session, At: a.Text("at"), Source: p.named(dumps), Demo: len(dumps) == 1 && dumps[0] == demoDump,
		Settings: &set.Config, Theme: p.screenTheme(set.Theme), AskBackground: set.Theme == "auto" || set.Theme == theme.HighContrast.Name, Glyphs: p.glyphs(set.Glyphs), Keep: p.keeper(), KeepAs: keptAs(dumps), Clipboard: true, Shell: true,
	}
	if n := len(set.Problems); n > 0 {
		o.Note = set.Problems[0].Error()
		if n > 1 {
			o.Note += fmt.Sprintf(" (and %d more: hindcast config tells)", n-1)
		}
	}
	if slices.Contains(dumps, pipe) {
		o.Fixed, o.Unrepeatable = true, "from a pipe: not repeatable"
	}
	o.RunCommand = func(ctx context.Context, session, line string, width int) ([]render.Line, error) {
		env := &command.Env{Index: idx, Session: session, Terminal: true, Version: p.version(), Options: index.Options{Mappings: p.known}, Here: command.HereOf(p.getenv),
			Config: func() config.Result { return p.config(a.Bool("no-mouse")) }, Keep: o.Keep}
		return command.Execute(ctx, env, line, width)
	}
	for _, c := range command.All() {
		o.Commands = append(o.Commands, c.Name)
	}
	return o
}

// screenTheme is the theme of a name, as far as the terminal can show it.
func (p *program) screenTheme(name string) *theme.Theme {
	best := theme.Detect(p.getenv)
	t, ok := theme.ByName(name)
	switch {
	case !ok || !best.Colours():
		return best
	case t == theme.HighContrast:
		return t.On(best == theme.Light)
	}
	return t
}

// glyphs is the set of a name.
func (p *program) glyphs(name string) *theme.Glyphs {
	switch name {
	case "unicode":
		return &theme.Unicode
	case "ascii":
		return &theme.ASCII
	}
	return theme.DetectGlyphs(p.getenv)
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
