package command

import (
	"context"

	"hindcast/model/answer"
	"hindcast/render"
)

func stateCommand() *Command {
	return &Command{
		Name: "state", Args: "[PATH]", Max: 1, Complete: CompletePath,
		Short: "show what the world looked like after an event",
		Long: `The document of everything that is known after the event: the run's status, the model's context, files, shell, tasks, open calls, usage, errors, the last checkpoint, named values. Without --at it is the state at the end. PATH names a part of it: /usage, errors.count, file:config/app.yaml.

--restore shows what a restart at that point would rebuild: the latest checkpoint, then the events after the one that it stands on. hindcast diff --restore compares the two.`,
		Examples: []Example{
			{"hindcast state --at error run.jsonl", "the world when it went wrong"},
			{"hindcast state file:config/app.yaml --at 88 run.jsonl", "a file as it was then"},
			{"hindcast state --at 88 --json run.jsonl | jq .usage", "the same for a program"},
		},
		Flags: []Flag{
			flagPoint(),
			{Name: "restore", Kind: FlagBool, Help: "what a restart there would rebuild"},
			{Name: "all", Kind: FlagBool, Help: "every member of long lists"},
		},
		Validate: func(a Args) error {
			_, err := wholePath("state", a.At(0))
			return err
		},
		Run: runState,
	}
}

// flagPoint is --at of the verbs that look at a state.
func flagPoint() Flag {
	return Flag{Name: "at", Kind: FlagText, Value: "A", Help: "after this event (last)", Complete: CompleteAddress}
}

func runState(ctx context.Context, env *Env, a Args) (Answer, error) {
	path, err := wholePath("state", a.At(0))
	if err != nil {
		return nil, err
	}
	at, err := env.point(ctx, "", a.Text("at"))
	if err != nil {
		return nil, err
	}
	if path, err = env.named(ctx, at, path); err != nil {
		return nil, err
	}
	restore := a.Bool("restore")
	if path.Pointer == "" {
		got, err := env.Index.State(ctx, at, restore)
		event := answer.NewEvent(at)
		return found(got, err, func(s answer.State, width int) []render.Line {
			return render.State(s, event, restore, a.Bool("all"), width)
		})
	}
	var got answer.StateValue
	if restore {
		got, err = restoredValue(ctx, env.Index, at, path.Pointer)
	} else {
		got, err = env.Index.StateValue(ctx, at, path.Pointer)
	}
	if err != nil {
		return nil, refusal(err)
	}
	by := env.titled(ctx, got.By)
	return found(got, nil, func(v answer.StateValue, width int) []render.Line {
		return render.StateValue(v, by, a.Bool("all"), width)
	})
}
