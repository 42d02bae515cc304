package claudecode

import (
	"bytes"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// endOf tells from the status of a background task whether it failed.
func endOf(status string) model.Outcome {
	switch status {
	case "":
		return model.OutcomeUnknown
	case "completed":
		return model.OutcomeOK
	}
	return model.OutcomeFailed
}

// result reads a tool result; the event takes call and title of the first, and
// fails with any.
func (d *decoder) result(b block, isFirst bool) {
	id := jsonscan.Str(b.toolUseID)
	if id != "" {
		d.link(model.ReasonAction, id)
	}
	v := d.verdict(b)
	if isFirst || d.e.Outcome != model.OutcomeFailed && v.outcome == model.OutcomeFailed {
		d.e.Call, d.e.Title, d.e.Outcome = id, v.title(&d.used), v.outcome
	}
}

// verdict is how a call ended.
type verdict struct {
	outcome model.Outcome
	text    string
	exit    string // of a command that failed
}

const exitPrefix = "Exit code "

// verdict is the one rule of what counts as a failure of a call.
func (d *decoder) verdict(b block) verdict {
	limit := phrase.LineLimit // a title needs no more of what went well
	if isTrue(b.isError) || d.used.failed {
		limit = phrase.TextLimit
	}
	v := verdict{outcome: model.OutcomeOK, text: phrase.Content(b.content, limit)}
	if rest, ok := strings.CutPrefix(v.text, exitPrefix); ok {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		if strings.Trim(digits, "0") != "" {
			v.exit, v.outcome = digits, model.OutcomeFailed
		}
	}
	switch {
	case isTrue(b.isError), d.used.failed:
		v.outcome = model.OutcomeFailed
	case v.outcome == model.OutcomeOK && d.used.goesOn:
		v.outcome = model.OutcomeUnknown
	}
	return v
}

// title says how a call ended, the tool's name left out, which the record does
// not hold.
func (v *verdict) title(used *aftermath) string {
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
	if v.outcome == model.OutcomeUnknown {
		return "goes on in the background"
	}
	if done := used.done(); done != "" {
		return phrase.OneLine("ok, " + done)
	}
	title := "ok"
	if dir := used.backIn(); dir != "" {
		title += ", cwd reset to " + dir
	}
	if line := phrase.FirstLine(v.text); line != "" {
		title += ", " + line
	}
	return phrase.OneLine(title)
}

// diffLimit is the largest text, in bytes of JSON, whose changed lines are
// counted for a title.
const diffLimit = 1 << 18

// aftermath is what the client keeps beside a result, in a shape of each tool's
// own: of it, what tells how the call ended and what it did to a file.
type aftermath struct {
	failed bool // it says so
	goesOn bool // the call has only begun: its end comes as a notification

	path, old, now, content, typ, file, stderr []byte
}

// read reads toolUseResult: an object, or a text where the call failed.
func (a *aftermath) read(v []byte) {
	*a = aftermath{}
	if isText(v) {
		a.failed = bytes.HasPrefix(v, []byte(`"Error:`))
		return
	}
	jsonscan.Fields(v, func(key string, v []byte) bool {
		switch key {
		case "interrupted":
			a.failed = isTrue(v)
		case "backgroundTaskId":
			a.goesOn = present(v)
		case "status":
			a.goesOn = a.goesOn || string(v) == `"async_launched"`
		case "filePath":
			a.path = v
		case "oldString":
			a.old = v
		case "newString":
			a.now = v
		case "content":
			a.content = v
		case "type":
			a.typ = v
		case "file":
			a.file = v
		case "stderr":
			a.stderr = v
		}
		return true
	})
}

// cwdReset begins the line by which the client says that it took the shell back
// into the project, which the command had left.
const cwdReset = "Shell cwd was reset to "

// backIn is the directory that the shell was taken back to; empty where it
// stayed.
func (a *aftermath) backIn() string {
	at := bytes.LastIndex(a.stderr, []byte(cwdReset))
	if at < 0 || at > 1 && !bytes.HasSuffix(a.stderr[:at], []byte(`\n`)) {
		return ""
	}
	return phrase.FirstLine(jsonscan.Str(append([]byte{'"'}, a.stderr[at+len(cwdReset):]...)))
}

// done tells what the call did: the file with its change. Empty where that does
// not say more than the text.
func (a *aftermath) done() string {
	where := phrase.Head(a.path, model.TitleLimit)
	switch {
	case isText(a.path) && isText(a.old) && isText(a.now) && len(a.old)+len(a.now) <= diffLimit:
		return where + " " + phrase.Change(jsonscan.Str(a.old), jsonscan.Str(a.now))
	case isText(a.path) && isText(a.content):
		return strings.TrimSpace(jsonscan.Str(a.typ) + " " + where)
	case isObject(a.file):
		return seen(a.file)
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
	all, _ := jsonscan.Int(jsonscan.Get(file, "totalLines"))
	if all > lines {
		return path + ", " + phrase.Plural(int(lines), "line") + " of " + strconv.FormatInt(all, 10)
	}
	if endsLine(jsonscan.Get(file, "content")) {
		lines-- // the client counts what stands behind the last newline
	}
	return path + ", " + phrase.Plural(int(lines), "line")
}

// endsLine reports a JSON string that ends with a newline.
func endsLine(v []byte) bool {
	rest, ok := bytes.CutSuffix(v, []byte(`n"`))
	return ok && (len(rest)-len(bytes.TrimRight(rest, `\`)))%2 == 1
}
