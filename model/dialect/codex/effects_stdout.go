package codex

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// printed is a line that `codex exec --json` printed.
func (t *telling) printed(kind string) []model.Effect {
	b := &t.body
	switch kind {
	case "turn.started":
		return []model.Effect{model.Status{Execution: statusRunning}}
	case "turn.completed":
		return append(spent(b.usage, true), model.Status{Execution: statusIdle})
	case "turn.failed":
		message := jsonscan.Str(jsonscan.Get(b.fault, "message"))
		return []model.Effect{model.Fail{Message: message}, model.Status{Execution: statusError, Reason: message}}
	case "error":
		return []model.Effect{model.Fail{Message: jsonscan.Str(b.message)}}
	}
	if stage, ok := strings.CutPrefix(kind, "item."); ok {
		item := readBody(b.item)
		return t.printedStage(stage, &item)
	}
	return nil
}

// printedStage is an item's beginning, change or end.
func (t *telling) printedStage(stage string, b *body) (out []model.Effect) {
	id, hasEnded := jsonscan.Str(b.id), stage == "completed"
	switch jsonscan.Str(b.typ) {
	case "agent_message":
		return []model.Effect{model.Say{Role: model.RoleAssistant, Chars: jsonscan.Chars(b.text), Tokens: model.TokensUnknown}}
	case "reasoning":
		return nil
	case "todo_list":
		return planned(b.plan)
	case "error":
		return []model.Effect{model.Fail{Message: jsonscan.Str(b.message)}}
	case "command_execution":
		out = t.printedRun(b)
	case "file_change":
		if v := itemEnd(b); hasEnded && v.outcome() != model.OutcomeFailed {
			out = printedChanges(b.changes)
		}
	}
	isOpen := t.view.Pending(id) > 0
	switch {
	case hasEnded && isOpen:
		out = slices.Insert(out, 0, model.Effect(model.Return{ID: id}))
	case !hasEnded && !isOpen && id != "":
		out = slices.Insert(out, 0, model.Effect(model.Call{ID: id, Tool: t.e.Tool}))
	}
	return out
}

func (t *telling) printedRun(b *body) []model.Effect {
	v := itemEnd(b)
	run := model.Run{Command: jsonscan.Str(b.command), Running: v.running && !v.hasExit, Quiet: jsonscan.Str(b.status) == "declined"}
	if v.hasExit {
		run.Exit = &v.exit
	}
	if run.Command == "" {
		return nil
	}
	return []model.Effect{run}
}

// printedChanges are the files that changed: which, not how.
func printedChanges(list []byte) (out []model.Effect) {
	jsonscan.Elements(list, func(v []byte) bool {
		path := jsonscan.Str(jsonscan.Get(v, "path"))
		switch {
		case path == "":
		case jsonscan.Str(jsonscan.Get(v, "kind")) == "delete":
			out = append(out, model.DeleteFile{Path: path})
		default:
			out = append(out, model.EditFile{Path: path})
		}
		return true
	})
	return out
}
