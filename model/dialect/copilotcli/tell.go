package copilotcli

import (
	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector turns events into effects; it keeps nothing between them.
type effector struct{}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return effector{} }

// Save has nothing to carry.
func (effector) Save() ([]byte, error) { return nil, nil }

// Load has nothing to take up.
func (effector) Load([]byte) error { return nil }

// Effects tells what an event does.
func (effector) Effects(e *model.Event, raw []byte, view model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied {
		return nil
	}
	r := readRecord(raw)
	own := r.parentCall == nil // what a sub-agent says is not in view of its parent
	switch e.Type {
	case "user.message", "system.message", "assistant.message":
		if own {
			fx = append(fx, chat.Say(e.Pos, 0, roles[e.Type], r.said()))
		}
		opened := map[string]bool{}
		for _, c := range r.calls() {
			if id := chat.CallID(c.id, e.Pos); !opened[id] {
				opened[id] = true
				fx = append(fx, model.Call{ID: id, Tool: c.tool})
			}
		}
	case "assistant.usage":
		if u := r.usage(); u != nil {
			fx = append(fx, model.Spend{Usage: *u})
		}
	case "tool.execution_start":
		if id := chat.CallID(e.Call, e.Pos); view.Pending(id) == 0 {
			fx = append(fx, model.Call{ID: id, Tool: e.Tool})
		}
	case "tool.execution_complete":
		fx = append(fx, model.Return{ID: e.Call})
		if own {
			fx = append(fx, chat.Say(e.Pos, 0, model.RoleTool, r.text()))
		}
		fx = append(fx, r.did(e, view)...)
	case "session.error":
		fx = append(fx, model.Fail{Message: jsonscan.Str(r.message)})
	case "session.start", "session.resume":
		fx = append(fx, model.Status{Execution: "running"})
		if dir := jsonscan.Str(jsonscan.Get(r.cwd, "cwd")); dir != "" {
			fx = append(fx, model.Cwd{Path: dir})
		}
	case "session.shutdown":
		fx = append(fx, model.Status{Execution: "finished"})
	case "session.workspace_file_changed":
		if p := jsonscan.Str(r.path); p != "" {
			fx = append(fx, model.DoubtFiles{Paths: []string{chat.Abs(p, view.Cwd())}})
		}
	case "session.compaction_complete", "session.truncation", "session.context_cleared":
		fx = append(fx, r.forgets(e, view))
	}
	return fx
}

var roles = map[string]model.Role{"user.message": model.RoleUser, "system.message": model.RoleSystem, "assistant.message": model.RoleAssistant}

// said is a message's text as the model gets it.
func (r *record) said() string {
	if r.sent != nil && jsonscan.Kind(r.sent) == '"' {
		return jsonscan.Str(r.sent)
	}
	return chat.Text(r.content)
}

// forgets takes the oldest messages out of the context: how many is recorded,
// which is not.
func (r *record) forgets(e *model.Event, view model.View) model.Effect {
	fx := model.Forget{Reason: model.LostCompaction, Checkpoint: chat.CallID(e.ID, e.Pos)}
	in := view.Context()
	n, told := jsonscan.Int(r.removed)
	switch {
	case e.Type == "session.truncation":
		fx.Reason = model.LostWindow
		if !told {
			n = 0
		}
	case !told || e.Type == "session.context_cleared":
		n = int64(len(in))
	}
	for _, x := range in[:max(0, min(n, int64(len(in))))] {
		fx.Keys = append(fx.Keys, x.Key)
	}
	if text := chat.Text(r.summary); text != "" && e.Type == "session.compaction_complete" {
		say := chat.Say(e.Pos, 0, model.RoleUser, text)
		say.Summary = true
		if len(fx.Keys) > 0 {
			say.Key = fx.Keys[0] + "~" // where the first of them stood
		}
		fx.Summary = &say
	}
	return fx
}

// did is what a finished call did, by its arguments.
func (r *record) did(e *model.Event, view model.View) []model.Effect {
	tool, args := r.asked(e, view)
	if command, ok := chat.Command(tool, args); ok {
		return []model.Effect{model.Run{Command: command, Exit: r.exit()}}
	}
	path := chat.Abs(jsonscan.Str(jsonscan.Get(args, "path")), view.Cwd())
	if ok, _ := jsonscan.Bool(r.success); !ok || path == "" {
		return nil
	}
	switch tool {
	case "create":
		if text, ok := jsonscan.Text(jsonscan.Get(args, "file_text")); ok {
			return []model.Effect{model.WriteFile{Path: path, Content: text, Certainty: model.CertaintyKnown}}
		}
	case "edit":
		if old := jsonscan.Str(jsonscan.Get(args, "old_str")); old != "" {
			return []model.Effect{model.EditFile{Path: path, Old: old, New: jsonscan.Str(jsonscan.Get(args, "new_str"))}}
		}
	case "str_replace_editor":
		if x := chat.Editor(path, args); x != nil {
			return []model.Effect{x}
		}
	}
	return nil
}

// asked finds the call that a result answers: where it started, or the message
// that asked for it.
func (r *record) asked(e *model.Event, view model.View) (tool string, args []byte) {
	pos, _ := chat.Answered(e)
	_, raw, ok := view.Record(pos)
	if !ok {
		return "", nil
	}
	call := readRecord(raw)
	if call.tool != nil {
		return jsonscan.Str(call.tool), arguments(call.args)
	}
	for _, c := range call.calls() {
		if c.id == e.Call {
			return c.tool, c.args
		}
	}
	return "", nil
}

// Messages gives the context. What the program adds of its own is in no record.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (s chat.Said) {
		r := readRecord(v.Raw)
		switch {
		case v.Summary:
			s.Text = chat.Text(r.summary)
		case v.Record.Type == "tool.execution_complete":
			s.Text, s.Results = r.text(), []string{v.Record.Call}
		default:
			s.Text = r.said()
			for _, c := range r.calls() {
				s.Calls = append(s.Calls, model.MessageCall{ID: chat.CallID(c.id, v.Pos), Tool: c.tool, Args: string(c.args)})
			}
		}
		return s
	})
}
