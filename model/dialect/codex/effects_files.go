package codex

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/patch"
)

// patchEnded reads what a patch changed, path by path in bytewise order. Of a
// patch that failed nothing is known to have changed.
func (t *telling) patchEnded(call string, b *body) (out []model.Effect) {
	t.tell(call)
	if v := itemEnd(b); v.outcome() == model.OutcomeFailed {
		return nil
	}
	changes := map[string][]byte{}
	jsonscan.Fields(b.changes, func(path string, v []byte) bool {
		changes[path] = v
		return true
	})
	paths := make([]string, 0, len(changes))
	for path := range changes {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		out = append(out, t.changed(abs(t.state.Cwd, path), changes[path])...)
	}
	return out
}

// changed is what a patch did to one file. Older versions name the kind of the
// change as the key of an object.
func (t *telling) changed(path string, change []byte) []model.Effect {
	kind := jsonscan.Str(jsonscan.Get(change, "type"))
	if kind == "" {
		jsonscan.Fields(change, func(key string, v []byte) bool {
			kind, change = key, v
			return false
		})
	}
	t.touch(path)
	switch kind {
	case "add":
		if text, ok := jsonscan.Text(jsonscan.Get(change, "content")); ok {
			return []model.Effect{model.WriteFile{Path: path, Content: text, Certainty: model.CertaintyKnown}}
		}
	case "delete":
		del := model.DeleteFile{Path: path}
		if text, ok := jsonscan.Text(jsonscan.Get(change, "content")); ok {
			del.Before = &text
		}
		return []model.Effect{del}
	case "update":
		diff := jsonscan.Str(jsonscan.Get(change, "unified_diff"))
		return t.updated(path, abs(t.state.Cwd, jsonscan.Str(jsonscan.Get(change, "move_path"))), diff, func(text string) (string, bool) {
			return patch.Unified(text, diff)
		})
	}
	return []model.Effect{model.DoubtFiles{Paths: []string{path}}}
}

// updated is a change of lines in a file, which it may move as well. What is
// known of the text tells the new one, where the lines stand there; else only
// those lines are known.
func (t *telling) updated(path, to, diff string, apply func(string) (string, bool)) (out []model.Effect) {
	text, _, tracked := t.view.File(path)
	at := path
	if to != "" && to != path {
		t.touch(to)
		if !tracked {
			out = append(out, model.DeleteFile{Path: to})
		}
		out = append(out, model.MoveFile{From: path, To: to})
		at = to
	}
	if text != nil {
		if diff == "" {
			return out
		}
		if now, ok := apply(*text); ok && *text != "" {
			return append(out, model.EditFile{Path: at, Old: *text, New: now})
		}
	}
	// A diff is no part of the text that it does not fit: the edit tells that
	// nothing is known of the text from here on.
	return append(out, model.EditFile{Path: at, Old: diff}, model.SeeFile{Path: at})
}

// patchedBy tells what a patch did where no item says so.
func (t *telling) patchedBy(call, text, dir string) (out []model.Effect) {
	if slices.Contains(t.state.Told, call) {
		return nil
	}
	t.tell(call)
	changes, ok := patch.V4A(text)
	if !ok {
		return nil
	}
	v := outputVerdict(t.body.output)
	failed := v.outcome() == model.OutcomeFailed
	if failed && !v.hasExit {
		return nil // it was refused as a whole
	}
	for i := range changes {
		c := &changes[i]
		path := abs(dir, c.Path)
		switch {
		case failed: // somewhere on the way
			out = append(out, model.DoubtFiles{Paths: []string{path}})
			if c.To != "" {
				out = append(out, model.DoubtFiles{Paths: []string{abs(dir, c.To)}})
			}
			t.touch(path)
		case c.Op == patch.OpAdd:
			out = append(out, model.WriteFile{Path: path, Content: c.Content, Certainty: model.CertaintyKnown})
			t.touch(path)
		case c.Op == patch.OpDelete:
			out = append(out, model.DeleteFile{Path: path})
			t.touch(path)
		default:
			out = append(out, t.updated(path, abs(dir, c.To), text, c.Apply)...)
			t.touch(path)
		}
	}
	return out
}

// patchIn finds the patch that a command hands to apply_patch: as its argument,
// or in a here document, perhaps behind a change of directory. The program
// knows no other form.
func patchIn(r shellRun, in string) (text, dir string, ok bool) {
	var words []string
	jsonscan.Elements(r.words, func(w []byte) bool {
		words = append(words, jsonscan.Str(w))
		return len(words) <= 2
	})
	if len(words) == 2 && isPatchTool(words[0]) {
		return words[1], in, true
	}
	script := strings.TrimSpace(r.command)
	if rest, isCd := strings.CutPrefix(script, "cd "); isCd {
		to, after, isList := strings.Cut(rest, "&&")
		if !isList {
			return "", "", false
		}
		script, in = strings.TrimSpace(after), abs(in, strings.Trim(strings.TrimSpace(to), `"'`))
	}
	name, rest, _ := strings.Cut(script, " ")
	if !isPatchTool(name) || !strings.HasPrefix(strings.TrimSpace(rest), "<<") {
		return "", "", false
	}
	return r.command, in, true
}

func isPatchTool(name string) bool { return name == "apply_patch" || name == "applypatch" }
