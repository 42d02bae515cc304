package openhands

import (
	"slices"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// v1 tells what an event of the newer family does (section 8 of the format).
func (f *effector) v1(e *model.Event, s *foreseen, view model.View) []model.Effect {
	r, n := &s.rec, &s.note
	branch, out := f.goBack(e, n, view)
	f.lookForAge(e, r)
	if n.Flags.has(opensCall) {
		out = append(out, f.state.Calls.open(e, callID(e)))
	}
	if n.Flags.has(answersCall) && !n.Flags.has(acp) {
		out = append(out, f.answered(e, r, view)...)
	}
	if n.Flags.has(inView) {
		out = append(out, say(n, roleV1(e, r), s.chars))
	}
	switch e.Type {
	case "ObservationEvent":
		out = append(out, f.observed(e, r, view)...)
	case "AgentErrorEvent":
		out = append(out, model.Fail{Code: jsonscan.Str(jsonscan.Get(r.raw, "classification", "kind")), Message: jsonscan.Str(r.errorText)})
	case "ConversationErrorEvent":
		out = append(out, model.Fail{Code: jsonscan.Scalar(r.code), Message: jsonscan.Str(r.detail)})
		out = append(out, model.Status{Execution: statusError})
	case "ServerErrorEvent":
		out = append(out, model.Fail{Code: jsonscan.Scalar(r.code), Message: jsonscan.Str(r.detail)})
	case "Condensation":
		out = append(out, f.condenseV1(e, r, branch, view))
	case "ConversationStateUpdateEvent":
		out = append(out, f.stateUpdate(e, r)...)
	case "PauseEvent", "InterruptEvent":
		out = append(out, model.Status{Execution: statusPaused})
	case "ACPToolCallEvent":
		out = append(out, f.acpCall(e, r, n)...)
	}
	out = append(out, f.inferStatus(turnOfV1(e, r, n))...)
	return append(out, f.spentV1(e, r)...)
}

// callID names a call: by the provider's id, else by its event.
func callID(e *model.Event) string {
	if e.Call != "" {
		return e.Call
	}
	return checkpointID(e)
}

// answered closes the call that a result names: by the action's event, else by
// the provider's id.
func (f *effector) answered(e *model.Event, r *record, view model.View) []model.Effect {
	var a *followed
	if id := jsonscan.Str(r.actionID); id != "" {
		a = f.state.Calls.byPos(view.Find(id))
	}
	if a == nil && e.Call != "" {
		a = f.state.Calls.nearest(e.Call)
	}
	if a == nil && e.Call != "" {
		return []model.Effect{model.Return{ID: e.Call}} // one that is followed no more
	}
	return a.answer(e.Pos)
}

// turnOfV1 is the state that an event leaves the conversation in. A finished
// one is only told by the result of finish.
func turnOfV1(e *model.Event, r *record, n *note) string {
	switch {
	case n.Flags.has(opensCall):
		return statusRunning
	case n.Flags.has(turnEnds):
		return statusFinished
	case e.Type == "ObservationEvent" && (e.Tool == "finish" || jsonscan.Str(r.detailsOf(r.observation).kind) == "FinishObservation"):
		return statusFinished
	case n.Flags.has(userTurn):
		return statusRunning
	}
	return ""
}

func roleV1(e *model.Event, r *record) model.Role {
	switch e.Type {
	case "SystemPromptEvent":
		return model.RoleSystem
	case "ActionEvent", "NonExecutableActionEvent":
		return model.RoleAssistant
	case "ObservationEvent", "UserRejectObservation", "AgentErrorEvent":
		return model.RoleTool
	case "MessageEvent":
		if role, ok := model.ParseRole(jsonscan.Str(jsonscan.Get(r.llmMessage, "role"))); ok {
			return role
		}
		if e.Source == "agent" {
			return model.RoleAssistant
		}
	}
	return model.RoleUser
}

// stateUpdate reads what the server says of the conversation's own state. The
// pieces of a streamed answer do nothing.
func (f *effector) stateUpdate(e *model.Event, r *record) []model.Effect {
	key, value := updateOf(r)
	switch {
	case key == "execution_status" || key == "agent_status":
		return f.recordStatus(jsonscan.Scalar(value), "")
	case key == "full_state":
		return []model.Effect{model.Snapshot{Checkpoint: checkpointID(e), BasePos: f.state.Previous, State: slices.Clone(value)}}
	case key == "stats" || streamKeys[key] || value == nil:
		return nil
	}
	return []model.Effect{model.Set{Path: model.PathVars + "/" + model.EscapePointer(key), Value: slices.Clone(value)}}
}

// spentV1 is what a record says of tokens and money. Where the log tells none
// itself, what the conversation's state file tells of single responses is
// spread over their first records.
func (f *effector) spentV1(e *model.Event, r *record) []model.Effect {
	if e.Type == "ConversationStateUpdateEvent" {
		switch key, value := updateOf(r); key {
		case "stats":
			return f.spent(e, statsUsage(value))
		case "full_state":
			return nil // a claim to be compared, not what this event spent
		}
	}
	id := jsonscan.Str(r.responseID)
	u, ok := f.meta.Responses[id]
	if !ok || f.state.HasStats || !f.charge(id) {
		return f.spent(e, nil)
	}
	return []model.Effect{model.Spend{Usage: u}}
}

// acpCall follows a call that an ACP agent runs: its first record opens it, a
// record of its end closes it and tells which texts it changed.
func (f *effector) acpCall(e *model.Event, r *record, n *note) (out []model.Effect) {
	if !n.Flags.has(answersCall) {
		if f.state.Calls.nearest(e.Call) == nil {
			out = append(out, f.state.Calls.open(e, callID(e)))
		}
		return out
	}
	if a := f.state.Calls.nearest(e.Call); a != nil {
		out = append(out, a.answer(e.Pos)...)
	}
	if e.Outcome.Failed() {
		return out
	}
	jsonscan.Elements(jsonscan.Get(r.raw, "content"), func(block []byte) bool {
		if fx := f.acpDiff(block); fx != nil {
			out = append(out, fx)
		}
		return true
	})
	return out
}

// acpDiff reads a diff block: the text of a new file, or a replacement.
func (f *effector) acpDiff(block []byte) model.Effect {
	var typ, path string
	var old, new []byte
	jsonscan.Fields(block, func(key string, v []byte) bool {
		switch key {
		case "type":
			typ = jsonscan.Str(v)
		case "path":
			path = jsonscan.Str(v)
		case "old_text", "oldText":
			old = v
		case "new_text", "newText":
			new = v
		}
		return true
	})
	if typ != "diff" || path == "" || !isText(new) {
		return nil
	}
	if jsonscan.Str(old) == "" {
		return model.WriteFile{Path: f.abs(path), Content: jsonscan.Str(new), Certainty: model.CertaintyDerived}
	}
	return model.EditFile{Path: f.abs(path), Old: jsonscan.Str(old), New: jsonscan.Str(new)}
}

// lookForAge notes spellings that tell a version before 1.10.
func (f *effector) lookForAge(e *model.Event, r *record) {
	if f.state.Old {
		return
	}
	f.state.Old = isOld(e.Type, r)
}

// oldKinds are the kinds of actions and observations that went before 1.10.
var oldKinds = map[string]bool{
	"ExecuteBashAction": true, "ExecuteBashObservation": true, "StrReplaceEditorAction": true, "StrReplaceEditorObservation": true,
}

func isOld(typ string, r *record) bool {
	switch typ {
	case "NonExecutableActionEvent":
		return true
	case "ActionEvent":
		return oldKinds[jsonscan.Str(r.detailsOf(r.action).kind)]
	case "ObservationEvent":
		return oldKinds[jsonscan.Str(r.detailsOf(r.observation).kind)]
	case "ConversationStateUpdateEvent":
		key, _ := updateOf(r)
		return key == "agent_status"
	}
	return false
}
