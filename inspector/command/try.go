package command

import (
	"bytes"
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
		t := follower{file: file, once: once}
		for {
			if err := t.again(ctx, o); err != nil {
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

// follower answers the saves of a mapping.
type follower struct {
	file string
	once func(context.Context) (document, error)

	text []byte // of the mapping, when it was answered last
	said []byte // the last answer
}

// again writes one answer, unless neither the mapping nor the answer differs
// from the last: a save is noticed more than once. A mapping that is wrong
// while it is being written is told, and waited for.
func (f *follower) again(ctx context.Context, o *Output) error {
	text, _ := mapping.Text(f.file) // an error is once's to tell
	var said bytes.Buffer
	into := *o
	into.W = &said
	got, err := f.once(ctx)
	hint := ""
	if wrong := new(mapping.Error); errors.As(err, &wrong) {
		hint = wrong.Hint
	}
	switch {
	case err == nil:
		err = got.Write(ctx, &into)
	case ctx.Err() != nil:
		return err
	case o.Format == Human:
		err = into.Lines(render.Trouble(err.Error(), hint, o.Width))
	default:
		err = answer.EncodeLine(&said, answer.Error{Error: answer.ErrorBody{Code: "mapping", Message: err.Error(), Hint: hint}})
	}
	if err != nil || bytes.Equal(text, f.text) && bytes.Equal(said.Bytes(), f.said) {
		return err
	}
	f.text, f.said = text, said.Bytes()
	if _, err := o.W.Write(f.said); err != nil {
		return err
	}
	return o.Show()
}
