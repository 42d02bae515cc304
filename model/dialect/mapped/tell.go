package mapped

import (
	"encoding/json"
	"fmt"
	"strconv"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector tells what records do. It keeps the tasks that were told, since a
// record that changes one may name it by its id alone.
type effector struct {
	m     *mapping
	tasks map[string]string // titles by id
}

// taskLimit bounds the tasks whose titles are kept.
const taskLimit = 1 << 12

// NewEffector starts a session.
func (d Dialect) NewEffector(*model.Stream, string) model.Effector {
	return &effector{m: d.m, tasks: map[string]string{}}
}

// Save and Load carry the titles of tasks across a stop.
func (f *effector) Save() ([]byte, error) { return json.Marshal(f.tasks) }

// Load takes up what Save wrote.
func (f *effector) Load(state []byte) error {
	tasks := map[string]string{}
	if err := json.Unmarshal(state, &tasks); err != nil {
		return fmt.Errorf("load the tasks of a mapped session: %w", err)
	}
	f.tasks = tasks
	return nil
}

// Effects tells what a record does, in the order of the rules and of their
// effects.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied || jsonscan.Kind(raw) != '{' {
		return nil
	}
	r := f.m.read(raw)
	r.effects(func(n int, x *effect, s scope) {
		if made := f.make(r, e, n, x, s, view); made != nil {
			fx = append(fx, made)
		}
	})
	return fx
}

// make is one effect; nil where the record lacks what it needs.
func (f *effector) make(r *reading, e *model.Event, n int, x *effect, s scope, view model.View) model.Effect {
	switch x.do {
	case doMessage:
		return x.message(e, n, s)
	case doCall:
		tool := x.arg("tool", s)
		if tool == "" {
			tool = e.Tool
		}
		return model.Call{ID: chat.CallID(r.callID(x, s), e.Pos), Tool: tool}
	case doReturn:
		if id := r.callID(x, s); id != "" {
			return model.Return{ID: id}
		}
		if _, id := chat.Answered(e); id != "" {
			return model.Return{ID: id}
		}
	case doRun:
		return x.run(s)
	case doTasks, doTask:
		return f.task(x, s)
	case doStatus:
		if to := x.arg("execution", s); to != "" {
			return model.Status{Execution: to, Reason: x.arg("reason", s)}
		}
	case doUsage:
		if u := x.usage(s); u != nil {
			return model.Spend{Usage: *u, Cumulative: x.args["cumulative"].truth(s)}
		}
	case doFail:
		return model.Fail{Code: x.arg("code", s), Message: x.arg("message", s), Stack: x.arg("stack", s)}
	case doCheckpoint:
		return x.checkpoint(e, n, s, view)
	case doSet, doUnset:
		return x.variable(s)
	}
	return x.file(s)
}

// message: an empty text says nothing, one that is not there least of all.
func (x *effect) message(e *model.Event, n int, s scope) model.Effect {
	said := content(x, s)
	if said == "" {
		return nil
	}
	role, _ := model.ParseRole(x.arg("role", s))
	say := chat.Say(e.Pos, n, role, said)
	say.Summary = x.args["summary"].truth(s)
	if tokens, ok := x.args["tokens"].number(s); ok {
		say.Tokens = tokens
	}
	return say
}

func (x *effect) run(s scope) model.Effect {
	run := model.Run{Command: x.arg("command", s), Running: x.args["running"].truth(s)}
	if run.Command == "" {
		return nil
	}
	if exit, ok := x.args["exit"].number(s); ok {
		run.Exit = &exit
	}
	if cwd := x.arg("cwd", s); cwd != "" {
		run.Cwd = &cwd
	}
	return run
}

// taskStates are words that many programs use for a task's state.
var taskStates = map[string]string{
	"todo": "todo", "pending": "todo", "open": "todo", "in_progress": "in_progress", "doing": "in_progress",
	"done": "done", "completed": "done", "cancelled": "cancelled", "canceled": "cancelled",
}

func (f *effector) task(x *effect, s scope) model.Effect {
	one := func(s scope, n int) model.Task {
		t := model.Task{ID: x.arg("id", s), Title: x.arg("title", s), Status: taskStates[x.arg("status", s)]}
		if t.ID == "" && n > 0 {
			t.ID = strconv.Itoa(n)
		}
		if t.Status == "" {
			t.Status = "todo"
		}
		if t.Title == "" {
			t.Title = f.tasks[t.ID]
		}
		if _, known := f.tasks[t.ID]; known || len(f.tasks) < taskLimit {
			f.tasks[t.ID] = t.Title
		}
		return t
	}
	if x.do == doTask {
		return model.TaskItem{Task: one(s, 0), Delete: x.args["delete"].truth(s)}
	}
	if !there(x.each.find(s)) {
		return nil
	}
	var list model.Tasks
	x.over(s, func(s scope) { list.List = append(list.List, one(s, len(list.List)+1)) })
	return list
}

// usage is what a record spent; nil where it does not say.
func (x *effect) usage(s scope) *model.Usage {
	var u model.Usage
	for _, part := range []struct {
		arg  string
		to   *int64
		told model.Told
	}{
		{"input", &u.Input, model.ToldInput}, {"output", &u.Output, model.ToldOutput}, {"reasoning", &u.Reasoning, model.ToldReasoning},
		{"cache_read", &u.CacheRead, model.ToldCacheRead}, {"cache_write", &u.CacheWrite, model.ToldCacheWrite},
	} {
		if n, ok := x.args[part.arg].number(s); ok {
			*part.to = n
			u.Told |= part.told
		}
	}
	if cost, ok := jsonscan.Float(x.args["cost"].raw(s)); ok {
		u.CostUSD = cost
		u.Told |= model.ToldCost
	}
	if u.Told == 0 {
		return nil
	}
	return &u
}

// variable sets or takes away a value under /vars. A path of which a piece is
// not there leads nowhere.
func (x *effect) variable(s scope) model.Effect {
	path, ok := x.args["path"].join(s, model.EscapePointer, true)
	if !ok {
		return nil
	}
	if x.do == doUnset {
		return model.Unset{Path: path}
	}
	v := x.args["value"].raw(s)
	if v == nil {
		return nil
	}
	return model.Set{Path: path, Value: v}
}

func (x *effect) file(s scope) model.Effect {
	path := x.arg("path", s)
	if path == "" && x.do != doMove {
		return nil
	}
	whole, known := x.args["text"].text(s)
	var before *string
	if was, ok := x.args["before"].text(s); ok {
		before = &was
	}
	switch x.do {
	case doWrite:
		if known {
			return model.WriteFile{Path: path, Content: whole, Certainty: model.CertaintyKnown, Before: before}
		}
	case doEdit:
		edit := model.EditFile{Path: path, Old: x.arg("old", s), New: x.arg("new", s), All: x.args["all"].truth(s), Before: before}
		if line, ok := x.args["line"].number(s); ok && edit.Old == "" {
			edit.Insert, edit.InsertLine = true, line
		}
		if edit.Old != "" || edit.Insert {
			return edit
		}
	case doDelete:
		return model.DeleteFile{Path: path, Before: before}
	case doMove:
		if from, to := x.arg("from", s), x.arg("to", s); from != "" && to != "" {
			return model.MoveFile{From: from, To: to}
		}
	case doRead:
		if known {
			return model.SeeFile{Path: path, Content: whole, Whole: !x.args["part"].truth(s)}
		}
	}
	return nil
}
