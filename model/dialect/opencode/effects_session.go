package opencode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// members are the members of a session that are kept as values, by the names
// that they have in an object and as columns.
var members = map[string]string{
	"title": "title", "slug": "slug", "version": "version", "directory": "directory", "agent": "agent", "model": "model", "permission": "permission",
	"parentID": "parentID", "parent_id": "parentID", "projectID": "projectID", "project_id": "projectID",
	"workspaceID": "workspaceID", "workspace_id": "workspaceID",
}

// session is a session's row: values that changed, a revert, its undoing.
func (f *effector) session(e *model.Event, r *row, view model.View) (out []model.Effect) {
	at := stageOf(e)
	now := map[string]string{}
	var staged []byte
	var isFull, hasRevert, sized bool
	jsonscan.Fields(r.object, func(key string, v []byte) bool {
		switch key {
		case "id", "slug", "projectID", "project_id":
			isFull = true
		case "revert":
			staged, hasRevert = inner(v), at != stageBirth
		case "share":
			now["share"] = string(jsonscan.Get(v, "url"))
		case "share_url":
			now["share"] = string(v)
		case "time":
			if at != stageBirth {
				now["archived"] = string(jsonscan.Get(v, "archived"))
			}
		case "time_archived":
			if at != stageBirth {
				now["archived"] = string(v)
			}
		}
		if name := members[key]; name != "" {
			now[name] = string(v)
			if name == "model" || name == "permission" {
				now[name] = string(inner(v)) // JSON in a column
			}
		}
		sized = true
		return true
	})
	if !sized {
		return nil
	}
	out = f.values(now, isFull)
	if dir := jsonscan.Str([]byte(now["directory"])); dir != "" && dir != f.state.Directory {
		f.state.Directory = dir
		out = append(out, model.Cwd{Path: dir})
	}
	if isFull && at != stageBirth || hasRevert {
		out = append(out, f.reverts(e, staged, view)...)
	}
	return out
}

// values sets what changed of a session, in the order of the names, and takes
// away what a whole session does not hold any more.
func (f *effector) values(now map[string]string, isFull bool) (out []model.Effect) {
	if f.state.Session == nil {
		f.state.Session = map[string]string{}
	}
	for _, name := range [...]string{"agent", "archived", "directory", "model", "parentID", "permission", "projectID", "share", "slug", "title", "version", "workspaceID"} {
		v, told := now[name]
		before, had := f.state.Session[name]
		path := model.PathVars + "/session/" + name
		switch {
		case told && v != "" && v != "null":
			if v != before {
				f.state.Session[name] = v
				out = append(out, model.Set{Path: path, Value: []byte(v)})
			}
		case had && (told || isFull):
			delete(f.state.Session, name)
			out = append(out, model.Unset{Path: path})
		}
	}
	return out
}

// revert is what a session was taken back to and not yet rid of.
type revert struct {
	Target string `json:",omitempty"` // id of the message or part
	Pos    int64  `json:",omitempty"` // of the row that staged it
	// Removed: messages were removed since, so that it cannot be undone.
	Removed bool `json:",omitempty"`
}

// mark is a row that a revert must look at: a file that a tool changed or that
// the program found changed, an output that was pruned.
type mark struct {
	Pos  int64
	Path string `json:",omitempty"`
	Tree bool   `json:",omitempty"` // the program found it changed in the work tree
	Key  string `json:",omitempty"` // of the pruned output
	By   string `json:",omitempty"` // message
}

// markLimit bounds how many are kept.
const markLimit = 1 << 12

func (f *effector) mark(m mark) {
	if len(f.state.Marks) >= markLimit {
		f.state.Marks = append(f.state.Marks[:0], f.state.Marks[markLimit/4:]...)
	}
	f.state.Marks = append(f.state.Marks, m)
}

// reverts follows the revert of a session: staged, staged elsewhere, undone, or
// committed, which changes nothing any more.
func (f *effector) reverts(e *model.Event, staged []byte, view model.View) (out []model.Effect) {
	was := f.state.Revert
	target := ""
	if isObject(staged) {
		target = firstNonEmpty(jsonscan.Str(jsonscan.Get(staged, "partID")), jsonscan.Str(jsonscan.Get(staged, "messageID")))
	}
	if target == was.Target {
		return nil
	}
	if was.Target != "" && !was.Removed {
		out = append(out, model.Revert{To: was.Pos - 1, Facets: model.FacetContext | model.FacetFiles, Reason: model.LostRevert})
	}
	f.state.Revert = revert{}
	if target == "" {
		return out
	}
	f.state.Revert = revert{Target: target, Pos: e.Pos}
	first := view.Find(target)
	if first <= 0 || first >= e.Pos {
		return out
	}
	out = append(out, model.Revert{To: first - 1, Facets: model.FacetContext | model.FacetFiles, Reason: model.LostRevert})
	return append(out, f.keeps(first, view)...)
}

// keeps is what a revert to just before an event leaves as it is: files that
// the program does not take back, outputs that stay pruned.
func (f *effector) keeps(first int64, view model.View) (out []model.Effect) {
	back := map[string]bool{}
	for _, m := range f.state.Marks {
		if m.Pos >= first && m.Tree {
			back[m.Path] = true
		}
	}
	for _, m := range f.state.Marks {
		switch {
		case m.Pos < first:
		case m.Key != "" && stood(view, m.Key, first):
			out = append(out, cleared(m.Key))
		case m.Path != "" && !back[m.Path]:
			back[m.Path] = true
			if text, c, ok := view.File(m.Path); ok && text != nil && c >= model.CertaintyDerived {
				out = append(out, model.WriteFile{Path: m.Path, Content: *text, Certainty: c})
			} else {
				out = append(out, model.DoubtFiles{Paths: []string{m.Path}})
			}
		}
	}
	return out
}

// stood reports whether a key is in view by an event before another.
func stood(view model.View, key string, first int64) bool {
	for _, x := range view.Context() {
		if x.Key == key {
			return x.Pos < first
		}
	}
	return false
}
