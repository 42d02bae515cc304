package claudecode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// replacement is one edit of a text.
type replacement struct {
	old, new string
	all      bool
}

// edited is a replacement, or a row of them, each on what the one before left.
// What the client keeps holds the whole text before them, and the lines around
// the change after them; in a sub-agent only the call says what was replaced.
func (a *answer) edited() []model.Effect {
	path, edits := a.path("file_path"), a.edits()
	if path == "" || len(edits) == 0 {
		return nil
	}
	before, known := jsonscan.Text(a.used.originalFile)
	if known {
		if after, ok := a.outcome(before, edits); ok {
			return []model.Effect{model.WriteFile{Path: path, Content: after, Certainty: model.CertaintyKnown, Before: &before}}
		}
	}
	out := make([]model.Effect, 0, len(edits)+1)
	for _, x := range edits {
		out = append(out, model.EditFile{Path: path, Old: x.old, New: x.new, All: x.all})
	}
	if first := out[0].(model.EditFile); known {
		first.Before = &before
		out[0] = first
	}
	if text, _, _ := a.view.File(path); known || text != nil && takeLines(*text, edits) {
		out = append(out, model.DoubtFiles{Paths: []string{path}})
	}
	return out
}

// edits are the replacements of a call: as the client did them, else as the call
// asks for them.
func (a *answer) edits() (all []replacement) {
	if old, ok := jsonscan.Text(a.used.oldString); ok {
		return []replacement{{old, jsonscan.Str(a.used.newString), isTrue(a.used.replaceAll)}}
	}
	list := a.used.edits
	if !isList(list) {
		list = jsonscan.Get(a.input, "edits")
	}
	if !isList(list) {
		return []replacement{replacementOf(a.input)}
	}
	jsonscan.Elements(list, func(v []byte) bool {
		all = append(all, replacementOf(v))
		return true
	})
	return all
}

// replacementOf reads an edit as a call asks for it.
func replacementOf(v []byte) replacement {
	return replacement{
		old: jsonscan.Str(jsonscan.Get(v, "old_string")), new: jsonscan.Str(jsonscan.Get(v, "new_string")),
		all: isTrue(jsonscan.Get(v, "replace_all")),
	}
}

// outcome is the text after the edits. ok is false where they do not fit, or
// where more than one text can have come of them and the client's lines do not
// tell which: a person may have changed the edit, and lines that are taken away
// may go with their newline.
func (a *answer) outcome(before string, edits []replacement) (after string, ok bool) {
	isSure := !isTrue(a.used.userModified) && !takeLines(before, edits)
	for _, lines := range [...]bool{true, false} {
		after, ok = applyAll(before, edits, lines)
		if ok && (isSure || fits(before, after, a.used.structuredPatch)) {
			return after, true
		}
	}
	return "", false
}

// takeLines reports whether an edit takes text away behind which a newline
// stands.
func takeLines(text string, edits []replacement) bool {
	for _, x := range edits {
		if x.new == "" && x.old != "" && !strings.HasSuffix(x.old, "\n") && (len(edits) > 1 || strings.Contains(text, x.old+"\n")) {
			return true
		}
	}
	return false
}

// applyAll makes the edits; with lines, what is taken away goes with the newline
// behind it. An empty old text stands for a file that was empty, or not there.
func applyAll(text string, edits []replacement, lines bool) (string, bool) {
	for _, x := range edits {
		switch {
		case x.old == "" && text != "", !strings.Contains(text, x.old):
			return "", false
		case x.old == "":
			text = x.new
			continue
		case lines && x.new == "" && !strings.HasSuffix(x.old, "\n") && strings.Contains(text, x.old+"\n"):
			x.old += "\n"
		}
		if x.all {
			text = strings.ReplaceAll(text, x.old, x.new)
		} else {
			text = strings.Replace(text, x.old, x.new, 1)
		}
	}
	return text, true
}
