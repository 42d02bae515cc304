package eventlog

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// deed reads what a call did from its parameters and its result; nil where
// they do not say.
type deed func(p *params, result *body) model.Effect

// deeds are the actions that change the world, by all their names, where their
// result is ok. Commands are not among them: they run whatever comes of it.
var deeds = map[string]deed{
	"read_file": readFile, "read": readFile, "view": readFile,
	"write_file": writeFile, "write": writeFile, "create": writeFile,
	"edit_file": editFile, "edit": editFile, "str_replace": editFile,
	"insert":      insertText,
	"delete_file": deleteFile, "delete": deleteFile,
	"move_file": moveFile, "rename": moveFile,
	"update_tasks": updateTasks,
}

// done is what a call did, as its result tells; nil: nothing that is known.
func done(action, made []byte, result *body) model.Effect {
	tool := toolName(action)
	switch tool {
	case "run_command", "bash", "shell", "exec":
		return runCommand(readParams(made), result)
	}
	act := deeds[tool]
	if act == nil || !result.ok() {
		return nil
	}
	return act(readParams(made), result)
}

// ok reports a result whose effects count. They follow the status; a result
// without one is ok if its exit code is 0.
func (b *body) ok() bool {
	if jsonscan.Kind(b.status) == '"' {
		return jsonscan.Str(b.status) == "ok"
	}
	code, known := jsonscan.Int(b.exit)
	return known && code == 0
}

// params holds the spans of a call's parameters, of whatever type.
type params struct {
	path, content, from, to []byte
	command, tasks          []byte
	old, new                [3][]byte // by alias: old_str, old_string, old
	all, line               []byte
	part                    bool // only a range of the file is asked for
}

func readParams(v []byte) *params {
	p := &params{}
	members(v, func(key, value []byte) {
		switch string(key) {
		case "offset", "limit", "range", "view_range", "start_line", "end_line":
			p.part = p.part || jsonscan.Kind(value) != 'n'
			return
		}
		if field := p.field(string(key)); field != nil {
			*field = value
		}
	})
	return p
}

func (p *params) field(key string) *[]byte {
	switch key {
	case "path":
		return &p.path
	case "content":
		return &p.content
	case "from":
		return &p.from
	case "to":
		return &p.to
	case "command":
		return &p.command
	case "tasks":
		return &p.tasks
	case "old_str":
		return &p.old[0]
	case "old_string":
		return &p.old[1]
	case "old":
		return &p.old[2]
	case "new_str":
		return &p.new[0]
	case "new_string":
		return &p.new[1]
	case "new":
		return &p.new[2]
	case "replace_all":
		return &p.all
	case "insert_line":
		return &p.line
	}
	return nil
}

// aliased is the first of a parameter's spellings that is there and not null.
func aliased(spellings [3][]byte) []byte {
	for _, v := range spellings {
		if v != nil && jsonscan.Kind(v) != 'n' {
			return v
		}
	}
	return nil
}

// replacement is the new text of an edit; one that names none takes text away.
func (p *params) replacement() (text string, ok bool) {
	v := aliased(p.new)
	if v == nil {
		return "", true
	}
	return jsonscan.Text(v)
}

// readFile: output that is no text shows that there is a file, not what is in
// it.
func readFile(p *params, result *body) model.Effect {
	path := jsonscan.Str(p.path)
	if path == "" || result.output == nil || jsonscan.Kind(result.output) == 'n' {
		return nil
	}
	text, whole := jsonscan.Text(result.output)
	cut := jsonscan.Kind(result.truncated)
	whole = whole && !p.part && (cut == 0 || cut == 'f' || cut == 'n')
	return model.SeeFile{Path: path, Content: text, Whole: whole}
}

// doubt: the call changed the file, and its parameters do not tell how.
func doubt(path string) model.Effect { return model.DoubtFiles{Paths: []string{path}} }

func writeFile(p *params, _ *body) model.Effect {
	path := jsonscan.Str(p.path)
	content, ok := jsonscan.Text(p.content)
	switch {
	case path == "":
		return nil
	case !ok:
		return doubt(path)
	}
	return model.WriteFile{Path: path, Content: content, Certainty: model.CertaintyKnown}
}

func editFile(p *params, _ *body) model.Effect {
	path := jsonscan.Str(p.path)
	before, known := jsonscan.Text(aliased(p.old))
	after, ok := p.replacement()
	switch {
	case path == "":
		return nil
	case !known || !ok:
		return doubt(path)
	}
	all, _ := jsonscan.Bool(p.all)
	return model.EditFile{Path: path, Old: before, New: after, All: all}
}

func insertText(p *params, _ *body) model.Effect {
	path := jsonscan.Str(p.path)
	line, numbered := jsonscan.Int(p.line)
	text, ok := jsonscan.Text(aliased(p.new))
	switch {
	case path == "":
		return nil
	case !numbered || line < 0 || !ok:
		return doubt(path)
	}
	return model.EditFile{Path: path, New: text, Insert: true, InsertLine: line}
}

func deleteFile(p *params, _ *body) model.Effect {
	if path := jsonscan.Str(p.path); path != "" {
		return model.DeleteFile{Path: path}
	}
	return nil
}

func moveFile(p *params, _ *body) model.Effect {
	from, to := jsonscan.Str(p.from), jsonscan.Str(p.to)
	if from == "" || to == "" {
		return nil
	}
	return model.MoveFile{From: from, To: to}
}

// runCommand: a command that was denied did not touch a file.
func runCommand(p *params, result *body) model.Effect {
	command, ok := jsonscan.Text(p.command)
	if !ok {
		return nil
	}
	run := model.Run{Command: command, Quiet: jsonscan.Str(result.status) == "denied"}
	if code, known := jsonscan.Int(result.exit); known {
		run.Exit = &code
	}
	if cwd := jsonscan.Str(result.cwd); cwd != "" {
		run.Cwd = &cwd
	}
	return run
}
