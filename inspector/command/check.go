package command

import (
	"context"

	"hindcast/model/answer"
	"hindcast/render"
)

func checkCommand() *Command {
	return &Command{
		Name:  "check",
		Short: "list what is wrong with the run, its log and its checkpoints",
		Long:  "Each finding names its rule, the events that prove it, and what to do next; at the end stands where every byte of the dump went. Exit code 1 says that a finding is of severity error.",
		Examples: []Example{
			{"hindcast check run.jsonl", "can this log be trusted"},
			{"hindcast check --json run.jsonl | jq -r '.findings[].rule'", "the same for a program"},
		},
		Run: runCheck,
	}
}

func runCheck(ctx context.Context, env *Env, _ Args) (Answer, error) {
	session, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	got, err := env.Index.Check(ctx, session)
	if err != nil {
		return nil, refusal(err)
	}
	d := document{value: got, lines: func(width int) []render.Line { return render.Check(got, width) }}
	if holdsError(got.Findings) {
		d.code = 1
	}
	return d, nil
}

func holdsError(list []answer.Finding) bool {
	for _, f := range list {
		if f.Severity == "error" {
			return true
		}
	}
	return false
}
