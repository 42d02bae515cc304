package claudecode

import (
	"slices"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// spentBy is the most that the records of one message told of its tokens.
type spentBy struct {
	Message string
	Usage   model.Usage
}

// spentLimit is how many messages back a record of one may come.
const spentLimit = 32

// spent is how the usage of a message grew with this record: each of its
// records repeats it, while it streams with smaller counts.
func (f *effector) spent(id string, usage []byte) []model.Effect {
	u := usageOf(usage)
	if u == nil {
		return nil
	}
	i := slices.IndexFunc(f.state.Spent, func(s spentBy) bool { return id != "" && s.Message == id })
	if i < 0 {
		if len(f.state.Spent) >= spentLimit {
			f.state.Spent = append(f.state.Spent[:0], f.state.Spent[1:]...)
		}
		f.state.Spent = append(f.state.Spent, spentBy{id, *u})
		return f.spend(*u)
	}
	before := f.state.Spent[i].Usage
	now := most(before, *u)
	if now == before {
		return nil
	}
	f.state.Spent[i].Usage = now
	return f.spend(now.Sub(before))
}

func (f *effector) spend(u model.Usage) []model.Effect {
	f.state.Run = f.state.Run.Add(u)
	return []model.Effect{model.Spend{Usage: u}}
}

// cumulativeCost is the money that a record says was spent so far, also by the
// runs that the session continues.
func cumulativeCost(r *record) []model.Effect {
	usd, ok := jsonscan.Float(r.totalCost)
	if !ok {
		return nil
	}
	return []model.Effect{model.Spend{Usage: model.Usage{CostUSD: usd, Told: model.ToldCost}, Cumulative: true}}
}

// runEnds reads the last line of a stream. The messages of a stream come with
// the counts of their beginnings: what they took beyond those shows here only.
func (f *effector) runEnds(r *record) []model.Effect {
	out := cumulativeCost(r)
	if u := usageOf(r.usage); u != nil {
		out = append(out, model.Spend{Usage: beyond(*u, f.state.Run)})
	}
	f.state.Run = model.Usage{}
	execution := statusFinished
	if isTrue(r.isError) {
		execution = statusError
	}
	return append(out, model.Status{Execution: execution, Reason: jsonscan.Str(r.subtype)})
}
