package claudecode

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// answer is a result with the call that it answers.
type answer struct {
	view   model.View
	enters string // the directory that the record names: where the client is once the call is done
	cwd    string // the same, or where it was last
	tool   string
	input  []byte
	used   used
	text   string // of a result that failed
	failed bool
}

// result is what a call did, as its result tells.
func (f *effector) result(e *model.Event, b *block, beside []byte, view model.View) []model.Effect {
	c, ok := f.made.find(jsonscan.Str(b.toolUseID), e.Pos, view)
	if !ok {
		return nil
	}
	a := answer{view: view, enters: jsonscan.Str(f.rec.cwd), tool: c.tool, input: c.input, failed: isTrue(b.isError)}
	if a.cwd = a.enters; a.cwd == "" {
		a.cwd = view.Cwd()
	}
	a.used.read(beside)
	if a.failed {
		a.text, _ = textOf(b.content)
	}
	if a.tool == "Bash" {
		return a.ran()
	}
	if a.failed {
		return nil
	}
	switch a.tool {
	case "Read":
		return one(a.read())
	case "Edit", "MultiEdit":
		return a.edited()
	case "Write":
		return one(a.wrote())
	case "NotebookEdit":
		return one(a.doubts("notebook_path"))
	case "BashOutput":
		return one(a.looked())
	case "KillBash", "KillShell":
		return []model.Effect{model.Run{Quiet: true}}
	case "TodoWrite":
		return a.todos()
	case "TaskCreate", "TaskUpdate", "TaskList":
		return f.task(&a)
	}
	return nil
}

func one(x model.Effect) []model.Effect {
	if x == nil {
		return nil
	}
	return []model.Effect{x}
}

// arg is a text argument of the call.
func (a *answer) arg(name string) (string, bool) { return jsonscan.Text(jsonscan.Get(a.input, name)) }

// path is the file that a call was about, absolute.
func (a *answer) path(arg string) string {
	path, ok := jsonscan.Text(a.used.filePath)
	if !ok {
		path, _ = a.arg(arg)
	}
	return absolute(path, a.cwd)
}

// absolute makes a path start at the root, where the directory is known.
func absolute(path, cwd string) string {
	if path == "" || cwd == "" || isAbsolute(path) {
		return path
	}
	sep := "/"
	if strings.Contains(cwd, `\`) && !strings.Contains(cwd, "/") {
		sep = `\`
	}
	return strings.TrimSuffix(cwd, sep) + sep + strings.TrimPrefix(path, "./")
}

// isAbsolute knows the absolute paths of Unix and of Windows.
func isAbsolute(path string) bool {
	if strings.IndexByte(`/\~`, path[0]) >= 0 {
		return true
	}
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// exitOf reads the code from the text of a command that failed.
func exitOf(text string) *int64 {
	rest, ok := strings.CutPrefix(text, exitPrefix)
	if !ok {
		return nil
	}
	digits, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
