package codex

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// call opens a call. What the provider runs itself has no result.
func (t *telling) call(kind string) []model.Effect {
	id := callID(&t.body)
	if !strings.HasSuffix(kind, "_call") || id == "" || kind == "web_search_call" || kind == "image_generation_call" {
		return nil
	}
	t.recent.add(madeCall{id: id, pos: t.e.Pos, payload: t.line.payload})
	return []model.Effect{model.Call{ID: id, Tool: t.e.Tool}}
}

// callID is the id that a call and its result share.
func callID(b *body) string {
	if id := jsonscan.Str(b.callID); id != "" {
		return id
	}
	return jsonscan.Str(b.id)
}

// madeCall is a call that was just made.
type madeCall struct {
	id      string
	pos     int64
	payload []byte
}

// recentCalls saves reading the latest calls again. It need not outlive an
// import.
type recentCalls struct {
	ring [callsAtHand]madeCall
	next int
}

// callsAtHand is how many calls are kept, where they have at most callBytes.
const (
	callsAtHand = 16
	callBytes   = 64 << 10
)

func (r *recentCalls) add(c madeCall) {
	if len(c.payload) > callBytes {
		return
	}
	r.ring[r.next] = c
	r.next = (r.next + 1) % callsAtHand
}

// answered finds the call that a result answers.
func (t *telling) answered(id string) (b body, ok bool) {
	pos := t.view.Pending(id)
	if pos == 0 {
		return b, false
	}
	for _, c := range t.recent.ring {
		if c.id == id && c.pos == pos {
			return readBody(c.payload), true
		}
	}
	_, raw, ok := t.view.Record(pos)
	if !ok {
		return b, false
	}
	l := readLine(raw)
	return readBody(l.payload), true
}

// result closes a call. Where no item told what the call did, the call and its
// result tell.
func (t *telling) result() []model.Effect {
	id := callID(&t.body)
	made, ok := t.answered(id)
	if !ok {
		return nil
	}
	return append([]model.Effect{model.Return{ID: id}}, t.done(id, &made)...)
}

// done tells what a call did by what it was given and how it went.
func (t *telling) done(id string, made *body) []model.Effect {
	if jsonscan.Str(made.typ) == "local_shell_call" {
		return t.ran(id, runOf(made.action))
	}
	switch name := jsonscan.Str(made.name); {
	case shellTools[name]:
		return t.ran(id, runOf(argumentsOf(made.arguments)))
	case name == "apply_patch":
		text := jsonscan.Str(made.input)
		if made.input == nil {
			text = jsonscan.Str(jsonscan.Get(argumentsOf(made.arguments), "input"))
		}
		return t.patchedBy(id, text, t.state.Cwd)
	case name == "write_stdin":
		return t.typed(argumentsOf(made.arguments))
	case name == "update_plan":
		if v := outputVerdict(t.body.output); v.outcome() != model.OutcomeFailed {
			return planned(jsonscan.Get(argumentsOf(made.arguments), "plan"))
		}
	}
	return nil
}

// shellTools run a command, by all their names.
var shellTools = map[string]bool{"shell": true, "container.exec": true, "shell_command": true, "exec_command": true}

// shellRun is what a shell tool was given.
type shellRun struct {
	command, dir string
	words        []byte // the command where it is a list
}

func runOf(args []byte) (r shellRun) {
	jsonscan.Fields(args, func(key string, v []byte) bool {
		switch key {
		case "command", "cmd":
			r.command, r.words = commandOf(v), v
		case "workdir", "working_directory":
			r.dir = jsonscan.Str(v)
		}
		return true
	})
	return r
}

// ran tells of a command. A patch in it is applied by the program itself, and
// what it does to files stands in the patch alone.
func (t *telling) ran(id string, r shellRun) []model.Effect {
	dir := t.state.Cwd
	if r.dir != "" {
		dir = abs(dir, r.dir)
	}
	text, in, isPatch := patchIn(r, dir)
	if r.command == "" || !isPatch && slices.Contains(t.state.Told, id) {
		return nil
	}
	v := outputVerdict(t.body.output)
	if neverRan(&v) {
		return nil
	}
	run := model.Run{Command: r.command, Running: v.running && !v.hasExit, Quiet: isPatch}
	if v.hasExit {
		run.Exit = &v.exit
	}
	if isPatch {
		return append(t.patchedBy(id, text, in), inDirectory(dir, run)...)
	}
	if run.Running {
		t.state.Running = running{Call: id, Number: runningNumber(t.body.output), Command: r.command, Dir: dir}
	}
	return inDirectory(dir, run)
}

// inDirectory is a command in the directory that it is given; that of the
// command before it does not count.
func inDirectory(dir string, run model.Run) []model.Effect {
	if dir == "" {
		return []model.Effect{run}
	}
	return []model.Effect{model.Cwd{Path: dir}, run}
}

// runningNumber is the number that the program gave a command that goes on.
func runningNumber(output []byte) string {
	_, rest, _ := strings.Cut(outputText(output, phrase.LineLimit), "Process running with session ID ")
	number, _, _ := strings.Cut(rest, "\n")
	return number
}

// neverRan reports a command that was refused.
func neverRan(v *verdict) bool {
	if v.hasExit || !v.refused {
		return false
	}
	for _, begins := range []string{"unsupported call", "failed to parse", "exec command rejected"} {
		if strings.HasPrefix(v.text, begins) {
			return true
		}
	}
	return false
}

// running is a command that goes on in the background.
type running struct {
	Call    string `json:",omitempty"`
	Number  string `json:",omitempty"` // that the program gave it
	Command string `json:",omitempty"`
	Dir     string `json:",omitempty"`
}

// typed tells of input to a command that goes on, or a look at it.
func (t *telling) typed(args []byte) []model.Effect {
	r := t.state.Running
	if r.Number == "" || jsonscan.Scalar(jsonscan.Get(args, "session_id")) != r.Number {
		return nil
	}
	v := outputVerdict(t.body.output)
	if !v.hasExit {
		return nil
	}
	t.state.Running = running{}
	return inDirectory(r.Dir, model.Run{Command: r.Command, Exit: &v.exit})
}

// itemEnded reads an item that tells how a call, or a script's step, went.
func (t *telling) itemEnded(item []byte, b *body) []model.Effect {
	id := jsonscan.Str(b.id)
	switch jsonscan.Str(b.typ) {
	case "CommandExecution":
		t.tell(id)
		if id == t.state.Running.Call {
			t.state.Running = running{}
		}
		return t.commandEnded(item, b)
	case "FileChange":
		return t.patchEnded(id, b)
	case "Plan":
		return planned(b.plan)
	}
	return nil
}

func (t *telling) commandEnded(item []byte, b *body) (out []model.Effect) {
	v := itemEnd(b)
	dir := localPath(b.cwd)
	run := model.Run{Command: commandOf(b.command), Running: v.running && !v.hasExit, Quiet: jsonscan.Str(b.status) == "declined"}
	if run.Command == "" {
		return nil
	}
	if v.hasExit {
		run.Exit = &v.exit
	}
	out = inDirectory(dir, run)
	if v.outcome() != model.OutcomeOK {
		return out
	}
	jsonscan.Elements(jsonscan.Get(item, "parsed_cmd"), func(step []byte) bool {
		path := jsonscan.Str(jsonscan.Get(step, "path"))
		if path != "" && jsonscan.Str(jsonscan.Get(step, "type")) == "read" {
			out = append(out, model.SeeFile{Path: abs(dir, path)}) // all of it or not, nobody tells
		}
		return true
	})
	return out
}

// planned reads a list of tasks. They have no ids.
func planned(list []byte) []model.Effect {
	if jsonscan.Kind(list) != '[' {
		return nil
	}
	tasks := []model.Task{}
	jsonscan.Elements(list, func(v []byte) bool {
		task := model.Task{Status: "todo"}
		jsonscan.Fields(v, func(key string, v []byte) bool {
			switch key {
			case "step", "text":
				task.Title = jsonscan.Str(v)
			case "status":
				task.Status = taskStatus(jsonscan.Str(v))
			case "completed":
				if done, ok := jsonscan.Bool(v); ok && done {
					task.Status = "done"
				}
			}
			return true
		})
		tasks = append(tasks, task)
		return true
	})
	return []model.Effect{model.Tasks{List: tasks}}
}

func taskStatus(s string) string {
	switch s {
	case "completed":
		return "done"
	case "inProgress":
		return "in_progress"
	case "pending", "":
		return "todo"
	}
	return s
}
