package opencode

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var _ model.Settled = dialect{}

// Places implements model.Settled: databases, then the trees of files that they
// replaced, which stay behind.
func (dialect) Places(a model.Account) []model.Place {
	data := path.Join(a.Set("XDG_DATA_HOME", path.Join(a.Home, ".local", "share")), "opencode")
	places := []model.Place{databases(data, "opencode*.db")}
	if db := a.Getenv("OPENCODE_DB"); path.IsAbs(db) {
		places = append(places, databases(path.Dir(db), literal(path.Base(db))))
	} else if db != "" && db != ":memory:" {
		at := path.Join(data, db)
		places = append(places, databases(path.Dir(at), literal(path.Base(at))))
	}
	return append(places,
		model.Place{
			Folder: path.Join(data, "storage"), Match: "session/*/ses_*.json",
			Session: treeSession, Trace: trace,
			Open: func(string) []string { return []string{""} },
		},
		model.Place{
			Folder: path.Join(data, "project"), Match: "*/storage/session/info/ses_*.json",
			Session: treeSession, Trace: trace,
			Open: func(rel string) []string {
				project, _, _ := strings.Cut(rel, "/")
				return []string{project}
			},
		})
}

// databases are those in a folder whose names match.
func databases(folder, match string) model.Place {
	return model.Place{
		Folder: folder, Match: match,
		Table: &model.SessionTable{
			Name: "session", ID: "id", Parent: "parent_id", Ran: "directory", Title: "title", Changed: "time_updated",
			Told: []struct{ Name, Session string }{{"message", "session_id"}, {"part", "session_id"}},
		},
	}
}

// literal is a pattern that matches a name alone.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

func treeSession(rel string) string { return strings.TrimSuffix(path.Base(rel), ".json") }

// trace reads a session's own file, which is small.
func trace(head []byte) (t model.Trace, enough bool) {
	return model.Trace{Ran: jsonscan.Str(jsonscan.Get(head, "directory")), Parent: jsonscan.Str(jsonscan.Get(head, "parentID"))}, true
}
