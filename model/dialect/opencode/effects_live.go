package opencode

import (
	"strconv"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// live is a frame that no log holds.
func (f *effector) live(e *model.Event, r *row) []model.Effect {
	get := func(keys ...string) []byte { return jsonscan.Get(r.data, keys...) }
	switch family(r.typ) {
	case "session.status":
		switch state := jsonscan.Str(get("status", "type")); state {
		case "idle":
			return f.recordStatus("idle", "")
		case "busy":
			return f.recordStatus("running", "")
		case "retry":
			message := jsonscan.Str(get("status", "message"))
			return append(f.recordStatus("running", message), model.Fail{Code: state, Message: message})
		}
	case "session.idle":
		return f.recordStatus("idle", "")
	case "session.error":
		fail := failure(get("error"))
		if (&message{err: get("error")}).aborted() {
			return f.recordStatus("interrupted", fail.Message)
		}
		return append(f.recordStatus("error", fail.Message), fail)
	case "todo.updated":
		return tasks(get("todos"))
	case "permission", "question":
		return asked(r)
	}
	return nil
}

func (f *effector) recordStatus(execution, reason string) []model.Effect {
	f.state.HasStatus = true
	return []model.Effect{model.Status{Execution: execution, Reason: reason}}
}

// asked keeps a question to the user, and its answer beside it.
func asked(r *row) []model.Effect {
	path := model.PathVars + "/permissions/"
	if family(r.typ) == "question" {
		path = model.PathVars + "/questions/"
	}
	get := func(key string) []byte { return jsonscan.Get(r.data, key) }
	if id := firstNonEmpty(jsonscan.Str(get("requestID")), jsonscan.Str(get("permissionID"))); id != "" {
		for _, key := range []string{"reply", "response", "answers"} {
			if v := get(key); present(v) {
				return []model.Effect{model.Set{Path: path + model.EscapePointer(id) + "/reply", Value: v}}
			}
		}
		return nil
	}
	if id := jsonscan.Str(get("id")); id != "" {
		return []model.Effect{model.Set{Path: path + model.EscapePointer(id), Value: r.data}}
	}
	return nil
}

// tasks reads a list of tasks.
func tasks(list []byte) []model.Effect {
	if !isList(list) {
		return nil
	}
	t := model.Tasks{}
	jsonscan.Elements(list, func(v []byte) bool {
		t.List = append(t.List, taskOf(v, len(t.List)+1))
		return true
	})
	return []model.Effect{t}
}

func taskOf(v []byte, n int) model.Task {
	status := jsonscan.Str(jsonscan.Get(v, "status"))
	switch status {
	case "pending", "":
		status = "todo"
	case callCompleted:
		status = "done"
	}
	return model.Task{ID: firstNonEmpty(jsonscan.Scalar(jsonscan.Get(v, "id")), strconv.Itoa(n)), Title: jsonscan.Str(jsonscan.Get(v, "content")), Status: status}
}

// todoRow is a row of the table of tasks, which tells one of them as it was in
// the end.
func todoRow(r *row) []model.Effect {
	position, _ := jsonscan.Int(jsonscan.Get(r.object, "position"))
	return []model.Effect{model.TaskItem{Task: taskOf(r.object, int(position)+1)}}
}

// run is a line of `run --format json`: a part without its message.
func (f *effector) run(e *model.Event, r *row, raw []byte, view model.View) []model.Effect {
	f.state.Exact = false
	if r.typ == "error" {
		fail := failure(jsonscan.Get(raw, "error"))
		return append(f.inferStatus("error", fail.Message), fail)
	}
	p := *r
	p.op = opPart
	out := f.inferStatus("running", "")
	return append(out, f.part(e, &p, view)...)
}
