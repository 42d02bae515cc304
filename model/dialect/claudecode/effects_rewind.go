package claudecode

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// rewinds is what a prompt takes back that does not follow the latest record:
// the conversation went on from an earlier one. What hangs on the way from there
// to the latest compaction stays, all else since then leaves.
func (f *effector) rewinds(e *model.Event, r *record, view model.View) []model.Effect {
	if len(r.parentUUID) == 0 || f.state.Last == 0 {
		return nil
	}
	parent := int64(0)
	if id := jsonscan.Str(r.parentUUID); id != "" {
		if parent = view.Find(id); parent <= 0 || parent >= e.Pos {
			return nil // its parent is not in the dump: nothing tells where it stands
		}
	}
	if parent >= f.state.Last {
		return nil
	}
	p, ok := f.wayTo(parent, view)
	if !ok {
		return nil
	}
	var gone []string
	var left []int64 // the results among them, by pos
	here := parent > f.state.Start && p.head == 0 || parent == 0
	for _, x := range view.Context() {
		switch {
		case x.Pos <= f.state.Start, x.Summary, strings.Contains(x.Key, frontMark):
		case !p.keeps(x, view):
			gone = append(gone, x.Key)
			if x.Role == model.RoleTool {
				left = append(left, x.Pos)
			}
		}
		here = here || x.Pos == parent || x.Pos == p.head
	}
	var out []model.Effect
	switch {
	case here && len(gone) > 0:
		out = append(out, model.Forget{Keys: gone, Reason: model.LostBranch})
	case here, parent <= f.state.Start: // or it has left with a compaction
		return nil
	default: // it is on a branch that was left: take that up again
		out = append(out, model.Revert{To: parent, Facets: model.FacetContext, Reason: model.LostBranch})
	}
	if f.state.Backups {
		if paths := written(left, view); len(paths) > 0 {
			out = append(out, model.DoubtFiles{Paths: paths})
		}
	}
	return out
}

// written are the files that results changed: who goes back may have had them
// brought back too, which no record says.
func written(results []int64, view model.View) (paths []string) {
	for _, pos := range results {
		_, raw, ok := view.Record(pos)
		if !ok {
			continue
		}
		var r record
		r.read(raw)
		if path := jsonscan.Str(jsonscan.Get(r.toolUseResult, "filePath")); path != "" {
			paths = append(paths, absolute(path, jsonscan.Str(r.cwd)))
		}
	}
	return paths
}

// way is what stands on the way from a record back to the latest compaction.
type way struct {
	head      int64 // its latest record that says something; 0: none does
	records   map[int64]bool
	responses map[string]bool
}

// wayLimit bounds how far a way is followed.
const wayLimit = 1 << 16

// wayTo follows the parents of a record back. ok is false where one of them is
// not in the dump, or there are too many.
func (f *effector) wayTo(pos int64, view model.View) (p way, ok bool) {
	p = way{records: map[int64]bool{}, responses: map[string]bool{}}
	for pos > f.state.Start && !p.records[pos] {
		_, raw, ok := view.Record(pos)
		if !ok || len(p.records) >= wayLimit {
			return p, false
		}
		p.records[pos] = true
		var m message
		if m.read(jsonscan.Get(raw, "message")); m.content != nil && p.head == 0 {
			p.head = pos
		}
		if isText(m.id) {
			p.responses[jsonscan.Str(m.id)] = true
		}
		id := jsonscan.Str(jsonscan.Get(raw, "parentUuid"))
		if id == "" {
			return p, true
		}
		if pos = view.Find(id); pos <= 0 {
			return p, false
		}
	}
	return p, true
}

// keeps reports whether a record in view hangs on the way: it stands on it, is
// of one of its messages, answers a call of one, or was attached to it.
func (p way) keeps(x model.Entry, view model.View) bool {
	if p.records[x.Pos] || x.Response != "" && p.responses[x.Response] {
		p.records[x.Pos] = true
		return true
	}
	_, raw, ok := view.Record(x.Pos)
	if !ok {
		return true
	}
	raw = slices.Clone(raw) // which the next look takes away
	on := false
	switch typeOf(jsonscan.Get(raw, "type")) {
	case "user":
		eachBlock(jsonscan.Get(raw, "message", "content"), func(b block) bool {
			on = b.typ == blockToolResult && p.records[view.Find(jsonscan.Str(b.toolUseID))]
			return !on
		})
	case "attachment", "system":
		on = p.records[view.Find(jsonscan.Str(jsonscan.Get(raw, "parentUuid")))]
	}
	if on {
		p.records[x.Pos] = true
	}
	return on
}
