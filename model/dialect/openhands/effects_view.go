package openhands

import (
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// goBack tells what it does to the context that an event stands on another
// parent than the head: the conversation is again as it was after that parent.
// The parent was the head when it came, or changed nothing in view, so that
// the context of that moment is the view of its path, whatever was condensed
// on the way. Files, tasks, shell and usage stay: branches share one workspace.
func (f *effector) goBack(e *model.Event, n *note, view model.View) (branch bool, out []model.Effect) {
	t := &f.state.Tree
	at := t.place(e.Pos, namedIn(e, n, view), n.Flags.has(transparent), noLookup{})
	t.add(e.Pos, at, n.Flags)
	if !at.branch || t.Full {
		return false, nil
	}
	out = append(out, model.Revert{To: at.parent, Facets: model.FacetContext, Reason: model.LostBranch})
	return true, append(out, f.state.Calls.turn(f.onPath(at.parent))...)
}

// onPath tells whether an event is on the path that ends at tip.
func (f *effector) onPath(tip int64) func(pos int64) bool {
	t := &f.state.Tree
	on := t.pathTo(tip)
	return func(pos int64) bool {
		end, ok := on[t.segmentOf(pos)]
		return ok && pos <= end
	}
}

// namedIn resolves parent_id: its pos, 0 for an explicit root, -1 where there
// is none or it names nothing that came before.
func namedIn(e *model.Event, n *note, log finder) int64 {
	switch {
	case !n.Flags.has(hasParent):
		return -1
	case n.Parent == rootParent:
		return 0
	}
	if pos := log.Find(n.Parent); pos > 0 && pos < e.Pos {
		return pos
	}
	return -1
}

// finder finds an event by its id.
type finder interface{ Find(id string) int64 }

// noLookup is for a tree of which only the shape is asked.
type noLookup struct{}

func (noLookup) ByID(string) (model.Brief, bool) { return model.Brief{}, false }
func (noLookup) At(int64) (model.Brief, bool)    { return model.Brief{}, false }

// condensed is what a condensation says: which records leave, and the summary
// that comes in for them.
type condensed struct {
	ids      map[string]bool
	from, to int64 // a range of seqs; to < from: none
	summary  []byte
	offset   []byte
	// oneSummary: a summary takes the place of those before it.
	oneSummary bool
	// wholeBatches: with one call of a response all of it leaves.
	wholeBatches bool
}

func idSet(list []byte) map[string]bool {
	ids := map[string]bool{}
	jsonscan.Elements(list, func(v []byte) bool {
		ids[jsonscan.Scalar(v)] = true
		return true
	})
	return ids
}

// forget makes the effect of a condensation on what is in view. The offset of
// a summary counts places in view after the others have left.
func (c *condensed) forget(e *model.Event, inView []model.Entry) model.Forget {
	fx := model.Forget{Reason: model.LostCondensation, Checkpoint: checkpointID(e)}
	at, hasOffset := jsonscan.Int(c.offset)
	hasSummary := present(c.summary) && hasOffset
	batches := map[string]bool{}
	for _, x := range inView {
		if c.wholeBatches && x.Response != "" && c.names(x) {
			batches[x.Response] = true
		}
	}
	var kept []string
	for _, x := range inView {
		if c.names(x) || batches[x.Response] || c.oneSummary && hasSummary && x.Summary {
			fx.Keys = append(fx.Keys, x.Key)
		} else {
			kept = append(kept, x.Key)
		}
	}
	if !hasSummary {
		return fx
	}
	i := int(min(max(at, 0), int64(len(kept))))
	before, behind := "", ""
	if i > 0 {
		before = kept[i-1]
	}
	if i < len(kept) {
		behind = kept[i]
	}
	fx.Summary = &model.Say{
		Key: keyBetween(before, behind, e.Pos), Role: model.RoleUser,
		Chars: chars(jsonscan.Str(c.summary)), Tokens: model.TokensUnknown, Summary: true,
	}
	return fx
}

// names reports whether the condensation drops a record. A summary has its
// condensation's id with an ending.
func (c *condensed) names(x model.Entry) bool {
	if x.Summary {
		return c.ids[x.Event+summaryEnding]
	}
	return x.Event != "" && c.ids[x.Event] || x.Seq >= c.from && x.Seq <= c.to
}

// summaryEnding makes a condensation's id that of the summary that it brings.
const summaryEnding = "-summary"

// condenseV1 reads a Condensation. If the event also went back, what is in
// view is not yet that of its path.
func (f *effector) condenseV1(e *model.Event, r *record, branch bool, view model.View) model.Effect {
	c := f.condensationV1(r)
	if branch {
		return c.forget(e, f.viewOfPath(e.Pos, view))
	}
	return c.forget(e, view.Context())
}

func (f *effector) condensationV1(r *record) condensed {
	return condensed{
		ids: idSet(r.forgotten), to: -1, summary: r.summary, offset: jsonscan.Get(r.raw, "summary_offset"),
		oneSummary: f.state.Old, wholeBatches: f.state.Old,
	}
}

// viewOfPath builds what is in view before the event at pos from the records
// on its path. It reads them all, for the few events that need it.
func (f *effector) viewOfPath(pos int64, log model.Records) (seen []model.Entry) {
	isOn := f.onPath(pos)
	for at := int64(1); at < pos; at++ {
		if !isOn(at) {
			continue
		}
		e, raw, ok := log.Record(at)
		if !ok || e.Origin == model.OriginCopied {
			continue
		}
		var r record
		readEvent(&r, raw)
		n := f.notes.of(&e, raw, &r)
		entry := model.Entry{Key: model.MessageKey(at), Pos: at, Seq: e.Seq, Event: e.ID, Response: n.Response}
		switch {
		case n.Flags.has(inView):
			seen = append(seen, entry)
		case n.Flags.has(forgetsPast):
			c := f.condensationV1(&r)
			seen = condense(seen, entry, c.forget(&e, seen))
		}
	}
	return seen
}

// condense applies a Forget to a view.
func condense(view []model.Entry, by model.Entry, fx model.Forget) []model.Entry {
	gone := map[string]bool{}
	for _, k := range fx.Keys {
		gone[k] = true
	}
	view = slices.DeleteFunc(view, func(x model.Entry) bool { return gone[x.Key] })
	if fx.Summary == nil {
		return view
	}
	by.Key, by.Summary, by.Response = fx.Summary.Key, true, ""
	i, _ := slices.BinarySearchFunc(view, by.Key, func(x model.Entry, key string) int { return strings.Compare(x.Key, key) })
	return slices.Insert(view, i, by)
}

// condenseV0 reads a condensation of the older family: a list of ids, or the
// first and last of a range.
func condenseV0(e *model.Event, args []byte, d *details, view model.View) model.Effect {
	c := condensed{to: -1, summary: d.summary, offset: jsonscan.Get(args, "summary_offset"), oneSummary: true}
	if isList(d.forgotten) {
		c.ids = idSet(d.forgotten)
	} else {
		from, ok := jsonscan.Int(d.forgetFrom)
		to, ok2 := jsonscan.Int(d.forgetTo)
		if ok && ok2 {
			c.from, c.to = from, to
		}
	}
	return c.forget(e, view.Context())
}
