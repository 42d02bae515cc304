package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"hindcast/model"
	"hindcast/model/answer"
)

// Heading names the event after which a document stands.
type Heading struct {
	Ref  model.Ref
	Time model.Time
}

// Assemble makes the state document of its cells. It fails where a cell does
// not hold what its path promises.
func Assemble(h Heading, cells Cells) (answer.State, error) {
	doc := answer.State{
		Session: h.Ref.Session, Seq: h.Ref.Seq, Pos: h.Ref.Pos, Event: orNil(h.Ref.ID), Time: orNil(h.Time.String()),
		Context: answer.StateContext{Messages: []answer.StateMessage{}},
		Files:   map[string]answer.StateFile{}, Tasks: []answer.StateTask{}, Pending: []answer.StateCall{},
		Vars: map[string]json.RawMessage{},
	}
	a := assembly{cells: cells, doc: &doc}
	a.leaves()
	for _, path := range slices.Sorted(maps.Keys(cells)) {
		if v := cells[path]; !v.Absent() {
			a.member(path, v)
		}
	}
	a.order()
	return doc, a.err
}

// assembly is a document on the way; err is the first fault.
type assembly struct {
	cells Cells
	doc   *answer.State
	err   error
}

func (a *assembly) read(path string, v model.Value, into any) {
	if err := json.Unmarshal(v.JSON, into); err != nil && a.err == nil {
		a.err = fmt.Errorf("assemble %s: %w", path, err)
	}
}

// leaves fills in the fixed leaves.
func (a *assembly) leaves() {
	d := a.doc
	for path, into := range map[string]any{
		pathCheckpoint: &d.Checkpoint,
		pathForgotten:  &d.Context.Forgotten, pathTokens: &d.Context.Tokens,
		pathErrors: &d.Errors.Count, pathLastError: &d.Errors.LastSeq,
		pathCommand: &d.Shell.Command, pathCwd: &d.Shell.Cwd, pathExit: &d.Shell.ExitCode, pathRunning: &d.Shell.Running,
		pathExecution: &d.Status.Execution, pathReason: &d.Status.Reason,
		pathCacheRead: &d.Usage.CacheReadTokens, pathCacheWrite: &d.Usage.CacheWriteTokens, pathCost: &d.Usage.CostUSD,
		pathInput: &d.Usage.InputTokens, pathOutput: &d.Usage.OutputTokens, pathReasoning: &d.Usage.ReasoningTokens,
	} {
		if v, ok := a.cells.at(path); ok {
			a.read(path, v, into)
		}
	}
}

// member adds a member of a collection. Cells come in the order of their paths;
// a name with a ~ or / in it may still stand elsewhere than its path.
func (a *assembly) member(path string, v model.Value) {
	d := a.doc
	switch {
	case within(path, model.PathMessages):
		var m answer.StateMessage
		a.read(path, v, &m)
		d.Context.Messages = append(d.Context.Messages, m)
	case within(path, model.PathFiles):
		var f answer.StateFile
		a.read(path, v, &f)
		f.Content = v.Text
		d.Files[member(path, model.PathFiles)] = f
	case within(path, model.PathTasks):
		var t answer.StateTask
		a.read(path, v, &t)
		d.Tasks = append(d.Tasks, t)
	case within(path, model.PathPending):
		var c answer.StateCall
		a.read(path, v, &c)
		d.Pending = append(d.Pending, c)
	case within(path, model.PathVars):
		d.Vars[member(path, model.PathVars)] = v.JSON
	}
}

// order puts lists in the order in which the document shows them.
func (a *assembly) order() {
	d := a.doc
	slices.SortStableFunc(d.Context.Messages, func(x, y answer.StateMessage) int { return cmp.Compare(x.Key, y.Key) })
	slices.SortStableFunc(d.Pending, func(x, y answer.StateCall) int {
		return cmp.Or(cmp.Compare(x.Pos, y.Pos), cmp.Compare(x.Call, y.Call))
	})
	var ids []string
	if v, ok := a.cells.at(model.PathTasks); ok {
		a.read(model.PathTasks, v, &ids)
	}
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		place[id] = i - len(ids) // below 0: what the order does not name stands behind
	}
	slices.SortStableFunc(d.Tasks, func(x, y answer.StateTask) int {
		return cmp.Or(cmp.Compare(place[x.ID], place[y.ID]), cmp.Compare(x.ID, y.ID))
	})
}
