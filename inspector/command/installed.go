package command

import (
	"context"
	"os"
	"time"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render"
)

// installedLimit is how many sessions of installed agents are listed unless told.
const installedLimit = 20

// Here is where hindcast was started, for what does not concern a dump.
type Here struct {
	Account model.Account
	Folder  string // the working directory
}

// HereOf is the account and the folder of this process; getenv gives its
// environment.
func HereOf(getenv func(string) string) Here {
	h := Here{Account: model.Account{Home: getenv("HOME"), Getenv: getenv}}
	if h.Account.Home == "" {
		h.Account.Home, _ = os.UserHomeDir()
	}
	h.Folder, _ = os.Getwd()
	return h
}

// runInstalled lists the sessions of installed agents.
func runInstalled(ctx context.Context, env *Env, a Args) (Answer, error) {
	s, err := index.Installed(ctx, env.Here.Account, env.Here.Folder, env.Options)
	if err != nil {
		return nil, err
	}
	rows := s.Rows()
	limit := a.Int("limit", installedLimit)
	if limit == 0 || limit > len(rows) {
		limit = len(rows)
	}
	got := answer.Installed{Sessions: rows[:limit], More: len(rows) - limit, Places: s.Places()}
	open := make([]string, limit)
	for i := range got.Sessions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got.Sessions[i] = s.Look(ctx, i)
		open[i] = "hindcast " + InstalledWords(got.Sessions[i])
	}
	return document{value: got, lines: func(width int) []render.Line { return render.Installed(got, open, time.Now(), width) }}, nil
}

// InstalledWords is the end of a command line that opens a session.
func InstalledWords(s answer.InstalledSession) string {
	return "--session " + Quoted(s.ID) + " " + DumpWords(s.Dumps)
}
