package atif

import (
	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

const atofVersion = "ATOF"

func isATOF(look *chat.Look) bool {
	for _, v := range look.Records(2) {
		if jsonscan.Get(v, "atof_version") != nil || jsonscan.Get(v, "scope_category") != nil && jsonscan.Get(v, "uuid") != nil {
			return true
		}
	}
	return false
}

// events is the stream of a file of event lines. Its session is named after
// the scope that holds all others.
func events(look *chat.Look, file int) model.Stream {
	s := model.Stream{
		Dialect: name, Version: atofVersion, Confidence: confidenceNamed, Reason: "lines with scope_category and uuid",
		Files: []int{file}, Framing: look.Framing, Order: model.OrderArrival, Session: chat.Stem(look.Name),
	}
	first := look.Records(1)[0]
	if id := jsonscan.Scalar(jsonscan.Get(first, "uuid")); id != "" && jsonscan.Scalar(jsonscan.Get(first, "parent_uuid")) == "" {
		s.Session = id
	}
	if v := jsonscan.Str(jsonscan.Get(first, "atof_version")); v != "" {
		s.Version += " " + v
	}
	return s
}

// line holds the spans of an event line's members.
type line struct {
	half, category, profile, uuid, parent, data, time, name []byte
}

func readLine(raw []byte) (l line) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "scope_category":
			l.half = v
		case "category":
			l.category = v
		case "category_profile":
			l.profile = v
		case "uuid":
			l.uuid = v
		case "parent_uuid":
			l.parent = v
		case "data":
			l.data = v
		case "timestamp":
			l.time = v
		case "name":
			l.name = v
		}
		return true
	})
	return l
}

func (l *line) isEnd() bool { return jsonscan.Str(l.half) == "end" }

// call is the id of a tool's call: the model's where the line tells it.
func (l *line) call() string {
	if id := jsonscan.Scalar(jsonscan.Get(l.profile, "tool_call_id")); id != "" {
		return id
	}
	return jsonscan.Scalar(l.uuid)
}

// eventLine reads the start or the end of a scope. The end carries the id of
// its start.
func eventLine(raw []byte) *model.Event {
	l := readLine(raw)
	e := &model.Event{
		ID: jsonscan.Scalar(l.uuid), Type: jsonscan.Str(l.category) + "/" + jsonscan.Str(l.half),
		Time: model.ParseTime(jsonscan.Scalar(l.time)), Source: jsonscan.Str(l.category),
	}
	if parent := jsonscan.Scalar(l.parent); parent != "" {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, ToID: parent})
	}
	var n chat.Note
	name := jsonscan.Str(l.name)
	switch jsonscan.Str(l.category) {
	case "tool":
		e.Tool, e.Call = name, l.call()
		if e.Call != e.ID {
			e.Aliases = append(e.Aliases, e.Call)
		}
		e.Kind, e.Title = model.KindAction, phrase.OneLine(name+" "+chat.About(l.data))
		n.Calls = []string{e.ID}
		if l.isEnd() {
			e.Kind, e.Outcome = model.KindObservation, l.outcome()
			e.Title = chat.ResultTitle(name, l.output(), nil, e.Outcome)
		}
	case "llm":
		e.Kind, e.Noise, e.Title = model.KindDelta, true, phrase.Titled(name, "request")
		if l.isEnd() {
			e.Kind, e.Noise, e.Outcome = model.KindMessage, false, l.outcome()
			e.Title = phrase.Titled(name, phrase.FirstLine(l.answer()))
			e.Usage = l.usage()
		}
	case "agent":
		e.Kind = model.KindSession
		text := chat.Text(jsonscan.Get(l.data, "input"))
		if l.isEnd() {
			text, e.Outcome = chat.Text(jsonscan.Get(l.data, "response")), l.outcome()
		} else {
			n.Title = phrase.FirstLine(text)
		}
		e.Title = phrase.Titled(name+" "+jsonscan.Str(l.half), phrase.FirstLine(text))
	default:
		e.Title, e.Noise = phrase.OneLine(e.Type+" "+name), true
	}
	if l.isEnd() {
		n.Calls, n.Results = nil, []string{e.ID}
	} else {
		n.Calls = []string{e.ID}
	}
	e.Note = n.String()
	return e
}

// outcome: an end that names an error failed; that it names none says that it
// did not.
func (l *line) outcome() model.Outcome {
	if v := jsonscan.Get(l.data, "error"); v != nil && jsonscan.Kind(v) != 'n' {
		return model.OutcomeFailed
	}
	return model.OutcomeOK
}

// output is a tool's answer as text.
func (l *line) output() string {
	for _, key := range []string{"error", "result", "output"} {
		if v := jsonscan.Get(l.data, key); v != nil && jsonscan.Kind(v) != 'n' {
			return chat.Text(v)
		}
	}
	return chat.Text(l.data)
}

// answer is what a model said, or the tools that it called.
func (l *line) answer() string {
	text := chat.Text(jsonscan.Get(l.data, "content"))
	if text != "" {
		return text
	}
	for _, c := range chat.Calls(jsonscan.Get(l.data, "tool_calls")) {
		text += "→ " + c.Tool + " "
	}
	return text
}

func (l *line) usage() *model.Usage {
	v := jsonscan.Get(l.data, "usage")
	c := chat.Counts{
		Prompt: jsonscan.Get(v, "prompt_tokens"), Completion: jsonscan.Get(v, "completion_tokens"),
		CacheRead: jsonscan.Get(v, "prompt_tokens_details", "cached_tokens"), Reasoning: jsonscan.Get(v, "completion_tokens_details", "reasoning_tokens"),
		CacheInside: true, ReasoningInside: true,
	}
	return c.Usage()
}
