package command

import (
	"context"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/render"
)

func originCommand() *Command {
	return &Command{
		Name: "origin", Args: "TEXT", Min: 1, Max: 1,
		Short: "find where a text that an event uses first appeared",
		Long:  "The first event in whose content the text stands, and the way from there to the event that uses it (the last one, without --at).",
		Examples: []Example{
			{"hindcast origin 8000 --at error run.jsonl", "where does this number come from"},
		},
		Flags:    []Flag{{Name: "at", Kind: FlagText, Value: "A", Help: "the event that uses it (last)", Complete: CompleteAddress}},
		Validate: func(a Args) error { return someText("origin", a.At(0)) },
		Run:      runOrigin,
	}
}

func runOrigin(ctx context.Context, env *Env, a Args) (Answer, error) {
	at, err := originAt(ctx, env, a)
	if err != nil {
		return nil, err
	}
	got, err := env.Index.Origin(ctx, at, a.At(0))
	event := answer.NewEvent(at)
	return found(got, err, func(o answer.Origin, width int) []render.Line { return render.Origin(o, event, width) })
}

// originAt is the event that uses the text: the one named, else the last that
// holds it, else the last.
func originAt(ctx context.Context, env *Env, a Args) (model.Event, error) {
	if address := a.Text("at"); address != "" {
		return env.event(ctx, address, index.AsEvent)
	}
	last, err := env.event(ctx, "last", index.AsEvent)
	if err != nil {
		return last, err
	}
	holds := query.Term{Field: query.FieldText, Op: query.OpContains, Text: a.At(0)}
	e, ok, err := env.Index.Next(ctx, last.Session, last.Pos+1, true, holds)
	if err != nil || !ok {
		return last, err
	}
	return e, nil
}
