package command

import (
	"context"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

func sessionsCommand() *Command {
	return &Command{
		Name: "sessions", Short: "list the sessions with their outcome",
		Long: "Sub-agents are sessions with a parent; usage_with_children adds theirs to their ancestors'. With --installed no dump is read: " +
			"it lists the sessions that opencode, Claude Code, Codex and OpenHands left in their usual places, those that ran in this folder's repository first, then the newest. " +
			"Their failures are counted in an index that holds all of a session, else in its beginning and end (3+).",
		Examples: []Example{
			{"hindcast sessions conversations/", "what is in this folder"},
			{"hindcast sessions --installed", "what did the agents on this machine do"},
		},
		Flags: []Flag{
			{Name: "installed", Kind: FlagBool, Help: "the sessions of installed agents, in place of a dump's"},
			{Name: "limit", Kind: FlagInt, Value: "N", Help: "with --installed: so many (20), 0 for all"},
		},
		Dumpless: func(a Args) bool { return a.Bool("installed") },
		Validate: func(a Args) error {
			if a.Has("limit") && !a.Bool("installed") {
				return usage("--limit works with --installed", "a dump's sessions are all listed")
			}
			return nil
		},
		Run: runSessions,
	}
}

func runSessions(ctx context.Context, env *Env, a Args) (Answer, error) {
	if a.Bool("installed") {
		return runInstalled(ctx, env, a)
	}
	only, err := env.scope(ctx)
	if err != nil {
		return nil, err
	}
	list, err := env.Index.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	totals := usageWithChildren(list)
	got := answer.Sessions{Sessions: []answer.Session{}}
	for i, s := range list {
		if only == "" || s.ID == only {
			got.Sessions = append(got.Sessions, answer.NewSession(s, totals[i]))
		}
	}
	return document{value: got, lines: func(width int) []render.Line { return render.Sessions(got, width) }}, nil
}

// usageWithChildren sums each session's usage with that of all below it. A ring
// of parents counts each of its sessions once.
func usageWithChildren(list []model.Session) []model.Usage {
	at := make(map[string]int, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		at[list[i].ID] = i
	}
	totals := make([]model.Usage, len(list))
	for i, s := range list {
		seen := map[int]bool{}
		for j, ok := i, true; ok && !seen[j]; {
			seen[j] = true
			totals[j] = totals[j].Add(s.Usage)
			if list[j].Parent == "" {
				break
			}
			j, ok = at[list[j].Parent]
		}
	}
	return totals
}
