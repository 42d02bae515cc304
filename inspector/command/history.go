package command

import (
	"context"

	"hindcast/render"
)

func historyCommand() *Command {
	return &Command{
		Name: "history", Args: "PATH", Min: 1, Max: 1, Complete: CompletePath,
		Short: "list every write of a value",
		Long:  "PATH is a place in the state: /status/execution, usage.cost_usd, file:config/app.yaml. The oldest write comes first.",
		Examples: []Example{
			{"hindcast history file:config/app.yaml run.jsonl", "how a file came to be"},
			{"hindcast history status.execution --json run.jsonl", "the same for a program"},
		},
		Validate: func(a Args) error {
			if _, err := wholePath("history", a.At(0)); err != nil {
				return err
			}
			_, err := partPath("history", a.At(0))
			return err
		},
		Run: runHistory,
	}
}

func runHistory(ctx context.Context, env *Env, a Args) (Answer, error) {
	path, err := wholePath("history", a.At(0))
	if err != nil {
		return nil, err
	}
	s, err := env.session(ctx, "")
	if err != nil {
		return nil, err
	}
	got, err := env.Index.History(ctx, s.ID, path.Pointer)
	return found(got, err, render.History)
}
