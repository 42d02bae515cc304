package opencode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// speakNext reads an event of the coming model.
func (s *piece) speakNext(x *model.Viewed, r *row) {
	get := func(keys ...string) []byte { return jsonscan.Get(r.data, keys...) }
	switch what := strings.TrimPrefix(r.typ, "session.next."); what {
	case "tool.called":
		s.Calls = []model.MessageCall{{ID: jsonscan.Str(get("callID")), Tool: jsonscan.Str(get("tool")), Args: string(get("input"))}}
	case "tool.success", "tool.failed":
		s.Results, s.Text = []string{jsonscan.Str(get("callID"))}, nextText(r)
	case "reasoning.ended":
	default:
		s.Text = nextText(r)
	}
}

// speakRow reads a message of the coming model, with its calls and their
// results.
func (s *piece) speakRow(r *row) {
	s.Text = jsonscan.Str(jsonscan.Get(r.object, "text"))
	jsonscan.Elements(jsonscan.Get(r.object, "content"), func(v []byte) bool {
		get := func(keys ...string) []byte { return jsonscan.Get(v, keys...) }
		switch jsonscan.Str(get("type")) {
		case "text":
			s.Text = joined(s.Text, jsonscan.Str(get("text")))
		case "tool":
			id := jsonscan.Str(get("id"))
			s.Calls = append(s.Calls, model.MessageCall{ID: id, Tool: jsonscan.Str(get("name")), Args: string(get("state", "input"))})
			given := row{data: get("state")}
			result := model.Message{Role: model.RoleTool, Text: nextText(&given), Results: []string{id}, Tokens: model.TokensUnknown}
			s.parts = append(s.parts, piece{Message: result})
		}
		return true
	})
}

// speakGo reads a message of the old Go program, a call in it, or a result.
func (s *piece) speakGo(x *model.Viewed, r *row) {
	id := x.Record.Call
	switch {
	case s.Role == model.RoleTool:
		s.Results = []string{id}
		s.Text = jsonscan.Str(jsonscan.Get(goPart(r.object, "tool_result", "tool_call_id", id), "content"))
	case id != "":
		data := goPart(r.object, "tool_call", "id", id)
		s.Calls = []model.MessageCall{{ID: id, Tool: jsonscan.Str(jsonscan.Get(data, "name")), Args: jsonscan.Str(jsonscan.Get(data, "input"))}}
	default:
		s.Text = readGo(r.object).text
	}
}
