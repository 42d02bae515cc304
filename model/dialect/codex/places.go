package codex

import (
	"bytes"
	"path"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var _ model.Settled = dialect{}

// Places implements model.Settled: rollouts by day, and those that were
// archived.
func (dialect) Places(a model.Account) []model.Place {
	home := a.Set("CODEX_HOME", path.Join(a.Home, ".codex"))
	rollouts := func(folder, match string) model.Place {
		return model.Place{Folder: path.Join(home, folder), Match: match, Session: sessionOf, Trace: trace}
	}
	return []model.Place{rollouts("sessions", "[0-9][0-9][0-9][0-9]/[0-9][0-9]/[0-9][0-9]/rollout-*"), rollouts("archived_sessions", "rollout-*")}
}

func sessionOf(rel string) string {
	name, ok := parseName(rel)
	if !ok {
		return ""
	}
	return name.session()
}

// trace reads the first line. It may be cut: the directory stands before what
// is long, the base behind it.
func trace(head []byte) (t model.Trace, enough bool) {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	ln := readLine(line)
	if ln.flat {
		return model.Trace{}, whole
	}
	b := readBody(ln.payload)
	return model.Trace{
		Ran: jsonscan.Str(jsonscan.Get(ln.payload, "cwd")), Parent: parentThread(&b), Base: jsonscan.Str(jsonscan.Get(b.base, "thread_id")),
	}, whole
}
