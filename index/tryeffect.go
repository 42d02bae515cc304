package index

import (
	"fmt"
	"strings"

	"hindcast/model"
	"hindcast/model/phrase"
)

// effectWords says in a few words what an effect does.
func effectWords(fx model.Effect) string {
	words := func(parts ...string) string {
		return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	}
	switch x := fx.(type) {
	case model.Say:
		kind := "message "
		if x.Summary {
			kind = "summary "
		}
		return kind + x.Role.String() + ", " + phrase.Plural(int(x.Chars), "character")
	case model.Forget:
		return words("checkpoint", x.Checkpoint, "takes messages out of the context")
	case model.Call:
		return words("call", x.ID, x.Tool)
	case model.Return:
		return words("return", x.ID)
	case model.WriteFile:
		return words("write", x.Path+",", phrase.Plural(phrase.CountLines(x.Content), "line"))
	case model.EditFile:
		return words("edit", x.Path)
	case model.DeleteFile:
		return words("delete", x.Path)
	case model.MoveFile:
		return words("move", x.From, "to", x.To)
	case model.SeeFile:
		return words("read", x.Path)
	case model.Run:
		exit := ""
		if x.Exit != nil {
			exit = fmt.Sprintf("(exit %d)", *x.Exit)
		}
		return words("run", phrase.FirstLine(x.Command), exit)
	case model.Tasks:
		return phrase.Plural(len(x.List), "task")
	case model.TaskItem:
		return words("task", x.Task.ID, x.Task.Status)
	case model.Status:
		return words("status", x.Execution)
	case model.Spend:
		return fmt.Sprintf("usage %d in, %d out", x.Usage.Input, x.Usage.Output)
	case model.Fail:
		return words("fail", x.Code, phrase.FirstLine(x.Message))
	case model.Snapshot:
		state := ""
		if x.State != nil {
			state = "with the state"
		}
		return words("checkpoint", x.Checkpoint, state)
	case model.Set:
		return "set " + x.Path + " = " + phrase.OneLine(example(x.Value))
	case model.Unset:
		return "unset " + x.Path
	}
	return fmt.Sprintf("%T", fx)
}
