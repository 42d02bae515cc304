package chat

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// shellTools are the names under which programs give their model a shell.
var shellTools = map[string]bool{
	"bash": true, "shell": true, "sh": true, "terminal": true, "bash_command": true, "execute_bash": true, "execute_command": true,
	"run_command": true, "run_commands": true, "run_shell_command": true, "run_in_terminal": true, "shell_command": true, "powershell": true,
	"developer__shell": true, "execute": true,
}

// Command is the command line of a call of a shell; ok is false where the tool
// is no shell.
func Command(tool string, args []byte) (command string, ok bool) {
	if !shellTools[tool] {
		return "", false
	}
	for _, name := range []string{"command", "cmd", "keystrokes", "script"} {
		if s, ok := jsonscan.Text(jsonscan.Get(args, name)); ok {
			return s, true
		}
	}
	return "", false
}

// About is what a call is about, for its title: its command, path, address or
// first text.
func About(args []byte) string {
	if jsonscan.Kind(args) == '"' {
		return phrase.FirstLine(phrase.Head(args, phrase.LineLimit))
	}
	for _, name := range []string{"command", "cmd", "keystrokes", "file_path", "path", "filePath", "absolute_path", "url", "query", "pattern", "prompt", "question", "result", "message"} {
		if v := jsonscan.Get(args, name); jsonscan.Kind(v) == '"' && len(v) > 2 {
			return phrase.FirstLine(phrase.Head(v, phrase.LineLimit))
		}
	}
	var first string
	jsonscan.Fields(args, func(_ string, v []byte) bool {
		if k := jsonscan.Kind(v); k == '"' || k == '0' {
			first = phrase.FirstLine(phrase.Head(v, phrase.LineLimit))
			if k == '0' {
				first = string(v)
			}
		}
		return first == ""
	})
	return first
}

// Line is a text's first line; of JSON over several lines, which begins with a
// bracket alone, as much as fits.
func Line(text string) string {
	if first := phrase.FirstLine(text); first != "{" && first != "[" {
		return first
	}
	return phrase.OneLine(text)
}

// ResultTitle says how a call ended: its exit code, and the telling line of
// what failed or the first line of what did not.
func ResultTitle(tool, text string, exit *int64, outcome model.Outcome) string {
	line := phrase.FirstLine(text)
	var parts []string
	switch {
	case outcome.Failed():
		line = phrase.TellingLine(text)
		if exit == nil && line == "" {
			line = "failed"
		}
	case outcome == model.OutcomeOK:
		parts = append(parts, "ok")
	}
	if exit != nil {
		parts = append(parts, "exit "+strconv.FormatInt(*exit, 10))
	}
	if line != "" {
		parts = append(parts, line)
	}
	return phrase.Titled(tool, strings.Join(parts, ", "))
}

// Editor reads a call of the editor that many agents share (str_replace_editor:
// create, str_replace, insert). The call must have succeeded. nil where it
// changes nothing that can be told.
func Editor(path string, args []byte) model.Effect {
	old, text := jsonscan.Get(args, "old_str"), jsonscan.Get(args, "new_str")
	switch jsonscan.Str(jsonscan.Get(args, "command")) {
	case "create":
		if whole, ok := jsonscan.Text(jsonscan.Get(args, "file_text")); ok {
			return model.WriteFile{Path: path, Content: whole, Certainty: model.CertaintyKnown}
		}
	case "str_replace":
		if jsonscan.Kind(old) == '"' && len(old) > 2 {
			return model.EditFile{Path: path, Old: jsonscan.Str(old), New: jsonscan.Str(text)}
		}
	case "insert":
		if line, ok := jsonscan.Int(jsonscan.Get(args, "insert_line")); ok && line >= 0 {
			return model.EditFile{Path: path, New: jsonscan.Str(text), Insert: true, InsertLine: line}
		}
	}
	return nil
}

// Abs makes a tool's path absolute where the directory is known.
func Abs(path, cwd string) string {
	switch {
	case path == "" || cwd == "":
		return path
	case path[0] == '/' || path[0] == '\\' || path[0] == '~', len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/'):
		return path
	}
	return strings.TrimSuffix(cwd, "/") + "/" + strings.TrimPrefix(path, "./")
}
