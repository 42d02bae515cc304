package mapped

import (
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// title is what a record is called that no title is mapped for: what its first
// telling effect does, else its type with its first fields.
func (r *reading) title(e *model.Event) string {
	const fields = 4
	said := ""
	r.effects(func(_ int, x *effect, s scope) {
		if said == "" {
			said = r.doing(x, s, e)
		}
	})
	if said != "" {
		return phrase.OneLine(said)
	}
	parts := []string{r.typ}
	r.plainFields(func(name string, v []byte) bool {
		line := phrase.OneLine(phrase.Head(v, phrase.LineLimit))
		if line == "" {
			line = jsonscan.Scalar(v)
		}
		parts = append(parts, name+"="+line)
		return len(parts) <= fields
	})
	return phrase.OneLine(strings.Join(parts, " "))
}

// doing says in a line what an effect does; empty for those that only keep
// count.
func (r *reading) doing(x *effect, s scope, e *model.Event) string {
	switch x.do {
	case doMessage:
		return phrase.FirstLine(content(x, s))
	case doCall:
		return phrase.Titled(e.Tool, chat.About(jsonscan.Unpacked(x.args["arguments"].raw(s))))
	case doRun:
		var exit *int64
		if n, ok := x.args["exit"].number(s); ok {
			exit = &n
		}
		return chat.ResultTitle(phrase.FirstLine(x.arg("command", s)), "", exit, model.OutcomeUnknown)
	case doWrite, doEdit, doDelete, doRead:
		return x.do + " " + x.arg("path", s)
	case doMove:
		return x.do + " " + x.arg("from", s) + " to " + x.arg("to", s)
	case doTasks:
		n := 0
		x.over(s, func(scope) { n++ })
		return phrase.Plural(n, "task")
	case doTask:
		return "task " + x.arg("id", s) + " " + x.arg("status", s)
	case doFail:
		return phrase.FirstLine(strings.TrimSpace(x.arg("code", s) + " " + x.arg("message", s)))
	case doStatus:
		return strings.TrimSpace(x.arg("execution", s) + " " + x.arg("reason", s))
	}
	return ""
}

// content is the text of a message: a string, or blocks that hold text.
func content(x *effect, s scope) string { return chat.Text(x.args["text"].raw(s)) }
