package command

import (
	"context"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

func diffCommand() *Command {
	return &Command{
		Name: "diff", Args: "A B [PATH]", Max: 3, Complete: CompleteAddress,
		Short: "show what changed between two points, and which event changed it",
		Long: `The change of the state from after event A to after event B, part by part, each with the event that made it last; B may stand before A. PATH narrows it: /files, errors.count, file:config/app.yaml.

--restore N compares the state after N with what a restart there would rebuild. --recorded cp:2 compares the state at a checkpoint's base with what the checkpoint recorded. Exit code 1 says that there is a difference.`,
		Examples: []Example{
			{"hindcast diff 88 95 run.jsonl", "what seven events did"},
			{"hindcast diff cp:1-1 cp:1 /context run.jsonl", "what a compaction took out of the context"},
			{"hindcast diff --recorded cp:2 run.jsonl", "is the checkpoint right"},
		},
		Flags: []Flag{
			{Name: "restore", Kind: FlagText, Value: "N", Help: "the state after N with what a restart there would rebuild", Complete: CompleteAddress},
			{Name: "recorded", Kind: FlagText, Value: "CP", Help: "the state at a checkpoint's base with what it recorded", Complete: CompleteAddress},
		},
		Validate: func(a Args) error {
			_, err := newDiffArgs(a)
			return err
		},
		Run: runDiff,
	}
}

// diffArgs are diff's arguments by what they are for; a and b are empty for
// the comparisons of one point.
type diffArgs struct {
	a, b string
	path model.StatePath
}

func newDiffArgs(a Args) (diffArgs, error) {
	var d diffArgs
	list := a.List
	one := a.Has("restore") || a.Has("recorded")
	switch {
	case a.Has("restore") && a.Has("recorded"):
		return d, usage("diff: --restore and --recorded exclude one another", "leave one out")
	case one && len(list) > 1:
		return d, usage("diff: --restore and --recorded compare one point, and take no others", "hindcast diff --recorded cp:2 [PATH]")
	case !one && len(list) < 2:
		return d, usage("diff: two points are needed", "usage: diff A B [PATH], such as hindcast diff 88 95 run.jsonl")
	case !one:
		d.a, d.b, list = list[0], list[1], list[2:]
	}
	if len(list) == 0 {
		return d, nil
	}
	var err error
	d.path, err = wholePath("diff", list[0])
	return d, err
}

func runDiff(ctx context.Context, env *Env, a Args) (Answer, error) {
	args, err := newDiffArgs(a)
	if err != nil {
		return nil, err
	}
	got, kind, err := compared(ctx, env, a, args)
	if err != nil {
		return nil, refusal(err)
	}
	if err := env.doubt(ctx, changers(got.Changes)); err != nil {
		return nil, err
	}
	d := document{value: got, lines: func(width int) []render.Line { return render.Diff(got, kind, width) }}
	if len(got.Changes) > 0 {
		d.code = 1
	}
	return d, nil
}

// compared asks for the diff that the arguments mean.
func compared(ctx context.Context, env *Env, a Args, args diffArgs) (answer.Diff, render.DiffKind, error) {
	switch {
	case a.Has("restore"):
		at, err := env.point(ctx, "", a.Text("restore"))
		if err != nil {
			return answer.Diff{}, render.DiffRestored, err
		}
		path, err := env.named(ctx, at, args.path)
		if err != nil {
			return answer.Diff{}, render.DiffRestored, err
		}
		got, err := env.Index.DiffRestored(ctx, at, path.Pointer)
		return got, render.DiffRestored, err
	case a.Has("recorded"):
		at, err := env.event(ctx, a.Text("recorded"), index.AsEvent)
		if err != nil {
			return answer.Diff{}, render.DiffRecorded, err
		}
		path, err := env.named(ctx, at, args.path)
		if err != nil {
			return answer.Diff{}, render.DiffRecorded, err
		}
		got, err := env.Index.DiffRecorded(ctx, at, path.Pointer)
		return got, render.DiffRecorded, err
	}
	from, to, err := ends(ctx, env, args)
	if err != nil {
		return answer.Diff{}, render.DiffPoints, err
	}
	path, err := env.named(ctx, later(from, to), args.path)
	if err != nil {
		return answer.Diff{}, render.DiffPoints, err
	}
	got, err := env.Index.Diff(ctx, from, to, path.Pointer)
	return got, render.DiffPoints, err
}

// ends are diff's two points, which lie in one session: one that names none
// means that of the other.
func ends(ctx context.Context, env *Env, args diffArgs) (from, to model.Event, err error) {
	b, err := model.ParseAddress(args.b)
	if err != nil {
		return from, to, err
	}
	if from, err = env.point(ctx, b.Session, args.a); err != nil {
		return from, to, err
	}
	if to, err = env.point(ctx, from.Session, args.b); err != nil {
		return from, to, err
	}
	if from.Session != to.Session {
		return from, to, usage("diff: the points lie in two sessions, "+from.Session+" and "+to.Session, "a state belongs to one session: name two of its points")
	}
	return from, to, nil
}

// later is the one of two points that stands behind the other.
func later(a, b model.Event) model.Event {
	if a.Pos > b.Pos {
		return a
	}
	return b
}
