package claudecode

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// read is a look at a file. What the client keeps of it is the text itself; a
// sub-agent's result holds it with line numbers only, of which nothing tells
// whether they are all.
func (a *answer) read() model.Effect {
	if a.used.isObject {
		return sawFile(a.used.file, a.cwd)
	}
	if path := a.path("file_path"); path != "" {
		return model.SeeFile{Path: path}
	}
	return nil
}

// sawFile is a look at a file as the client keeps it: all of its lines, or a
// range. nil where it was no text.
func sawFile(file []byte, cwd string) model.Effect {
	var path, content, lines, start, total []byte
	jsonscan.Fields(file, func(key string, v []byte) bool {
		switch key {
		case "filePath":
			path = v
		case "content":
			content = v
		case "numLines":
			lines = v
		case "startLine":
			start = v
		case "totalLines":
			total = v
		}
		return true
	})
	name := jsonscan.Str(path)
	if name == "" || !isText(content) {
		return nil
	}
	from, isNumbered := jsonscan.Int(start)
	n, isCounted := jsonscan.Int(lines)
	all, isKnown := jsonscan.Int(total)
	see := model.SeeFile{Path: absolute(name, cwd), Whole: isNumbered && isCounted && isKnown && from == 1 && n == all}
	if see.Whole {
		see.Content = jsonscan.Str(content)
	}
	return see
}

// wrote is a whole text. A sub-agent's is only what was asked for.
func (a *answer) wrote() model.Effect {
	path := a.path("file_path")
	if path == "" {
		return nil
	}
	x := model.WriteFile{Path: path, Certainty: model.CertaintyKnown}
	var ok bool
	if x.Content, ok = jsonscan.Text(a.used.content); !ok {
		x.Certainty = model.CertaintyDerived
		if x.Content, ok = a.arg("content"); !ok {
			return a.doubts("file_path")
		}
	}
	if before, ok := jsonscan.Text(a.used.originalFile); ok {
		x.Before = &before
	}
	return x
}

// doubts is a change of a file that the record does not show.
func (a *answer) doubts(arg string) model.Effect {
	if path := a.path(arg); path != "" {
		return model.DoubtFiles{Paths: []string{path}}
	}
	return nil
}

// changedOutside is the client's word that a file is no longer as the model saw
// it, with numbered lines of it. Where the tracked text has these lines, the
// change is in it already.
func changedOutside(attachment []byte, cwd string, view model.View) model.Effect {
	path := absolute(jsonscan.Str(jsonscan.Get(attachment, "filename")), cwd)
	if path == "" {
		return nil
	}
	if text, _, ok := view.File(path); ok && text != nil && shows(jsonscan.Str(jsonscan.Get(attachment, "snippet")), *text) {
		return nil
	}
	return model.DoubtFiles{Paths: []string{path}}
}

// shows reports whether numbered lines are those of a text.
func shows(numbered, text string) bool {
	lines := strings.Split(text, "\n")
	seen := 0
	for line := range strings.Lines(numbered) {
		number, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || n < 1 || n > len(lines) || lines[n-1] != rest {
			return false
		}
		seen++
	}
	return seen > 0
}
