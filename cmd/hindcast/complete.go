package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hindcast/fixtures"
	"hindcast/index"
	"hindcast/index/mapping"
	"hindcast/inspector/command"
	"hindcast/model"
	"hindcast/model/dialect"
	"hindcast/model/query"
	"hindcast/render/text"
)

// Bounds of completion: how long it may wait for an index that is being built,
// and how much it offers.
const (
	completionWait  = time.Second
	completionLimit = 40
)

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
	list := words
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
	case command.CompleteType:
		list = names(ctx, idx, query.FieldType)
	case command.CompleteTool:
		list = names(ctx, idx, query.FieldTool)
	case command.CompleteSource:
		list = names(ctx, idx, query.FieldSource)
	case command.CompleteSession:
		list = sessionIDs(ctx, idx)
	case command.CompleteAddress:
		list = addresses(ctx, idx, p.session)
		directive = cobra.ShellCompDirectiveDefault // an address may be left out: the dump follows
	case command.CompletePath:
		if idx != nil {
			list = command.PlacesIn(ctx, idx, p.session, word)
		}
		directive = cobra.ShellCompDirectiveDefault | cobra.ShellCompDirectiveNoSpace
	case command.CompleteFilter:
		list = filterWords(ctx, idx, word)
		directive = cobra.ShellCompDirectiveNoSpace
	}
	return withPrefix(list, word), directive
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

func names(ctx context.Context, idx index.API, f query.Field) []string {
	if idx == nil {
		return nil
	}
	list, err := idx.Names(ctx, f)
	if err != nil {
		return nil
	}
	return list
}

func sessionIDs(ctx context.Context, idx index.API) []string {
	if idx == nil {
		return nil
	}
	list, err := idx.Sessions(ctx)
	if err != nil {
		return nil
	}
	var ids []string
	for _, s := range list {
		ids = append(ids, described(s.ID, s.Title))
	}
	return ids
}

// addresses offers the keywords, and the session's errors, checkpoints and
// turns by number.
func addresses(ctx context.Context, idx index.API, prefix string) []string {
	list := []string{"first", "last", "error\tthe last error"}
	if idx == nil {
		return list
	}
	s, _, err := idx.Session(ctx, prefix)
	if err != nil {
		return list
	}
	user := query.All(
		query.Term{Field: query.FieldKind, Op: query.OpIs, Text: model.KindMessage.String()},
		query.Term{Field: query.FieldSource, Op: query.OpIs, Text: "user"})
	for _, part := range []struct {
		name  string
		where query.Expr
	}{
		{"error", query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"}},
		{"turn", user},
	} {
		n := 0
		err := idx.Query(ctx, s.ID, part.where, func(e model.Event) bool {
			n++
			list = append(list, described(part.name+":"+strconv.Itoa(n), e.Title))
			return n < completionLimit
		})
		if err != nil {
			return list
		}
	}
	checkpoints, err := idx.Checkpoints(ctx, s.ID)
	if err != nil {
		return list
	}
	for n, c := range checkpoints[:min(len(checkpoints), completionLimit)] {
		e, err := idx.Event(ctx, s.ID, c.Last)
		if err != nil {
			return list
		}
		list = append(list, described("checkpoint:"+strconv.Itoa(n+1), e.Title))
	}
	return list
}

// filterWords completes the last term of a filter: fields, then their values.
func filterWords(ctx context.Context, idx index.API, word string) []string {
	cut := strings.LastIndexAny(word, " (-,") + 1
	lead, term := word[:cut], word[cut:]
	field, _, ok := strings.Cut(term, ":")
	if !ok {
		var out []string
		for _, n := range query.FieldNames() {
			out = append(out, lead+n+":")
		}
		return out
	}
	var values []string
	switch field {
	case "type", "tool", "source":
		values = names(ctx, idx, query.Fields[field])
	case "session":
		values = sessionIDs(ctx, idx)
	case "kind":
		for _, k := range model.Kinds() {
			values = append(values, k.String())
		}
	case "failed":
		values = []string{"true", "false", "null"}
	}
	var out []string
	for _, v := range values {
		out = append(out, lead+field+":"+v)
	}
	return out
}

// described is a candidate with what a shell shows beside it. Both come from
// the dump: what could steer a terminal is made visible.
func described(word, about string) string {
	return text.Clean(word) + "\t" + text.CleanCut(about, 60)
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
