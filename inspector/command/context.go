package command

import (
	"context"

	"hindcast/index"
	"hindcast/model/answer"
	"hindcast/render"
)

func contextCommand() *Command {
	return &Command{
		Name: "context", Args: "[A]", Max: 1, Complete: CompleteAddress,
		Short: "show what the model has in view, and what it lost",
		Long: `The messages as they went to the provider: --at A is what is in view after A (the last event, unless told), --for A what was given to the model to produce A. It says where the dump does not tell enough to be sure.

--lost adds what has left the view by then, with the event that took it out and how. --window K lists what a policy of keeping the last K messages would have dropped. --view cold is the view of a process that starts again from the log.`,
		Examples: []Example{
			{"hindcast context --for error run.jsonl", "what it knew when it went wrong"},
			{"hindcast context --at 92 --lost run.jsonl", "what it no longer knew"},
			{"hindcast context --window 20 run.jsonl", "what a shorter memory would have cost"},
		},
		Flags: []Flag{
			{Name: "at", Kind: FlagText, Value: "A", Help: "in view after this event (last)", Complete: CompleteAddress},
			{Name: "for", Kind: FlagText, Value: "A", Help: "given to the model for this event", Complete: CompleteAddress},
			{Name: "lost", Kind: FlagBool, Help: "with what has left the view"},
			{Name: "window", Kind: FlagInt, Value: "K", Help: "what keeping the last K messages would have dropped"},
			{Name: "view", Kind: FlagText, Value: "VIEW", Help: "live (the default) or cold", Complete: CompleteWords, Words: []string{"live", "cold"}},
			{Name: "all", Kind: FlagBool, Help: "the whole text of every message"},
		},
		Validate: func(a Args) error {
			_, _, err := contextAddress(a)
			if err == nil && a.Has("window") && a.Int("window", 0) == 0 {
				err = usage("--window: 0 keeps nothing", "write --window 20")
			}
			return err
		},
		Run: runContext,
	}
}

// contextAddress is the address asked about, and whether it is that of an
// answer of the model.
func contextAddress(a Args) (text string, forIt bool, err error) {
	given := len(a.List)
	for _, name := range []string{"at", "for"} {
		if a.Has(name) {
			given++
		}
	}
	switch {
	case given > 1:
		return "", false, usage("context: one address only, as argument, in --at or in --for", "leave the others out")
	case a.Has("for"):
		return a.Text("for"), true, nil
	case a.Has("at"):
		return a.Text("at"), false, nil
	case len(a.List) == 1:
		return a.List[0], false, nil
	}
	return "last", false, nil
}

func runContext(ctx context.Context, env *Env, a Args) (Answer, error) {
	address, forIt, err := contextAddress(a)
	if err != nil {
		return nil, err
	}
	use := index.AsPoint
	if forIt {
		use = index.AsEvent
	}
	at, err := env.event(ctx, address, use)
	if err != nil {
		return nil, err
	}
	q := index.ContextQuery{At: at, For: forIt, Cold: a.Text("view") == "cold", Lost: a.Bool("lost"), Window: a.Int("window", 0)}
	got, err := env.Index.Context(ctx, q)
	event := answer.NewEvent(at)
	return found(got, err, func(c answer.Context, width int) []render.Line {
		return render.Context(c, event, render.ContextOptions{Lost: q.Lost, Window: q.Window, All: a.Bool("all")}, width)
	})
}
