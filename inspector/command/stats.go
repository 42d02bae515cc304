package command

import (
	"context"

	"hindcast/render"
)

func statsCommand() *Command {
	return &Command{
		Name: "stats", Short: "count by kind, type, tool and error class",
		Long:     "Counts, failures, sizes, tokens, cost and time, over all sessions or the one that --session names. Error classes group failures whose texts differ only in numbers, ids and paths.",
		Examples: []Example{{"hindcast stats run.jsonl", "where the time and the tokens went"}},
		Run:      runStats,
	}
}

func runStats(ctx context.Context, env *Env, _ Args) (Answer, error) {
	session, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	got, err := env.Index.Stats(ctx, session)
	if err != nil {
		return nil, err
	}
	return document{value: got, lines: func(width int) []render.Line { return render.Stats(got, width) }}, nil
}
