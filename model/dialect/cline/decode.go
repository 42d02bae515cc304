package cline

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not a message: a JSON object is expected")

// Decode reads a message, or an entry of the screen.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	m := readMessage(rec.Raw)
	e := &model.Event{ID: jsonscan.Scalar(m.id), Time: model.ParseTimeNumber(jsonscan.Scalar(m.ts))}
	if e.ID == "" {
		e.ID = jsonscan.Scalar(m.ts)
	}
	var n chat.Note
	ordered := rec.Stream != nil && rec.Stream.Order == model.OrderSeq
	if m.isScreen() {
		m.screen(e, &n)
		if at, ok := jsonscan.Int(m.index); ok && ordered && at >= -1 {
			e.Seq, e.HasSeq = at+1, true
		}
	} else {
		m.said(e, &n)
		if ordered {
			e.Seq, e.HasSeq = rec.Index+1, true
		}
	}
	if e.Title == "" {
		e.Title = "record"
	}
	e.Note = n.String()
	emit(e)
	return nil
}

// said reads a message to or from the model.
func (m *message) said(e *model.Event, n *chat.Note) {
	e.Type = jsonscan.Str(m.role)
	e.Source, e.Kind = e.Type, model.KindMessage
	text := strings.TrimPrefix(phrase.Content(m.content, phrase.LineLimit), "<task>")
	text = strings.TrimSuffix(phrase.FirstLine(text), "</task>")
	e.Title = phrase.Titled(e.Type, text)
	e.Usage = m.usage()
	switch {
	case m.compacts():
		removed, _ := jsonscan.Int(jsonscan.Get(m.metadata, "messagesRemoved"))
		e.Kind, n.Flags = model.KindCheckpoint, chat.Prompt
		e.Title = phrase.OneLine("compaction: " + phrase.Plural(int(removed), "message") + " removed; " + text)
		n.Title = text
	case m.marker() != "":
		e.Kind = model.KindCheckpoint
		e.Title = phrase.Titled("condensed", text)
		if m.isMarker != nil {
			e.Title = phrase.Titled("truncated", text)
		}
	case e.Type == "assistant":
		n.Flags = chat.Reply
		m.acts(e, n)
	case e.Type == "user":
		m.answers(e, n, text)
	default:
		e.Kind = model.KindOther
	}
}

func (m *message) acts(e *model.Event, n *chat.Note) {
	var titles []string
	for _, c := range m.calls() {
		n.Calls, n.Tools = append(n.Calls, c.id), append(n.Tools, c.tool)
		if c.id != "" {
			e.Aliases = append(e.Aliases, c.id)
		}
		if e.Tool == "" {
			e.Tool, e.Call = c.tool, c.id
		}
		titles = append(titles, strings.TrimSpace(c.tool+" "+c.about()))
	}
	if len(titles) > 0 {
		e.Kind, e.Title = model.KindAction, phrase.OneLine(strings.Join(titles, ", "))
	}
}

// about is what a call is about; the SDK's tools take lists.
func (c *call) about() string {
	for _, key := range []string{"commands", "files"} {
		var first string
		jsonscan.Elements(jsonscan.Get(c.args, key), func(v []byte) bool {
			first = jsonscan.Str(v) + jsonscan.Str(jsonscan.Get(v, "path"))
			return false
		})
		if first != "" {
			return phrase.FirstLine(first)
		}
	}
	return chat.About(c.args)
}

func (m *message) answers(e *model.Event, n *chat.Note, text string) {
	results := m.results()
	if len(results) == 0 {
		n.Flags, n.Title = chat.Prompt, text
		return
	}
	var titles, failed []string
	e.Kind = model.KindObservation
	for _, r := range results {
		if r.id != "" {
			n.Results = append(n.Results, r.id)
		} else {
			n.Flags = chat.Nearest
		}
		e.Outcome = max(e.Outcome, r.outcome)
		titles = append(titles, chat.ResultTitle("", r.text, r.exit, r.outcome))
		if r.outcome.Failed() {
			failed = append(failed, titles[len(titles)-1])
		}
	}
	if len(failed) > 0 {
		titles = failed // the others went well
	}
	e.Call = results[0].id
	e.Title = phrase.OneLine(strings.Join(titles, "; "))
}

// screen reads an entry of the screen.
func (m *message) screen(e *model.Event, n *chat.Note) {
	what, kind := "say", jsonscan.Str(m.say)
	if jsonscan.Str(m.ask) != "" {
		what, kind = "ask", jsonscan.Str(m.ask)
	}
	e.Type, e.Source, n.Flags = what+"/"+kind, "screen", chat.Late
	text := jsonscan.Str(m.text)
	e.Title = phrase.Titled(kind, chat.Line(text))
	e.Noise, _ = jsonscan.Bool(m.partial)
	switch kind {
	case "api_req_started":
		e.Kind, e.Noise, e.Title = model.KindDelta, true, "request"
		e.Usage = m.requestUsage()
	case "tool":
		e.Kind = model.KindState
		inner := []byte(text)
		if _, _, err := jsonscan.Value(inner); err == nil {
			e.Title = phrase.OneLine(jsonscan.Str(jsonscan.Get(inner, "tool")) + " " + jsonscan.Str(jsonscan.Get(inner, "path")))
		}
	case "checkpoint_created", "checkpoint_saved":
		e.Kind = model.KindCheckpoint
		e.Title = phrase.OneLine("checkpoint " + m.checkpoint())
		e.Aliases = append(e.Aliases, m.checkpoint())
	case "error", "api_req_failed", "diff_error", "mistake_limit_reached":
		e.Kind, e.Outcome, n.Flags = model.KindError, model.OutcomeFailed, chat.Late|chat.Reply
		e.Title = phrase.Titled(kind, phrase.TellingLine(text))
	case "text", "reasoning", "command_output", "user_feedback", "completion_result", "command":
		e.Noise = true // the messages to the model say it as well
	}
}

// checkpoint is the commit that holds the files.
func (m *message) checkpoint() string {
	if hash := jsonscan.Str(m.hash); hash != "" {
		return hash
	}
	return jsonscan.Str(m.text)
}
