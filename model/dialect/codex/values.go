package codex

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// codeModePrefix begins the ids of what a script did, which names no call.
const codeModePrefix = "exec-"

// isScripted reports whether an item was made by a script, inside of a call.
func isScripted(id string) bool { return strings.HasPrefix(id, codeModePrefix) }

// isPrompt tells what a person asked from what the program put into a user's
// or developer's message: its environment, instructions, notices. kind names
// the latter.
func isPrompt(b *body, text string) (prompt bool, kind string) {
	if string(b.role) != `"user"` {
		return false, contentKind(b)
	}
	if kinds := contentKind(b); kinds != "" {
		first, _, _ := strings.Cut(kinds, ", ")
		return first == "user", kinds
	}
	text = strings.TrimLeft(text, " \t\r\n")
	for _, h := range madeUp {
		if strings.HasPrefix(text, h.begins) {
			return false, h.kind
		}
	}
	return true, ""
}

// contentKind joins the kinds that the program gave a message's parts, each once
// and without what follows its first dot; empty where it gave none.
func contentKind(b *body) string {
	if b.extras == nil {
		return ""
	}
	var kinds []string
	jsonscan.Elements(jsonscan.Get(b.extras, "content_item_kinds"), func(v []byte) bool {
		kind, _, _ := strings.Cut(jsonscan.Str(v), ".")
		if kind != "" && kind != "unknown" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		return true
	})
	return strings.ReplaceAll(strings.Join(kinds, ", "), "_", " ")
}

// subAgentNotice is what the program tells a parent of its sub-agent's end.
const subAgentNotice = "sub-agent notice"

// madeUp are the beginnings of user messages that the program wrote.
var madeUp = []struct{ begins, kind string }{
	{"<environment_context>", "environment"},
	{"<user_instructions>", "instructions"},
	{"# AGENTS.md instructions", "instructions"},
	{"<INSTRUCTIONS>", "instructions"},
	{"<subagent_notification>", subAgentNotice},
	{"<turn_aborted>", "turn aborted"},
	{"<user_shell_command>", "shell command of the user"},
	{"<skill>", "skill"},
}

// usageOf reads a token usage into disjoint classes; nil where there is none.
func usageOf(v []byte) *model.Usage {
	if jsonscan.Kind(v) != '{' {
		return nil
	}
	var u model.Usage
	jsonscan.Fields(v, func(key string, v []byte) bool {
		n, ok := jsonscan.Int(v)
		if !ok {
			return true
		}
		switch key {
		case "input_tokens":
			u.Input, u.Told = n, u.Told|model.ToldInput
		case "cached_input_tokens":
			u.CacheRead, u.Told = n, u.Told|model.ToldCacheRead
		case "cache_write_input_tokens":
			u.CacheWrite, u.Told = n, u.Told|model.ToldCacheWrite
		case "output_tokens":
			u.Output, u.Told = n, u.Told|model.ToldOutput
		case "reasoning_output_tokens":
			u.Reasoning, u.Told = n, u.Told|model.ToldReasoning
		}
		return true
	})
	if u.Told == 0 {
		return nil
	}
	u.Input = max(u.Input-u.CacheRead-u.CacheWrite, 0)
	u.Output = max(u.Output-u.Reasoning, 0)
	return &u
}

// localPath is a directory as a path: items write it as a file URL.
func localPath(v []byte) string {
	path, isURL := strings.CutPrefix(jsonscan.Str(v), "file://")
	if plain, err := url.PathUnescape(path); isURL && err == nil {
		return plain
	}
	return path
}

// commandOf is the command that a person would type: of a shell call's words
// the script, else the words joined.
func commandOf(v []byte) string {
	if jsonscan.Kind(v) != '[' {
		return scriptOf(jsonscan.Str(v))
	}
	var words []string
	jsonscan.Elements(v, func(w []byte) bool {
		words = append(words, jsonscan.Str(w))
		return true
	})
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// argumentsOf is the JSON object of a call's arguments, which stand as a string
// that a model wrote; nil where that holds no object.
func argumentsOf(v []byte) []byte {
	text := []byte(jsonscan.Str(v))
	start, end, err := jsonscan.Value(text)
	if err != nil || jsonscan.Kind(text[start:end]) != '{' || len(bytes.TrimSpace(text[end:])) > 0 {
		return nil
	}
	return text[start:end]
}

// scriptOf takes the shell off a command line of the form `bash -lc '...'`. What
// is quoted in another way stays as written.
func scriptOf(line string) string {
	_, quoted, ok := strings.Cut(line, " -lc ")
	if !ok || strings.ContainsRune(line[:strings.Index(line, " -lc ")], ' ') || len(quoted) < 2 {
		return line
	}
	inner := quoted[1 : len(quoted)-1]
	switch first, last := quoted[0], quoted[len(quoted)-1]; {
	case first != last:
	case first == '\'' && !strings.Contains(inner, "'"):
		return inner
	case first == '"' && !strings.ContainsAny(strings.ReplaceAll(inner, `\"`, ""), "\"`$"):
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(inner)
	}
	return line
}
