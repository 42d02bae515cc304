package replay

import "hindcast/model"

const (
	pathCommand = "/shell/command"
	pathCwd     = "/shell/cwd"
	pathExit    = "/shell/exit_code"
	pathRunning = "/shell/running"
)

// shell is the shell's directory and its last command.
type shell struct {
	cwd, command *string
	exit         *int64
	running      *bool
}

// run: an empty command goes on with the one before (input, a look at it). A
// new command has the exit code that its record tells, never the one of the
// command before it.
func (f *shell) run(s *step, x model.Run) {
	exit := x.Exit
	if x.Command != "" {
		changeText(s, pathCommand, &f.command, &x.Command)
	} else if exit == nil && !x.Running {
		exit = f.exit
	}
	if !s.stays(pathExit, sameValue(f.exit, exit)) {
		f.putExit(s, exit)
	}
	if !s.stays(pathRunning, sameValue(f.running, &x.Running)) {
		f.putRunning(s, &x.Running)
	}
	if x.Cwd != nil {
		f.enter(s, model.Cwd{Path: *x.Cwd})
	}
}

func (f *shell) enter(s *step, x model.Cwd) {
	if x.Path != "" {
		changeText(s, pathCwd, &f.cwd, &x.Path)
	}
}

func (f *shell) putExit(s *step, now *int64) *touched {
	old := s.mem.int(f.exit)
	f.exit = now
	return s.put(pathExit, old, s.mem.int(now))
}

func (f *shell) putRunning(s *step, now *bool) *touched {
	old := s.mem.bool(f.running)
	f.running = now
	return s.put(pathRunning, old, s.mem.bool(now))
}

func (f *shell) restore(s *step, cells []PastCell, _ model.LostReason) {
	for _, c := range cells {
		switch c.Path {
		case pathCommand:
			putText(s, c.Path, &f.command, read[*string](c.Value)).restores = c.Pos
		case pathCwd:
			putText(s, c.Path, &f.cwd, read[*string](c.Value)).restores = c.Pos
		case pathExit:
			f.putExit(s, read[*int64](c.Value)).restores = c.Pos
		case pathRunning:
			f.putRunning(s, read[*bool](c.Value)).restores = c.Pos
		}
	}
}

func (f *shell) save(w *encoder) {
	w.textOrNil(f.cwd)
	w.textOrNil(f.command)
	w.intOrNil(f.exit)
	w.boolOrNil(f.running)
}

func (f *shell) load(r *decoder) {
	*f = shell{cwd: r.textOrNil(), command: r.textOrNil(), exit: r.intOrNil(), running: r.boolOrNil()}
}
