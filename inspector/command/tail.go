package command

import (
	"context"
	"errors"

	"hindcast/index"
	"hindcast/model"
)

// tailEvents is how many events tail shows unless told.
const tailEvents = 10

func tailCommand() *Command {
	return &Command{
		Name: "tail", Short: "show the last events, and follow a growing dump",
		Long: "With -f, new events are printed as the dump grows, until the program is stopped; a file that is cut or replaced is read on from its start. --watch PATH shows a value of the state below an event, where it has changed.",
		Examples: []Example{
			{"hindcast tail run.jsonl", "how did it end"},
			{"hindcast tail -f -n 0 --jsonl run.jsonl | jq .title", "what comes, as a stream"},
		},
		Flags: []Flag{
			{Name: "follow", Short: "f", Kind: FlagBool, Help: "go on as the dump grows"},
			{Name: "lines", Short: "n", Kind: FlagInt, Value: "N", Help: "so many events (10)"},
			{Name: "jsonl", Kind: FlagBool, Help: "one JSON event a line"},
			flagWatch(),
		},
		Validate: checkWatch,
		Run:      runTail,
	}
}

func runTail(ctx context.Context, env *Env, a Args) (Answer, error) {
	follow := a.Bool("follow")
	s, err := env.session(ctx, "")
	var none *index.SessionError
	empty := errors.As(err, &none) && none.Prefix == "" && !follow // no hits, as in query
	if err != nil && !empty {
		return nil, err
	}
	return stream(func(ctx context.Context, o *Output) error {
		out, err := eventFormat(o, a)
		if err != nil {
			return err
		}
		if empty {
			w := &eventWriter{o: out}
			if err := w.begin(); err != nil {
				return err
			}
			return w.end()
		}
		if follow && out.Format == JSON {
			out.Format = JSONLines // a document that never ends is of no use
		}
		t := &tailer{api: env.Index, session: s.ID, w: &eventWriter{o: out}, note: env.note}
		if err := t.w.watching(ctx, env, a); err != nil {
			return err
		}
		if err := t.last(ctx, a.Int("lines", tailEvents)); err != nil || !follow {
			return err
		}
		return t.follow(ctx)
	}), nil
}

type tailer struct {
	api     index.API
	session string
	w       *eventWriter
	note    func(format string, args ...any)
	pos     int64 // of the last event printed, or of the last there was
	seen    model.Event
}

// last prints the session's last n events.
func (t *tailer) last(ctx context.Context, n int) error {
	if err := t.w.columns(ctx, t.api, t.session); err != nil {
		return err
	}
	if err := t.w.begin(); err != nil {
		return err
	}
	s, _, err := t.api.Session(ctx, t.session)
	if err != nil {
		return err
	}
	t.pos = s.LastPos
	if n > 0 {
		rows, err := t.api.Page(ctx, index.PageQuery{Session: t.session, Desc: true, Limit: n})
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := t.add(r.Event); err != nil {
				return err
			}
		}
	}
	return t.w.end()
}

func (t *tailer) add(e model.Event) error {
	if e.Pos >= t.pos {
		t.pos, t.seen = e.Pos, e
	}
	return t.w.add(e)
}

// replaced tells whether the last printed event is no longer what stands at its
// place, so that what follows it is another story. last is the session's last
// pos.
func (t *tailer) replaced(ctx context.Context, last int64) (bool, error) {
	if last < t.pos {
		return true, nil
	}
	if t.seen.Pos == 0 {
		return false, nil
	}
	now, err := t.api.Event(ctx, t.session, t.seen.Pos)
	return now.ID != t.seen.ID || now.Seq != t.seen.Seq || now.Time != t.seen.Time, err
}

// follow prints what comes until ctx ends.
func (t *tailer) follow(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan error, 1)
	go func() { ended <- t.api.Follow(ctx) }()
	for {
		changed := t.api.Changed()
		t.api.Status() // what came until now is read below
		if err := t.more(ctx); err != nil {
			stop(err)
			<-ended
			return err
		}
		select {
		case err := <-ended:
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err == nil {
				err = t.more(ctx)
			}
			return err
		case <-changed:
		}
	}
}

// followPage is how many events are read at once while following.
const followPage = 200

// more prints the events behind the last one printed.
func (t *tailer) more(ctx context.Context) error {
	s, _, err := t.api.Session(ctx, t.session)
	var gone *index.SessionError
	if err != nil && !errors.As(err, &gone) {
		return err
	}
	// A file that is being replaced may hold no session for a moment.
	cut, err := t.replaced(ctx, s.LastPos)
	if err != nil {
		return err
	}
	if cut {
		t.note("the dump was cut or replaced; reading it from its start")
		t.pos, t.seen = 0, model.Event{}
	}
	for {
		rows, err := t.api.Page(ctx, index.PageQuery{Session: t.session, From: t.pos + 1, Limit: followPage})
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := t.add(r.Event); err != nil {
				return err
			}
		}
		if err := t.w.show(); err != nil {
			return err
		}
		if len(rows) < followPage {
			return nil
		}
	}
}
