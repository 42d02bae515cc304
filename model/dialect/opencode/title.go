package opencode

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// subjects are the arguments that tell what a call is about, the most telling
// first.
var subjects = []string{"command", "filePath", "file_path", "path", "pattern", "description", "url", "query", "prompt", "name", "patchText"}

// subjectOf says in a few words what a call is about.
func subjectOf(tool string, input []byte) string {
	if tool == "todowrite" {
		todos := jsonscan.Get(input, "todos")
		return phrase.Plural(count(todos), "task")
	}
	if tool == "invalid" {
		return jsonscan.Str(jsonscan.Get(input, "tool"))
	}
	found := make([][]byte, len(subjects))
	jsonscan.Fields(input, func(key string, v []byte) bool {
		for i, s := range subjects {
			if s == key {
				found[i] = v
			}
		}
		return true
	})
	switch tool {
	case "task":
		found[0] = found[slices.Index(subjects, "description")]
	case "grep":
		found[0] = found[slices.Index(subjects, "pattern")]
	}
	for _, v := range found {
		if line := phrase.FirstLine(phrase.Head(v, phrase.LineLimit)); line != "" {
			return line
		}
	}
	return ""
}

// resultTitle says how a call ended.
func resultTitle(tool string, c *call) string {
	switch {
	case c.status == callError:
		line := phrase.TellingLine(phrase.Head(c.err, phrase.TextLimit))
		return withLine("error", strings.TrimPrefix(line, "Error: "))
	case c.interrupted:
		return "interrupted"
	case tool == "invalid":
		return withLine("call", phrase.TellingLine(phrase.Head(jsonscan.Get(c.input, "error"), phrase.TextLimit)))
	case jsonscan.Kind(c.exit) == '0':
		if n := jsonscan.Scalar(c.exit); n != "0" {
			return withLine("exit "+n, phrase.TellingLine(phrase.Head(c.output, phrase.TextLimit)))
		}
	case c.failed(tool):
		return withLine("stopped", phrase.TellingLine(phrase.Head(c.output, phrase.TextLimit)))
	}
	return withLine("ok", phrase.FirstLine(phrase.Head(c.title, phrase.LineLimit)))
}

// saying is the first line of a text that says something: a tag or a bracket
// alone does not.
func saying(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(line) > 1 && !(line[0] == '<' && line[len(line)-1] == '>') {
			return phrase.Fit(line)
		}
	}
	return ""
}

// fileNames names the first files of a list of paths.
func fileNames(paths []byte) string {
	const shown = 3
	var names []string
	jsonscan.Elements(paths, func(v []byte) bool {
		names = append(names, path.Base(strings.ReplaceAll(jsonscan.Str(v), "\\", "/")))
		return len(names) < shown
	})
	if more := count(paths) - len(names); more > 0 {
		return strings.Join(names, ", ") + " and " + strconv.Itoa(more) + " more"
	}
	return strings.Join(names, ", ")
}

func withLine(what, line string) string {
	if line == "" {
		return what
	}
	return what + ": " + line
}

// errorTitle says what an error of the program says: {name,data{message}}.
func errorTitle(v []byte) string {
	name := jsonscan.Str(jsonscan.Get(v, "name"))
	data := jsonscan.Get(v, "data")
	if code := jsonscan.Scalar(jsonscan.Get(data, "statusCode")); code != "" {
		name = strings.TrimSpace(name + " " + code)
	}
	text := phrase.Head(jsonscan.Get(data, "message"), phrase.TextLimit)
	if text == "" {
		text = phrase.Head(jsonscan.Get(v, "message"), phrase.TextLimit)
	}
	return phrase.Titled(firstNonEmpty(name, "error"), phrase.TellingLine(text))
}

// stepTitle sums up a step of the model.
func stepTitle(u *model.Usage, reason string) string {
	if u == nil {
		return phrase.OneLine("step ends " + reason)
	}
	total := u.Input + u.Output + u.Reasoning + u.CacheRead + u.CacheWrite
	title := fmt.Sprintf("step: %d tokens", total)
	if u.Told.Has(model.ToldCost) {
		title += fmt.Sprintf(", $%.4f", u.CostUSD)
	}
	return title
}
