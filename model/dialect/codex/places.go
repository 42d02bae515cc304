package codex

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var _ model.Settled = dialect{}

// Places implements model.Settled: rollouts by day, and those that were
// archived.
func (dialect) Places(a model.Account) []model.Place {
	home := a.Set("CODEX_HOME", path.Join(a.Home, ".codex"))
	rollouts := func(folder, match string) model.Place {
		return model.Place{Folder: path.Join(home, folder), Match: match, Session: sessionOf, Ran: ranIn}
	}
	return []model.Place{rollouts("sessions", "*/*/*/rollout-*"), rollouts("archived_sessions", "rollout-*")}
}

func sessionOf(rel string) string {
	name, ok := parseName(rel)
	if !ok {
		return ""
	}
	return name.session()
}

// ranIn is the directory that the first line names. The line may be cut: what
// is long stands behind it.
func ranIn(head []byte) string {
	line, _, _ := strings.Cut(string(head), "\n")
	ln := readLine([]byte(line))
	if dir := jsonscan.Str(jsonscan.Get(ln.payload, "cwd")); dir != "" {
		return dir
	}
	return jsonscan.Str(jsonscan.Get([]byte(line), "cwd"))
}
