package codex

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// verdict is what a result, or the item of a call, says of how that went. There
// is no flag for it: success is text, in one form or another for each version.
type verdict struct {
	exit    int64
	hasExit bool
	running bool   // it goes on in the background
	untold  bool   // the record says nothing that can be read
	refused bool   // it never ran, or was broken off
	text    string // the head of what it printed, or of why it failed
}

// outcome is the verdict in hindcast's terms. A result that names neither an
// exit code nor an error is a plain answer.
func (v *verdict) outcome() model.Outcome {
	switch {
	case v.refused, v.hasExit && v.exit != 0:
		return model.OutcomeFailed
	case v.running && !v.hasExit, v.untold:
		return model.OutcomeUnknown
	}
	return model.OutcomeOK
}

// String is the verdict as the rest of a title.
func (v *verdict) String() string {
	line := printedLine(v.text)
	if v.outcome() == model.OutcomeFailed {
		line = phrase.TellingLine(v.text)
	}
	head := "ok"
	switch {
	case v.untold:
		return "answers nothing that can be read"
	case v.hasExit:
		head = "exit " + strconv.FormatInt(v.exit, 10)
	case v.refused:
		return line
	case v.running:
		head = "still running"
	}
	if line == "" {
		return head
	}
	return head + ": " + line
}

// printedLine is what an output says first: the files of a patch, or the first
// line with a word in it.
func printedLine(text string) string {
	if files, ok := strings.CutPrefix(text, "Success. Updated the following files:\n"); ok {
		return phrase.OneLine(strings.Join(strings.Fields(files), " "))
	}
	for line := range strings.Lines(text) {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return phrase.FirstLine(line)
		}
	}
	return phrase.FirstLine(text)
}

// The errors that stand for a result, at the start of its text or of what it
// printed.
var refusals = []string{
	"apply_patch verification failed",
	"unsupported call",
	"unsupported custom tool call",
	"failed to parse function arguments",
	"write_stdin failed",
	"aborted by user",
	"Script failed",
	"Script error",
}

// scriptError stands before what a script failed of.
const scriptError = "Script error:\n"

// metadataTail is how far before its end a result in JSON holds its exit code.
const metadataTail = 256

// outputVerdict reads a result's output: a text, JSON in a text, or a list of
// parts.
func outputVerdict(v []byte) verdict {
	out := readOutput(v, phrase.LineLimit)
	if out.outcome() == model.OutcomeFailed {
		return readOutput(v, phrase.TextLimit) // what went wrong may stand further down
	}
	return out
}

func readOutput(v []byte, limit int) (out verdict) {
	switch jsonscan.Kind(v) {
	case '"', '[', '{':
	default:
		return verdict{untold: true}
	}
	head := outputText(v, limit)
	if strings.HasPrefix(head, `{"output":`) {
		out.text = jsonOutput(head, limit)
		out.exit, out.hasExit = tailExit(v)
		out.refused = !out.hasExit && isRefusal(out.text)
		return out
	}
	header, printed := splitOutput(head)
	if inner, rest := splitOutput(printed); !strings.Contains(header, "rocess ") && strings.HasPrefix(inner, "Exit code: ") && header != "" {
		header, printed = header+inner, rest // a patch that a shell call held
	}
	out.text = printed
	for line := range strings.Lines(header) {
		line = strings.TrimRight(line, "\n")
		if code, ok := cutNumber(line, "Exit code: ", "Process exited with code "); ok {
			out.exit, out.hasExit = code, true
		}
		if strings.HasPrefix(line, "Process running with session ID ") || strings.HasPrefix(line, "Script running with cell ID ") {
			out.running = true
		}
	}
	out.refused = isRefusal(header) || isRefusal(printed) && (!out.hasExit || out.exit != 0)
	switch {
	case printed == "" && out.refused:
		out.text = header
	case strings.HasPrefix(strings.TrimLeft(printed, "\n"), scriptError):
		out.text = strings.TrimPrefix(strings.TrimLeft(printed, "\n"), scriptError)
	}
	return out
}

// outputText is the head of an output; the parts of a list follow each other.
func outputText(v []byte, limit int) string {
	if jsonscan.Kind(v) == '{' {
		return phrase.Content(jsonscan.Get(v, "content"), limit)
	}
	if jsonscan.Kind(v) != '[' {
		return phrase.Head(v, limit)
	}
	return phrase.Content(v, limit)
}

// outputMark stands between what the program says of a result and what was
// printed.
const outputMark = "Output:\n"

// splitOutput parts the program's lines from what was printed. A text without
// them is all printed.
func splitOutput(text string) (header, printed string) {
	if !hasHeader(text) {
		return "", text
	}
	if strings.HasPrefix(text, outputMark) {
		return "", text[len(outputMark):]
	}
	if at := strings.Index(text, "\n"+outputMark); at >= 0 {
		return text[:at+1], text[at+1+len(outputMark):]
	}
	return text, ""
}

func hasHeader(text string) bool {
	for _, h := range []string{"Exit code: ", "Chunk ID: ", "Wall time", "Script completed", "Script failed", "Script running", outputMark} {
		if strings.HasPrefix(text, h) {
			return true
		}
	}
	return false
}

func isRefusal(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	for _, r := range refusals {
		if strings.HasPrefix(text, r) {
			return true
		}
	}
	return false
}

func cutNumber(line string, prefixes ...string) (int64, bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(line, p); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// jsonOutput is the head of what a result in JSON printed.
func jsonOutput(head string, limit int) string {
	if start, end, err := jsonscan.Value([]byte(head)); err == nil {
		return phrase.Head(jsonscan.Get([]byte(head)[start:end], "output"), limit)
	}
	// It is cut: a string without its end.
	inner := strings.TrimLeft(strings.TrimPrefix(head, `{"output":`), " ")
	inner = strings.TrimPrefix(inner, `"`)
	if at := strings.LastIndexByte(inner, '\\'); at >= len(inner)-6 && at >= 0 {
		inner = inner[:at]
	}
	return string(jsonscan.Unescape(nil, []byte(inner)))
}

// tailExit finds the exit code at the end of a result that is JSON in a string.
func tailExit(v []byte) (int64, bool) {
	tail := v[max(0, len(v)-metadataTail):]
	const key = `\"exit_code\":`
	at := bytes.LastIndex(tail, []byte(key))
	if at < 0 {
		return 0, false
	}
	rest := bytes.TrimLeft(tail[at+len(key):], " ")
	end := 0
	for end < len(rest) && (rest[end] == '-' || rest[end] >= '0' && rest[end] <= '9') {
		end++
	}
	n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	return n, err == nil
}

// itemEnd reads the end that an item of a call tells, without its text.
func itemEnd(b *body) (out verdict) {
	if n, ok := jsonscan.Int(b.exit); ok {
		out.exit, out.hasExit = n, true
	}
	switch status := jsonscan.Str(b.status); status {
	case "failed", "declined", "errored", "error":
		out.refused = true
	case "in_progress", "inProgress", "running":
		out.running = true
	}
	if ok, is := jsonscan.Bool(b.success); is && !ok {
		out.refused = true
	}
	return out
}

// itemVerdict reads the end that an item of a call tells.
func itemVerdict(b *body) verdict {
	out := itemEnd(b)
	limit := phrase.LineLimit
	if out.outcome() == model.OutcomeFailed {
		limit = phrase.TextLimit // what went wrong may stand further down
	}
	for _, v := range [][]byte{b.stderr, b.aggregated, b.stdout, b.fault} {
		if out.text = phrase.Content(v, limit); out.text != "" {
			break
		}
	}
	if out.text == "" && jsonscan.Kind(b.fault) == '{' {
		out.text = phrase.Head(jsonscan.Get(b.fault, "message"), phrase.TextLimit)
	}
	if out.text == "" && out.refused {
		out.text = jsonscan.Str(b.status)
	}
	return out
}
