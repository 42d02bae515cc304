package openhands

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// edited reads a result of the file editor. It holds the whole text before and
// after an edit; where it does not, the call says what was replaced.
func (f *effector) edited(o *result) []model.Effect {
	d := &o.details
	path, _ := o.text("path")
	if path == "" {
		return nil
	}
	path = f.abs(path)
	command := o.command()
	after := o.own(d.newContent)
	switch {
	case command == "view":
		return o.viewed(path)
	case command == "create" && after == nil:
		if text, ok := o.text("file_text"); ok {
			return []model.Effect{model.WriteFile{Path: path, Content: text, Certainty: model.CertaintyKnown}}
		}
		return nil
	case after != nil:
		return []model.Effect{model.WriteFile{Path: path, Content: *after, Certainty: model.CertaintyKnown, Before: o.own(d.oldContent)}}
	}
	if fx := editOf(path, o.act); fx != nil {
		return []model.Effect{fx}
	}
	return nil
}

// editOf reads the arguments of an edit: a replacement or an insertion.
func editOf(path string, args []byte) model.Effect {
	old, new := jsonscan.Get(args, "old_str"), jsonscan.Get(args, "new_str")
	switch jsonscan.Str(jsonscan.Get(args, "command")) {
	case "str_replace":
		if isText(old) {
			return model.EditFile{Path: path, Old: jsonscan.Str(old), New: jsonscan.Str(new)}
		}
	case "insert":
		if line, ok := jsonscan.Int(jsonscan.Get(args, "insert_line")); ok && line >= 0 {
			return model.EditFile{Path: path, New: jsonscan.Str(new), Insert: true, InsertLine: line}
		}
	}
	return nil
}

// viewed reads a look at a file: numbered lines, beside which one port keeps the
// whole file.
func (o *result) viewed(path string) []model.Effect {
	whole := jsonscan.Kind(jsonscan.Get(o.act, "view_range")) != '['
	if text := o.own(o.details.oldContent); text != nil {
		return []model.Effect{model.SeeFile{Path: path, Content: *text, Whole: true}}
	}
	text, numbered, clipped := numberedText(fullText(firstOf(o.details.content, o.details.output)))
	if !numbered {
		return nil
	}
	return []model.Effect{seen(o.view, path, text, whole && o.act != nil && !clipped)}
}

func firstOf(all ...[]byte) []byte {
	for _, v := range all {
		if present(v) {
			return v
		}
	}
	return nil
}

// seen is a look at a file. Writers differ in whether the last newline shows:
// a text that differs from the tracked one by that alone is the same.
func seen(view model.View, path, text string, whole bool) model.SeeFile {
	if known, _, ok := view.File(path); ok && whole && known != nil && *known == text+"\n" {
		text = *known
	}
	return model.SeeFile{Path: path, Content: text, Whole: whole}
}

// catIntro begins the editor's answer to a view of a file.
const catIntro = "Here's the result of running `cat -n` on "

// clippedMark stands where a long answer was cut.
const clippedMark = "<response clipped>"

// numberedText takes the line numbers off an editor's view. ok is false where
// the text is no such view (a folder, a picture).
func numberedText(s string) (text string, ok, clipped bool) {
	at := strings.Index(s, catIntro)
	if at < 0 {
		return "", false, false
	}
	_, body, ok := strings.Cut(s[at:], ":\n")
	if !ok {
		return "", false, false
	}
	body = strings.TrimSuffix(body, "\n")
	clipped = strings.Contains(body, clippedMark)
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		number, rest, isNumbered := strings.Cut(line, "\t")
		if !isNumbered || !isDigits(strings.TrimLeft(number, " ")) {
			return strings.Join(lines[:i], "\n"), i > 0, true
		}
		lines[i] = rest
	}
	return strings.Join(lines, "\n"), true, clipped
}

// patched reads what a patch changed, path by path in bytewise order.
func (f *effector) patched(o *result) (out []model.Effect) {
	changes := map[string][]byte{}
	jsonscan.Fields(jsonscan.Get(o.obs, "commit", "changes"), func(path string, v []byte) bool {
		changes[path] = v
		return true
	})
	paths := make([]string, 0, len(changes))
	for path := range changes {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		out = append(out, o.patch(f.abs(path), f.abs(jsonscan.Str(jsonscan.Get(changes[path], "move_path"))), changes[path])...)
	}
	return out
}

func (o *result) patch(path, moved string, change []byte) (out []model.Effect) {
	before, after := o.own(jsonscan.Get(change, "old_content")), o.own(jsonscan.Get(change, "new_content"))
	if jsonscan.Str(jsonscan.Get(change, "type")) == "delete" {
		return []model.Effect{model.DeleteFile{Path: path, Before: before}}
	}
	if moved != "" && moved != path {
		out = append(out, model.MoveFile{From: path, To: moved})
		path, before = moved, nil
	}
	if after != nil {
		out = append(out, model.WriteFile{Path: path, Content: *after, Certainty: model.CertaintyKnown, Before: before})
	}
	return out
}

// readFile reads the Gemini set's read_file.
func (f *effector) readFile(o *result) []model.Effect {
	path, _ := o.text("file_path")
	text := o.own(jsonscan.Get(o.obs, "file_content"))
	if path == "" || text == nil {
		return nil
	}
	part := isTrue(jsonscan.Get(o.obs, "is_truncated"))
	for _, name := range []string{"offset", "limit"} {
		n, ok := jsonscan.Int(jsonscan.Get(o.act, name))
		part = part || ok && n != 0
	}
	return []model.Effect{seen(o.view, f.abs(path), *text, !part && o.act != nil)}
}

// wrote reads the Gemini set's write_file and edit.
func (f *effector) wrote(o *result) []model.Effect {
	path, _ := o.text("file_path")
	if path == "" {
		return nil
	}
	path = f.abs(path)
	if after := o.own(o.details.newContent); after != nil {
		return []model.Effect{model.WriteFile{Path: path, Content: *after, Certainty: model.CertaintyKnown, Before: o.own(o.details.oldContent)}}
	}
	if text := o.own(jsonscan.Get(o.act, "content")); text != nil {
		return []model.Effect{model.WriteFile{Path: path, Content: *text, Certainty: model.CertaintyKnown}}
	}
	if old := o.own(jsonscan.Get(o.act, "old_string")); old != nil {
		n, _ := jsonscan.Int(jsonscan.Get(o.act, "expected_replacements"))
		return []model.Effect{model.EditFile{Path: path, Old: *old, New: jsonscan.Str(jsonscan.Get(o.act, "new_string")), All: n > 1}}
	}
	return nil
}
