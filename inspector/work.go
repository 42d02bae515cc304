package inspector

import (
	"context"
	"encoding/json"
	"errors"

	"hindcast/model/answer"
)

// work is the folder in which the session that is shown began to work.
type work struct {
	session string // of the answer; empty: there is none yet
	folder  string
}

// errFirst ends a history behind its first write.
var errFirst = errors.New("the first one is enough")

// showWork asks for the folder once the states are there that tell it.
func (u *ui) showWork() {
	if !u.status.Folded || u.session.ID == "" || u.work.session == u.session.ID || u.side.busy("folder") {
		return
	}
	id := u.session.ID
	u.side.submit("folder", func(ctx context.Context) func() {
		w := work{session: id}
		_ = u.idx.History(ctx, id, "/shell/cwd", func(h answer.HistoryWrite) error {
			if json.Unmarshal(h.New, &w.folder) == nil && w.folder != "" {
				return errFirst
			}
			return nil
		})
		return func() {
			if id == u.session.ID { // a session without a shell has none
				u.work = w
				if w.folder != "" && u.answer != nil && u.focus != onWhy {
					u.setWhy(u.why.At, *u.answer)
				}
			}
		}
	})
}

// folder is where the session works, empty where that is not known.
func (u *ui) folder() string {
	if u.work.session != u.session.ID {
		return ""
	}
	return u.work.folder
}
