package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hindcast/fixtures"
	"hindcast/index"
	"hindcast/index/mapping"
	"hindcast/inspector/command"
	"hindcast/model/dialect"
	"hindcast/render/text"
)

// completionWait bounds how long completion waits for an index that is being
// built.
const completionWait = time.Second

type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completeArgs completes a verb's positionals: its first argument, then files.
func (p *program) completeArgs(c *command.Command) completer {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if c.Name == "dialects" && len(args) == 0 {
			return withPrefix([]string{command.Try}, word), cobra.ShellCompDirectiveNoFileComp
		}
		if c.Name == "dialects" && args[0] == command.Try {
			return nil, cobra.ShellCompDirectiveDefault
		}
		if len(args) >= c.Max && c.Max >= 0 || c.Complete == command.CompleteNone {
			if c.Input == command.InputNone {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		}
		if c.Name == "completion" {
			return shells(), cobra.ShellCompDirectiveNoFileComp
		}
		return p.candidates(c.Complete, nil, word)
	}
}

// completeFlag completes a flag's value.
func (p *program) completeFlag(cc *cobra.Command, f command.Flag) {
	if f.Kind == command.FlagBool || f.Complete == command.CompleteFile {
		return
	}
	fn := func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return p.candidates(f.Complete, f.Words, word)
	}
	// It fails only for a flag that does not exist or is registered twice.
	_ = cc.RegisterFlagCompletionFunc(f.Name, fn)
}

func (p *program) completeGlobals(root *cobra.Command) {
	_ = root.RegisterFlagCompletionFunc("session", func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return p.candidates(command.CompleteSession, nil, word)
	})
	_ = root.RegisterFlagCompletionFunc("dialect", func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		known, _, _ := mapping.Load(p.mappings, p.mappingFolder())
		all, err := dialect.With(known)
		if err != nil {
			all = dialect.All()
		}
		return p.candidates(command.CompleteWords, all.Names(), word)
	})
}

// candidates lists what may stand in a place. Where the dump cannot be asked,
// it offers what needs none.
func (p *program) candidates(what command.Completion, words []string, word string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	if what == command.CompleteNone {
		return nil, directive
	}
	ctx, stop := context.WithTimeout(context.Background(), completionWait)
	defer stop()
	idx := p.completionIndex(ctx)
	if idx != nil {
		defer idx.Close()
	}
	switch what {
	case command.CompleteAddress: // an address may be left out: the dump follows
		directive = cobra.ShellCompDirectiveDefault
	case command.CompletePath:
		directive = cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveNoSpace
	case command.CompleteFilter:
		directive = cobra.ShellCompDirectiveNoSpace
	}
	var list []string
	for _, c := range command.Candidates(ctx, idx, p.session, what, words, word) {
		if list = append(list, text.Clean(c.Word)); c.About != "" {
			list[len(list)-1] += "\t" + text.CleanCut(c.About, 60)
		}
	}
	return list, directive
}

// completionIndex opens the dump that -d or the environment names; nil where
// there is none or it cannot be read.
func (p *program) completionIndex(ctx context.Context) index.API {
	dumps := p.dumps
	if env := p.getenv("HINDCAST_DUMP"); len(dumps) == 0 && env != "" {
		dumps = []string{env}
	}
	if len(dumps) == 0 || dumps[0] == "-" {
		return nil
	}
	known, _, err := mapping.Load(p.mappings, p.mappingFolder())
	if err != nil {
		return nil
	}
	idx, err := p.open(context.WithoutCancel(ctx), dumps, index.Options{Dialect: p.dialect, Mappings: known, Embedded: fixtures.Demo()})
	if err != nil {
		return nil
	}
	// What is there when the time is over has to do.
	_ = idx.Wait(ctx)
	return idx
}

func withPrefix(list []string, prefix string) []string {
	var out []string
	for _, c := range list {
		if strings.HasPrefix(c, prefix) {
			out = append(out, c)
		}
	}
	return out
}
