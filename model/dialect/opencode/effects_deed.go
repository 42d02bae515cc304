package opencode

import (
	"path"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// starts is what a call does when it begins to run.
func (f *effector) starts(s *seen, p *part, c *call) []model.Effect {
	if p.tool != "bash" && p.tool != "shell" {
		return nil
	}
	return f.ran(s, c, true)
}

// deed is what a call did, as its result tells. A command has run whatever came
// of it; of any other tool a failure changed nothing.
func (f *effector) deed(e *model.Event, s *seen, p *part, c *call, view model.View) []model.Effect {
	if p.tool == "bash" || p.tool == "shell" {
		return f.ran(s, c, false)
	}
	if c.status != callCompleted {
		return nil
	}
	if p.tool == "todowrite" {
		list := jsonscan.Get(c.metadata, "todos")
		if !isList(list) {
			list = jsonscan.Get(c.input, "todos")
		}
		return tasks(list)
	}
	if s.Failed && !s.Told {
		return nil // what a removed message did to files was taken back with it
	}
	switch p.tool {
	case "read":
		return f.read(c, view)
	case "write":
		return f.changed(e, s, f.wrote(c)...)
	case "edit":
		return f.changed(e, s, f.edited(c, view)...)
	case "multiedit":
		return f.changed(e, s, f.editedOften(c)...)
	case "patch", "apply_patch":
		return f.changed(e, s, f.patchedFiles(c, view)...)
	}
	return nil
}

// ran is a command. It runs in its own folder, else in that of its message; a
// change of folder lasts no longer than the command.
func (f *effector) ran(s *seen, c *call, isRunning bool) []model.Effect {
	command := jsonscan.Get(c.input, "command")
	if !isText(command) {
		return nil
	}
	run := model.Run{Command: jsonscan.Str(command), Running: isRunning}
	var out []model.Effect
	if dir := f.abs(jsonscan.Str(jsonscan.Get(c.input, "workdir")), s); dir != "" {
		run.Cwd = &dir
		out = append(out, model.Cwd{Path: dir})
	}
	if code, ok := jsonscan.Int(c.exit); ok {
		run.Exit = &code
	}
	// A command that was refused, or whose arguments were, never ran.
	run.Quiet = c.status == callError && !c.interrupted && jsonscan.Get(c.metadata, "output") == nil
	return append(out, run)
}

// abs is a path made absolute; an empty one is the folder itself. Where no
// folder is known it stays as written.
func (f *effector) abs(name string, s *seen) string {
	dir := f.state.Directory
	if s != nil && s.Cwd != "" {
		dir = s.Cwd
	}
	switch {
	case name == "":
		return dir
	case dir == "" || strings.HasPrefix(name, "/") || strings.Contains(name, `:\`):
		return name
	}
	return path.Join(dir, name)
}

// filePath is the file that a call names.
func (f *effector) filePath(c *call) string {
	name := firstNonEmpty(jsonscan.Str(jsonscan.Get(c.input, "filePath")), jsonscan.Str(jsonscan.Get(c.input, "path")), jsonscan.Str(jsonscan.Get(c.metadata, "filepath")))
	if name == "" {
		return ""
	}
	return f.abs(name, nil)
}

// changed notes the files that a call changed.
func (f *effector) changed(e *model.Event, s *seen, effects ...model.Effect) []model.Effect {
	for _, x := range effects {
		var name string
		switch x := x.(type) {
		case model.WriteFile:
			name = x.Path
		case model.EditFile:
			name = x.Path
		case model.DeleteFile:
			name = x.Path
		case model.MoveFile:
			f.mark(mark{Pos: e.Pos, Path: x.From, By: s.ID})
			name = x.To
		case model.DoubtFiles:
			name = x.Paths[0]
		}
		f.mark(mark{Pos: e.Pos, Path: name, By: s.ID})
	}
	return effects
}

// patched is the program's own look at the work tree: what changed there during
// a step, by whomever. What no call of the message explains is in doubt.
func (f *effector) patched(e *model.Event, s *seen, p *part, view model.View) []model.Effect {
	explained := map[string]bool{}
	for _, m := range f.state.Marks {
		if m.By == s.ID && m.Path != "" {
			explained[m.Path] = true
		}
	}
	var doubted []string
	jsonscan.Elements(p.files, func(v []byte) bool {
		name := f.abs(jsonscan.Str(v), nil)
		f.mark(mark{Pos: e.Pos, Path: name, Tree: true})
		if _, _, tracked := view.File(name); tracked && !explained[name] {
			doubted = append(doubted, name)
		}
		return true
	})
	if len(doubted) == 0 {
		return nil
	}
	return []model.Effect{model.DoubtFiles{Paths: doubted}}
}
