package command

import (
	"context"
	"encoding/json"
	"strings"

	"hindcast/model/answer"
	"hindcast/render"
)

func bisectCommand() *Command {
	return &Command{
		Name: "bisect", Args: "EXPR", Min: 1, Max: 1,
		Short: "find the events at which an expression turns true or false",
		Long:  "EXPR is an expression over the state document, such as errors.count > 1, shell.exit_code != 0 or len(pending) == 0. Lists are arrays. One that is true from the start turns at the first event.",
		Examples: []Example{
			{"hindcast bisect 'errors.count > 1' run.jsonl", "when was the second error"},
			{"hindcast bisect 'usage.cost_usd > 0.5' run.jsonl", "when did it become dear"},
		},
		Validate: func(a Args) error {
			if strings.TrimSpace(a.At(0)) == "" {
				return usage("bisect: the expression is empty", "write it over "+strings.Join(stateRoots(), " ")+", such as errors.count > 1")
			}
			return nil
		},
		Run: runBisect,
	}
}

func runBisect(ctx context.Context, env *Env, a Args) (Answer, error) {
	s, err := env.session(ctx, "")
	if err != nil {
		return nil, err
	}
	got, err := env.Index.Bisect(ctx, s.ID, a.At(0))
	if err != nil {
		return nil, refusal(err)
	}
	return stream(func(ctx context.Context, o *Output) error {
		if o.Format != Human {
			return document{value: got}.Write(ctx, o)
		}
		values, err := valuesRead(ctx, env, got)
		if err != nil {
			return err
		}
		return o.Lines(render.Bisect(got, values, o.Width))
	}), nil
}

// Bounds of what is looked up for people: flips, and values at each.
const (
	flipLimit = 100
	readLimit = 6
)

// valuesRead are the values that the expression read at its flips, in the order
// of its reads; nil where there was none, or beyond the limits.
func valuesRead(ctx context.Context, env *Env, b answer.Bisect) ([][]json.RawMessage, error) {
	out := make([][]json.RawMessage, len(b.Flips))
	for i, f := range b.Flips[:min(len(b.Flips), flipLimit)] {
		at, err := env.Index.Event(ctx, f.By.Session, f.By.Pos)
		if err != nil {
			return nil, err
		}
		for _, path := range b.Reads[:min(len(b.Reads), readLimit)] {
			v, err := valueAt(ctx, env.Index, at, path)
			if err != nil {
				return nil, err
			}
			out[i] = append(out[i], v.Value)
		}
	}
	return out, nil
}
