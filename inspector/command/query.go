package command

import (
	"context"
	"strings"

	"hindcast/model/query"
)

func queryCommand() *Command {
	return &Command{
		Name: "query", Args: "[EXPR]", Max: 1, Complete: CompleteFilter,
		Short: "list the events that match a filter",
		Long: `Terms joined by a space must all match; or, -term (or not term) and parentheses work as expected. A bare word or "quoted text" is looked for in the record's decoded text. Fields: type kind tool source title id call session origin failed seq pos bytes time, and since and until. Values may be lists (kind:error,checkpoint), wildcards (type:Agent*) and ranges (seq:80..95, bytes:>10k, time:>2026-03-01). A date names its whole day, but its midnight where it is compared; a time without zone is UTC. Case counts only where the value holds an upper-case letter.

Without --session all sessions are searched. No hit is no failure. --watch PATH shows a value of the state beside the events: in lines for people below an event, in --jsonl as {"watch","value","by"} behind it.`,
		Examples: []Example{
			{"hindcast query 'failed:true since:10m' run.jsonl", "what failed in the last ten minutes of the run"},
			{`hindcast query 'kind:action -tool:bash "config"' run.jsonl`, "calls of other tools that speak of a config"},
			{"hindcast query --type 'Agent*' --csv run.jsonl > events.csv", "a table for a spreadsheet"},
		},
		Flags: append([]Flag{
			{Name: "type", Kind: FlagText, Value: "GLOB", Help: "only of this type", Complete: CompleteType},
			{Name: "tool", Kind: FlagText, Value: "GLOB", Help: "only of this tool", Complete: CompleteTool},
			{Name: "source", Kind: FlagText, Value: "GLOB", Help: "only from this source (user, agent, ...)", Complete: CompleteSource},
			{Name: "since", Kind: FlagText, Value: "TIME", Help: "not before this time; 10m counts back from the last event"},
			{Name: "until", Kind: FlagText, Value: "TIME", Help: "not after this time"},
			{Name: "failed", Kind: FlagBool, Help: "only what failed"},
			{Name: "limit", Kind: FlagInt, Value: "N", Help: "at most so many (0: all)"},
			{Name: "payload", Kind: FlagBool, Help: "with each record's own JSON, in --json and --jsonl"},
			{Name: "jsonl", Kind: FlagBool, Help: "one JSON event a line"},
			{Name: "csv", Kind: FlagBool, Help: "comma-separated values"},
			flagWatch(),
		}, flagsRange()...),
		Validate: func(a Args) error {
			if err := checkWatch(a); err != nil {
				return err
			}
			_, err := queryFilter(a)
			return err
		},
		Run: runQuery,
	}
}

func runQuery(ctx context.Context, env *Env, a Args) (Answer, error) {
	where, err := queryFilter(a)
	if err != nil {
		return nil, err
	}
	session, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	session, span, err := env.between(ctx, a, session)
	if err != nil {
		return nil, err
	}
	where, err = env.Index.Bind(ctx, session, query.All(where, span))
	if err != nil {
		return nil, err
	}
	return stream(func(ctx context.Context, o *Output) error {
		out, err := eventFormat(o, a)
		if err != nil {
			return err
		}
		w := &eventWriter{o: out}
		if err := w.watching(ctx, env, a); err != nil {
			return err
		}
		if a.Bool("payload") {
			if out.Format != JSON && out.Format != JSONLines {
				return usage("--payload needs --json or --jsonl", "add one of them")
			}
			w.payload = payloads(ctx, env.Index)
		}
		if err := streamEvents(ctx, env.Index, session, where, a.Int("limit", 0), w); err != nil {
			return err
		}
		if w.count == 0 && out.Format == Human {
			env.note("no events match")
		}
		return nil
	}), nil
}

// queryFilter joins the expression and the filter flags.
func queryFilter(a Args) (query.Expr, error) {
	where, err := query.Parse(strings.TrimSpace(a.At(0)))
	if err != nil {
		return nil, err
	}
	list := []query.Expr{where}
	for _, name := range []string{"type", "tool", "source", "since", "until"} {
		if !a.Has(name) {
			continue
		}
		x, err := query.ParseField(name, a.Text(name))
		if err != nil {
			return nil, usage("--"+name+": "+err.Error(), "")
		}
		list = append(list, x)
	}
	if a.Bool("failed") {
		list = append(list, query.Term{Field: query.FieldFailed, Op: query.OpIs, Text: "true"})
	}
	return query.All(list...), nil
}

// eventFormat is the output with the format that --jsonl or --csv chose.
func eventFormat(o *Output, a Args) (*Output, error) {
	chosen := *o
	n := 0
	if o.Format != Human {
		n++
	}
	if a.Bool("jsonl") {
		chosen.Format = JSONLines
		n++
	}
	if a.Bool("csv") {
		chosen.Format = CSV
		n++
	}
	if n > 1 {
		return nil, usage("--json, --jsonl and --csv exclude one another", "leave one")
	}
	return &chosen, nil
}
