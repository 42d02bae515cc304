package eventlog

import (
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// Messages gives the context as the provider got it: a message each record, as
// the format records no merging. A process that goes on and one that starts
// again have the same context.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	c := model.Conversation{Messages: make([]model.Message, 0, len(view)), Exact: true}
	for i := range view {
		v := &view[i]
		c.Exact = c.Exact && v.Raw != nil
		m := model.Message{Role: v.Role, Records: []int{i}, Tokens: v.Tokens, Summary: v.Summary}
		speak(&m, &v.Record, v.Raw)
		c.Messages = append(c.Messages, m)
	}
	return c
}

// speak fills in what a message says, calls and answers.
func speak(m *model.Message, e *model.Event, raw []byte) {
	b := readBody(raw)
	switch e.Type {
	case typeUser:
		m.Text = speech(b.content)
	case typeAction:
		m.Text = speech(b.said())
		if !isRespond(b.action) {
			m.Calls = []model.MessageCall{{ID: callID(e), Tool: toolName(b.action), Args: arguments(b.params)}}
		}
	case typeResult:
		m.Text = speech(b.told())
		if id := answered(e); id != "" {
			m.Results = []string{id}
		}
	}
}

// arguments are a call's parameters as recorded.
func arguments(v []byte) string {
	if jsonscan.Kind(v) == 'n' {
		return ""
	}
	return string(v)
}

// answered is the id of the call that a result answers.
func answered(e *model.Event) string {
	for i := range e.Links {
		if l := &e.Links[i]; l.Reason == model.ReasonAction && leadsBack(e, l) {
			return linkedCall(l)
		}
	}
	return e.Call
}

// said is what an action says: the answer, or what the agent wrote beside the
// call.
func (b *body) said() []byte {
	if !isRespond(b.action) {
		return b.thought
	}
	if content := jsonscan.Get(b.params, "content"); content != nil {
		return content
	}
	return b.content
}

// told is what a result tells: the output, or the error where there is none.
func (b *body) told() []byte {
	if silent(b.output) {
		return b.fault
	}
	return b.output
}

func silent(v []byte) bool {
	kind := jsonscan.Kind(v)
	return kind == 0 || kind == 'n' || string(v) == `""`
}

// speech is a content value as text: a string; parts, joined by newlines, of
// which only those that are text count; anything else as its JSON.
func speech(v []byte) string {
	switch jsonscan.Kind(v) {
	case 0, 'n':
		return ""
	case '"':
		return jsonscan.Str(v)
	case '[':
		if texts, ok := parts(v); ok {
			return strings.Join(texts, "\n")
		}
	case '{':
		if text, ok := jsonscan.Text(jsonscan.Get(v, "text")); ok {
			return text
		}
	}
	return string(v)
}

// parts are the texts of content parts: strings, or objects with a text. An
// object that names its type and has no text (a picture) is a part as well. ok
// is false for an array of anything else.
func parts(v []byte) (texts []string, ok bool) {
	ok = true
	jsonscan.Elements(v, func(part []byte) bool {
		value := part
		if jsonscan.Kind(part) == '{' {
			value = jsonscan.Get(part, "text")
		}
		text, isText := jsonscan.Text(value)
		if isText {
			texts = append(texts, text)
		} else {
			ok = jsonscan.Kind(jsonscan.Get(part, "type")) == '"'
		}
		return ok
	})
	return texts, ok
}

// chars counts the code points of speech, mostly without making it.
func chars(v []byte) int64 {
	if jsonscan.Kind(v) == '"' {
		return jsonscan.Chars(v)
	}
	return int64(utf8.RuneCountInString(speech(v)))
}
