package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"hindcast/fixtures"
	"hindcast/index"
	"hindcast/inspector/command"
	"hindcast/inspector/config"
)

// runVerb runs a verb on the words that follow it.
func (p *program) runVerb(cc *cobra.Command, c *command.Command, list []string) error {
	ctx := cc.Context()
	flags := given(cc, c)
	reads := c.Reads(command.NewArgs(list, flags))
	args, dumps, err := p.split(c, reads, list)
	if err != nil {
		return err
	}
	a := command.NewArgs(args, flags)
	if err := c.Check(a); err != nil {
		return err
	}
	if p.known, err = p.loadMappings(); err != nil {
		return err
	}
	switch c.Name {
	case "open":
		if len(dumps) == 0 {
			return p.choose(ctx, a)
		}
		return p.inspect(ctx, dumps, a)
	case "demo":
		return p.demo(ctx, a)
	case "completion":
		return p.completion(cc.Root(), a)
	}
	env := p.env(c, a)
	if reads != command.InputNone {
		idx, err := p.openDump(ctx, c, a, dumps)
		if err != nil {
			return err
		}
		defer idx.Close()
		env.Index = idx
	}
	return p.answer(ctx, c, env, a)
}

// env is what a verb works with; the index of a dump is to be added.
func (p *program) env(c *command.Command, a command.Args) *command.Env {
	return &command.Env{
		Session: p.session, Note: p.note, Terminal: p.outTerminal, Version: p.version(), Options: p.options(c, a), Here: command.HereOf(p.getenv),
		Config: func() config.Result { return p.config(false) }, Keep: p.keeper(),
	}
}

// answer runs a verb and writes what it found.
func (p *program) answer(ctx context.Context, c *command.Command, env *command.Env, a command.Args) error {
	got, err := c.Run(ctx, env, a)
	if err != nil {
		return err
	}
	if err := got.Write(ctx, p.output()); err != nil {
		return err
	}
	if coded, ok := got.(command.Coded); ok {
		p.code = coded.ExitCode()
	}
	return nil
}

// openDump opens the index and waits until all of the dump is in it.
func (p *program) openDump(ctx context.Context, c *command.Command, a command.Args, dumps []string) (index.API, error) {
	idx, err := p.open(ctx, dumps, p.options(c, a))
	if err != nil {
		return nil, err
	}
	if err := p.wait(ctx, idx); err != nil {
		idx.Close()
		return nil, err
	}
	if c.Name == "import" {
		if err := p.waitStates(ctx, idx); err != nil {
			idx.Close()
			return nil, err
		}
	}
	if n := idx.Status().Quarantined; n > 0 && c.Name != "import" {
		p.note(plural(n, "span") + " of the dump could not be read; hindcast import tells which")
	}
	return idx, nil
}

func (p *program) options(c *command.Command, a command.Args) index.Options {
	o := index.Options{Dialect: p.dialect, Mappings: p.known, Stdin: p.stdin, Embedded: fixtures.Demo()}
	if c.Configure != nil {
		c.Configure(a, &o)
	}
	return o
}

func plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + one + "s"
}

// version is what the build says of itself.
func (p *program) version() command.Version {
	v := command.Version{Version: "devel", Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			commit := s.Value[:12]
			v.Commit = &commit
		}
	}
	return v
}
