package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// spoken is a record in view, as far as messages are made of it.
type spoken struct {
	model.Message
	typ      string
	response string
	isV0     bool
	isOld    bool // spelled as before 1.10
	isNew    bool // spelled as since 1.31
	exact    bool
}

// Messages gives the request that is made of the records in view (section 5.3
// of the format). A cold view is enforced as far as the view itself tells; see
// Resume. V0 is never exact: it masks and filters without a word in the log.
func (dialect) Messages(view []model.Viewed, live bool) model.Conversation {
	all := make([]spoken, len(view))
	isOld, isNew := false, false
	for i := range view {
		all[i] = speak(&view[i])
		all[i].Records = []int{i}
		if all[i].isV0 {
			return messagesV0(view)
		}
		isOld, isNew = isOld || all[i].isOld, isNew || all[i].isNew
	}
	p := placedIn(view)
	keep := make([]bool, len(view))
	for i := range keep {
		keep[i] = true
	}
	switch {
	case isOld:
		matched(p, keep)
	case !live:
		keep = enforce(p, batchesOf(append(missingCalls(view, p), p...)), loopsOf(p))
	}
	kept := all[:0]
	for i := range all {
		if keep[i] {
			kept = append(kept, all[i])
		}
	}
	return converse(kept, isOld, isNew)
}

// Frames says that results come with text of the program's own around them.
func (dialect) Frames() {}

// speak reads a record in view.
func speak(x *model.Viewed) spoken {
	s := spoken{typ: x.Record.Type, exact: x.Raw != nil}
	s.Role, s.Tokens, s.Summary = x.Role, x.Tokens, x.Summary
	var r record
	if x.Raw != nil {
		readEvent(&r, x.Raw)
	}
	if x.Raw != nil && !isText(r.kind) {
		s.isV0 = true
		return s
	}
	s.Text = textV1(s.typ, &r)
	s.isOld, s.isNew = isOld(s.typ, &r), present(r.parentID)
	switch parts[s.typ] {
	case partAction:
		s.response = jsonscan.Str(r.responseID)
		s.Calls = []model.MessageCall{{ID: x.Record.Call, Tool: x.Record.Tool, Args: argumentsOf(r.toolCall, r.action)}}
	case partResult:
		s.Results = []string{x.Record.Call}
		if s.typ == "ObservationEvent" {
			_, exact := resultText(r.observation)
			s.exact = s.exact && exact
		}
	}
	if s.typ == "MessageEvent" {
		s.readMessage(&r)
	}
	return s
}

func (s *spoken) readMessage(r *record) {
	jsonscan.Fields(r.llmMessage, func(key string, v []byte) bool {
		switch key {
		case "tool_calls":
			jsonscan.Elements(v, func(call []byte) bool {
				id, tool := readToolCall(call)
				s.Calls = append(s.Calls, model.MessageCall{ID: id, Tool: tool, Args: argumentsOf(call, nil)})
				return true
			})
		case "tool_call_id":
			if id := jsonscan.Str(v); id != "" {
				s.Results = []string{id}
			}
		}
		return true
	})
}

// argumentsOf is what a call was given: its own text, as the model wrote it,
// else what the program read from it.
func argumentsOf(call, read []byte) string {
	for _, v := range [][]byte{jsonscan.Get(call, "arguments"), jsonscan.Get(call, "function", "arguments")} {
		if isText(v) {
			return jsonscan.Str(v)
		}
	}
	return string(read)
}

// converse joins records to messages: calls of one response, and, since 1.26,
// what the user said in a row. Where nothing tells the version, such a row
// makes the request inexact.
func converse(all []spoken, isOld, isNew bool) model.Conversation {
	// No request begins with an answer or a result: such a view is that of a log
	// that begins in the middle.
	c := model.Conversation{Exact: len(all) == 0 || all[0].Role == model.RoleSystem || all[0].Role == model.RoleUser}
	summaries, last := 0, spoken{}
	said := map[string]bool{}
	for _, s := range all {
		c.Exact = c.Exact && s.exact
		if s.Summary {
			summaries++
		}
		isUser := plainUser(&s) && len(c.Messages) > 0 && plainUser(&last)
		switch {
		case s.repeats(said):
			c.Exact = false // one port writes calls and results twice
			continue
		case len(c.Messages) > 0 && parts[s.typ] == partAction && parts[last.typ] == partAction && s.response != "" && s.response == last.response:
			joinMessage(&c.Messages[len(c.Messages)-1], &s, false)
		case isUser && isNew:
			joinMessage(&c.Messages[len(c.Messages)-1], &s, true)
		default:
			c.Exact = c.Exact && (!isUser || isOld)
			c.Messages = append(c.Messages, s.Message)
		}
		last = s
	}
	if summaries > 1 && !isNew {
		c.Exact = false
	}
	return c
}

func plainUser(s *spoken) bool { return s.Role == model.RoleUser && len(s.Results) == 0 }

// repeats reports whether a call or a result was said before in a message of
// its own.
func (s *spoken) repeats(said map[string]bool) bool {
	if s.typ == "MessageEvent" {
		for _, call := range s.Calls {
			said["call "+call.ID] = true
		}
	}
	for _, call := range s.Calls {
		if s.typ != "MessageEvent" && said["call "+call.ID] {
			return true
		}
	}
	if s.typ == "MessageEvent" || len(s.Results) == 0 {
		return false
	}
	return said["call "+s.Results[0]]
}

// joinMessage makes one message of two. The text of a response stands in its
// first record.
func joinMessage(into *model.Message, s *spoken, withText bool) {
	into.Records = append(into.Records, s.Records...)
	into.Calls = append(into.Calls, s.Calls...)
	into.Summary = into.Summary || s.Summary
	if withText {
		into.Text = joined(into.Text, s.Text)
	}
	if into.Tokens == model.TokensUnknown || s.Tokens == model.TokensUnknown {
		into.Tokens = model.TokensUnknown
	} else {
		into.Tokens += s.Tokens
	}
}
