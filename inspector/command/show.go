package command

import (
	"context"
	"strconv"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

func showCommand() *Command {
	return &Command{
		Name: "show", Args: "A", Max: 1, Complete: CompleteAddress,
		Short: "show one event, readable or as its exact bytes",
		Long:  "A is an address: 91 (seq), #12 (pos), error, error:2, cp:1, turn:3, @2026-03-01T10:00:00Z, @+90s, an id or its first characters, 91+2, or a provider's error message that names an id.",
		Examples: []Example{
			{"hindcast show error run.jsonl", "the last error"},
			{"hindcast show 91 --raw run.jsonl | jq .payload", "the record itself"},
		},
		Flags: []Flag{
			flagAt(),
			{Name: "for", Kind: FlagText, Value: "A", Help: "of ctx:N: the message of the request that led to this event", Complete: CompleteAddress},
			{Name: "raw", Kind: FlagBool, Help: "the record's exact bytes"},
			{Name: "force", Kind: FlagBool, Help: "write exact bytes to a terminal all the same"},
		},
		Validate: func(a Args) error {
			address, err := addressOf("show", a)
			if err == nil && a.Has("for") {
				_, err = messageNumber(address)
			}
			return err
		},
		Run: runShow,
	}
}

func runShow(ctx context.Context, env *Env, a Args) (Answer, error) {
	address, err := addressOf("show", a)
	if err != nil {
		return nil, err
	}
	if a.Bool("raw") {
		if err := env.exact(a); err != nil {
			return nil, err
		}
	}
	var e model.Event
	if a.Has("for") {
		e, err = env.inRequest(ctx, address, a.Text("for"))
	} else {
		e, err = env.event(ctx, address, index.AsEvent)
	}
	if err != nil {
		return nil, err
	}
	raw, err := env.Index.Raw(ctx, e)
	if a.Bool("raw") {
		if err != nil {
			return nil, err
		}
		return stream(func(_ context.Context, o *Output) error {
			_, err := o.W.Write(raw)
			return err
		}), nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	code := index.ExitCode(err)
	if err != nil {
		env.note("the record cannot be read: %v", err)
		raw = nil
	}
	return showDocument(ctx, env, e, raw, code)
}

// showDocument is an event with its record; without one (raw is nil) the index
// still tells the rest, and code says why.
func showDocument(ctx context.Context, env *Env, e model.Event, raw []byte, code int) (Answer, error) {
	results, err := env.Index.Results(ctx, e.Session, e.Pos)
	if err != nil {
		return nil, err
	}
	notes, err := env.Index.Notes(ctx, e)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		env.note("what it did to the state is not known: %v", err)
	}
	got := answer.NewEvent(e)
	got.Notes = answer.NewNotes(notes)
	if raw != nil {
		got.Payload = payload(raw)
	}
	return document{value: got, lines: func(width int) []render.Line { return render.Show(e, raw, results, notes, width) }, code: code}, nil
}

// messageNumber reads ctx:N, which alone may be asked of a request.
func messageNumber(address string) (model.Address, error) {
	parsed, err := model.ParseAddress(address)
	if err == nil && parsed.Readings[0].Form != model.FormContext {
		err = usage("show: --for says which request ctx:N counts in, and "+strconv.Quote(address)+" is none", "write show ctx:7 --for 90")
	}
	return parsed, err
}

// inRequest finds the first event of message N of what the model was given for
// an event.
func (e *Env) inRequest(ctx context.Context, address, forEvent string) (model.Event, error) {
	wanted, err := messageNumber(address)
	if err != nil {
		return model.Event{}, err
	}
	at, err := e.eventIn(ctx, wanted.Session, forEvent, index.AsEvent)
	if err != nil {
		return at, err
	}
	request, err := e.Index.Context(ctx, index.ContextQuery{At: at, For: true})
	if err != nil {
		return at, err
	}
	n, count := wanted.Readings[0].N, int64(len(request.Messages))
	if n < 1 || n > count || len(request.Messages[n-1].Events) == 0 {
		reason := "the request for " + strconv.FormatInt(at.Seq, 10) + " has " + strconv.FormatInt(count, 10) + " messages"
		return at, &index.AddressError{Text: address, Reason: reason, Nearest: []string{"ctx:" + strconv.FormatInt(max(count, 1), 10)}}
	}
	first := request.Messages[n-1].Events[0]
	return e.Index.Event(ctx, first.Session, first.Pos)
}
