package command

import (
	"context"
	"fmt"
	"math"

	"hindcast/index"
	"hindcast/inspector/config"
	"hindcast/inspector/keep"
	"hindcast/model"
	"hindcast/model/query"
)

// Env is what a verb works with.
type Env struct {
	Index    index.API // nil for what reads no dump
	Session  string    // --session: a prefix of an id; empty where not given
	Note     func(message string)
	Terminal bool // the output is a terminal: exact bytes are refused
	Version  Version
	Options  index.Options // how dumps are opened: the mappings that are known, what "-" reads
	Here     Here
	Config   func() config.Result // the inspector's configuration
	Keep     *keep.Store          // the user's notes and marks; nil: none are kept

	chosen bool // the session was chosen for the user, who has been told
}

// note tells the user something that is no part of the answer.
func (e *Env) note(format string, args ...any) {
	if e.Note != nil {
		e.Note(fmt.Sprintf(format, args...))
	}
}

// session is the session that a verb of one session looks at: the named one,
// else --session, else the default, which is said where there was a choice.
func (e *Env) session(ctx context.Context, named string) (model.Session, error) {
	if named == "" {
		named = e.Session
	}
	s, more, err := e.Index.Session(ctx, named)
	if err != nil {
		return s, err
	}
	if named == "" && more > 0 && !e.chosen {
		e.chosen = true
		e.note("session %s, the largest of %d; --session names another", s.ID, more+1)
	}
	return s, nil
}

// scope is the exact id of --session, or empty: all sessions.
func (e *Env) scope(ctx context.Context) (string, error) {
	if e.Session == "" {
		return "", nil
	}
	s, err := e.session(ctx, e.Session)
	return s.ID, err
}

// event finds what an address names.
func (e *Env) event(ctx context.Context, text string, use index.AddressUse) (model.Event, error) {
	return e.eventIn(ctx, "", text, use)
}

// eventIn is event for an address that means a session where it names none.
func (e *Env) eventIn(ctx context.Context, session, text string, use index.AddressUse) (model.Event, error) {
	a, err := model.ParseAddress(text)
	if err != nil {
		return model.Event{}, err
	}
	if a.Session != "" {
		session = a.Session
	}
	s, err := e.session(ctx, session)
	if err != nil {
		return model.Event{}, err
	}
	return e.Index.Resolve(ctx, s.ID, a, use)
}

// between narrows a question to --from and --to, both ends included. They lie
// in one session, which is returned; without either, session stays as it is.
func (e *Env) between(ctx context.Context, a Args, session string) (string, query.Expr, error) {
	if !a.Has("from") && !a.Has("to") {
		return session, nil, nil
	}
	span := query.Term{Field: query.FieldPos, Op: query.OpBetween, Lo: math.MinInt64, Hi: math.MaxInt64}
	var in string
	for _, name := range []string{"from", "to"} {
		if !a.Has(name) {
			continue
		}
		use := index.AsEvent
		if name == "to" {
			use = index.AsPoint
		}
		ev, err := e.event(ctx, a.Text(name), use)
		if err != nil {
			return "", nil, err
		}
		if in != "" && in != ev.Session {
			return "", nil, usage("--from and --to name two sessions, "+in+" and "+ev.Session, "name both ends in one session")
		}
		in = ev.Session
		if name == "from" {
			span.Lo = ev.Pos
		} else {
			span.Hi = ev.Pos
		}
	}
	if span.Lo > span.Hi {
		return "", nil, usage("--from stands behind --to", "exchange them")
	}
	return in, span, nil
}

// flagsRange are --from and --to.
func flagsRange() []Flag {
	return []Flag{
		{Name: "from", Kind: FlagText, Value: "A", Help: "from this event on", Complete: CompleteAddress},
		{Name: "to", Kind: FlagText, Value: "B", Help: "up to and with this event", Complete: CompleteAddress},
	}
}

// exact refuses to send a record's bytes to a terminal, where they could act.
func (e *Env) exact(a Args) error {
	if e.Terminal && !a.Bool("force") {
		return usage("--raw writes exact bytes, which may steer this terminal", "send them to a file or a pipe, or add --force")
	}
	return nil
}

// addressOf is the address of an event in an argument or in --at.
func addressOf(c string, a Args) (string, error) {
	switch {
	case len(a.List) == 1 && a.Has("at"):
		return "", usage(c+": an address stands as argument and in --at", "leave one out")
	case len(a.List) == 1:
		return a.List[0], nil
	case a.Has("at"):
		return a.Text("at"), nil
	}
	return "", usage(c+": no event named", "write an address, such as 91, #12, error, cp:2, @+90s or an id")
}

func flagAt() Flag {
	return Flag{Name: "at", Kind: FlagText, Value: "A", Help: "the event, in place of the argument", Complete: CompleteAddress}
}
