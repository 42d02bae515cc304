package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// messagesV0 makes messages of the older family's records: the calls of a
// response are one message before their results, what else a record says is a
// message of its own.
func messagesV0(view []model.Viewed) model.Conversation {
	c := model.Conversation{}
	byResponse := map[string]int{}
	for i := range view {
		m, response, silent := speakV0(&view[i])
		if silent {
			continue
		}
		m.Records = []int{i}
		at, ok := byResponse[response]
		if ok && response != "" {
			joinMessage(&c.Messages[at], &spoken{Message: m}, false)
			continue
		}
		if response != "" {
			byResponse[response] = len(c.Messages)
		}
		c.Messages = append(c.Messages, m)
	}
	return c
}

// speakV0 reads a record in view. Silent ones ask the program for something
// and say nothing to the model.
func speakV0(x *model.Viewed) (m model.Message, response string, silent bool) {
	m.Role, m.Tokens, m.Summary = x.Role, x.Tokens, x.Summary
	var r record
	if x.Raw != nil {
		readEvent(&r, x.Raw)
	}
	isAction := isText(r.action)
	if !isAction && !isText(r.observation) {
		m.Text = phrase.Content(r.content, fullLimit)
		return m, "", false
	}
	d := r.detailsOf(firstObject(r.args, r.extras, r.raw))
	if x.Summary {
		m.Text = jsonscan.Str(d.summary)
		return m, "", false
	}
	m.Text = textV0(x.Record.Type, &r, d, isAction)
	switch {
	case isAction && x.Record.Type == "recall":
		return m, "", true
	case isAction && x.Record.Call != "":
		m.Calls = []model.MessageCall{{ID: x.Record.Call, Tool: x.Record.Tool, Args: argumentsV0(&r, x.Record.Call)}}
		response = jsonscan.Str(jsonscan.Get(r.callMeta, "model_response", "id"))
	case !isAction && isObject(r.callMeta) && x.Record.Call != "":
		m.Results = []string{x.Record.Call}
	}
	return m, response, false
}

// argumentsV0 finds a call's arguments in its response; else those of the
// action that was made of it.
func argumentsV0(r *record, call string) string {
	args := string(r.args)
	jsonscan.Elements(jsonscan.Get(r.callMeta, "model_response", "choices"), func(choice []byte) bool {
		jsonscan.Elements(jsonscan.Get(choice, "message", "tool_calls"), func(v []byte) bool {
			if jsonscan.Str(jsonscan.Get(v, "id")) == call {
				args = argumentsOf(v, r.args)
			}
			return true
		})
		return true
	})
	return args
}
