package otlp

import (
	"cmp"
	"fmt"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// messageLimit bounds the messages that stand in numbered attributes.
const messageLimit = 1 << 14

type effector struct{}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return effector{} }

// Save and Load: nothing is carried from event to event.
func (effector) Save() ([]byte, error) { return nil, nil }

// Load takes up nothing.
func (effector) Load([]byte) error { return nil }

// Effects tells what a start, an end or an event within does.
func (effector) Effects(e *model.Event, raw []byte, _ model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	if strings.Contains(e.ID, eventMark) {
		if e.Kind != model.KindError {
			return nil
		}
		a := span{attrs: attributes(jsonscan.Get(raw, "attributes"))}
		return []model.Effect{model.Fail{Code: a.text("exception.type"), Message: a.text("exception.message"), Stack: a.text("exception.stacktrace")}}
	}
	s := readSpan(raw)
	if s.id == "" {
		return nil
	}
	if !strings.HasSuffix(e.ID, endMark) {
		switch s.role() {
		case opTool:
			return []model.Effect{model.Call{ID: s.callID(), Tool: s.tool()}}
		case opAgent:
			return []model.Effect{model.Status{Execution: "running"}}
		}
		return nil
	}
	return s.endEffects(e)
}

func (s *span) endEffects(e *model.Event) (fx []model.Effect) {
	switch s.role() {
	case opChat:
		if said := s.output(); said.Text != "" || len(said.Calls) > 0 {
			fx = append(fx, chat.Say(e.Pos, 0, model.RoleAssistant, said.Text))
		}
		if e.Usage == nil {
			e.Usage = s.usage()
		}
		if e.Usage != nil {
			fx = append(fx, model.Spend{Usage: *e.Usage})
		}
	case opTool:
		return []model.Effect{model.Return{ID: s.callID()}, chat.Say(e.Pos, 0, model.RoleTool, chat.Text(s.result()))}
	case opAgent:
		status := model.Status{Execution: "finished"}
		if e.Outcome.Failed() {
			status = model.Status{Execution: "error", Reason: s.message}
		}
		fx = append(fx, status)
	}
	if e.Outcome.Failed() && !s.raised() {
		fx = append(fx, model.Fail{Code: s.text("error.type"), Message: s.message})
	}
	return fx
}

// raised reports an exception among the events within: that is counted there.
func (s *span) raised() (found bool) {
	jsonscan.Elements(s.events, func(v []byte) bool {
		found = jsonscan.Str(jsonscan.Get(v, "name")) == "exception"
		return !found
	})
	return found
}

// Messages makes messages of the answers and results in view. What the user
// said stands in requests only.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) chat.Said {
		s := readSpan(v.Raw)
		if s.role() == opTool {
			return chat.Said{Text: chat.Text(s.result()), Results: []string{s.callID()}}
		}
		return s.output()
	})
}

// Request gives the messages that a call of a model recorded.
func (dialect) Request(e model.Event, _ []model.Viewed, log model.Records) (c model.Conversation, ok bool) {
	_, raw, ok := log.Record(e.Pos)
	if !ok || strings.Contains(e.ID, eventMark) {
		return c, false
	}
	s := readSpan(raw)
	if s.role() != opChat {
		return c, false
	}
	if text := messageText(s.value("gen_ai.system_instructions")); text != "" {
		c.Messages = append(c.Messages, model.Message{Role: model.RoleSystem, Text: text, Tokens: model.TokensUnknown})
	}
	c.Exact = true
	if list := s.value("gen_ai.input.messages", "ai.prompt.messages"); jsonscan.Kind(list) == '[' {
		jsonscan.Elements(list, func(v []byte) bool {
			said := messageOf(v)
			role, known := model.ParseRole(jsonscan.Str(jsonscan.Get(v, "role")))
			c.Exact = c.Exact && known
			c.Messages = append(c.Messages, model.Message{Role: role, Text: said.Text, Calls: said.Calls, Results: said.Results, Tokens: model.TokensUnknown})
			return true
		})
		return c, true
	}
	n := len(c.Messages)
	c.Messages = append(c.Messages, s.flat("llm.input_messages.%d.message.", "gen_ai.prompt.%d.")...)
	c.Exact = false
	return c, len(c.Messages) > n
}

// flat reads messages whose members are attributes of their own.
func (s *span) flat(forms ...string) (list []model.Message) {
	for _, form := range forms {
		for i := range messageLimit {
			prefix := fmt.Sprintf(form, i)
			text, hasText := s.attrs[prefix+"content"]
			role, hasRole := s.attrs[prefix+"role"]
			if !hasText && !hasRole {
				break
			}
			m := model.Message{Text: chat.Text(text), Tokens: model.TokensUnknown}
			m.Role, _ = model.ParseRole(jsonscan.Str(role))
			if id := s.text(prefix + "tool_call_id"); id != "" {
				m.Results = []string{id}
			}
			for j := range messageLimit {
				call := fmt.Sprintf("%stool_calls.%d.", prefix, j)
				tool := s.text(call+"tool_call.function.name", call+"name")
				if tool == "" {
					break
				}
				m.Calls = append(m.Calls, model.MessageCall{ID: s.text(call+"tool_call.id", call+"id"), Tool: tool, Args: s.text(call+"tool_call.function.arguments", call+"arguments")})
			}
			list = append(list, m)
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// output is what the model answered.
func (s *span) output() (said chat.Said) {
	if list := s.value("gen_ai.output.messages"); jsonscan.Kind(list) == '[' {
		jsonscan.Elements(list, func(v []byte) bool {
			add(&said, messageOf(v))
			return true
		})
		return said
	}
	for _, m := range s.flat("llm.output_messages.%d.message.", "gen_ai.completion.%d.") {
		add(&said, chat.Said{Text: m.Text, Calls: m.Calls})
	}
	if said.Text != "" || len(said.Calls) > 0 {
		return said
	}
	said.Text = s.text("ai.response.text", "ai.response.object")
	jsonscan.Elements(s.value("ai.response.toolCalls"), func(v []byte) bool {
		said.Calls = append(said.Calls, callOf(v))
		return true
	})
	if said.Text != "" || len(said.Calls) > 0 {
		return said
	}
	jsonscan.Elements(s.events, func(v []byte) bool {
		if jsonscan.Str(jsonscan.Get(v, "name")) == "gen_ai.choice" {
			a := span{attrs: attributes(jsonscan.Get(v, "attributes"))}
			add(&said, chat.Said{Text: cmp.Or(messageText(jsonscan.Get(a.value("message"), "content")), a.text("content", "message"))})
		}
		return true
	})
	if said.Text == "" {
		said.Text = s.text("output.value")
	}
	return said
}

// add puts another message behind.
func add(said *chat.Said, more chat.Said) {
	said.Text, said.Calls = join(said.Text, more.Text), append(said.Calls, more.Calls...)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// messageOf reads a message of the GenAI conventions (role and parts), or of
// the Vercel AI SDK (role and content).
func messageOf(v []byte) (said chat.Said) {
	parts := first(jsonscan.Get(v, "parts"), jsonscan.Get(v, "content"))
	said.Text = messageText(parts)
	jsonscan.Elements(parts, func(p []byte) bool {
		switch jsonscan.Str(jsonscan.Get(p, "type")) {
		case "tool_call", "tool-call":
			said.Calls = append(said.Calls, callOf(p))
		case "tool_call_response", "tool-result":
			said.Results = append(said.Results, jsonscan.Scalar(first(jsonscan.Get(p, "id"), jsonscan.Get(p, "toolCallId"))))
		}
		return true
	})
	return said
}

func callOf(v []byte) model.MessageCall {
	args := first(jsonscan.Get(v, "arguments"), jsonscan.Get(v, "input"), jsonscan.Get(v, "args"))
	text, isText := jsonscan.Text(args)
	if !isText {
		text = string(args)
	}
	return model.MessageCall{
		ID:   jsonscan.Scalar(first(jsonscan.Get(v, "id"), jsonscan.Get(v, "toolCallId"))),
		Tool: jsonscan.Str(first(jsonscan.Get(v, "name"), jsonscan.Get(v, "toolName"))), Args: text,
	}
}

// messageText is the text of parts: what is thought is left out.
func messageText(parts []byte) (text string) {
	if jsonscan.Kind(parts) != '[' {
		return chat.Text(parts)
	}
	jsonscan.Elements(parts, func(p []byte) bool {
		switch jsonscan.Str(jsonscan.Get(p, "type")) {
		case "tool_call", "tool-call", "reasoning":
		case "tool_call_response", "tool-result":
			text = join(text, chat.Text(first(jsonscan.Get(p, "response"), jsonscan.Get(p, "result"), jsonscan.Get(p, "output"))))
		default:
			text = join(text, chat.Text(first(jsonscan.Get(p, "content"), jsonscan.Get(p, "text"))))
		}
		return true
	})
	return text
}
