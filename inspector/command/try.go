package command

import (
	"context"
	"errors"

	"hindcast/index"
	"hindcast/index/mapping"
	"hindcast/model/answer"
	"hindcast/render"
)

// tryEvents is how many events try shows unless told.
const tryEvents = 20

// runTry shows what a mapping makes of a dump, with --follow again each time
// the mapping is saved.
func runTry(ctx context.Context, env *Env, a Args) (Answer, error) {
	file, dumps := a.List[1], a.List[2:]
	once := func(ctx context.Context) (document, error) {
		m, err := mapping.Read(file)
		if err != nil {
			return document{}, err
		}
		got, err := index.Try(ctx, dumps, env.Options, m, a.Int("limit", tryEvents))
		return document{value: got, lines: func(width int) []render.Line { return render.Try(got, width) }}, err
	}
	if !a.Bool("follow") {
		return once(ctx)
	}
	saved, err := mapping.Watch(ctx, file)
	if err != nil {
		return nil, err
	}
	return stream(func(ctx context.Context, o *Output) error {
		if o.Format == JSON {
			o.Format = JSONLines // a document that never ends is of no use
		}
		for {
			if err := again(ctx, once, o); err != nil {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case _, more := <-saved:
				if !more {
					return ctx.Err()
				}
			}
		}
	}), nil
}

// again writes one answer of those that follow. A mapping that is wrong while it
// is being written is told, and waited for.
func again(ctx context.Context, once func(context.Context) (document, error), o *Output) error {
	got, err := once(ctx)
	hint := ""
	if wrong := new(mapping.Error); errors.As(err, &wrong) {
		hint = wrong.Hint
	}
	switch {
	case err == nil:
		err = got.Write(ctx, o)
	case ctx.Err() != nil:
		return err
	case o.Format == Human:
		err = o.Lines(render.Trouble(err.Error(), hint, o.Width))
	default:
		err = answer.EncodeLine(o.W, answer.Error{Error: answer.ErrorBody{Code: "mapping", Message: err.Error(), Hint: hint}})
	}
	if err != nil {
		return err
	}
	return o.Show()
}
