package index

import (
	"path"
	"slices"
	"strings"

	"hindcast/model"
)

// truthNames is what the truth files of a format call otherwise than hindcast
// does: said once, here.
type truthNames struct {
	pad     string // of a folder whose name was shortened
	byCall  bool   // results are named by their calls
	objects bool   // the records of an object (a message, a part) are linked to it as parent
	// Truth files of programs that count cached tokens as input, and thinking as
	// output.
	cachedIn, thinkingOut bool
	noSystem              bool // requests are given without system messages
	noDeveloper           bool // and without what developers say
	laterParent           bool // a link to a later record is stored there, as parent
	exitTitles            bool // a result's title tells how its command ended
	counted               bool // events are counted by their types
}

func namesOf(dialect string) truthNames {
	switch dialect {
	case "opencode":
		return truthNames{objects: true}
	case "claudecode":
		return truthNames{thinkingOut: true}
	case "codex":
		return truthNames{cachedIn: true, thinkingOut: true, noSystem: true, noDeveloper: true, exitTitles: true, counted: true}
	case "openhands":
		return truthNames{cachedIn: true, thinkingOut: true, noSystem: true, laterParent: true, exitTitles: true}
	}
	return truthNames{byCall: true}
}

// Some folders of opencode were recorded in a folder with a longer name: where
// an output was cut by its length, the length that it had counts.
const shortFolder = "/srv/demo/calc"

var lengthened = map[string]string{
	"opencode/sync-1.18.34-main":       strings.Repeat("x", 26),
	"opencode/sync-1.18.34-compaction": strings.Repeat("x", 28),
}

func (n *truthNames) longer(s string) string {
	if n.pad == "" {
		return s
	}
	return strings.ReplaceAll(s, shortFolder, shortFolder+n.pad)
}

// plain is the inverse of longer.
func (n *truthNames) plain(s string) string {
	if n.pad == "" {
		return s
	}
	return strings.ReplaceAll(s, shortFolder+n.pad, shortFolder)
}

// otherWords are names in truth files that no record carries.
var otherWords = map[string]string{
	// The ids of conversations are written without dashes; one that no file of the
	// dump holds is that of the folder it came from.
	"c81a0af3-dc58-4626-940e-fdcbf7fd88e4":    "c81a0af3dc584626940efdcbf7fd88e4",
	"1da91efa-2192-41f2-b5f9-541a5ccc7feb":    "1da91efa219241f2b5f9541a5ccc7feb",
	"11111111-2222-3333-4444-555555555555":    "11111111222233334444555555555555",
	"22222222-3333-4444-5555-666666666666":    "22222222333344445555666666666666",
	"cli-cli447_hi_followup_iterative_case_a": "conversation",
	"cli-confirmation_mode":                   "conversation",
	"ohtab-mif32lzu":                          "events",
	"nemo-exmp02-v1.7.json step 2 result":     "call_abc",
}

// isDialect compares hindcast's name of a format with that of a truth file, which
// is the program's.
func isDialect(ours, program string) bool {
	switch program {
	case "otel":
		return ours == "otlp"
	case "eventstore":
		return ours == "kurrentdb" || ours == "marten"
	}
	return ours == strings.ReplaceAll(program, "-", "")
}

func (n *truthNames) of(text string) string {
	if known, ok := otherWords[text]; ok {
		return known
	}
	return text
}

// reasons are the links that a truth file's word for one may stand for; none:
// whatever leads there.
func reasons(said string) []model.Reason {
	switch said {
	case "action", "spawn", "batch", "forgets":
		r, _ := model.ParseReason(said)
		return []model.Reason{r}
	case "source", "base": // a checkpoint's base is what it came from
		return []model.Reason{model.ReasonSource, model.ReasonBase}
	}
	return nil
}

// sessionOf is the session that a truth file means: files of sub-agents and
// forks of Claude Code are named by the file.
func sessionOf(id word, file string) string {
	stem := strings.TrimSuffix(path.Base(file), ".jsonl")
	if _, thread, ok := strings.Cut(stem, "-"+string(id)); ok && strings.HasPrefix(stem, "rollout-") {
		return string(id) + thread // of several files of a thread all but one carry their segment
	}
	if strings.HasPrefix(stem, "agent-") || len(stem) == 36 && strings.Count(stem, "-") == 4 {
		return stem
	}
	return string(id)
}

// parts lists the sessions of a file: side chains inside are sessions of their
// own.
func (w *world) parts(id string) (out []model.Session) {
	for _, s := range w.sessions {
		if s.ID == id || strings.HasPrefix(s.ID, id+"/side") {
			out = append(out, s)
		}
	}
	return out
}

// linkedTo reports whether an event has a link of one of the reasons to one of
// the others.
func (w *world) linkedTo(e model.Event, to []model.Event, any []model.Reason) bool {
	return slices.ContainsFunc(e.Links, func(l model.Link) bool {
		return l.Resolved() && (any == nil || slices.Contains(any, l.Reason)) &&
			slices.ContainsFunc(to, func(x model.Event) bool { return x.Session == l.To.Session && x.Pos == l.To.Pos })
	})
}
