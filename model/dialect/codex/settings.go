package codex

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// settings is a record of what holds from here on. Which of it is new only the
// linker knows.
func (r *record) settings(what string, v []byte) {
	r.e.Kind, r.e.Source = model.KindState, "program"
	r.n.Flags = isSettings
	jsonscan.Fields(v, func(key string, v []byte) bool {
		switch key {
		case "turn_id", "root_turn_id", "thread_id", "type", "":
			return true
		case "model":
			r.n.Model = jsonscan.Str(v)
		case "cwd":
			r.n.Cwd = localPath(v)
		}
		r.n.Parts = append(r.n.Parts, part{Name: key, Sum: sumOf(v)})
		return true
	})
	var parts []string
	if r.n.Model != "" {
		parts = append(parts, "model "+r.n.Model)
	}
	if r.n.Cwd != "" {
		parts = append(parts, "cwd "+r.n.Cwd)
	}
	r.e.Title = phrase.Titled(what, strings.Join(parts, ", "))
}

// world is the state of the program's surroundings, whole or what changed.
func (r *record) world() {
	r.settings("world", r.body.state)
	if whole, ok := jsonscan.Bool(r.body.full); ok && !whole {
		r.n.Flags |= isPatch
	}
	r.e.Title = "world: " + phrase.Plural(len(r.n.Parts), "part")
}
