package geminicli

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// record holds the spans of a line's members.
type record struct {
	id, typ, time, content, tokens, calls, set, rewind, session, hash, kind []byte
	// Of stream-json.
	role, delta, tool, toolID, params, status, output, fault, stats []byte
}

func readRecord(raw []byte) (r record) {
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		if slot := r.slot(key); slot != nil {
			*slot = v
		}
		return true
	})
	return r
}

func (r *record) slot(key string) *[]byte {
	switch key {
	case "id":
		return &r.id
	case "type":
		return &r.typ
	case "timestamp":
		return &r.time
	case "content":
		return &r.content
	case "tokens":
		return &r.tokens
	case "toolCalls":
		return &r.calls
	case "$set":
		return &r.set
	case "$rewindTo":
		return &r.rewind
	case "sessionId", "session_id":
		return &r.session
	case "projectHash":
		return &r.hash
	case "kind":
		return &r.kind
	case "role":
		return &r.role
	case "delta":
		return &r.delta
	case "tool_name":
		return &r.tool
	case "tool_id":
		return &r.toolID
	case "parameters":
		return &r.params
	case "status":
		return &r.status
	case "output":
		return &r.output
	case "error":
		return &r.fault
	case "stats":
		return &r.stats
	}
	return nil
}

// call is one of a message's tool calls, with its result once that is there.
type call struct{ id, name, args, result, status, display []byte }

func eachCall(list []byte, f func(c *call)) {
	jsonscan.Elements(list, func(v []byte) bool {
		var c call
		jsonscan.Fields(v, func(key string, v []byte) bool {
			switch key {
			case "id":
				c.id = v
			case "name":
				c.name = v
			case "args":
				c.args = v
			case "result":
				c.result = v
			case "status":
				c.status = v
			case "resultDisplay":
				c.display = v
			}
			return true
		})
		f(&c)
		return true
	})
}

func (c *call) isDone() bool {
	switch jsonscan.Str(c.status) {
	case "success", "error", "cancelled":
		return true
	}
	return jsonscan.Kind(c.result) == '[' || jsonscan.Kind(c.result) == '"'
}

// text is what the model got as the call's result.
func (c *call) text() string { return responses(c.result) }

// responses joins the outputs of a content's function responses.
func responses(content []byte) string {
	var all []string
	eachResponse(content, func(_ string, response []byte) {
		all = append(all, responseText(response))
	})
	return strings.Join(all, "\n")
}

func responseText(response []byte) string {
	for _, key := range []string{"output", "error"} {
		if s, ok := jsonscan.Text(jsonscan.Get(response, key)); ok {
			return s
		}
	}
	return string(response)
}

// eachResponse gives the function responses of a content.
func eachResponse(content []byte, f func(id string, response []byte)) {
	jsonscan.Elements(content, func(part []byte) bool {
		if v := jsonscan.Get(part, "functionResponse"); v != nil {
			f(jsonscan.Scalar(jsonscan.Get(v, "id")), jsonscan.Get(v, "response"))
		}
		return true
	})
}

// isAnswer reports a content that holds function responses and nothing else.
func isAnswer(content []byte) bool {
	parts, answers := 0, 0
	jsonscan.Elements(content, func(part []byte) bool {
		parts++
		if jsonscan.Get(part, "functionResponse") != nil {
			answers++
		}
		return true
	})
	return parts > 0 && parts == answers
}

// said is a message's text without thoughts, and its calls.
func said(content []byte, v *model.Viewed) (s chat.Said) {
	var texts []string
	if jsonscan.Kind(content) != '[' {
		s.Text = chat.Text(content)
		return s
	}
	jsonscan.Elements(content, func(part []byte) bool {
		if thought, _ := jsonscan.Bool(jsonscan.Get(part, "thought")); thought {
			return true
		}
		if call := jsonscan.Get(part, "functionCall"); call != nil {
			s.Calls = append(s.Calls, model.MessageCall{
				ID: chat.CallID(jsonscan.Scalar(jsonscan.Get(call, "id")), v.Pos), Tool: jsonscan.Str(jsonscan.Get(call, "name")), Args: string(jsonscan.Get(call, "args")),
			})
		}
		if text, ok := jsonscan.Text(jsonscan.Get(part, "text")); ok {
			texts = append(texts, text)
		} else if jsonscan.Kind(part) == '"' {
			texts = append(texts, jsonscan.Str(part))
		}
		return true
	})
	eachResponse(content, func(id string, response []byte) {
		texts = append(texts, responseText(response))
		if id != "" {
			s.Results = append(s.Results, id)
		}
	})
	s.Text = strings.Join(texts, "\n")
	return s
}

// exitCode reads the exit code from a shell's text: status says success for
// any command that ran.
func (c *call) exitCode() *int64 {
	if jsonscan.Str(c.name) != "run_shell_command" {
		return nil
	}
	_, rest, ok := strings.Cut("\n"+c.text(), "\nExit Code: ")
	if !ok {
		return nil
	}
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func (c *call) outcome() model.Outcome {
	exit := c.exitCode()
	switch status := jsonscan.Str(c.status); {
	case status == "error", status == "cancelled", exit != nil && *exit != 0:
		return model.OutcomeFailed
	case status == "success":
		return model.OutcomeOK
	}
	return model.OutcomeUnknown
}

// shown is the text of a result that a title is made of: what people saw.
func (c *call) shown() string {
	if s := phrase.Head(c.display, phrase.TextLimit); s != "" {
		return s
	}
	if diff := jsonscan.Get(c.display, "newContent"); diff != nil {
		return jsonscan.Str(jsonscan.Get(c.display, "fileName")) + " " + phrase.Change(jsonscan.Str(jsonscan.Get(c.display, "originalContent")), jsonscan.Str(diff))
	}
	return c.text()
}

// usage: cached tokens are counted in the input; thoughts apart from the output.
func usage(tokens []byte) *model.Usage {
	c := chat.Counts{
		Prompt: jsonscan.Get(tokens, "input"), Completion: jsonscan.Get(tokens, "output"), CacheRead: jsonscan.Get(tokens, "cached"),
		Reasoning: jsonscan.Get(tokens, "thoughts"), CacheInside: true,
	}
	return c.Usage()
}
