package temporal

import (
	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// Request gives what a model was asked, where an activity's result is the
// answer of a model and its input holds the items of the request: so do runs of
// agent SDKs. The items are those of the Responses API.
func (dialect) Request(e model.Event, _ []model.Viewed, log model.Records) (c model.Conversation, ok bool) {
	pos, _ := chat.Answered(&e)
	if pos == 0 {
		return c, false
	}
	_, raw, ok := log.Record(pos)
	if !ok {
		return c, false
	}
	values := payloads(jsonscan.Get(attributes(raw), "input"))
	if len(values) == 0 || jsonscan.Get(values[0], "input") == nil || jsonscan.Get(values[0], "model_settings") == nil {
		return c, false
	}
	c.Exact = true
	if system := jsonscan.Str(jsonscan.Get(values[0], "system_instructions")); system != "" {
		c.Messages = append(c.Messages, model.Message{Role: model.RoleSystem, Text: system, Tokens: model.TokensUnknown})
	}
	input := jsonscan.Get(values[0], "input")
	if jsonscan.Kind(input) == '"' {
		c.Messages = append(c.Messages, model.Message{Role: model.RoleUser, Text: jsonscan.Str(input), Tokens: model.TokensUnknown})
	}
	jsonscan.Elements(input, func(item []byte) bool {
		m := model.Message{Tokens: model.TokensUnknown}
		id := jsonscan.Scalar(jsonscan.Get(item, "call_id"))
		switch jsonscan.Str(jsonscan.Get(item, "type")) {
		case "", "message":
			known := false
			m.Role, known = model.ParseRole(jsonscan.Str(jsonscan.Get(item, "role")))
			m.Text = chat.Text(jsonscan.Get(item, "content"))
			c.Exact = c.Exact && known
		case "function_call":
			m.Role = model.RoleAssistant
			m.Calls = []model.MessageCall{{ID: id, Tool: jsonscan.Str(jsonscan.Get(item, "name")), Args: jsonscan.Str(jsonscan.Get(item, "arguments"))}}
		case "function_call_output":
			m.Role, m.Results, m.Text = model.RoleTool, []string{id}, chat.Text(jsonscan.Get(item, "output"))
		default:
			c.Exact = false
			return true
		}
		c.Messages = append(c.Messages, m)
		return true
	})
	return c, true
}

// modelSaid is what the request or the answer of a model says, where a value is
// one as agent SDKs record them; empty for any other.
func modelSaid(v []byte) (line string) {
	list := jsonscan.Get(v, "output")
	if jsonscan.Get(v, "model_settings") != nil {
		list = jsonscan.Get(v, "input")
		line = phrase.FirstLine(jsonscan.Str(list))
	}
	jsonscan.Elements(list, func(item []byte) bool {
		said := chat.Text(jsonscan.Get(item, "content"))
		switch jsonscan.Str(jsonscan.Get(item, "type")) {
		case "function_call":
			said = "→ " + jsonscan.Str(jsonscan.Get(item, "name")) + " " + jsonscan.Str(jsonscan.Get(item, "arguments"))
		case "function_call_output":
			said = chat.Text(jsonscan.Get(item, "output"))
		}
		if said = phrase.FirstLine(said); said != "" {
			line = said // the last counts: the rest was said before
		}
		return true
	})
	return line
}
