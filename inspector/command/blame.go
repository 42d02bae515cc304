package command

import (
	"context"
	"strings"

	"hindcast/render"
)

func blameCommand() *Command {
	return &Command{
		Name: "blame", Args: "PATH", Min: 1, Max: 1, Complete: CompletePath,
		Short: "find the event that wrote a value, or each line of a file",
		Long:  "PATH is a place in the state (/usage, errors.count), or a file (file:config/app.yaml, file:main.go:12), which is told line by line. A line that no recorded write explains lies between two sightings; the commands between them are its suspects.",
		Examples: []Example{
			{"hindcast blame file:config/app.yaml --at 88 run.jsonl", "who wrote each line"},
			{"hindcast blame errors.last_seq run.jsonl", "who wrote a value"},
		},
		Flags: []Flag{flagPoint()},
		Validate: func(a Args) error {
			_, err := partPath("blame", a.At(0))
			return err
		},
		Run: runBlame,
	}
}

func runBlame(ctx context.Context, env *Env, a Args) (Answer, error) {
	path, err := partPath("blame", a.At(0))
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
	if strings.HasPrefix(a.At(0), "file:") {
		got, err := env.Index.BlameFile(ctx, at, path.File, path.Line)
		if err == nil {
			err = env.doubt(ctx, writers(got.Lines))
		}
		return found(got, err, render.BlameFile)
	}
	got, err := env.Index.Blame(ctx, at, path.Pointer)
	if err != nil {
		return nil, refusal(err)
	}
	restores := env.titled(ctx, got.Restores)
	return document{value: got, lines: func(width int) []render.Line { return render.Blame(got, restores, width) }}, nil
}
