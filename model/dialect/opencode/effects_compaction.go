package opencode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// askedFor is what a request holds in the place of a compaction.
const askedFor = "What did we do so far?"

// compaction is the one that a session asked for last.
type compaction struct {
	Message string `json:",omitempty"` // that asks for it
	Place   string `json:",omitempty"`
	Part    string `json:",omitempty"`
	Tail    string `json:",omitempty"` // id of the message from which on all stays
	// Ended is the pos of the row that ended its summary, Gone what left then.
	Ended int64    `json:",omitempty"`
	Gone  []string `json:",omitempty"`
	// Last names the last summary that stands for what was forgotten.
	Last string `json:",omitempty"`
}

// compacts is the part of a user's message that asks for a compaction.
func (f *effector) compacts(e *model.Event, r *row, s *seen, p *part, view model.View) []model.Effect {
	c := &f.state.Compaction
	tail := jsonscan.Str(p.tail)
	if c.Message != s.ID {
		*c = compaction{Message: s.ID, Place: s.Place, Part: r.part, Tail: tail, Last: c.Last}
		return []model.Effect{f.asks(s, r.part)}
	}
	if tail == "" || c.Tail == tail {
		return nil
	}
	c.Tail = tail
	var out []model.Effect
	gone := c.Gone
	if c.Ended > 0 && !cameAfter(view, c.Ended) {
		// What left with the summary comes back, and the smaller set leaves.
		out = append(out, model.Revert{To: c.Ended - 1, Facets: model.FacetContext, Reason: model.LostCompaction})
	} else {
		gone = placedBefore(view, c.Place)
	}
	if c.Ended > 0 {
		out = append(out, model.Forget{Keys: before(gone, f.tailPlace(e, view)), Reason: model.LostCompaction, Checkpoint: c.Part})
	}
	return append(out, f.asks(s, r.part))
}

// asks puts the question of a compaction into the context.
func (f *effector) asks(s *seen, part string) model.Say {
	return model.Say{Key: f.key(s, sideSaid, part), Response: s.ID, Role: model.RoleUser, Chars: int64(len(askedFor)), Tokens: model.TokensUnknown}
}

// summed: a summary has come to its end, and what is older leaves.
func (f *effector) summed(e *model.Event, s *seen, view model.View) []model.Effect {
	c := &f.state.Compaction
	if c.Last == s.ID {
		return nil
	}
	c.Last = s.ID
	if s.Parent != c.Message || c.Message == "" {
		// Before 0.15 nothing asked for it in the log.
		return []model.Effect{model.Forget{Keys: placedBefore(view, s.Place), Reason: model.LostCompaction, Checkpoint: s.ID}}
	}
	c.Ended, c.Gone = e.Pos, placedBefore(view, f.keptFrom(e, view))
	out := []model.Effect{model.Forget{Keys: c.Gone, Reason: model.LostCompaction, Checkpoint: c.Part}}
	if c.Tail == "" {
		out = append(out, f.asks(&seen{ID: c.Message}, c.Part))
	}
	return out
}

// keptFrom is the place from which on all stays in view.
func (f *effector) keptFrom(e *model.Event, view model.View) string {
	if f.state.Compaction.Tail == "" {
		return f.state.Compaction.Place
	}
	return f.tailPlace(e, view)
}

// tailPlace is the place of the message that begins the tail. Where it names
// none that is known nothing leaves; no later one than the question counts.
func (f *effector) tailPlace(e *model.Event, view model.View) string {
	c := &f.state.Compaction
	for i := range f.state.Recent {
		if f.state.Recent[i].ID == c.Tail {
			return min(f.state.Recent[i].Place, c.Place)
		}
	}
	tail, known := readAgain(e, c.Tail, view)
	if !known {
		return ""
	}
	return min(tail.Place, c.Place)
}

// placedBefore lists what stands before a place, wherever it is in view.
func placedBefore(view model.View, place string) []string {
	var keys []string
	for _, x := range view.Context() {
		keys = append(keys, x.Key)
	}
	return before(keys, place)
}

func before(keys []string, place string) (out []string) {
	for _, k := range keys {
		if placeIn(k) < place {
			out = append(out, k)
		}
	}
	return out
}

// cameAfter reports whether anything came into view after an event.
func cameAfter(view model.View, pos int64) bool {
	for _, x := range view.Context() {
		if x.Pos > pos {
			return true
		}
	}
	return false
}
