package inspect

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoSample = errors.New("not a sample: it has neither events nor messages")

// Decode reads a sample, or a document of samples.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if samples := jsonscan.Get(rec.Raw, "samples"); jsonscan.Kind(samples) == '[' {
		jsonscan.Elements(samples, func(v []byte) bool {
			sample(rec, v, emit)
			return true
		})
		return nil
	}
	if !sample(rec, rec.Raw, emit) {
		return errNoSample
	}
	return nil
}

// sample reads the events of a sample; of one without events its messages.
func sample(rec *model.Record, raw []byte, emit func(*model.Event)) bool {
	var id, epoch, events, messages []byte
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "id":
			id = v
		case "epoch":
			epoch = v
		case "events":
			events = v
		case "messages":
			messages = v
		}
		return true
	})
	session := jsonscan.Scalar(id)
	if n := jsonscan.Scalar(epoch); session != "" && n != "" {
		session += "/" + n
	}
	list, read, found := events, event, false
	jsonscan.Elements(list, func([]byte) bool {
		found = true
		return false
	})
	if !found {
		list, read = messages, message
	}
	jsonscan.Elements(list, func(v []byte) bool {
		e := &model.Event{Session: session, Span: chat.SpanOf(rec.Raw, v)}
		var n chat.Note
		read(e, &n, v)
		if e.Title == "" {
			e.Title = phrase.OneLine(e.Type)
		}
		if e.Title == "" {
			e.Title = "a record without a type"
		}
		e.Note = n.String()
		emit(e)
		return true
	})
	return jsonscan.Kind(list) == '['
}

// message reads a message of a sample that records no events.
func message(e *model.Event, n *chat.Note, v []byte) {
	e.ID, e.Type = jsonscan.Scalar(jsonscan.Get(v, "id")), jsonscan.Str(jsonscan.Get(v, "role"))
	e.Source = e.Type
	line := chat.Line(phrase.Content(jsonscan.Get(v, "content"), phrase.LineLimit))
	e.Title = phrase.Titled(e.Type, line)
	switch e.Type {
	case "system", "user":
		e.Kind = model.KindMessage
		if e.Type == "user" {
			n.Flags, n.Title = chat.Prompt, line
		}
	case "assistant":
		said(e, n, v)
	case "tool":
		call := jsonscan.Scalar(jsonscan.Get(v, "tool_call_id"))
		result(e, n, call, jsonscan.Str(jsonscan.Get(v, "function")), jsonscan.Get(v, "content"), jsonscan.Get(v, "error"))
	}
}

// said reads an answer of the model.
func said(e *model.Event, n *chat.Note, v []byte) {
	n.Flags |= chat.Reply
	e.Kind = model.KindMessage
	var tools []string
	for _, c := range calls(v) {
		n.Calls, n.Tools = append(n.Calls, c.ID), append(n.Tools, c.Tool)
		if c.ID != "" {
			e.Aliases = append(e.Aliases, c.ID)
		}
		if e.Tool == "" {
			e.Tool, e.Call = c.Tool, c.ID
		}
		about := c.Tool
		if a := chat.About([]byte(c.Args)); a != "" {
			about += " " + a
		}
		tools = append(tools, about)
	}
	if len(tools) > 0 {
		e.Kind, e.Title = model.KindAction, phrase.OneLine(strings.Join(tools, ", "))
		return
	}
	e.Title = phrase.Titled("assistant", chat.Line(phrase.Content(jsonscan.Get(v, "content"), phrase.LineLimit)))
}

// result reads what a tool gave.
func result(e *model.Event, n *chat.Note, call, tool string, content, fault []byte) {
	e.Kind, e.Tool, e.Call = model.KindObservation, tool, call
	n.Results = append(n.Results, call)
	text := phrase.Content(content, phrase.TextLimit)
	if text == "" && jsonscan.Kind(content) == '0' {
		text = string(content)
	}
	if isThere(fault) {
		e.Outcome = model.OutcomeFailed
		if said := faultText(fault); said != "" {
			text = said
		}
	}
	e.Title = chat.ResultTitle(tool, text, nil, e.Outcome)
}

func isThere(v []byte) bool {
	k := jsonscan.Kind(v)
	return k != 0 && k != 'n' && k != 'f'
}

// faultText is what an error says: its message with its type before it.
func faultText(v []byte) string {
	if jsonscan.Kind(v) != '{' {
		return jsonscan.Scalar(v)
	}
	return phrase.Titled(jsonscan.Scalar(jsonscan.Get(v, "type")), phrase.FirstLine(phrase.Content(jsonscan.Get(v, "message"), phrase.LineLimit)))
}

// calls are the calls of an answer.
func calls(v []byte) (all []model.MessageCall) {
	jsonscan.Elements(jsonscan.Get(v, "tool_calls"), func(c []byte) bool {
		args := jsonscan.Get(c, "arguments")
		all = append(all, model.MessageCall{ID: jsonscan.Scalar(jsonscan.Get(c, "id")), Tool: jsonscan.Str(jsonscan.Get(c, "function")), Args: string(args)})
		return true
	})
	return all
}

// answer is the message that a model event came to.
func answer(v []byte) (m []byte) {
	jsonscan.Elements(jsonscan.Get(v, "output", "choices"), func(c []byte) bool {
		m = jsonscan.Get(c, "message")
		return false
	})
	return m
}

// event reads an event of a sample.
func event(e *model.Event, n *chat.Note, v []byte) {
	get := func(keys ...string) []byte { return jsonscan.Get(v, keys...) }
	e.ID, e.Type = jsonscan.Scalar(get("uuid")), jsonscan.Str(get("event"))
	e.Time = model.ParseTime(jsonscan.Scalar(get("timestamp")))
	parent := jsonscan.Scalar(get("span_id"))
	first := func(keys ...string) string {
		return phrase.FirstLine(phrase.Content(get(keys...), phrase.LineLimit))
	}
	switch e.Type {
	case "model":
		e.Source = "assistant"
		said(e, n, answer(v))
		e.Usage = usage(v)
		if fault := get("error"); isThere(fault) {
			e.Kind, e.Outcome, e.Title = model.KindError, model.OutcomeFailed, phrase.Titled("model", faultText(fault))
		}
	case "tool":
		result(e, n, jsonscan.Scalar(get("id")), jsonscan.Str(get("function")), get("result"), get("error"))
		if failed, _ := jsonscan.Bool(get("failed")); failed {
			e.Outcome = model.OutcomeFailed
		}
	case "sample_init":
		e.Kind, e.Source, n.Flags = model.KindMessage, "user", chat.Prompt
		for _, m := range inputs(v) {
			if m.Role == model.RoleUser && n.Title == "" {
				n.Title = phrase.FirstLine(m.Text)
			}
		}
		e.Title = phrase.Titled("user", n.Title)
	case "state", "store":
		var paths []string
		jsonscan.Elements(get("changes"), func(c []byte) bool {
			paths = append(paths, jsonscan.Str(jsonscan.Get(c, "op"))+" "+jsonscan.Str(jsonscan.Get(c, "path")))
			return true
		})
		e.Kind, e.Title = model.KindState, phrase.Titled(e.Type, strings.Join(paths, ", "))
	case "span_begin", "span_end":
		e.Kind, e.Noise = model.KindDelta, true
		id := jsonscan.Scalar(get("id"))
		if e.Type == "span_begin" {
			parent = jsonscan.Scalar(get("parent_id"))
			if id != "" {
				e.Aliases = append(e.Aliases, id)
			}
			if jsonscan.Str(get("type")) == "agent" {
				e.Kind, e.Noise = model.KindSession, false
			}
		} else if id != "" {
			parent = id
		}
		e.Title = phrase.Titled(e.Type, phrase.OneLine(jsonscan.Str(get("type"))+" "+jsonscan.Str(get("name"))))
	case "step", "subtask", "sandbox", "logger", "approval":
		e.Kind = model.KindDelta
		e.Title = phrase.Titled(e.Type, phrase.OneLine(jsonscan.Str(get("action"))+" "+jsonscan.Str(get("name"))+first("cmd")+first("file")+first("message", "message")))
	case "error":
		e.Kind, e.Outcome, e.Title = model.KindError, model.OutcomeFailed, phrase.Titled(e.Type, first("error", "message"))
	case "sample_limit":
		e.Kind, e.Outcome, e.Title = model.KindError, model.OutcomeFailed, phrase.Titled(e.Type, jsonscan.Str(get("type"))+" "+first("message"))
	case "score":
		e.Kind, e.Title = model.KindState, phrase.Titled(e.Type, jsonscan.Scalar(get("score", "value")))
		n.Outcome = phrase.OneLine(e.Title)
	case "compaction":
		e.Kind, e.Title = model.KindCheckpoint, phrase.Titled(e.Type, jsonscan.Str(get("type")))
	case "info":
		e.Kind, e.Title = model.KindOther, phrase.Titled(e.Type, first("data"))
	}
	if parent != "" && parent != e.ID {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonParent, ToID: parent})
	}
}

func usage(v []byte) *model.Usage {
	c := chat.Counts{ReasoningInside: true}
	jsonscan.Fields(jsonscan.Get(v, "output", "usage"), func(key string, v []byte) bool {
		switch key {
		case "input_tokens":
			c.Prompt = v
		case "output_tokens":
			c.Completion = v
		case "input_tokens_cache_read":
			c.CacheRead = v
		case "input_tokens_cache_write":
			c.CacheWrite = v
		case "reasoning_tokens":
			c.Reasoning = v
		case "total_cost":
			c.Cost = v
		}
		return true
	})
	return c.Usage()
}
