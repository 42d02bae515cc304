package replay

import (
	"maps"
	"slices"

	"hindcast/model"
)

// Adopt gives the effects that bring a session to a recorded state, for a log
// whose first record is the checkpoint that holds it: what came before is gone,
// and nothing else tells. Texts of files are derived, not known: no record
// wrote them. Messages that were in view are gone with their records.
func Adopt(r model.RecordedState) []model.Effect {
	var out []model.Effect
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		out = append(out, model.WriteFile{Path: path, Content: r.Files[path], Certainty: model.CertaintyDerived})
	}
	if r.Cwd != nil && *r.Cwd != "" {
		out = append(out, model.Cwd{Path: *r.Cwd})
	}
	if r.Execution != nil && *r.Execution != "" {
		out = append(out, model.Status{Execution: *r.Execution})
	}
	if len(r.Tasks) > 0 {
		out = append(out, model.Tasks{List: r.Tasks})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Vars)) {
		out = append(out, model.Set{Path: varPath(name), Value: r.Vars[name]})
	}
	return out
}
