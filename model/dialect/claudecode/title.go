package claudecode

import (
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
