package chat

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// Key is the place in the context of one of several messages that a record
// holds; part 0 is the record's own place.
func Key(pos int64, part int) string {
	if part == 0 {
		return model.MessageKey(pos)
	}
	return model.MessageKey(pos) + fmt.Sprintf(".%06d", part)
}

// Part tells which of its record's messages stands at a key.
func Part(key string) int {
	_, part, _ := strings.Cut(key, ".")
	n, _ := strconv.Atoi(part)
	return n
}

// Say is a message of this role and text, at a part of its record.
func Say(pos int64, part int, role model.Role, text string) model.Say {
	return model.Say{Key: Key(pos, part), Role: role, Chars: int64(utf8.RuneCountInString(text)), Tokens: model.TokensUnknown}
}

// CallID is the id of a call; of one that has none the address of its event.
func CallID(id string, pos int64) string {
	if id != "" {
		return id
	}
	return "#" + strconv.FormatInt(pos, 10)
}

// Answered gives the pos and the id of the call that an event is linked to as
// its result; 0 where there is none. An event that names no call answers one
// without an id.
func Answered(e *model.Event) (pos int64, id string) {
	for _, l := range e.Links {
		if IsAnswer(e, l) {
			return l.To.Pos, CallID(e.Call, l.To.Pos)
		}
	}
	return 0, ""
}

// IsAnswer reports a link to an earlier call of the session.
func IsAnswer(e *model.Event, l model.Link) bool {
	return l.Reason == model.ReasonAction && l.Resolved() && l.To.Pos < e.Pos && (l.To.Session == "" || l.To.Session == e.Session)
}

// Said is what a message says, calls and answers.
type Said struct {
	Text    string
	Calls   []model.MessageCall
	Results []string
}

// Messages makes a conversation of what is in view, a message each.
func Messages(view []model.Viewed, exact bool, read func(v *model.Viewed) Said) model.Conversation {
	c := model.Conversation{Messages: make([]model.Message, 0, len(view)), Exact: exact}
	for i := range view {
		v := &view[i]
		c.Exact = c.Exact && v.Raw != nil
		s := read(v)
		c.Messages = append(c.Messages, model.Message{
			Role: v.Role, Records: []int{i}, Text: s.Text, Calls: s.Calls, Results: s.Results, Tokens: v.Tokens, Summary: v.Summary,
		})
	}
	return c
}

// Requested reads the messages of a recorded request in the form that most
// programs share: role, content, tool_calls, tool_call_id or tool_call_ids.
func Requested(list []byte) (c model.Conversation, ok bool) {
	if jsonscan.Kind(list) != '[' {
		return c, false
	}
	c.Exact = true
	jsonscan.Elements(list, func(v []byte) bool {
		role, known := model.ParseRole(jsonscan.Str(jsonscan.Get(v, "role")))
		c.Exact = c.Exact && known
		m := model.Message{Role: role, Text: Text(jsonscan.Get(v, "content")), Calls: Calls(jsonscan.Get(v, "tool_calls")), Tokens: model.TokensUnknown}
		if id := jsonscan.Scalar(jsonscan.Get(v, "tool_call_id")); id != "" {
			m.Results = append(m.Results, id)
		}
		jsonscan.Elements(jsonscan.Get(v, "tool_call_ids"), func(id []byte) bool {
			m.Results = append(m.Results, jsonscan.Scalar(id))
			return true
		})
		c.Messages = append(c.Messages, m)
		return true
	})
	return c, true
}

// Calls reads a list of tool calls as providers of chat completions write it.
func Calls(list []byte) (calls []model.MessageCall) {
	jsonscan.Elements(list, func(v []byte) bool {
		f := v
		if inner := jsonscan.Get(v, "function"); inner != nil {
			f = inner
		}
		args := jsonscan.Get(f, "arguments")
		text, isText := jsonscan.Text(args)
		if !isText {
			text = string(args)
		}
		calls = append(calls, model.MessageCall{ID: jsonscan.Scalar(jsonscan.Get(v, "id")), Tool: jsonscan.Str(jsonscan.Get(f, "name")), Args: text})
		return true
	})
	return calls
}

// Text is the whole text of a content: a string, a block, or the text blocks of
// a list joined by newlines. What is neither is given as written.
func Text(v []byte) string {
	switch jsonscan.Kind(v) {
	case '"':
		return jsonscan.Str(v)
	case '[':
		var parts []string
		jsonscan.Elements(v, func(b []byte) bool {
			if s, ok := blockText(b); ok {
				parts = append(parts, s)
			}
			return true
		})
		return strings.Join(parts, "\n")
	case '{':
		if s, ok := blockText(v); ok {
			return s
		}
		return string(v)
	case '0', 't', 'f':
		return string(v)
	}
	return ""
}

func blockText(b []byte) (string, bool) {
	if jsonscan.Kind(b) == '"' {
		return jsonscan.Str(b), true
	}
	return jsonscan.Text(jsonscan.Get(b, "text"))
}

// SpanOf is where a part of a record stands in it; the whole record where it
// is no part.
func SpanOf(record, part []byte) model.Span {
	at, ok := jsonscan.Within(record, part)
	if !ok {
		return model.Span{}
	}
	return model.Span{Offset: int64(at), Length: int64(len(part))}
}
