package opencode

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// piece is a record in view, as far as messages are made of it.
type piece struct {
	model.Message
	place    string // in the request
	response string // records of one are one message
	parts    []piece
	exact    bool
}

// Messages gives the request that is made of the records in view (section 6 of
// the format). A process that goes on and one that starts again have the same
// view. From 1.14 on it is exact.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	all := make([]piece, 0, len(view))
	for i := range view {
		s := speak(&view[i])
		s.Records = []int{i}
		all = append(all, s)
	}
	arrange(view, all)
	return converse(all)
}

// Frames says that requests hold texts of the program's own.
func (dialect) Frames() {}

// arrange puts the records in the order of the request. The question and the
// summary of the last compaction that came to its end stand first; those of an
// older one, or of one that failed, where they were asked for.
func arrange(view []model.Viewed, all []piece) {
	front := ""
	for i := range all {
		if round := roundOf(view[i].Key); round != "" && isSettled(view, i, round) {
			front = round
		}
	}
	for i := range all {
		key := view[i].Key
		round := roundOf(key)
		switch {
		case key == "":
		case round != "" && round == front:
			all[i].place = string(rune(letterFront)) + placeIn(key)
		default:
			all[i].place = string(rune(letterPlain)) + placeIn(key)
		}
	}
	slices.SortStableFunc(all, func(a, b piece) int { return strings.Compare(a.place, b.place) })
}

// roundOf names the compaction that a key of the front belongs to.
func roundOf(key string) string {
	if key == "" || key[0] != letterFront && key[0] != letterFront-upper {
		return ""
	}
	for _, mark := range [...]string{roundAsked + sideSaid, roundSummed + sideSaid} {
		if i := strings.LastIndex(key, mark); i > 0 {
			return key[1:i]
		}
	}
	return ""
}

// isSettled reports whether record i is the question of a compaction that came
// to its end: it stands by the row that ended the summary, or it names the tail
// that it keeps, which is in view before it.
func isSettled(view []model.Viewed, i int, round string) bool {
	x := &view[i]
	if x.Role != model.RoleUser {
		return false
	}
	r := readRow(x.Raw)
	if r.op == opMessage {
		return true
	}
	p, _ := r.partAt(stageOf(&x.Record))
	tail := jsonscan.Str(p.tail)
	if tail == "" {
		return false
	}
	isThere, isSummed := false, false
	for j := range view {
		key := view[j].Key
		isThere = isThere || strings.Contains(key, "."+tail+".") && placeIn(key) < round
		isSummed = isSummed || roundOf(key) == round && view[j].Summary
	}
	return isThere && isSummed
}

// speak reads a record in view.
func speak(x *model.Viewed) (s piece) {
	s.exact = x.Raw != nil && x.Key != "" && x.Key[0] >= upper+'A'
	s.Role, s.Tokens, s.Summary, s.response = x.Role, x.Tokens, x.Summary, x.Response
	if x.Key == "" && x.Record.Kind == model.KindObservation {
		s.Role = model.RoleTool // a record asked for by itself
	}
	if x.Raw == nil {
		return s
	}
	r := readRow(x.Raw)
	switch r.op {
	case opMessage:
		s.Text = askedFor
	case opPart, opRun:
		s.speakPart(x, &r)
	case opNext:
		s.speakNext(x, &r)
	case opNextRow:
		s.speakRow(&r)
	case opGoMessage:
		s.speakGo(x, &r)
	}
	s.exact = s.exact && !s.redacted()
	return s
}

// redacted reports whether the export left the content out on request.
func (s *piece) redacted() bool {
	return isRedacted(s.Text) || slices.ContainsFunc(s.Calls, func(c model.MessageCall) bool { return strings.HasPrefix(c.Args, `{"redacted":`) })
}

func isRedacted(text string) bool { return strings.HasPrefix(text, "[redacted:") }

func (s *piece) speakPart(x *model.Viewed, r *row) {
	p, c := r.partAt(stageOf(&x.Record))
	switch p.typ {
	case "compaction":
		s.Text = askedFor
	case "tool":
		if s.Role != model.RoleTool {
			s.Calls = []model.MessageCall{{ID: p.call, Tool: p.tool, Args: string(c.input)}}
			return
		}
		if x.Key == "" { // it may stand for its call as well
			s.Calls = []model.MessageCall{{ID: p.call, Tool: p.tool, Args: string(c.input)}}
		}
		s.Results = []string{p.call}
		s.Text = c.result()
		if x.Replaced {
			s.Text = outputCleared
		}
		s.exact = s.exact && !present(c.attach)
	default:
		s.Text, _ = p.said(s.Role == model.RoleUser)
	}
}

// converse joins the parts of a message, and puts the results behind the
// message that made the calls, in the order of the calls. A call without a
// result goes out as interrupted.
func converse(all []piece) model.Conversation {
	// Every request begins with what the user said.
	c := model.Conversation{Exact: len(all) > 0 && all[0].Role == model.RoleUser}
	results := map[string]int{}
	for i := range all {
		c.Exact = c.Exact && all[i].exact
		if len(all[i].Results) > 0 {
			results[all[i].Results[0]] = i
		}
	}
	var open []model.MessageCall
	given := make([]bool, len(all))
	answer := func() {
		for _, call := range open {
			i, ok := results[call.ID]
			if !ok || given[i] {
				c.Messages = append(c.Messages, model.Message{
					Role: model.RoleTool, Text: callInterrupted, Results: []string{call.ID}, Tokens: model.TokensUnknown,
				})
				continue
			}
			given[i] = true
			c.Messages = append(c.Messages, all[i].Message)
		}
		open = nil
	}
	last := ""
	for i := range all {
		s := &all[i]
		if len(s.Results) > 0 && len(s.parts) == 0 {
			answer()
			last = ""
			if !given[i] {
				given[i] = true
				c.Messages = append(c.Messages, s.Message)
			}
			continue
		}
		if n := len(c.Messages); last != "" && s.response == last && c.Messages[n-1].Role == s.Role {
			join(&c.Messages[n-1], &s.Message)
		} else {
			answer()
			c.Messages = append(c.Messages, s.Message)
		}
		last = s.response
		open = append(open, s.Calls...)
		for k := range s.parts {
			s.parts[k].Records = s.Records
			c.Messages = append(c.Messages, s.parts[k].Message)
		}
		if len(s.parts) > 0 {
			open, last = nil, ""
		}
	}
	answer()
	return c
}

// join makes one message of two.
func join(into, m *model.Message) {
	into.Records = append(into.Records, m.Records...)
	into.Calls = append(into.Calls, m.Calls...)
	into.Summary = into.Summary || m.Summary
	into.Text = joined(into.Text, m.Text)
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
