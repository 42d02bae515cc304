package opencode

import (
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/patch"
)

// read is a look at a file.
func (f *effector) read(c *call, view model.View) []model.Effect {
	name := f.filePath(c)
	if name == "" {
		return nil
	}
	whole := !isTrue(jsonscan.Get(c.metadata, "truncated"))
	for _, key := range []string{"offset", "limit"} {
		n, ok := jsonscan.Int(jsonscan.Get(c.input, key))
		whole = whole && !(ok && n != 0)
	}
	return look(name, jsonscan.Str(c.output), whole, view)
}

// look is what an answer of the tool read shows of a file; nothing where it
// shows none (a folder, a picture).
func look(name, output string, whole bool, view model.View) []model.Effect {
	l, ok := readListing(output)
	if !ok {
		return nil
	}
	if !whole || !l.whole {
		return []model.Effect{model.SeeFile{Path: name}}
	}
	text := l.text
	if known, _, ok := view.File(name); ok && known != nil && strings.TrimSuffix(*known, "\n") == strings.TrimSuffix(text, "\n") {
		text = *known // whether a last newline is there does not show
	} else if !l.newline {
		text += "\n"
	}
	return []model.Effect{model.SeeFile{Path: name, Content: text, Whole: true}}
}

// listing is a file as the tool read shows it.
type listing struct {
	text    string
	whole   bool // from the first line to the last, none of them cut
	newline bool // the last newline shows: the text ends in it
}

// cutLimit is the length from which on lines are shown cut.
const cutLimit = 2000

// readListing reads the answer of the tool read. Up to 1.1 the newline at the
// end of a file shows as an empty last line.
func readListing(output string) (l listing, ok bool) {
	var body, sep string
	switch {
	case strings.HasPrefix(output, "<file>\n"):
		body, ok = between(output, "<file>\n", "\n</file>")
		sep = "| "
	case strings.Contains(output, "<type>file</type>"):
		body, ok = between(output, "<content>", "\n</content>")
		sep = ": "
	}
	if !ok {
		return l, false
	}
	isNew := strings.HasPrefix(body, "\n")
	body = strings.TrimPrefix(body, "\n")
	// A note of the program may stand behind the lines.
	end := strings.LastIndex(body, "\n\n(")
	l.whole = true
	if end >= 0 {
		l.whole = strings.HasPrefix(body[end+2:], "(End of file")
		body = body[:end]
	}
	text, first, ok := patch.Listing(body, sep)
	if !ok {
		return l, false
	}
	l.text = text
	l.whole = l.whole && first == 1 && text != "" && !hasCutLine(text)
	l.newline = !isNew && strings.HasSuffix(text, "\n")
	return l, true
}

// hasCutLine reports whether a line may have been shown cut.
func hasCutLine(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) >= cutLimit && utf8.RuneCountInString(line) >= cutLimit {
			return true
		}
	}
	return false
}

// wrote is a file written as a whole.
func (f *effector) wrote(c *call) []model.Effect {
	name, content := f.filePath(c), jsonscan.Get(c.input, "content")
	switch {
	case name == "":
		return nil
	case !isText(content):
		return []model.Effect{model.DoubtFiles{Paths: []string{name}}}
	}
	return []model.Effect{model.WriteFile{Path: name, Content: jsonscan.Str(content), Certainty: model.CertaintyKnown}}
}

// edited is a replacement. Up to 1.3 the result holds the file before and
// after, later a patch, which is what happened: the tool finds its place by
// more than the exact text.
func (f *effector) edited(c *call, view model.View) []model.Effect {
	name := f.filePath(c)
	if name == "" {
		return nil
	}
	diff := jsonscan.Get(c.metadata, "filediff")
	if after := jsonscan.Get(diff, "after"); isText(after) {
		w := model.WriteFile{Path: name, Content: jsonscan.Str(after), Certainty: model.CertaintyKnown}
		if before := jsonscan.Get(diff, "before"); isText(before) {
			text := jsonscan.Str(before)
			w.Before = &text
		}
		return []model.Effect{w}
	}
	old, now := jsonscan.Get(c.input, "oldString"), jsonscan.Get(c.input, "newString")
	if isText(old) && jsonscan.Str(old) == "" && isText(now) {
		return []model.Effect{model.WriteFile{Path: name, Content: jsonscan.Str(now), Certainty: model.CertaintyKnown}}
	}
	d := jsonscan.Get(diff, "patch")
	if !isText(d) {
		d = jsonscan.Get(c.metadata, "diff")
	}
	if isText(d) {
		if fx := diffed(name, jsonscan.Str(d), view); fx != nil {
			return fx
		}
	}
	if !isText(old) || !isText(now) {
		return []model.Effect{model.DoubtFiles{Paths: []string{name}}}
	}
	edit := model.EditFile{Path: name, Old: jsonscan.Str(old), New: jsonscan.Str(now), All: isTrue(jsonscan.Get(c.input, "replaceAll"))}
	if isText(d) {
		// The patch does not fit: the file was not what was recorded last.
		return []model.Effect{model.DoubtFiles{Paths: []string{name}}, edit}
	}
	return []model.Effect{edit}
}

// diffed applies a recorded diff to a text that is known; nil where it does not
// fit, or where there is no such text.
func diffed(name, diff string, view model.View) []model.Effect {
	text, c, ok := view.File(name)
	if !ok || text == nil || c < model.CertaintyDerived {
		return nil
	}
	after, ok := patch.Unified(*text, diff)
	if !ok {
		return nil
	}
	return []model.Effect{model.WriteFile{Path: name, Content: after, Certainty: model.CertaintyDerived}}
}

// editedOften is several replacements in one file, one after another.
func (f *effector) editedOften(c *call) (out []model.Effect) {
	name := f.filePath(c)
	if name == "" {
		return nil
	}
	var after []byte
	jsonscan.Elements(jsonscan.Get(c.metadata, "results"), func(v []byte) bool {
		after = jsonscan.Get(v, "filediff", "after")
		return true
	})
	if isText(after) {
		return []model.Effect{model.WriteFile{Path: name, Content: jsonscan.Str(after), Certainty: model.CertaintyKnown}}
	}
	jsonscan.Elements(jsonscan.Get(c.input, "edits"), func(v []byte) bool {
		out = append(out, model.EditFile{
			Path: name, Old: jsonscan.Str(jsonscan.Get(v, "oldString")), New: jsonscan.Str(jsonscan.Get(v, "newString")),
			All: isTrue(jsonscan.Get(v, "replaceAll")),
		})
		return true
	})
	return out
}

// patchedFiles reads what a patch of many files did to each.
func (f *effector) patchedFiles(c *call, view model.View) (out []model.Effect) {
	jsonscan.Elements(jsonscan.Get(c.metadata, "files"), func(v []byte) bool {
		get := func(key string) []byte { return jsonscan.Get(v, key) }
		name := firstNonEmpty(jsonscan.Str(get("filePath")), jsonscan.Str(get("relativePath")))
		if name == "" {
			return true
		}
		name = f.abs(name, nil)
		if jsonscan.Str(get("type")) == "delete" {
			out = append(out, model.DeleteFile{Path: name})
			return true
		}
		to := name
		if moved := jsonscan.Str(get("movePath")); moved != "" {
			to = f.abs(moved, nil)
		}
		out = append(out, patchedFile(name, to, v, view)...)
		return true
	})
	return out
}

func patchedFile(name, to string, v []byte, view model.View) (out []model.Effect) {
	var fx []model.Effect
	diff := jsonscan.Str(jsonscan.Get(v, "patch"))
	switch after := jsonscan.Get(v, "after"); {
	case isText(after):
		fx = []model.Effect{model.WriteFile{Path: to, Content: jsonscan.Str(after), Certainty: model.CertaintyKnown}}
	case jsonscan.Str(jsonscan.Get(v, "type")) == "add":
		if text, ok := patch.Unified("", diff); ok {
			fx = []model.Effect{model.WriteFile{Path: to, Content: text, Certainty: model.CertaintyDerived}}
		}
	default:
		fx = diffed(name, diff, view)
		if w, ok := first(fx).(model.WriteFile); ok {
			w.Path = to
			fx = []model.Effect{w}
		}
	}
	if to != name {
		out = append(out, model.MoveFile{From: name, To: to})
	}
	if fx == nil {
		fx = []model.Effect{model.DoubtFiles{Paths: []string{to}}}
	}
	return append(out, fx...)
}

func first(fx []model.Effect) model.Effect {
	if len(fx) == 0 {
		return nil
	}
	return fx[0]
}
