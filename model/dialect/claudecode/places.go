package claudecode

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var _ model.Settled = dialect{}

// Places implements model.Settled: projects/<directory>/<session>.jsonl in the
// program's folder, with what belongs to the session in a folder of its name.
func (dialect) Places(a model.Account) []model.Place {
	return []model.Place{{
		Folder:  path.Join(a.Set("CLAUDE_CONFIG_DIR", path.Join(a.Home, ".claude")), "projects"),
		Match:   "*/*" + lineSuffix,
		Session: sessionFile,
		Open: func(rel string) []string {
			return []string{rel, path.Join(path.Dir(rel), sessionFile(rel))}
		},
		Trace:  trace,
		MayRun: mayRun,
	}}
}

func sessionFile(rel string) string {
	if id := stem(rel); isSessionID(id) {
		return id
	}
	return ""
}

// trace reads the directory of the first record that names one.
func trace(head []byte) (t model.Trace, enough bool) {
	eachRecord(head, func(obj []byte) bool {
		t.Ran = jsonscan.Str(jsonscan.Get(obj, "cwd"))
		return t.Ran == ""
	}, holds(`"cwd"`))
	return t, t.Ran != ""
}

// mayRun compares the name of a project's folder with what the program makes of
// a directory, which is not one to one.
func mayRun(rel, dir string) bool {
	project, _, _ := strings.Cut(rel, "/")
	rest, ok := strings.CutPrefix(project, projectName(dir))
	return ok && (rest == "" || rest[0] == '-')
}

// projectName is the name of the folder for a directory's sessions: all but
// letters, digits and dashes are written as dashes.
func projectName(dir string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-':
			return r
		}
		return '-'
	}, dir)
}
