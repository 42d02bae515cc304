package replay

import "hindcast/model"

// Options are what a fold needs from outside.
type Options struct {
	// Past knows the values before; only Revert asks it. Without one a Revert
	// changes nothing.
	Past Past
}

// Fold is the working state of one session: it takes events in pos order and
// tells which cells each one writes. It is not safe for concurrent use.
type Fold struct {
	past  Past
	notes []model.Note
	step  step // of the event at hand; its slices serve the next one
	mem   memory

	checkpoint checkpoint
	context    context
	errors     failures
	files      files
	pending    pending
	shell      shell
	status     status
	tasks      tasks
	usage      usage
	vars       vars
}

// facet is a part of the working state.
type facet interface {
	save(w *encoder)
	load(r *decoder)
}

// part is a facet's line in the table. One that a Revert can take back has its
// flag, the prefix of the cells that go back, and what sets them.
type part struct {
	facet   facet
	flag    model.Facets
	prefix  string
	restore func(s *step, cells []PastCell, reason model.LostReason)
}

// parts is the table of the facets, by name; saved states hold them in this
// order.
func (f *Fold) parts() []part {
	return []part{
		{facet: &f.checkpoint},
		{&f.context, model.FacetContext, model.PathMessages + "/", f.context.restore},
		{facet: &f.errors},
		{&f.files, model.FacetFiles, model.PathFiles + "/", f.files.restore},
		{facet: &f.pending},
		{&f.shell, model.FacetShell, "/shell/", f.shell.restore},
		{&f.status, model.FacetStatus, "/status/", f.status.restore},
		{&f.tasks, model.FacetTasks, model.PathTasks, f.tasks.restore},
		{&f.usage, model.FacetUsage, "/usage/", f.usage.restore},
		{&f.vars, model.FacetVars, model.PathVars + "/", f.vars.restore},
	}
}

// New starts a fold at the beginning of a session.
func New(opt Options) *Fold {
	f := &Fold{past: opt.Past}
	f.files.tracked = map[string]*file{}
	f.pending.open = map[string]openCall{}
	f.vars.values = map[string]string{}
	return f
}

// Apply takes one event with its effects and gives its writes: at most one a
// cell, sorted bytewise by path, with the value before the event and the value
// after it. Only an outside change of a file comes as a write of its own, right
// before the event's own write of that path. A copied event changes nothing.
func (f *Fold) Apply(e *model.Event, effects []model.Effect) []model.Write {
	if e.Origin == model.OriginCopied {
		return nil
	}
	s := &f.step
	*s = step{event: e, cells: s.cells[:0], mem: &f.mem}
	for _, x := range effects {
		f.effect(s, x)
	}
	f.context.settle(s)
	f.errors.count(s)
	f.notes = append(f.notes, s.notes...)
	writes := s.writes()
	clear(s.cells)
	*s = step{cells: s.cells[:0]}
	return writes
}

// Notes gives what was noticed since the last call.
func (f *Fold) Notes() []model.Note {
	notes := f.notes
	f.notes = nil
	return notes
}

func (f *Fold) effect(s *step, x model.Effect) {
	switch x := x.(type) {
	case model.Say:
		f.context.say(s, x)
	case model.Forget:
		f.context.forget(s, x)
		if x.Checkpoint != "" {
			f.checkpoint.forget(s, x.Checkpoint)
		}
	case model.Call:
		f.pending.call(s, x)
	case model.Return:
		f.pending.answer(s, x)
	case model.WriteFile:
		f.files.write(s, x)
	case model.EditFile:
		f.files.edit(s, x)
	case model.DeleteFile:
		f.files.delete(s, x)
	case model.MoveFile:
		f.files.move(s, x)
	case model.SeeFile:
		f.files.see(s, x)
	case model.DoubtFiles:
		f.files.doubt(s, x.Paths)
	case model.Run:
		before := f.shell.cwd
		f.shell.run(s, x)
		if !x.Quiet {
			r := changedBy(x.Command, firstKnown(before, f.shell.cwd))
			f.files.doubt(s, r.of(f.files.tracked))
			if x.Exit != nil && *x.Exit == 0 && !x.Running && r.made(x.Command, r.cwd, nested) {
				f.files.found(s, r.written)
			}
		}
	case model.Cwd:
		f.shell.enter(s, x)
	case model.Tasks:
		f.tasks.list(s, x)
	case model.TaskItem:
		f.tasks.item(s, x)
	case model.Status:
		f.status.reach(s, x)
	case model.Spend:
		f.usage.spend(s, x)
	case model.Snapshot:
		f.checkpoint.snapshot(s, x)
	case model.Revert:
		f.revert(s, x)
	case model.Set:
		f.vars.set(s, x)
	case model.Unset:
		f.vars.unset(s, x)
	case model.Fail:
		// The event's outcome counts, not what it says of itself: see errors.go.
	}
}

func firstKnown(texts ...*string) string {
	for _, t := range texts {
		if t != nil {
			return *t
		}
	}
	return ""
}
