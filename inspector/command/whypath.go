package command

import (
	"context"
	"strconv"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

func checkWhyPath(a Args) error {
	_, err := partPath("why", a.At(0))
	if err == nil && (a.Bool("effects") || a.Bool("tree")) {
		err = usage("why: --effects and --tree start at an event", "hindcast blame "+a.At(0)+" names the one that wrote it")
	}
	return err
}

// runWhyPath starts the chain at the event that wrote a value.
func runWhyPath(ctx context.Context, env *Env, a Args) (Answer, error) {
	path, err := statePath(a.At(0))
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
	var got answer.Why
	if path.Line > 0 {
		got, err = whyLine(ctx, env, at, path)
	} else {
		got, err = env.Index.WhyPath(ctx, at, path.Pointer)
	}
	if err == nil {
		err = env.doubt(ctx, suspected(got))
	}
	return found(got, err, render.Why)
}

// whyLine starts the chain at the event that wrote a line of a file.
func whyLine(ctx context.Context, env *Env, at model.Event, path model.StatePath) (answer.Why, error) {
	got, err := env.Index.BlameFile(ctx, at, path.File, path.Line)
	if err != nil {
		return answer.Why{}, err
	}
	for _, l := range got.Lines {
		if l.N != path.Line || l.By == nil {
			continue
		}
		e, err := env.Index.Event(ctx, l.By.Session, l.By.Pos)
		if err != nil {
			return answer.Why{}, err
		}
		return env.Index.Why(ctx, e)
	}
	line := "line " + strconv.FormatInt(path.Line, 10) + " of " + path.File
	return answer.Why{}, usage("no recorded write explains "+line, "hindcast blame file:"+path.File+":"+strconv.FormatInt(path.Line, 10)+" tells between which sightings it came, and which commands ran there")
}
