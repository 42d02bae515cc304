package copilotcli

import (
	"errors"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not an event: a JSON object is expected")

// record holds the spans of an envelope's members, and of its data's.
type record struct {
	id, parent, time, typ                           []byte
	content, sent, requests, call, tool, args       []byte
	success, result, fault, parentCall, message     []byte
	summary, removed, session, name, path           []byte
	input, output, cacheRead, cacheWrite, cost, cwd []byte
}

func readRecord(raw []byte) (r record) {
	var data []byte
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "id":
			r.id = v
		case "parentId":
			r.parent = v
		case "timestamp":
			r.time = v
		case "type":
			r.typ = v
		case "data":
			data = v
		}
		return true
	})
	jsonscan.Fields(data, func(key string, v []byte) bool {
		if slot := r.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
	return r
}

func (r *record) slot(key string) *[]byte {
	switch key {
	case "content":
		return &r.content
	case "transformedContent":
		return &r.sent
	case "toolRequests":
		return &r.requests
	case "toolCallId":
		return &r.call
	case "toolName":
		return &r.tool
	case "arguments":
		return &r.args
	case "success":
		return &r.success
	case "result":
		return &r.result
	case "error":
		return &r.fault
	case "parentToolCallId":
		return &r.parentCall
	case "message":
		return &r.message
	case "summaryContent":
		return &r.summary
	case "messagesRemoved", "messagesRemovedDuringTruncation":
		return &r.removed
	case "sessionId":
		return &r.session
	case "agentDisplayName", "agentName":
		return &r.name
	case "path":
		return &r.path
	case "inputTokens":
		return &r.input
	case "outputTokens":
		return &r.output
	case "cacheReadTokens":
		return &r.cacheRead
	case "cacheWriteTokens":
		return &r.cacheWrite
	case "cost":
		return &r.cost
	case "context":
		return &r.cwd
	}
	return nil
}

// request is a tool call in the model's message.
type request struct {
	id, tool string
	args     []byte
}

func (r *record) calls() (all []request) {
	jsonscan.Elements(r.requests, func(v []byte) bool {
		all = append(all, request{jsonscan.Scalar(jsonscan.Get(v, "toolCallId")), jsonscan.Str(jsonscan.Get(v, "name")), arguments(jsonscan.Get(v, "arguments"))})
		return true
	})
	return all
}

// arguments are an object, or the text of one.
func arguments(v []byte) []byte {
	if s, ok := jsonscan.Text(v); ok {
		if start, end, err := jsonscan.Value([]byte(s)); err == nil {
			return []byte(s)[start:end]
		}
	}
	return v
}

// text is what a tool gave to the model.
func (r *record) text() string {
	if s := chat.Text(jsonscan.Get(r.fault, "message")); s != "" {
		return s
	}
	if jsonscan.Kind(r.result) == '{' {
		return chat.Text(jsonscan.Get(r.result, "content"))
	}
	return chat.Text(r.result)
}

// exit reads the last line of a shell's text: "<exited with exit code 1>".
func (r *record) exit() *int64 {
	text := strings.TrimRight(r.text(), "\n")
	_, code, ok := strings.Cut(text[strings.LastIndexByte(text, '\n')+1:], "<exited with exit code ")
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(code, ">"), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func (r *record) outcome() model.Outcome {
	exit := r.exit()
	switch ok, told := jsonscan.Bool(r.success); {
	case told && !ok, exit != nil && *exit != 0:
		return model.OutcomeFailed
	case told:
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}

func (r *record) usage() *model.Usage {
	c := chat.Counts{Prompt: r.input, Completion: r.output, CacheRead: r.cacheRead, CacheWrite: r.cacheWrite, Cost: r.cost, CacheInside: true}
	return c.Usage()
}

// Decode reads an event.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	r := readRecord(rec.Raw)
	e := &model.Event{ID: jsonscan.Scalar(r.id), Type: jsonscan.Str(r.typ), Time: jsonscan.Time(r.time), Call: jsonscan.Scalar(r.call)}
	e.Source, _, _ = strings.Cut(e.Type, ".")
	if parent := jsonscan.Scalar(r.parent); parent != "" {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonParent, ToID: parent})
	}
	var n chat.Note
	r.fill(e, &n)
	if outer := jsonscan.Scalar(r.parentCall); outer != "" {
		// What a sub-agent does comes from the call that made it.
		n.Flags &^= chat.Reply | chat.Prompt
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSpawn, ToID: outer})
	}
	if e.Title == "" {
		e.Title = phrase.OneLine(e.Type)
	}
	if e.Title == "" {
		e.Title = "record"
	}
	e.Note = n.String()
	emit(e)
	return nil
}

// fill sets what depends on the type.
func (r *record) fill(e *model.Event, n *chat.Note) {
	line := phrase.FirstLine(phrase.Content(r.content, phrase.LineLimit))
	switch e.Type {
	case "user.message":
		e.Kind, e.Title, n.Flags, n.Title = model.KindMessage, phrase.Titled("user", line), chat.Prompt, line
	case "system.message":
		e.Kind, e.Title = model.KindMessage, phrase.Titled("system", line)
	case "assistant.message":
		e.Kind, e.Title, n.Flags = model.KindMessage, phrase.Titled("assistant", line), chat.Reply
		r.asks(e, n)
	case "assistant.usage":
		e.Kind, e.Noise, e.Title, e.Usage = model.KindDelta, true, "usage", r.usage()
	case "tool.execution_start":
		e.Kind, e.Tool = model.KindAction, jsonscan.Str(r.tool)
		e.Title = phrase.OneLine(e.Tool + " " + chat.About(arguments(r.args)))
		e.Aliases = append(e.Aliases, e.Call)
	case "tool.execution_complete":
		e.Kind, e.Outcome, e.Tool = model.KindObservation, r.outcome(), jsonscan.Str(r.tool)
		e.Title = chat.ResultTitle("", r.text(), r.exit(), e.Outcome)
		n.Results = []string{e.Call}
	case "session.error":
		e.Kind, e.Outcome, n.Flags = model.KindError, model.OutcomeFailed, chat.Reply
		e.Title = phrase.Titled("error", phrase.TellingLine(jsonscan.Str(r.message)))
	case "session.compaction_complete":
		e.Kind = model.KindCheckpoint
		e.Title = phrase.Titled("compaction", phrase.FirstLine(phrase.Content(r.summary, phrase.LineLimit)))
	case "session.truncation", "session.context_cleared":
		e.Kind, e.Title = model.KindCheckpoint, strings.ReplaceAll(strings.TrimPrefix(e.Type, "session."), "_", " ")
	case "session.start", "session.resume", "session.shutdown", "session.idle":
		e.Kind, e.Title = model.KindSession, strings.TrimPrefix(e.Type, "session.")
		e.Noise = e.Type == "session.idle"
	case "subagent.started":
		e.Kind, e.Title = model.KindSession, phrase.Titled("sub-agent", jsonscan.Str(r.name))
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSpawn, ToID: e.Call})
	case "session.workspace_file_changed":
		e.Kind, e.Title = model.KindState, phrase.Titled("file changed", jsonscan.Str(r.path))
	default:
		r.other(e)
	}
}

// asks reads the calls of the model's message.
func (r *record) asks(e *model.Event, n *chat.Note) {
	var titles []string
	for _, c := range r.calls() {
		n.Calls, n.Tools = append(n.Calls, c.id), append(n.Tools, c.tool)
		if c.id != "" {
			e.Aliases = append(e.Aliases, c.id)
		}
		if e.Tool == "" {
			e.Tool, e.Call = c.tool, c.id
		}
		titles = append(titles, strings.TrimSpace(c.tool+" "+chat.About(c.args)))
	}
	if len(titles) > 0 {
		e.Kind, e.Title = model.KindAction, phrase.OneLine(strings.Join(titles, ", "))
	}
}

// other places the remaining types by their names.
func (r *record) other(e *model.Event) {
	switch {
	case strings.HasSuffix(e.Type, "_delta"), strings.HasSuffix(e.Type, "progress"), strings.HasSuffix(e.Type, "_start"), strings.HasSuffix(e.Type, "_end"),
		strings.HasSuffix(e.Type, "partial_result"), strings.HasPrefix(e.Type, "assistant."):
		e.Kind, e.Noise = model.KindDelta, true
	case strings.HasPrefix(e.Type, "hook."):
		e.Kind = model.KindHook
	case strings.HasPrefix(e.Type, "session."), strings.HasPrefix(e.Type, "subagent."):
		e.Kind, e.Noise = model.KindState, true
	}
	e.Title = phrase.Titled(e.Type, phrase.FirstLine(phrase.Head(r.message, phrase.LineLimit)+phrase.Content(r.content, phrase.LineLimit)))
}
