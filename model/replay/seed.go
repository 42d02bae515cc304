package replay

import (
	"encoding/json"

	"hindcast/model"
)

// Seed puts the fold into a state that it did not fold itself, whatever it held
// before: what a restart loads. Cells that are not there have their initial
// values; notes and past stay.
func (f *Fold) Seed(cells Cells) {
	notes := f.notes
	*f = *New(Options{Past: f.past})
	f.notes = notes
	f.seedLeaves(cells)
	for path, v := range cells {
		if !v.Absent() {
			f.seedMember(path, v)
		}
	}
	f.seedContext(cells)
	f.seedTasks(cells)
}

func (f *Fold) seedLeaves(cells Cells) {
	leaf := func(path string) model.Value {
		v, _ := cells.at(path)
		return v
	}
	f.status = status{execution: read[*string](leaf(pathExecution)), reason: read[*string](leaf(pathReason))}
	f.shell = shell{
		cwd: read[*string](leaf(pathCwd)), command: read[*string](leaf(pathCommand)),
		exit: read[*int64](leaf(pathExit)), running: read[*bool](leaf(pathRunning)),
	}
	f.errors = failures{n: read[int64](leaf(pathErrors)), last: read[*int64](leaf(pathLastError))}
	for i, path := range usagePaths {
		f.usage.tokens[i] = amountOf(read[*int64](leaf(path)))
	}
	f.usage.setCost(read[*float64](leaf(pathCost)))
	var c *struct {
		ID       *string
		Seq, Pos int64
		Base     *int64 `json:"base_seq"`
	}
	if json.Unmarshal(leaf(pathCheckpoint).JSON, &c) == nil && c != nil {
		f.checkpoint = checkpoint{set: true, id: firstKnown(c.ID), seq: c.Seq, pos: c.Pos, base: c.Base}
	}
}

// seedMember takes a member of a collection without order of its own.
func (f *Fold) seedMember(path string, v model.Value) {
	switch {
	case within(path, model.PathFiles):
		f.files.tracked[member(path, model.PathFiles)] = fileOf(v)
	case within(path, model.PathPending):
		c := read[struct {
			Seq, Pos int64
			Tool     string
		}](v)
		id := member(path, model.PathPending)
		f.pending.open[id] = newOpenCall(id, c.Seq, c.Pos, c.Tool)
	case within(path, model.PathVars):
		f.vars.values[member(path, model.PathVars)] = string(v.JSON)
	}
}

func (f *Fold) seedContext(cells Cells) {
	v, _ := cells.at(pathForgotten)
	f.context = context{forgotten: read[int64](v)}
	for _, e := range entriesOf(cells) {
		f.context.live = append(f.context.live, pack(&e))
		f.context.weigh(&e, 1)
	}
	f.context.told = f.context.total()
}

func (f *Fold) seedTasks(cells Cells) {
	f.tasks = tasks{}
	for _, id := range taskIDs(cells) {
		if v, ok := cells[taskPath(id)]; ok && !v.Absent() {
			t := read[struct{ Title, Status string }](v)
			f.tasks.items = append(f.tasks.items, model.Task{ID: id, Title: t.Title, Status: t.Status})
		}
	}
}

func taskIDs(cells Cells) []string {
	v, _ := cells.at(model.PathTasks)
	return read[[]string](v)
}
