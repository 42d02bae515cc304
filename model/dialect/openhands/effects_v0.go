package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// v0 tells what an event of the older family does (sections 5.5, 6 and 7 of
// the format).
func (f *effector) v0(e *model.Event, r *record, n *note, view model.View) (out []model.Effect) {
	if isText(r.typ) && !isText(r.action) && !isText(r.observation) {
		return append(out, say(n, roleOfEntry(r), phrase.ContentChars(r.content)))
	}
	isAction := isText(r.action)
	body := firstObject(r.args, r.extras, r.raw)
	d := r.detailsOf(body)
	if n.Flags.has(opensCall) {
		out = append(out, f.state.Calls.open(e, callID(e)))
	}
	if !isAction {
		out = append(out, f.answeredV0(e, r, n, view)...)
	}
	if comesIntoView(e.Type, isAction) && !isTrue(d.hidden) {
		out = append(out, f.sayV0(e, r, n, d, isAction))
	}
	switch {
	case isAction:
		out = append(out, f.actedV0(e, body, d, view)...)
	default:
		out = append(out, f.observedV0(e, r, body, d, view)...)
	}
	out = append(out, f.inferStatus(turnOfV0(n))...)
	return append(out, f.spentV0(e, r, n)...)
}

// spentV0 is what a record says of tokens and money: the total so far, or,
// where the log tells none, what its response took.
func (f *effector) spentV0(e *model.Event, r *record, n *note) []model.Effect {
	total := metricsUsage(r.llmMetrics)
	if total == nil && isText(r.action) && !f.state.HasStats {
		if u := ownUsage(r.callMeta); u != nil && f.charge(n.Response) {
			return []model.Effect{model.Spend{Usage: *u}}
		}
	}
	return f.spent(e, total)
}

// sayV0 puts a record into the context. Each call of a response holds all of
// the response's text; it counts with the first.
func (f *effector) sayV0(e *model.Event, r *record, n *note, d *details, isAction bool) model.Say {
	text := ""
	if n.Response == "" || n.Response != f.state.Response {
		text = textV0(e.Type, r, d, isAction)
	}
	if isAction {
		f.state.Response = n.Response
	}
	return say(n, roleV0(e, r, isAction), chars(text))
}

// comesIntoView reports whether the agent gets to see events of this type. Its
// history also holds condensations and the requests for them.
func comesIntoView(typ string, isAction bool) bool {
	switch typ {
	case "null", "change_agent_state", "agent_state_changed":
		return false
	case "condensation", "condensation_request":
		return !isAction
	}
	return true
}

func (f *effector) actedV0(e *model.Event, args []byte, d *details, view model.View) []model.Effect {
	switch e.Type {
	case "condensation":
		return []model.Effect{condenseV0(e, args, d, view)}
	case "change_agent_state":
		return f.recordStatus(jsonscan.Scalar(d.agentState), "")
	case "delegate":
		if len(f.state.Delegates) < callLimit {
			f.state.Delegates = append(f.state.Delegates, e.Pos)
		}
	}
	return nil
}

func (f *effector) observedV0(e *model.Event, r *record, extras []byte, d *details, view model.View) []model.Effect {
	switch e.Type {
	case "agent_state_changed":
		return f.recordStatus(jsonscan.Scalar(d.agentState), jsonscan.Str(d.reason))
	case "error":
		return []model.Effect{model.Fail{Code: jsonscan.Str(jsonscan.Get(extras, "error_id")), Message: phrase.Content(r.content, fullLimit)}}
	case "delegate":
		return f.delegated(view)
	case "run":
		return ranV0(r, f.argsV0(e, r, view), d)
	}
	if e.Outcome.Failed() {
		return nil
	}
	switch e.Type {
	case "edit", "write", "read":
		args := f.argsV0(e, r, view)
		c := changeV0{e: e, path: f.abs(jsonscan.Str(firstOf(d.path, jsonscan.Get(args, "path")))), args: args, extras: extras, details: d, content: phrase.Content(r.content, fullLimit), view: view}
		return c.effects()
	case "task_tracking":
		if isList(d.taskList) {
			return []model.Effect{model.Tasks{List: readTasks(d.taskList)}}
		}
	}
	return nil
}

// delegated takes out of the context what a delegate did between its call and
// its result: the agent above never sees it.
func (f *effector) delegated(view model.View) []model.Effect {
	st := &f.state
	if len(st.Delegates) == 0 {
		return nil
	}
	from := st.Delegates[len(st.Delegates)-1]
	st.Delegates = st.Delegates[:len(st.Delegates)-1]
	fx := model.Forget{Reason: model.LostRebuild}
	for _, x := range view.Context() {
		if x.Pos > from && !x.Summary {
			fx.Keys = append(fx.Keys, x.Key)
		}
	}
	if len(fx.Keys) == 0 {
		return nil
	}
	return []model.Effect{fx}
}

// answeredV0 closes a call: by cause, by the provider's id, or by standing
// right behind it.
func (f *effector) answeredV0(e *model.Event, r *record, n *note, view model.View) []model.Effect {
	if !n.Flags.has(answersCall) {
		return nil
	}
	c := &f.state.Calls
	switch cause := jsonscan.Scalar(r.cause); {
	case cause != "":
		return c.byPos(view.Find(cause)).answer(e.Pos)
	case e.Call != "":
		return c.nearest(e.Call).answer(e.Pos)
	case n.Flags.has(delegates) && len(f.state.Delegates) > 0:
		return c.byPos(f.state.Delegates[len(f.state.Delegates)-1]).answer(e.Pos)
	case n.Flags.has(byNeighbour):
		return c.byPos(f.state.Previous).answer(e.Pos)
	}
	return nil
}

// argsV0 finds the arguments of the action that an observation answers.
func (f *effector) argsV0(e *model.Event, r *record, view model.View) []byte {
	pos := f.state.Previous
	if cause := jsonscan.Scalar(r.cause); cause != "" {
		pos = view.Find(cause)
	} else if a := f.state.Calls.nearest(e.Call); a != nil && e.Call != "" {
		pos = a.Pos
	}
	if pos <= 0 || pos >= e.Pos {
		return nil
	}
	_, raw, ok := view.Record(pos)
	if !ok {
		return nil
	}
	f.act = record{}
	readEvent(&f.act, raw)
	if !isText(f.act.action) {
		return nil
	}
	return firstObject(f.act.args, f.act.raw)
}

// ranV0 reads a command's end, or that it goes on.
func ranV0(r *record, args []byte, d *details) []model.Effect {
	run := model.Run{}
	if !isTrue(jsonscan.Get(args, "is_input")) {
		run.Command = jsonscan.Str(d.command)
	}
	if dir := jsonscan.Str(jsonscan.Get(d.metadata, "working_dir")); dir != "" {
		run.Cwd = &dir
	}
	code, known := d.exitOf()
	if n, ok := jsonscan.Int(r.exitCode); ok && !known {
		code, known = n, true
	}
	switch {
	case known && code == exitRunning:
		run.Running = true
	case known:
		run.Exit = &code
	}
	if run.Command == "" && run.Cwd == nil && !known {
		return nil
	}
	return []model.Effect{run}
}

// turnOfV0 is the state that an event leaves the session in.
func turnOfV0(n *note) string {
	switch {
	case n.Flags.has(userTurn):
		return statusRunning
	case n.Flags.has(turnEnds):
		return statusFinished
	case n.Flags.has(opensCall):
		return statusRunning
	}
	return ""
}

func roleV0(e *model.Event, r *record, isAction bool) model.Role {
	switch {
	case isAction && e.Type == "system":
		return model.RoleSystem
	case isAction && e.Source == "user":
		return model.RoleUser
	case isAction && e.Source == "" && e.Type == "message":
		return model.RoleUser
	case isAction:
		return model.RoleAssistant
	case isObject(r.callMeta):
		return model.RoleTool
	}
	return model.RoleUser
}

func roleOfEntry(r *record) model.Role {
	if jsonscan.Str(r.actorType) == "User" {
		return model.RoleUser
	}
	return model.RoleAssistant
}
