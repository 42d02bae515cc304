package claudecode

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// subjects are the arguments that tell what a call is about, the most telling
// first. Two of them may stand together: a pattern and where it is looked for.
var subjects = []string{
	"command", "file_path", "notebook_path", "pattern", "url", "query", "subject", "taskId", "task_id", "bash_id", "shell_id",
	"skill", "description", "prompt", "path", "status",
}

const maxSubjects = 2

// callTitle says what a call does: the tool and what it is about.
func callTitle(tool string, input []byte) string {
	found := make([][]byte, len(subjects))
	items := 0
	jsonscan.Fields(input, func(key string, v []byte) bool {
		for i, s := range subjects {
			if s == key {
				found[i] = v
			}
		}
		if key == "todos" || key == "edits" || key == "questions" {
			items = count(v)
		}
		return true
	})
	parts := []string{tool}
	for i, v := range found {
		said := phrase.Head(v, 4*model.TitleLimit)
		if said == "" || len(parts) > maxSubjects || len(parts) > 1 && (i == indexOf("description") || i == indexOf("prompt")) {
			continue
		}
		parts = append(parts, said)
	}
	if items > 0 {
		parts = append(parts, phrase.Plural(items, "item"))
	}
	if len(parts) == 1 {
		parts = append(parts, firstText(input))
	}
	return phrase.OneLine(strings.Join(parts, " "))
}

func indexOf(subject string) int {
	for i, s := range subjects {
		if s == subject {
			return i
		}
	}
	return -1
}

// firstText is the first string among the arguments of a tool that nobody here
// knows (of an MCP server, say).
func firstText(input []byte) (text string) {
	jsonscan.Fields(input, func(_ string, v []byte) bool {
		text = phrase.Head(v, 4*model.TitleLimit)
		return text == ""
	})
	return text
}

// title says how a call ended, the tool's name left out, which the record does
// not hold.
func (v *verdict) title(used []byte) string {
	if v.outcome == model.OutcomeFailed {
		text := strings.TrimSpace(v.text)
		text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
		line := phrase.TellingLine(text)
		switch {
		case v.exit != "" && strings.HasPrefix(line, exitPrefix):
			return "exit " + v.exit
		case v.exit != "":
			return phrase.Fit(strings.TrimSuffix("exit "+v.exit+": "+line, ": "))
		case line == "":
			return "failed"
		}
		return line
	}
	if done := outcomeOf(used); done != "" {
		return phrase.OneLine("ok, " + done)
	}
	if line := phrase.FirstLine(v.text); line != "" {
		return phrase.OneLine("ok, " + line)
	}
	return "ok"
}

// diffLimit is the largest text, in bytes of JSON, whose changed lines are
// counted for a title.
const diffLimit = 1 << 18

// outcomeOf tells what a tool did by the object that the client keeps beside a
// result: the file with its change. Empty where that does not say more than the
// text.
func outcomeOf(used []byte) string {
	if !isObject(used) {
		return ""
	}
	var path, old, now, content, typ, file []byte
	jsonscan.Fields(used, func(key string, v []byte) bool {
		switch key {
		case "filePath":
			path = v
		case "oldString":
			old = v
		case "newString":
			now = v
		case "content":
			content = v
		case "type":
			typ = v
		case "file":
			file = v
		}
		return true
	})
	where := phrase.Head(path, model.TitleLimit)
	switch {
	case isText(path) && isText(old) && isText(now) && len(old)+len(now) <= diffLimit:
		return where + " " + phrase.Change(jsonscan.Str(old), jsonscan.Str(now))
	case isText(path) && isText(content):
		return strings.TrimSpace(jsonscan.Str(typ) + " " + where)
	case isObject(file):
		return seen(file)
	}
	return ""
}

// seen tells which file was read, and how much of it.
func seen(file []byte) string {
	path := phrase.Head(jsonscan.Get(file, "filePath"), model.TitleLimit)
	lines, ok := jsonscan.Int(jsonscan.Get(file, "numLines"))
	if !ok || path == "" {
		return path
	}
	text := path + ", " + phrase.Plural(int(lines), "line")
	if all, ok := jsonscan.Int(jsonscan.Get(file, "totalLines")); ok && all > lines {
		text += " of " + strconv.FormatInt(all, 10)
	}
	return text
}
