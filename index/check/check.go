// Package check finds what is wrong with a session: in what happened, in its
// log, and in the checkpoints that it wrote. A rule is a function over what a
// Reader tells, in a file of its own, and a line in the table. Nothing here
// reads a dump or compares states: whoever asks brings the facts.
package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hindcast/model"
	"hindcast/model/answer"
)

// The severities: a run or a restart goes wrong by it; it may; good to know.
const (
	Error   = "error"
	Warning = "warning"
	Note    = "note"
)

// Rule is something that can be wrong.
type Rule struct {
	Name  string
	About string // one sentence, for help
	find  func(ctx context.Context, r Reader) ([]answer.Finding, error)
}

// rules is the table, by name.
var rules = []Rule{
	{"broken-chain", "a checkpoint stands on what the log does not hold", brokenChain},
	{"cwd-change", "the shell's directory changed without a command that goes there", cwdChange},
	{"drift", "a checkpoint recorded what the events before it do not lead to", drift},
	{"duplicate-id", "records stand again under ids that earlier ones carry", duplicateID},
	{"edit-ambiguous", "an edit changed the first of several places that its old text stands in", editAmbiguous},
	{"edit-no-match", "an edit succeeded whose old text does not stand in the file", editNoMatch},
	{"forgets-unknown", "a compaction or rebuild names messages that were not in view", forgetsUnknown},
	{"ghost", "a checkpoint holds what only later events brought", ghost},
	{"missing-base", "a session goes on from another one, of which the dump does not hold that much", missingBase},
	{"not-compared", "a recorded state could not be held against the events, or no record names it", notCompared},
	{"orphan-call", "a call has no result, and no error says what became of it", orphanCall},
	{"orphan-result", "a result answers a call that the log does not hold", orphanResult},
	{"outside-change", "a file changed without an event that did it", outsideChange},
	{"shared-message", "what a user said in one session stands in another as well", sharedMessage},
	{"torn-batch", "a compaction left half of what belongs together in the model's context", tornBatch},
	{"two-results", "a call has more than one result", twoResults},
}

// Rules lists them by name.
func Rules() []Rule { return slices.Clone(rules) }

// Session runs every rule over one session. Findings come in the order of
// their first events, then of the rules.
func Session(ctx context.Context, r Reader) ([]answer.Finding, error) {
	var out []answer.Finding
	for _, rule := range rules {
		found, err := rule.find(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("check %s of session %s: %w", rule.Name, r.Session().ID, err)
		}
		for _, f := range found {
			f.Rule, f.Session = rule.Name, r.Session().ID
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b answer.Finding) int { return cmp.Compare(posOf(a), posOf(b)) })
	return out, nil
}

// posOf is where a finding stands; one without events is about the end.
func posOf(f answer.Finding) int64 {
	if len(f.Events) == 0 {
		return 1 << 62
	}
	return f.Events[0].Pos
}

// refs names events, each once, 0 left out.
func refs(ctx context.Context, r Reader, positions ...int64) ([]answer.Ref, error) {
	out := []answer.Ref{}
	for i, pos := range positions {
		if pos == 0 || slices.Contains(positions[:i], pos) {
			continue
		}
		e, err := r.Event(ctx, pos)
		if err != nil {
			return nil, err
		}
		out = append(out, answer.NewRef(RefOf(e)))
	}
	return out, nil
}

// RefOf names an event.
func RefOf(e model.Event) model.Ref {
	return model.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}
}
