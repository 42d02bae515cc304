package opencode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// goRow is a row of the old Go program's database. A message, each call in it
// and each result in it are events of their own.
func (f *effector) goRow(e *model.Event, r *row, view model.View) []model.Effect {
	f.state.Exact = false
	get := func(key string) []byte { return jsonscan.Get(r.object, key) }
	switch r.op {
	case opGoSession:
		f.state.Compaction.Message = jsonscan.Str(get("summary_message_id"))
		return f.values(map[string]string{"title": string(get("title"))}, false)
	case opGoFile:
		return goFile(r)
	}
	switch e.Kind {
	case model.KindAction:
		return f.goCall(e, r)
	case model.KindObservation:
		return f.goResult(e, r, view)
	}
	return f.goMessage(e, r, view)
}

// goFile is a version of a file; the first is what stood there before.
func goFile(r *row) []model.Effect {
	path, content := jsonscan.Str(jsonscan.Get(r.object, "path")), jsonscan.Get(r.object, "content")
	if path == "" || !isText(content) {
		return nil
	}
	text := jsonscan.Str(content)
	if jsonscan.Str(jsonscan.Get(r.object, "version")) != "initial" {
		return []model.Effect{model.WriteFile{Path: path, Content: text, Certainty: model.CertaintyKnown}}
	}
	if text == "" { // as well a file that was not there
		return nil
	}
	return []model.Effect{model.SeeFile{Path: path, Content: text, Whole: true}}
}

// goMessage says the text of a message. The message that the session names as
// its summary stands for all before it, and goes out as the user's.
func (f *effector) goMessage(e *model.Event, r *row, view model.View) (out []model.Effect) {
	m := readGo(r.object)
	if m.role == "user" {
		out = f.inferStatus("running", "")
	}
	switch m.finish {
	case "end_turn":
		out = f.inferStatus("idle", "")
	case "canceled":
		out = f.inferStatus("interrupted", "")
	case "error":
		out = append(f.inferStatus("error", ""), model.Fail{Code: m.finish})
	}
	if m.role == "tool" || m.text == "" {
		return out
	}
	say := model.Say{Key: f.nextKey(e, sideSaid), Response: r.message, Role: model.RoleUser, Chars: chars(m.text), Tokens: model.TokensUnknown}
	if r.message == f.state.Compaction.Message {
		say.Summary = true
		return append(out, model.Forget{Keys: placedBefore(view, "a"), Reason: model.LostCompaction, Checkpoint: r.message, Summary: &say})
	}
	if m.role == "assistant" {
		say.Role = model.RoleAssistant
	}
	return append(out, say)
}

// goText is a message of the old program as far as it is one text.
type goText struct{ role, text, finish string }

func readGo(obj []byte) (m goText) {
	m.role = jsonscan.Str(jsonscan.Get(obj, "role"))
	jsonscan.Elements(inner(jsonscan.Get(obj, "parts")), func(p []byte) bool {
		data := jsonscan.Get(p, "data")
		switch jsonscan.Str(jsonscan.Get(p, "type")) {
		case "text":
			if m.text != "" {
				m.text += "\n"
			}
			m.text += jsonscan.Str(jsonscan.Get(data, "text"))
		case "finish":
			m.finish = jsonscan.Str(jsonscan.Get(data, "reason"))
		}
		return true
	})
	return m
}

// goPart finds the call or the result of a call in a message.
func goPart(obj []byte, typ, key, call string) (data []byte) {
	jsonscan.Elements(inner(jsonscan.Get(obj, "parts")), func(p []byte) bool {
		d := jsonscan.Get(p, "data")
		if jsonscan.Str(jsonscan.Get(p, "type")) == typ && jsonscan.Str(jsonscan.Get(d, key)) == call {
			data = d
		}
		return data == nil
	})
	return data
}

func (f *effector) goCall(e *model.Event, r *row) []model.Effect {
	data := goPart(r.object, "tool_call", "id", e.Call)
	out := []model.Effect{
		model.Say{Key: f.nextKey(e, sideSaid), Response: r.message, Role: model.RoleAssistant, Tokens: model.TokensUnknown},
		model.Call{ID: e.Call, Tool: e.Tool},
	}
	if command := jsonscan.Get(inner(jsonscan.Get(data, "input")), "command"); e.Tool == "bash" && isText(command) {
		out = append(out, model.Run{Command: jsonscan.Str(command), Running: true})
	}
	return out
}

// goResult is a result. How a command ended it does not tell.
func (f *effector) goResult(e *model.Event, r *row, view model.View) []model.Effect {
	data := goPart(r.object, "tool_result", "tool_call_id", e.Call)
	out := []model.Effect{
		model.Return{ID: e.Call},
		model.Say{Key: f.nextKey(e, sideGiven), Role: model.RoleTool, Chars: chars(jsonscan.Str(jsonscan.Get(data, "content"))), Tokens: model.TokensUnknown},
	}
	if call, _, ok := view.Record(view.Pending(e.Call)); ok && call.Tool == "bash" {
		out = append(out, model.Run{})
	}
	return out
}
