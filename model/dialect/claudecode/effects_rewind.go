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
	p := f.pathTo(parent, view)
	var gone []string
	here := parent == 0
	for _, x := range view.Context() {
		switch {
		case x.Pos <= f.state.Start:
			here = here || x.Pos == parent
		case x.Summary || strings.Contains(x.Key, frontMark):
			here = here || x.Pos <= parent
		case !p.keeps(x, view):
			gone = append(gone, x.Key)
		default:
			here = here || x.Pos <= parent
		}
	}
	switch {
	case here:
	case parent <= f.state.Start:
		return nil // it has left with a compaction
	default: // it is on a branch that was left: take that up again
		return []model.Effect{model.Revert{To: parent, Facets: model.FacetContext, Reason: model.LostBranch}}
	}
	if len(gone) == 0 {
		return nil
	}
	return []model.Effect{model.Forget{Keys: gone, Reason: model.LostBranch}}
}

// way is what stands on the way from a record back to the latest compaction.
type way struct {
	records   map[int64]bool
	responses map[string]bool
}

// wayLimit bounds how far a way is followed.
const wayLimit = 1 << 16

func (f *effector) pathTo(pos int64, view model.View) way {
	p := way{map[int64]bool{}, map[string]bool{}}
	for n := 0; pos > f.state.Start && n < wayLimit && !p.records[pos]; n++ {
		_, raw, ok := view.Record(pos)
		if !ok {
			break
		}
		p.records[pos] = true
		var m message
		if m.read(jsonscan.Get(raw, "message")); isText(m.id) {
			p.responses[jsonscan.Str(m.id)] = true
		}
		id := jsonscan.Str(jsonscan.Get(raw, "parentUuid"))
		if id == "" {
			break
		}
		pos = view.Find(id)
	}
	return p
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
