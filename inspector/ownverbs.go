package inspector

import (
	"strings"

	"hindcast/render/theme"
)

// ownVerbs are the commands of the `:` prompt that are about the screen, beside
// the verbs of the registry.
var ownVerbs = []string{"filter", "search"}

// ownVerb runs one of them and reports whether the line is one.
func (u *ui) ownVerb(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	switch rest = strings.TrimSpace(rest); verb {
	case "filter":
		u.filterVerb(rest)
	case "search":
		u.searchVerb(rest)
	default:
		return false
	}
	return true
}

// searchVerb searches as / does: ":search --all --re TEXT".
func (u *ui) searchVerb(rest string) {
	var seek seeking
	for {
		word, more, _ := strings.Cut(rest, " ")
		switch word {
		case "--all":
			seek.all = true
		case "--re":
			seek.pattern = true
		default:
			u.searchNow(seek, rest)
			return
		}
		rest = strings.TrimSpace(more)
	}
}

// searchNow searches as the prompt does on Enter.
func (u *ui) searchNow(seek seeking, s string) {
	if s == "" {
		u.say("search what? :search --all TEXT looks through all sessions, --re TEXT for an expression", theme.Dim)
		return
	}
	u.endSearch()
	u.ask(searchPrompt, seek.label(), s)
	u.prompt.seek = seek
	u.edited()
	if _, _, err := searchFor(s, seek.pattern); err == nil {
		u.commit()
	}
}
