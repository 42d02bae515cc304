package eventlog

import (
	"bytes"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// appendTitle makes the event's one line from its payload, decoding no more of
// it than the line needs. The line is appended to b, which is empty.
func appendTitle(b []byte, e *model.Event, p *payload) []byte {
	t := title{text: b}
	switch e.Type {
	case typeUser:
		t.word("user: ").line(textOf(p.content))
	case typeAction:
		actionTitle(&t, e, p)
	case typeResult:
		t.name(e.Tool)
		resultTitle(&t, e, p)
	case typeSession:
		sessionTitle(&t, p)
	case typeCheckpoint:
		t.word("checkpoint ").scalar(p.snapshot)
		if p.base != nil {
			t.word(" at ").scalar(p.base)
		}
	case typeError:
		errorTitle(&t, p)
	default:
		otherTitle(&t, e, p)
	}
	if len(t.text) == 0 {
		t.name(e.Type)
	}
	return clip(t.text, t.more)
}

// title is a line under construction; more says that text was left out.
type title struct {
	text []byte
	more bool
}

func (t *title) word(s string) *title {
	t.text = append(t.text, s[:min(len(s), model.TitleLimit+1)]...)
	return t
}

// name adds a name of the dump, which may hold anything.
func (t *title) name(s string) *title { return t.word(oneLine(s)) }

func oneLine(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\n", " ")
}

// line adds the first line of a JSON string that is not blank.
func (t *title) line(v []byte) *title {
	text, more := firstLine(t.text, v)
	t.text, t.more = text, t.more || more
	return t
}

// scalar adds a string's first line, or any other scalar as it is written.
func (t *title) scalar(v []byte) *title {
	if jsonscan.Kind(v) == '"' {
		return t.line(v)
	}
	return t.word(jsonscan.Scalar(v))
}

func actionTitle(t *title, e *model.Event, p *payload) {
	if e.Kind == model.KindMessage {
		text := textOf(jsonscan.Get(p.params, "content"))
		if text == nil {
			text = textOf(p.content)
		}
		t.word("agent: ").line(text)
		return
	}
	t.name(e.Tool)
	var arg argument
	members(p.params, arg.take)
	switch {
	case arg.tasks != nil:
		n := 0
		jsonscan.Elements(arg.tasks, func([]byte) bool { n++; return true })
		t.word(" ").count(n, "task")
	case arg.from != nil && arg.to != nil:
		t.word(" ").line(arg.from).word(" -> ").line(arg.to)
	case arg.best != nil:
		t.word(" ").line(arg.best)
	}
}

// argument finds what tells most of a call's parameters.
type argument struct {
	best, from, to, tasks []byte
	rank                  int
}

// argumentRank orders the parameters that name what a call is about; of the
// others the first string is taken.
func argumentRank(key []byte) int {
	switch string(key) {
	case "command":
		return 10
	case "path":
		return 9
	case "file_path":
		return 8
	case "file":
		return 7
	case "url":
		return 6
	case "query", "pattern":
		return 5
	case "name", "title", "message", "prompt", "description":
		return 4
	}
	return 1
}

func (a *argument) take(key, value []byte) {
	switch {
	case string(key) == "tasks" && jsonscan.Kind(value) == '[':
		a.tasks = value
	case jsonscan.Kind(value) != '"':
		return
	case string(key) == "from":
		a.from = value
	case string(key) == "to":
		a.to = value
	}
	if rank := argumentRank(key); rank > a.rank && jsonscan.Kind(value) == '"' {
		a.best, a.rank = value, rank
	}
}

// resultTitle says how a call ended: `exit 1: first telling line`, `ok 12 lines`.
// The tool stands before it, or is put there by the linker.
func resultTitle(t *title, e *model.Event, p *payload) {
	if e.Tool != "" {
		t.word(" ")
	}
	code, known := jsonscan.Int(p.exit)
	status := stringOf(p.status)
	switch {
	case known && code != 0:
		t.word("exit ").word(strconv.FormatInt(code, 10))
	case e.Outcome == model.OutcomeUnknown:
		t.word("no status")
	case len(status) > len(`""`):
		t.line(status)
	default:
		t.word("exit 0")
	}
	if e.Outcome != model.OutcomeOK {
		if said := telling(p.fault, p.output); len(said) > 0 {
			t.word(": ")
			t.text = append(t.text, said...)
		}
		return
	}
	text := textOf(p.output)
	switch n := countLines(text); {
	case n == 1:
		t.word(": ").line(text)
	case n > 1:
		t.word(" ").count(n, "line")
	}
}

func (t *title) count(n int, noun string) {
	t.word(strconv.Itoa(n)).word(" ").word(noun)
	if n != 1 {
		t.word("s")
	}
}

func sessionTitle(t *title, p *payload) {
	t.word("session ").scalar(p.state)
	if jsonscan.Kind(p.kept) == '[' {
		n := 0
		jsonscan.Elements(p.kept, func([]byte) bool { n++; return true })
		t.word(", keeps ").count(n, "event")
	}
	if reason := stringOf(p.reason); len(reason) > len(`""`) {
		t.word(" (").line(reason).word(")")
	}
}

func errorTitle(t *title, p *payload) {
	t.scalar(p.code)
	if p.message == nil {
		if len(t.text) == 0 {
			t.word("system error")
		}
		return
	}
	if len(t.text) > 0 {
		t.word(": ")
	}
	t.scalar(p.message)
}

func otherTitle(t *title, e *model.Event, p *payload) {
	t.name(e.Type)
	if e.Type == "" {
		t.word("event without type")
	}
	for _, v := range [...][]byte{p.subtitle, p.name, p.message, p.content, p.state, p.status} {
		if text := textOf(v); len(text) > len(`""`) {
			t.word(": ").line(text)
			return
		}
	}
}

// tellingLines and tellingBytes bound the search for the line of an output
// that says what went wrong.
const (
	tellingLines = 200
	tellingBytes = model.TitleLimit + 1
)

// telling finds the line of a failed result that says what went wrong: the
// first that names a fault or a place in a file, in the error text before the
// output; else the first that says more than that something failed.
func telling(texts ...[]byte) []byte {
	var fallback, weak []byte
	for _, v := range texts {
		l := linesOf(textOf(v))
		for range tellingLines {
			line, ok := l.next(nil, tellingBytes)
			if !ok {
				break
			}
			line = bytes.TrimSpace(line)
			switch {
			case len(line) == 0:
			case boilerplate(line):
				if weak == nil {
					weak = line
				}
			case namesFault(line) || namesPlace(line):
				return line
			case fallback == nil:
				fallback = line
			}
		}
	}
	if fallback == nil {
		return weak
	}
	return fallback
}

// boilerplate reports the lines that stand above the message in many outputs
// and say no more than that something went wrong.
func boilerplate(line []byte) bool {
	lower := bytes.ToLower(line)
	switch string(bytes.TrimRight(lower, ":.")) {
	case "error", "failed", "failure", "command failed", "traceback (most recent call last)":
		return true
	}
	for _, prefix := range [...]string{"exit code", "exit status", "process exited", "command failed with exit", "command exited"} {
		if bytes.HasPrefix(lower, []byte(prefix)) && len(line) < boilerplateBytes {
			return true
		}
	}
	return false
}

// boilerplateBytes: a longer line that starts with an exit code says more.
const boilerplateBytes = 36

var faultWords = [...]string{
	"error", "fail", "panic", "exception", "fatal", "denied", "refused", "not found", "no such", "cannot", "can't",
	"undefined", "timeout", "timed out", "invalid", "unexpected", "missing", "unable", "not permitted", "killed", "in use",
}

func namesFault(line []byte) bool {
	lower := bytes.ToLower(line)
	for _, w := range faultWords {
		if bytes.Contains(lower, []byte(w)) {
			return true
		}
	}
	return false
}

// namesPlace reports a line like main.go:27:9: as compilers write them: a name
// with a dot or slash in it, a colon, digits, a colon.
func namesPlace(line []byte) bool {
	word := 0
	for i, c := range line {
		switch {
		case c <= ' ' || c == '(' || c == '"':
			word = i + 1
		case c == ':':
			name := line[word:i]
			digits := 0
			for i+1+digits < len(line) && line[i+1+digits]-'0' <= 9 {
				digits++
			}
			ends := i + 1 + digits
			if digits > 0 && ends < len(line) && line[ends] == ':' && bytes.ContainsAny(name, "./") && !bytes.Contains(name, []byte("//")) && name[len(name)-1] > '9' {
				return true
			}
		}
	}
	return false
}
