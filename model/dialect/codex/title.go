package codex

import (
	"sort"
	"strconv"
	"strings"

	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// argumentLimit is how long arguments may be that are read for a title.
const argumentLimit = 64 << 10

// callSubject is what a call is about: its command, the files of its patch, its
// main argument.
func callSubject(tool string, b *body) string {
	switch {
	case b.input != nil:
		text := phrase.Head(b.input, phrase.TextLimit)
		if tool == "exec" {
			return scriptSubject(text)
		}
		return textSubject(text)
	case b.action != nil:
		return argumentSubject(b.action)
	case jsonscan.Kind(b.arguments) == '{':
		return argumentSubject(b.arguments)
	case len(b.arguments) > argumentLimit:
		return textSubject(phrase.Head(b.arguments, phrase.TextLimit))
	}
	if args := argumentsOf(b.arguments); args != nil {
		return argumentSubject(args)
	}
	return phrase.FirstLine(phrase.Head(b.arguments, phrase.LineLimit))
}

// textSubject is the subject of a call whose argument is text: a patch, or
// whatever it says first.
func textSubject(text string) string {
	if files := patchFiles(text); files != "" {
		return files
	}
	return phrase.FirstLine(text)
}

// mainArguments are the arguments that say most, the best first.
var mainArguments = []string{"cmd", "command", "input", "patch", "path", "file_path", "message", "query", "prompt", "url", "plan", "targets", "target", "chars", "session_id"}

func argumentSubject(args []byte) string {
	best, at := "", len(mainArguments)
	var first string
	jsonscan.Fields(args, func(key string, v []byte) bool {
		text := argumentText(key, v)
		if text == "" {
			return true
		}
		if first == "" {
			first = key + "=" + text
		}
		for i, want := range mainArguments[:at] {
			if key == want {
				best, at = text, i
				break
			}
		}
		return true
	})
	if best == "" {
		return first
	}
	return best
}

func argumentText(key string, v []byte) string {
	switch {
	case key == "command":
		return phrase.FirstLine(commandOf(v))
	case key == "plan":
		return planProgress(v)
	case jsonscan.Kind(v) == '"':
		return textSubject(phrase.Head(v, phrase.TextLimit))
	case jsonscan.Kind(v) == '[':
		return phrase.FirstLine(commandOf(v))
	}
	return jsonscan.Scalar(v)
}

// patchFiles names the first file of a patch and counts the others; empty for
// what is no patch.
func patchFiles(text string) string {
	if !strings.Contains(text, "*** Begin Patch") {
		return ""
	}
	first, n := "", 0
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "*** ")
		if !ok {
			continue
		}
		for _, verb := range []string{"Add File: ", "Update File: ", "Delete File: "} {
			if path, ok := strings.CutPrefix(rest, verb); ok {
				if n++; n == 1 {
					first = strings.ToLower(verb[:len(verb)-len(" File: ")]) + " " + strings.TrimSpace(path)
				}
			}
		}
	}
	if n > 1 {
		first += " and " + phrase.Plural(n-1, "more file")
	}
	return first
}

// scriptSubject says what a script calls: the tools by name, and of a command
// or a patch what it is.
func scriptSubject(js string) string {
	if !strings.Contains(js, "tools.") {
		return phrase.FirstLine(js)
	}
	var calls []string
	for at := strings.Index(js, "tools."); at >= 0; {
		rest := js[at+len("tools."):]
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'z') })
		if end < 0 {
			end = len(rest)
		}
		name, args := rest[:end], rest[end:]
		next := strings.Index(args, "tools.")
		if next >= 0 {
			args = args[:next]
		}
		if what := textSubject(firstLiteral(args)); what != "" {
			name += " " + what
		}
		calls = append(calls, name)
		if next < 0 {
			break
		}
		at += len("tools.") + end + next
	}
	return strings.Join(calls, "; ")
}

// firstLiteral is the first string literal of a piece of JavaScript.
func firstLiteral(js string) string {
	start := strings.IndexAny(js, "\"'`")
	if start < 0 {
		return ""
	}
	quote := js[start]
	var b strings.Builder
	for i := start + 1; i < len(js) && js[i] != quote; i++ {
		if js[i] != '\\' || i+1 == len(js) {
			b.WriteByte(js[i])
			continue
		}
		i++
		switch js[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			b.WriteByte(js[i])
		}
	}
	return b.String()
}

// itemTitle says what an item shows of a call.
func itemTitle(kind string, b *body, v *verdict) string {
	switch {
	case b.command != nil:
		return "$ " + phrase.FirstLine(commandOf(b.command)) + " → " + commandEnd(v)
	case b.changes != nil:
		title := changesTitle(b.changes)
		if v.refused {
			title = "not " + title
		}
		return title
	}
	name := itemTool(kind, b)
	subject := jsonscan.Str(b.query)
	if who := jsonscan.Str(b.agentPath); who != "" {
		subject = who
	}
	state := jsonscan.Str(b.kind)
	if state == "" {
		state = jsonscan.Str(b.status)
	}
	if subject != "" {
		name += " " + subject
	}
	if v.refused && v.text != "" {
		state += ": " + phrase.TellingLine(v.text)
	}
	return phrase.Titled(name, state)
}

// itemSubject is what an item and the call behind it both speak of: the head of
// a command, the name of a file.
func itemSubject(b *body) (subject string) {
	if b.command != nil {
		line := phrase.FirstLine(commandOf(b.command))
		return line[:min(len(line), subjectLimit)]
	}
	jsonscan.Fields(b.changes, func(path string, _ []byte) bool {
		_, subject = splitPath(path)
		return false
	})
	return subject
}

// subjectLimit is how much of a command a title surely holds.
const subjectLimit = 60

func commandEnd(v *verdict) string {
	switch {
	case v.hasExit && v.exit != 0:
		return "exit " + strconv.FormatInt(v.exit, 10) + ": " + phrase.TellingLine(v.text)
	case v.hasExit:
		return "exit 0"
	case v.running:
		return "still running"
	case v.refused:
		return "failed"
	}
	return "done"
}

// itemTool is the tool behind an item, as a call would name it.
func itemTool(kind string, b *body) string {
	if tool := jsonscan.Str(b.tool); tool != "" {
		return tool
	}
	switch kind {
	case "CommandExecution", "exec_command", "command_execution":
		return "exec_command"
	case "FileChange", "patch_apply", "file_change":
		return "apply_patch"
	case "SubAgentActivity":
		return "sub-agent"
	}
	return strings.ReplaceAll(kind, "_", " ")
}

// changesTitle counts the files of a change, and the lines of the first.
func changesTitle(changes []byte) string {
	var paths []string
	lines := map[string]string{}
	jsonscan.Fields(changes, func(path string, v []byte) bool {
		paths = append(paths, path)
		if len(paths) == 1 {
			lines[path] = changeLines(v)
		}
		return true
	})
	jsonscan.Elements(changes, func(v []byte) bool {
		path := jsonscan.Str(jsonscan.Get(v, "path"))
		paths = append(paths, path)
		lines[path] = jsonscan.Str(jsonscan.Get(v, "kind"))
		return true
	})
	if len(paths) == 0 {
		return "edited no file"
	}
	first := paths[0]
	if to := movedTo(changes, first); to != "" && len(paths) == 1 {
		return strings.TrimSpace("moved 1 file: " + first + " to " + to + " " + lines[first])
	}
	sort.Strings(paths)
	title := "edited " + phrase.Plural(len(paths), "file") + ": " + first
	if lines[first] != "" {
		title += " " + lines[first]
	}
	return title
}

// movedTo is where a change moves a file; empty where it stays.
func movedTo(changes []byte, path string) string {
	change := jsonscan.Get(changes, path)
	for _, v := range [][]byte{change, jsonscan.Get(change, "update")} {
		if to := jsonscan.Str(jsonscan.Get(v, "move_path")); to != "" && to != path {
			return to
		}
	}
	return ""
}

// changeLines counts the lines that a change takes out and puts in.
func changeLines(v []byte) string {
	var added, removed int
	kind := jsonscan.Str(jsonscan.Get(v, "type"))
	switch kind {
	case "update":
		for line := range strings.Lines(jsonscan.Str(jsonscan.Get(v, "unified_diff"))) {
			switch {
			case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
			case line[0] == '+':
				added++
			case line[0] == '-':
				removed++
			}
		}
	case "add":
		added = phrase.CountLines(jsonscan.Str(jsonscan.Get(v, "content")))
	default:
		return kind
	}
	return "+" + strconv.Itoa(added) + " −" + strconv.Itoa(removed)
}

// planTitle says how far a plan has come.
func planTitle(b *body) string {
	if progress := planProgress(b.plan); progress != "" {
		return "plan: " + progress
	}
	return phrase.Titled("plan", phrase.FirstLine(phrase.Content(b.text, phrase.LineLimit)))
}

func planProgress(v []byte) string {
	done, all := 0, 0
	jsonscan.Elements(v, func(step []byte) bool {
		all++
		if jsonscan.Str(jsonscan.Get(step, "status")) == "completed" {
			done++
		}
		if finished, _ := jsonscan.Bool(jsonscan.Get(step, "completed")); finished {
			done++
		}
		return true
	})
	if all == 0 {
		return ""
	}
	return strconv.Itoa(done) + "/" + strconv.Itoa(all) + " done"
}
