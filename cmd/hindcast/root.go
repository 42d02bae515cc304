package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hindcast/inspector/command"
)

const about = `hindcast opens the event stream that an AI agent left behind and lets you travel
in it: what is in it, what happened, and what led to it.

  hindcast run.jsonl               walk through a run in the terminal
  hindcast why error run.jsonl     what led to the last error
  hindcast demo                    try it on the embedded demo

Arguments come first and the dump last, as in grep. A dump is a file, a folder,
an archive, - (standard input) or demo:; -d or $HINDCAST_DUMP name it as well.`

// rootCommand builds the command line from the registry.
func (p *program) rootCommand() *cobra.Command {
	open, _ := command.Find("open")
	root := p.build(open)
	root.Use = "hindcast [DUMP...]"
	root.Short = "inspect and time-travel the runs of AI agents"
	root.Long = about
	root.Example = ""
	root.Version = p.version().Version
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetVersionTemplate("hindcast {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		hint := c.CommandPath() + " --help lists its flags"
		if v, ok := command.Find(c.Name()); ok && v.Complete == command.CompleteFilter {
			hint += "; a filter that begins with - is written not TERM"
		}
		return &command.UsageError{Message: err.Error(), Hint: hint}
	})
	f := root.PersistentFlags()
	f.BoolVar(&p.json, "json", false, "machine-readable answer, and errors as JSON on stdout")
	f.StringVar(&p.session, "session", "", "the session, by a unique prefix of its `ID`")
	f.StringVar(&p.dialect, "dialect", "", "the dump's dialect by `NAME`, whatever it looks like")
	f.StringArrayVar(&p.mappings, "mapping", nil, "a `FILE` that says how to read a format of your own (docs/mapping.md)")
	f.BoolVar(&p.noColor, "no-color", false, "no colours; NO_COLOR does the same")
	f.StringArrayVarP(&p.dumps, "dump", "d", nil, "the `DUMP`, so that all positionals are arguments")
	for _, c := range command.All() {
		root.AddCommand(p.build(c))
	}
	p.completeGlobals(root)
	root.SetHelpCommand(helpCommand())
	return root
}

// helpCommand explains a verb; one that does not exist is an error, as it is
// everywhere else.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [VERB]", Short: "explain a verb", Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range command.All() {
				names = append(names, c.Name+"\t"+c.Short)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cc *cobra.Command, args []string) error {
			target, rest, err := cc.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return &command.UsageError{Message: "no verb " + strings.Join(args, " "), Hint: suggestion(strings.Join(args, " "))}
			}
			return target.Help()
		},
	}
}

// build makes a cobra command from a verb.
func (p *program) build(c *command.Command) *cobra.Command {
	cc := &cobra.Command{
		Use:                   c.Usage() + " [flags]",
		Short:                 c.Short,
		Long:                  strings.ToUpper(c.Short[:1]) + c.Short[1:] + ".\n\n" + fold(c.Long, 79),
		Example:               examples(c),
		Args:                  cobra.ArbitraryArgs,
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     p.completeArgs(c),
	}
	if c.Long == "" {
		cc.Long = strings.TrimSpace(cc.Long)
	}
	for _, f := range c.Flags {
		addFlag(cc.Flags(), f)
		p.completeFlag(cc, f)
	}
	if c.Name == "completion" {
		cc.AddCommand(p.manCommand())
	}
	cc.RunE = func(cc *cobra.Command, list []string) error {
		return p.runVerb(cc, c, list)
	}
	return cc
}

func addFlag(set *pflag.FlagSet, f command.Flag) {
	if f.Kind == command.FlagBool {
		set.BoolP(f.Name, f.Short, false, f.Help)
		return
	}
	set.VarP(&textFlag{value: f.Value}, f.Name, f.Short, f.Help)
}

// textFlag is a flag's text as typed, under the name that help gives its value.
// What it must be is checked by the verb, so that every front says the same.
type textFlag struct{ text, value string }

// String is the text.
func (f *textFlag) String() string { return f.text }

// Set takes the text.
func (f *textFlag) Set(s string) error {
	f.text = s
	return nil
}

// Type is the name of the value.
func (f *textFlag) Type() string { return f.value }

// given collects the flags that stand on the command line.
func given(cc *cobra.Command, c *command.Command) map[string]string {
	flags := map[string]string{}
	for _, f := range c.Flags {
		if set := cc.Flags().Lookup(f.Name); set != nil && set.Changed {
			flags[f.Name] = set.Value.String()
		}
	}
	return flags
}

func examples(c *command.Command) string {
	var b strings.Builder
	for i, e := range c.Examples {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("  # " + e.Text + "\n  " + e.Line + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// fold breaks paragraphs of help at a width, at spaces.
func fold(s string, width int) string {
	var out []string
	for _, paragraph := range strings.Split(s, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				out = append(out, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
