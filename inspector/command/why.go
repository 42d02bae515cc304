package command

import (
	"context"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

// effectsLimit bounds what why --effects lists where --limit does not say.
const effectsLimit = 1000

func whyCommand() *Command {
	return &Command{
		Name: "why", Args: "A|PATH", Max: 1, Complete: CompleteAddress,
		Short: "follow an event back to what caused it",
		Long: `The chain goes back from the event, nearest first, over the links that the dump records, and over inferred ones where it records none; each step says which. It is called incomplete where a recorded link leads nowhere.

--effects goes forwards instead: everything that followed, nearest first, each event once, with what it and all below it come to: events, failures, time, tokens and cost. --tree shows the chain, and what followed as a tree: below each event what it led to, indented where it led to several.

In place of an event a value of the state may be asked about, by its path (/errors/last_seq, file:main.go, file:main.go:12): the chain then starts at the event that wrote it, as it stood after --at.`,
		Examples: []Example{
			{"hindcast why error run.jsonl", "what led to the last error"},
			{"hindcast why file:config/app.yaml:3 --at error run.jsonl", "what led to this line"},
			{"hindcast why --effects turn:3 run.jsonl", "all that the third question set off"},
		},
		Flags: []Flag{
			{Name: "at", Kind: FlagText, Value: "A", Help: "the event, in place of the argument; of a PATH, after this event (last)", Complete: CompleteAddress},
			{Name: "effects", Kind: FlagBool, Help: "what followed from it"},
			{Name: "tree", Kind: FlagBool, Help: "both ways, what followed as a tree"},
			{Name: "limit", Kind: FlagInt, Value: "N", Help: "at most so many effects (1000; 0: all)"},
		},
		Validate: func(a Args) error {
			if isPath(a.At(0)) {
				return checkWhyPath(a)
			}
			_, err := addressOf("why", a)
			return err
		},
		Run: runWhy,
	}
}

// tree is the answer of why --tree: both directions.
type tree struct {
	answer.Why
	Effects []answer.Effect `json:"effects"`
	Total   answer.Sum      `json:"total"`
}

func runWhy(ctx context.Context, env *Env, a Args) (Answer, error) {
	if isPath(a.At(0)) {
		return runWhyPath(ctx, env, a)
	}
	address, err := addressOf("why", a)
	if err != nil {
		return nil, err
	}
	e, err := env.event(ctx, address, index.AsEvent)
	if err != nil {
		return nil, err
	}
	if a.Bool("effects") && !a.Bool("tree") {
		got, err := effects(ctx, env, a, e)
		if err != nil {
			return nil, err
		}
		return document{value: got, lines: func(width int) []render.Line { return render.Effects(got, width) }}, nil
	}
	why, err := env.Index.Why(ctx, e)
	if err == nil {
		err = env.doubt(ctx, suspected(why))
	}
	if err != nil {
		return nil, err
	}
	if !a.Bool("tree") {
		return document{value: why, lines: func(width int) []render.Line { return render.Why(why, width) }}, nil
	}
	after, err := effects(ctx, env, a, e)
	if err != nil {
		return nil, err
	}
	return document{value: tree{why, after.Effects, after.Total}, lines: func(width int) []render.Line {
		return append(append(render.Why(why, width), nil), render.EffectsTree(after, width)...)
	}}, nil
}

// effects finds what followed from an event, all of it, and reads what is listed.
func effects(ctx context.Context, env *Env, a Args, e model.Event) (answer.Effects, error) {
	out := answer.Effects{From: answer.NewEvent(e), Effects: []answer.Effect{}}
	m, err := env.Index.Impact(ctx, []model.Event{e})
	if err == nil {
		m, err = env.Index.ImpactUsage(ctx, m)
	}
	if err == nil {
		out.Total, err = env.Index.ImpactTotal(ctx, m)
	}
	if err != nil {
		return out, err
	}
	limit := a.Int("limit", effectsLimit)
	if limit == 0 {
		limit = m.Len()
	}
	if list := m.Near(0, limit); len(list) > 0 {
		out.Effects, err = env.Index.ImpactEffects(ctx, m, list)
	}
	switch {
	case !m.Whole:
		env.note("more followed than can be held: the sums are those of %d events", m.Len())
	case limit < m.Len():
		env.note("the first %d effects; --limit takes more", limit)
	}
	return out, err
}
