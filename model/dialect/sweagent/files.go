package sweagent

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
)

// fileEffects tells what an action did to files, by its command line and the
// answer of the tool.
func fileEffects(action, open, answer string, view model.View) []model.Effect {
	words := shellWords(action)
	if len(words) == 0 {
		return nil
	}
	switch words[0] {
	case "str_replace_editor":
		return editorEffects(words[1:], answer, view)
	case "edit":
		if open != "" && open != "n/a" {
			return []model.Effect{model.DoubtFiles{Paths: []string{open}}} // lines of the open file, by their numbers
		}
	case "open", "goto", "scroll_down", "scroll_up", "create":
		return window(answer)
	}
	return nil
}

// editorEffects reads a call of the editor: command, path, options.
func editorEffects(words []string, answer string, view model.View) []model.Effect {
	if len(words) < 2 {
		return nil
	}
	command, path := words[0], words[1]
	args := map[string]any{"command": command}
	for i := 2; i+1 < len(words); i += 2 {
		name := strings.TrimPrefix(words[i], "--")
		args[name] = words[i+1]
		if n, err := strconv.Atoi(words[i+1]); err == nil && name == "insert_line" {
			args[name] = n
		}
	}
	if !strings.Contains(answer, "has been edited") && !strings.HasPrefix(strings.TrimSpace(answer), "File created successfully") {
		return nil
	}
	// The tool makes tabs of the whole file to spaces when it edits.
	text, _, _ := view.File(path)
	doubtful := text != nil && strings.Contains(*text, "\t")
	for _, name := range []string{"old_str", "new_str"} {
		s, _ := args[name].(string)
		doubtful = doubtful || strings.Contains(s, "\t")
	}
	if doubtful && command != "create" {
		return []model.Effect{model.DoubtFiles{Paths: []string{path}}}
	}
	packed, err := json.Marshal(args)
	if err != nil {
		return nil
	}
	if fx := chat.Editor(path, packed); fx != nil {
		return []model.Effect{fx}
	}
	return []model.Effect{model.DoubtFiles{Paths: []string{path}}}
}

// window reads the lines that the file viewer shows, "[File: PATH (N lines
// total)]" and numbered lines. Whether the file ends in a newline it does not
// say, so it never shows a whole file.
func window(answer string) []model.Effect {
	head, body, ok := strings.Cut(strings.ReplaceAll(answer, "\r\n", "\n"), "\n")
	path, _, isFile := strings.Cut(strings.TrimPrefix(head, "[File: "), " (")
	if !ok || !isFile || !strings.HasPrefix(head, "[File: ") || path == "" || path[0] != '/' {
		return nil
	}
	var text strings.Builder
	for line := range strings.Lines(body) {
		number, rest, ok := strings.Cut(line, ":")
		if _, err := strconv.Atoi(number); ok && err == nil {
			text.WriteString(rest)
		}
	}
	return []model.Effect{model.SeeFile{Path: path, Content: text.String()}}
}

// shellWords splits a command line as a shell does, without expansions.
func shellWords(line string) (words []string) {
	var word bytes.Buffer
	inWord := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\n', '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		case '\'', '"':
			inWord = true
			for i++; i < len(line) && line[i] != c; i++ {
				if c == '"' && line[i] == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`", line[i+1]) >= 0 {
					i++
				}
				word.WriteByte(line[i])
			}
		case '\\':
			inWord = true
			if i++; i < len(line) {
				word.WriteByte(line[i])
			}
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}
