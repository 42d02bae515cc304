package main

import (
	"context"
	"errors"

	"hindcast/index"
	"hindcast/inspector"
	"hindcast/inspector/command"
	"hindcast/model/answer"
)

// choose has one of the sessions chosen that installed agents left, and opens
// it; behind it the list stands again. Where nothing can be chosen they are
// listed as text.
func (p *program) choose(ctx context.Context, a command.Args) error {
	here := command.HereOf(p.getenv)
	open, _ := command.Find("open")
	for last, note := "", ""; ; {
		list, err := index.Installed(ctx, here.Account, here.Folder, p.options(open, a))
		if err != nil {
			return err
		}
		if p.json || p.screenless() != "" || len(list.Rows()) == 0 {
			sessions, _ := command.Find("sessions")
			all := command.NewArgs(nil, map[string]string{"installed": "true"})
			return p.answer(ctx, sessions, p.env(sessions, all), all)
		}
		o := p.inspectorOptions(nil, nil, a)
		o.Session = last
		s, ok, err := inspector.Choose(ctx, list, note, o)
		if err != nil || !ok {
			return err
		}
		last, note = s.ID, ""
		if err := p.inspectChosen(ctx, s, a); err != nil {
			var unreadable *unopened
			if !errors.As(err, &unreadable) {
				return err
			}
			note = unreadable.Error()
		}
	}
}

// unopened is a dump that could not be opened.
type unopened struct{ err error }

// Error says why.
func (e *unopened) Error() string { return e.err.Error() }

// Unwrap gives the reason.
func (e *unopened) Unwrap() error { return e.err }

// inspectChosen opens the inspector on a session that was chosen.
func (p *program) inspectChosen(ctx context.Context, s answer.InstalledSession, a command.Args) error {
	open, _ := command.Find("open")
	idx, err := p.open(ctx, s.Dumps, p.options(open, a))
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		return &unopened{err}
	}
	defer idx.Close()
	one := *p
	one.session = s.ID
	return inspector.Run(ctx, idx, one.inspectorOptions(idx, s.Dumps, a))
}
