package claudecode

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// ran is a command's end, or that it goes on in the background. The code of one
// that did well is recorded nowhere: a failure would say its own.
func (a *answer) ran() []model.Effect {
	command, _ := a.arg("command")
	if command == "" {
		return nil
	}
	run := model.Run{Command: command}
	if a.enters != "" {
		run.Cwd = &a.enters
	}
	switch {
	case a.failed:
		if run.Exit = exitOf(a.text); run.Exit == nil {
			run.Quiet = refused(a.text)
		}
	case present(a.used.backgroundTaskID) || !a.used.isObject && isTrue(jsonscan.Get(a.input, "run_in_background")):
		run.Running = true
	case isTrue(a.used.interrupted):
	case present(a.used.returnCode): // grep that found nothing: some other code
	default:
		run.Exit = new(int64)
	}
	return append([]model.Effect{run}, a.changed()...)
}

// refusals begin the answers to a command that was not run.
var refusals = []string{"<tool_use_error>", "The user doesn't want to", "Permission to use", "This command requires approval", "[Request interrupted by user"}

func refused(text string) bool {
	for _, r := range refusals {
		if strings.HasPrefix(text, r) {
			return true
		}
	}
	return false
}

// looked is a look at a command that runs in the background.
func (a *answer) looked() model.Effect {
	command, status := jsonscan.Str(a.used.command), jsonscan.Str(a.used.status)
	if command == "" || status == "" {
		return nil
	}
	run := model.Run{Command: command, Quiet: true, Running: status == "running"}
	if code, ok := jsonscan.Int(a.used.exitCode); ok {
		run.Exit = &code
	}
	return run
}

// changed is what a command did to files, as far as the client saw it. What it
// shows is lines around the changes, in which tabs may stand as spaces: it is
// applied where nothing can be wrong with that, else the file is in doubt.
func (a *answer) changed() (out []model.Effect) {
	var doubted []string
	jsonscan.Elements(jsonscan.Get(a.used.bashEditDiff, "files"), func(v []byte) bool {
		path := absolute(jsonscan.Str(jsonscan.Get(v, "filePath")), a.cwd)
		if path == "" {
			return true
		}
		text, ok := a.patched(path, v)
		if ok {
			out = append(out, model.WriteFile{Path: path, Content: text, Certainty: model.CertaintyDerived})
		} else {
			doubted = append(doubted, path)
		}
		return true
	})
	jsonscan.Elements(jsonscan.Get(a.used.bashEditDiff, "changedFiles"), func(v []byte) bool {
		path := absolute(jsonscan.Str(v), a.cwd)
		for _, x := range out {
			if w, ok := x.(model.WriteFile); ok && w.Path == path {
				return true
			}
		}
		doubted = append(doubted, path)
		return true
	})
	if len(doubted) > 0 {
		out = append(out, model.DoubtFiles{Paths: doubted})
	}
	return out
}

// patched is a file's text after the hunks of its change.
func (a *answer) patched(path string, change []byte) (string, bool) {
	hunks := jsonscan.Get(change, "hunks")
	if isTrue(jsonscan.Get(change, "created")) {
		return applyHunks("", hunks)
	}
	text, c, ok := a.view.File(path)
	if !ok || text == nil || c < model.CertaintyDerived {
		return "", false
	}
	return applyHunks(*text, hunks)
}
