package sweagent

import (
	"strconv"
	"strings"

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
func (effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	switch e.Type {
	case "action":
		fx := []model.Effect{chat.Say(e.Pos, 0, model.RoleAssistant, answer(raw))}
		if e.Kind == model.KindAction {
			fx = append(fx, model.Call{ID: e.ID, Tool: e.Tool})
		}
		return fx
	case "observation":
		return observed(e, raw, view)
	case "info":
		fx := []model.Effect{model.Status{Execution: "finished", Reason: jsonscan.Str(jsonscan.Get(raw, "exit_status"))}}
		if u := totals(raw); u != nil {
			fx = append(fx, model.Spend{Usage: *u, Cumulative: true})
		}
		return fx
	}
	return messageEffects(e, raw)
}

// answer is what the model said in a step.
func answer(step []byte) string {
	if s := jsonscan.Str(jsonscan.Get(step, "response")); s != "" {
		return s
	}
	return jsonscan.Str(jsonscan.Get(step, "thought"))
}

// observed: every action is a line of the shell, and what it did shows in the
// state behind it.
func observed(e *model.Event, raw []byte, view model.View) []model.Effect {
	text := chat.Text(raw)
	fx := []model.Effect{chat.Say(e.Pos, 0, model.RoleUser, text)}
	pos, id := chat.Answered(e)
	_, step, ok := view.Record(pos)
	if !ok {
		return fx
	}
	fx = append(fx, model.Return{ID: id})
	action, state := jsonscan.Str(jsonscan.Get(step, "action")), jsonscan.Get(step, "state")
	if s, isText := jsonscan.Text(state); isText {
		state = object(s)
	}
	run := model.Run{Command: strings.TrimSpace(action)}
	if dir := jsonscan.Str(jsonscan.Get(state, "working_dir")); dir != "" {
		run.Cwd = &dir
	}
	fx = append(fx, run)
	return append(fx, fileEffects(action, jsonscan.Str(jsonscan.Get(state, "open_file")), text, view)...)
}

// object is the JSON in a text; nil where it is none.
func object(s string) []byte {
	start, end, err := jsonscan.Value([]byte(s))
	if err != nil {
		return nil
	}
	return []byte(s)[start:end]
}

func messageEffects(e *model.Event, raw []byte) []model.Effect {
	role, ok := model.ParseRole(e.Type)
	if !ok {
		return nil
	}
	fx := []model.Effect{chat.Say(e.Pos, 0, role, chat.Text(jsonscan.Get(raw, "content")))}
	switch {
	case e.Kind == model.KindAction && e.Call == "":
		fx = append(fx, model.Call{ID: chat.CallID("", e.Pos), Tool: e.Tool})
	case e.Kind == model.KindAction:
		for _, c := range chat.Calls(jsonscan.Get(raw, "tool_calls")) {
			fx = append(fx, model.Call{ID: chat.CallID(c.ID, e.Pos), Tool: c.Tool})
		}
	case e.Kind == model.KindObservation && e.Call == "":
		if pos, id := chat.Answered(e); pos > 0 {
			fx = append(fx, model.Return{ID: id})
		}
	case e.Kind == model.KindObservation:
		jsonscan.Elements(jsonscan.Get(raw, "tool_call_ids"), func(id []byte) bool {
			fx = append(fx, model.Return{ID: jsonscan.Scalar(id)})
			return true
		})
	}
	return fx
}

// Messages gives the context. What the program put around an observation, and
// what it left out of long histories, only the recorded requests tell.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (s chat.Said) {
		switch v.Record.Type {
		case "action":
			s.Text = answer(v.Raw)
			if v.Record.Kind == model.KindAction {
				s.Calls = []model.MessageCall{{ID: v.Record.ID, Tool: v.Record.Tool, Args: jsonscan.Str(jsonscan.Get(v.Raw, "action"))}}
			}
			return s
		case "observation":
			s.Text = chat.Text(v.Raw)
		default:
			s.Text = chat.Text(jsonscan.Get(v.Raw, "content"))
			s.Calls = chat.Calls(jsonscan.Get(v.Raw, "tool_calls"))
			if v.Record.Kind == model.KindAction && len(s.Calls) == 0 {
				s.Calls = []model.MessageCall{{ID: chat.CallID("", v.Pos), Tool: v.Record.Tool, Args: jsonscan.Str(jsonscan.Get(v.Raw, "action"))}}
			}
		}
		if _, id := chat.Answered(&v.Record); id != "" {
			s.Results = []string{id}
		}
		return s
	})
}

// Request gives what a step sent: its query, or before 1.1.0 the messages that
// the step before it noted for it.
func (dialect) Request(e model.Event, _ []model.Viewed, log model.Records) (c model.Conversation, ok bool) {
	if e.Type != "action" {
		return c, false
	}
	_, raw, ok := log.Record(e.Pos)
	if !ok {
		return c, false
	}
	if query := jsonscan.Get(raw, "query"); query != nil {
		return chat.Requested(query)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(e.ID, "step/"), "/action"))
	if err != nil || n == 0 {
		return c, false
	}
	_, before, ok := log.Record(log.Find(stepID(n-1, "action")))
	if !ok {
		return c, false
	}
	return chat.Requested(jsonscan.Get(before, "messages"))
}
