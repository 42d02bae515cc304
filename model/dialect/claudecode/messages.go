package claudecode

import (
	"cmp"
	"slices"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// Messages gives the context as the provider gets it, as far as the records
// tell (section 5.2 of the format): blocks of one response are one message; all
// that the user's side says between two responses is one, followed by at most
// one of the system. Only a recorded request is exact. A process that starts
// again has the same in view.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	var c model.Conversation
	var t turn
	at := map[string]int{} // of the messages, by response
	for i := range view {
		x := &view[i]
		if x.Key == promptKey {
			continue // it goes beside the messages
		}
		if x.Role != model.RoleAssistant {
			t.take(i, x)
			continue
		}
		s := speakAssistant(x)
		s.Records = []int{i}
		if n, ok := at[x.Response]; ok && x.Response != "" {
			join(&c.Messages[n], &s)
			continue
		}
		c.Messages = append(c.Messages, t.messages()...)
		t = turn{after: true}
		at[x.Response] = len(c.Messages)
		c.Messages = append(c.Messages, s)
	}
	c.Messages = append(c.Messages, t.messages()...)
	return c
}

// turn is what the user's side and the system say between two responses.
type turn struct {
	after  bool // a response stands before it
	user   []said
	system []said
	place  int
}

// said is what one record adds to a message.
type said struct {
	model.Message
	// group orders what is said: results and what was attached to them, then what
	// was attached elsewhere, then words.
	group, place int
	texts        []string
}

const (
	groupResults = iota
	groupAttached
	groupWords
)

func (t *turn) take(i int, x *model.Viewed) {
	s := speakUser(x)
	s.Records, s.Role, s.Tokens, s.Summary = []int{i}, model.RoleUser, x.Tokens, x.Summary
	s.place = t.place
	t.place++
	if x.Role == model.RoleSystem {
		s.Role = model.RoleSystem
		t.system = append(t.system, s)
		return
	}
	if s.group == groupAttached && slices.ContainsFunc(t.user, func(o said) bool { return o.group == groupResults }) {
		s.group = groupResults
	}
	t.user = append(t.user, s)
}

// messages are those of the turn. Behind a response a file that was attached
// beside no result begins with a message of its own.
func (t *turn) messages() (out []model.Message) {
	slices.SortStableFunc(t.user, func(a, b said) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.place, b.place)) })
	for i := range t.user {
		s := &t.user[i]
		texts := s.texts
		if i == 0 && t.after && s.group == groupAttached && len(texts) > 1 {
			first := s.Message
			first.Text = texts[0]
			out, texts = append(out, first), texts[1:]
		}
		s.Text = joinTexts(texts...)
		if n := len(out); n == 0 || i == 0 {
			out = append(out, s.Message)
		} else {
			join(&out[n-1], &s.Message)
		}
	}
	for i := range t.system {
		s := &t.system[i]
		s.Text = joinTexts(s.texts...)
		if i == 0 {
			out = append(out, s.Message)
		} else {
			join(&out[len(out)-1], &s.Message)
		}
	}
	return out
}

// join makes one message of two.
func join(into, s *model.Message) {
	into.Records = append(into.Records, s.Records...)
	into.Calls = append(into.Calls, s.Calls...)
	into.Results = append(into.Results, s.Results...)
	into.Summary = into.Summary || s.Summary
	into.Text = joinTexts(into.Text, s.Text)
	if into.Tokens == model.TokensUnknown || s.Tokens == model.TokensUnknown {
		into.Tokens = model.TokensUnknown
	} else {
		into.Tokens += s.Tokens
	}
}

// speakAssistant reads a block of a response.
func speakAssistant(x *model.Viewed) model.Message {
	m := model.Message{Role: model.RoleAssistant, Tokens: x.Tokens}
	speakBlocks(&m, jsonscan.Get(x.Raw, "message", "content"), false)
	return m
}

// speakUser reads what a record of the user's side says.
func speakUser(x *model.Viewed) (s said) {
	if rendered := jsonscan.Get(x.Raw, "rendered"); isList(rendered) {
		s.group, s.texts = groupAttached, renderings(rendered)
		return s
	}
	speakBlocks(&s.Message, jsonscan.Get(x.Raw, "message", "content"), x.Replaced)
	s.group, s.texts = groupWords, []string{s.Text}
	if len(s.Results) > 0 {
		s.group = groupResults
	}
	return s
}

// speakBlocks fills in what a content says, calls and answers. Of a record whose
// outputs were cleared, results are empty.
func speakBlocks(m *model.Message, content []byte, cleared bool) {
	var texts []string
	eachBlock(content, func(b block) bool {
		switch b.typ {
		case blockText:
			texts = append(texts, jsonscan.Str(b.text))
		case blockToolUse:
			m.Calls = append(m.Calls, model.MessageCall{ID: jsonscan.Str(b.id), Tool: jsonscan.Str(b.name), Args: string(b.input)})
		case blockToolResult:
			m.Results = append(m.Results, jsonscan.Str(b.toolUseID))
			if !cleared {
				text, _ := textOf(b.content)
				texts = append(texts, text)
			}
		}
		return true
	})
	m.Text = joinTexts(texts...)
}
