package command

import (
	"context"
	"strings"

	"hindcast/model/answer"
	"hindcast/render"
)

func knewCommand() *Command {
	return &Command{
		Name: "knew", Args: "TEXT", Min: 1, Max: 1,
		Short: "show when a text was in the model's view",
		Long:  "The spans of the run in which the text stood in a message that the model had in view: which messages carried it, what brought it in, what took it out. A span says where the dump does not tell enough to be sure.",
		Examples: []Example{
			{"hindcast knew 'port: 8080' run.jsonl", "when did it still know"},
		},
		Validate: func(a Args) error { return someText("knew", a.At(0)) },
		Run:      runKnew,
	}
}

// someText refuses a text that would be found everywhere.
func someText(verb, text string) error {
	if strings.TrimSpace(text) == "" {
		return usage(verb+": the text is empty", "write a word or two of it, in quotes")
	}
	return nil
}

func runKnew(ctx context.Context, env *Env, a Args) (Answer, error) {
	s, err := env.session(ctx, "")
	if err != nil {
		return nil, err
	}
	got, err := env.Index.Knew(ctx, s.ID, a.At(0))
	return found(got, err, func(k answer.Knew, width int) []render.Line { return render.Knew(k, s, width) })
}
