package openhands

import (
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// observed tells what a tool did, by its result and, where that leaves
// something out, by the call (section 6 of the format).
func (f *effector) observed(e *model.Event, r *record, view model.View) []model.Effect {
	o := result{e: e, view: view, obs: r.observation, act: f.callOf(e, r, view), details: *r.detailsOf(r.observation)}
	switch toolOf(e, &o.details) {
	case toolTerminal:
		return f.ranV1(&o)
	case toolTasks:
		return o.tasks()
	}
	if e.Outcome.Failed() {
		return nil
	}
	switch toolOf(e, &o.details) {
	case toolEditor:
		return f.edited(&o)
	case toolPatch:
		return f.patched(&o)
	case toolRead:
		return f.readFile(&o)
	case toolWrite:
		return f.wrote(&o)
	}
	return nil
}

// result is an observation with the call that it answers.
type result struct {
	e       *model.Event
	view    model.View
	obs     []byte
	act     []byte // the call's arguments; nil where they are not there
	details details
}

// text is a member of the result, else of the call. ok is false where both lack
// it.
func (o *result) text(name string) (s string, ok bool) {
	for _, v := range [][]byte{jsonscan.Get(o.obs, name), jsonscan.Get(o.act, name)} {
		if isText(v) {
			return jsonscan.Str(v), true
		}
	}
	return "", false
}

// command is text of command, which the result's details hold.
func (o *result) command() string {
	if isText(o.details.command) {
		return jsonscan.Str(o.details.command)
	}
	return jsonscan.Str(jsonscan.Get(o.act, "command"))
}

// own is a member of the result itself; nil where it is no text.
func (o *result) own(v []byte) *string {
	if !isText(v) {
		return nil
	}
	s := jsonscan.Str(v)
	return &s
}

// callOf gives the arguments of the call that a result answers.
func (f *effector) callOf(e *model.Event, r *record, view model.View) []byte {
	pos := view.Find(jsonscan.Str(r.actionID))
	if pos <= 0 || pos >= e.Pos {
		a := f.state.Calls.nearest(e.Call)
		if a == nil {
			return nil
		}
		pos = a.Pos
	}
	_, raw, ok := view.Record(pos)
	if !ok {
		return nil
	}
	f.act = record{}
	readEvent(&f.act, raw)
	return f.act.action
}

// tool is one of the tools that change the world.
type tool uint8

const (
	toolOther tool = iota
	toolTerminal
	toolEditor
	toolTasks
	toolPatch
	toolRead
	toolWrite
)

// tools are named by the kinds of their results, in all spellings.
var tools = map[string]tool{
	"TerminalObservation": toolTerminal, "ExecuteBashObservation": toolTerminal,
	"FileEditorObservation": toolEditor, "StrReplaceEditorObservation": toolEditor, "PlanningFileEditorObservation": toolEditor,
	"TaskTrackerObservation": toolTasks,
	"ApplyPatchObservation":  toolPatch,
	"ReadFileObservation":    toolRead,
	"WriteFileObservation":   toolWrite, "EditObservation": toolWrite,
}

// toolNames do for results that have no kind.
var toolNames = map[string]tool{
	"terminal": toolTerminal, "execute_bash": toolTerminal, "bash": toolTerminal,
	"file_editor": toolEditor, "str_replace_editor": toolEditor, "planning_file_editor": toolEditor,
	"task_tracker": toolTasks, "apply_patch": toolPatch,
	"read_file": toolRead, "write_file": toolWrite, "edit": toolWrite,
}

func toolOf(e *model.Event, d *details) tool {
	if t, ok := tools[jsonscan.Str(d.kind)]; ok {
		return t
	}
	if present(d.kind) {
		return toolOther // another tool of that name
	}
	return toolNames[e.Tool]
}

// ranV1 reads a command's end, or that it goes on. Code -1 says that it runs;
// of a result that failed, that it never started.
func (f *effector) ranV1(o *result) []model.Effect {
	d := &o.details
	run := model.Run{}
	isInput := isTrue(jsonscan.Get(o.act, "is_input"))
	if !isInput {
		run.Command = o.command()
	}
	if dir := jsonscan.Str(jsonscan.Get(d.metadata, "working_dir")); dir != "" {
		run.Cwd = &dir
	} else if isTrue(jsonscan.Get(o.act, "reset")) && f.meta.Workspace != "" {
		run.Cwd = &f.meta.Workspace
	}
	code, known := d.exitOf()
	v := d.resultVerdict()
	switch {
	case known && code == exitRunning && v.flagged != nil && *v.flagged:
		run.Quiet = true
	case known && code == exitRunning:
		run.Running = !isTrue(d.timeout)
	case known:
		run.Exit = &code
	}
	if run.Command == "" && run.Cwd == nil && run.Exit == nil && !run.Running {
		return nil
	}
	return []model.Effect{run}
}

// tasks reads a task list.
func (o *result) tasks() []model.Effect {
	if o.e.Outcome.Failed() {
		return nil
	}
	list := o.details.taskList
	if !isList(list) {
		if list = jsonscan.Get(o.act, "task_list"); !isList(list) || jsonscan.Str(jsonscan.Get(o.act, "command")) == "view" {
			return nil
		}
	}
	return []model.Effect{model.Tasks{List: readTasks(list)}}
}

// abs makes a tool's path absolute where the conversation's folder is known.
func (f *effector) abs(path string) string {
	if path == "" || f.meta.Workspace == "" || isAbs(path) {
		return path
	}
	return strings.TrimSuffix(f.meta.Workspace, "/") + "/" + strings.TrimPrefix(path, "./")
}

// isAbs knows the absolute paths of Unix and of Windows.
func isAbs(path string) bool {
	if path[0] == '/' || path[0] == '\\' || path[0] == '~' {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// fullText decodes all of a content member.
func fullText(v []byte) string { return phrase.Content(v, fullLimit) }

func chars(s string) int64 { return int64(utf8.RuneCountInString(s)) }
