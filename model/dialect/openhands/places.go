package openhands

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var _ model.Settled = dialect{}

// Places implements model.Settled: the conversations of the CLI, its copies of
// those in the Cloud, and the sessions of the V0 server.
func (dialect) Places(a model.Account) []model.Place {
	home := a.Set("OPENHANDS_PERSISTENCE_DIR", path.Join(a.Home, ".openhands"))
	conversations := func(folder string) model.Place {
		return model.Place{
			Folder: folder, Match: "*", Session: sessionOf,
			Marks: []string{"base_state.json", "events", "meta.json"}, Head: "base_state.json", Trace: trace,
		}
	}
	return []model.Place{
		conversations(a.Set("OPENHANDS_CONVERSATIONS_DIR", path.Join(home, "conversations"))),
		conversations(path.Join(home, "cloud", "conversations")),
		conversations(path.Join(home, "sessions")),
		conversations(path.Join(a.Home, ".openhands-state", "sessions")),
	}
}

func sessionOf(rel string) string {
	if strings.HasPrefix(rel, ".") {
		return ""
	}
	return sessionName(rel)
}

// trace reads the directory that a conversation's state names.
func trace(head []byte) (t model.Trace, enough bool) {
	t.Ran = jsonscan.Str(jsonscan.Get(head, "workspace", "working_dir"))
	return t, t.Ran != ""
}
