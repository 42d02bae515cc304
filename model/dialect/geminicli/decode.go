package geminicli

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not a line of a chat: a JSON object is expected")

// Decode reads a line: a message, a later version of one, or a change of the
// chat as a whole.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	r := readRecord(rec.Raw)
	e := &model.Event{ID: jsonscan.Scalar(r.id), Type: jsonscan.Str(r.typ), Source: jsonscan.Str(r.typ), Time: model.ParseTime(jsonscan.Scalar(r.time))}
	var n chat.Note
	switch {
	case r.set != nil:
		r.change(e)
	case r.rewind != nil:
		id := jsonscan.Scalar(r.rewind)
		e.Type, e.Kind, e.Title = "$rewindTo", model.KindCheckpoint, phrase.OneLine("rewind to "+id)
		e.Links = append(e.Links, model.Link{Reason: model.ReasonForgets, ToID: id})
	case r.typ == nil && r.session != nil:
		e.Type, e.Kind, e.Title = "session", model.KindSession, phrase.OneLine("session "+jsonscan.Str(r.kind))
		e.Time = model.ParseTime(jsonscan.Scalar(jsonscan.Get(rec.Raw, "startTime")))
	case e.Type == "user":
		r.user(e, &n)
	case e.Type == "gemini":
		r.gemini(e, &n)
	case r.tool != nil || r.toolID != nil || r.role != nil || e.Type == "init" || e.Type == "result":
		r.printed(e, &n)
	case e.Type == "error":
		e.Kind, e.Outcome, n.Flags = model.KindError, model.OutcomeFailed, chat.Reply
		e.Title = phrase.Titled("error", phrase.TellingLine(chat.Text(r.content)+jsonscan.Str(jsonscan.Get(rec.Raw, "message"))))
	default:
		e.Noise = e.Type == "info"
		e.Title = phrase.Titled(e.Type, phrase.FirstLine(phrase.Content(r.content, phrase.LineLimit)))
	}
	if e.Title == "" {
		e.Title = "record"
	}
	e.Note = n.String()
	emit(e)
	return nil
}

// change reads a $set of the chat's own members.
func (r *record) change(e *model.Event) {
	var names []string
	messages := -1
	jsonscan.Fields(r.set, func(key string, v []byte) bool {
		names = append(names, key)
		switch {
		case key == "messages" && jsonscan.Kind(v) == '[':
			messages = 0
			jsonscan.Elements(v, func([]byte) bool { messages++; return true })
		case key == "lastUpdated":
			e.Time = model.ParseTime(jsonscan.Scalar(v))
		}
		return true
	})
	e.Type, e.Kind, e.Title = "$set", model.KindState, phrase.OneLine("set "+strings.Join(names, ", "))
	switch {
	case messages >= 0:
		e.Type, e.Kind, e.Title = "$set.messages", model.KindCheckpoint, "history set anew: "+phrase.Plural(messages, "message")
	case len(names) == 1 && names[0] == "lastUpdated":
		e.Kind, e.Noise = model.KindDelta, true
	}
}

// user reads a user's message. One that only holds results stands behind the
// calls that hold them as well.
func (r *record) user(e *model.Event, n *chat.Note) {
	if isAnswer(r.content) {
		e.Kind, e.Noise, e.Title = model.KindDelta, true, phrase.Titled("results for the model", phrase.FirstLine(responses(r.content)))
		eachResponse(r.content, func(id string, _ []byte) { n.Results = append(n.Results, id) })
		return
	}
	line := phrase.FirstLine(phrase.Content(r.content, phrase.LineLimit))
	e.Kind, e.Title = model.KindMessage, phrase.Titled("user", line)
	n.Flags |= chat.Prompt
	n.Title = line
}

// gemini reads a message of the model, with its calls and, once they are done,
// their results. The linker knows whether it is the first version.
func (r *record) gemini(e *model.Event, n *chat.Note) {
	text := phrase.FirstLine(phrase.Content(r.content, phrase.LineLimit))
	e.Kind, e.Title = model.KindMessage, phrase.Titled("gemini", text)
	if text == "" {
		e.Title, e.Noise = "gemini: nothing said yet", true
	}
	e.Usage = usage(r.tokens)
	n.Flags |= chat.Reply
	var calls, ends []string
	open := false
	eachCall(r.calls, func(c *call) {
		id, tool := jsonscan.Scalar(c.id), jsonscan.Str(c.name)
		n.Calls, n.Tools = append(n.Calls, id), append(n.Tools, tool)
		if id != "" {
			e.Aliases = append(e.Aliases, id)
		}
		if e.Tool == "" {
			e.Tool, e.Call = tool, id
		}
		about := strings.TrimSpace(tool + " " + chat.About(c.args))
		if !c.isDone() {
			open = true
			calls = append(calls, about)
			return
		}
		n.Results = append(n.Results, id)
		e.Outcome = max(e.Outcome, c.outcome())
		end := chat.ResultTitle("", c.shown(), c.exitCode(), c.outcome())
		calls = append(calls, about+" → "+end)
		ends = append(ends, tool+": "+end)
	})
	switch {
	case len(calls) == 0:
		return
	case open || len(ends) == 0:
		e.Kind, e.Title = model.KindAction, phrase.OneLine(strings.Join(calls, ", "))
	default:
		e.Kind, e.Title = model.KindObservation, phrase.OneLine(strings.Join(calls, ", "))
	}
	e.Noise = false
}

// printed reads an event of stream-json.
func (r *record) printed(e *model.Event, n *chat.Note) {
	text := phrase.Content(r.content, phrase.LineLimit)
	switch e.Type {
	case "init":
		e.Kind, e.Title = model.KindSession, "started"
	case "message":
		e.Source = jsonscan.Str(r.role)
		e.Kind, e.Title = model.KindMessage, phrase.Titled(e.Source, phrase.FirstLine(text))
		if e.Source == "user" {
			n.Flags, n.Title = chat.Prompt, phrase.FirstLine(text)
		} else {
			n.Flags = chat.Reply
		}
		if isDelta, _ := jsonscan.Bool(r.delta); isDelta {
			e.Kind, e.Noise, n.Flags = model.KindDelta, true, chat.Reply
		}
	case "tool_use":
		e.Kind, e.Tool, e.Call = model.KindAction, jsonscan.Str(r.tool), jsonscan.Scalar(r.toolID)
		e.Title = phrase.OneLine(e.Tool + " " + chat.About(r.params))
		n.Flags, n.Calls = chat.Reply, []string{e.Call}
	case "tool_result":
		e.Kind, e.Call = model.KindObservation, jsonscan.Scalar(r.toolID)
		e.Outcome = r.printedOutcome()
		out := jsonscan.Str(r.output)
		if out == "" {
			out = jsonscan.Str(jsonscan.Get(r.fault, "message"))
		}
		e.Title = chat.ResultTitle("", out, nil, e.Outcome)
		n.Results = []string{e.Call}
	case "result":
		e.Kind, e.Outcome = model.KindSession, r.printedOutcome()
		e.Title = phrase.OneLine("ended: " + jsonscan.Str(r.status))
		e.Usage, n.Flags = r.total(), chat.Total
		n.Outcome = jsonscan.Str(r.status)
	default:
		e.Noise, e.Title = true, phrase.OneLine(e.Type)
	}
	if e.Call != "" && e.Kind == model.KindAction {
		e.Aliases = append(e.Aliases, e.Call)
	}
}

func (r *record) printedOutcome() model.Outcome {
	switch jsonscan.Str(r.status) {
	case "success":
		return model.OutcomeOK
	case "error", "cancelled":
		return model.OutcomeFailed
	}
	return model.OutcomeUnknown
}

func (r *record) total() *model.Usage {
	c := chat.Counts{Prompt: jsonscan.Get(r.stats, "input_tokens"), Completion: jsonscan.Get(r.stats, "output_tokens"), CacheRead: jsonscan.Get(r.stats, "cached"), CacheInside: true}
	return c.Usage()
}
