package claudecode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// usageOf reads a message's usage into disjoint classes: its input leaves the
// cache's tokens out already, its output takes thinking in. nil where the
// record tells none.
func usageOf(v []byte) *model.Usage {
	if !isObject(v) {
		return nil
	}
	var u model.Usage
	set := func(to *int64, told model.Told, v []byte) {
		if n, ok := jsonscan.Int(v); ok && n >= 0 {
			*to, u.Told = n, u.Told|told
		}
	}
	jsonscan.Fields(v, func(key string, v []byte) bool {
		switch key {
		case "input_tokens":
			set(&u.Input, model.ToldInput, v)
		case "output_tokens":
			set(&u.Output, model.ToldOutput, v)
		case "cache_read_input_tokens":
			set(&u.CacheRead, model.ToldCacheRead, v)
		case "cache_creation_input_tokens":
			set(&u.CacheWrite, model.ToldCacheWrite, v)
		case "output_tokens_details":
			set(&u.Reasoning, model.ToldReasoning, jsonscan.Get(v, "thinking_tokens"))
		}
		return true
	})
	if u.Told == 0 {
		return nil
	}
	if u.Reasoning > u.Output {
		u.Reasoning = u.Output
	}
	u.Output -= u.Reasoning
	return &u
}

// most is the maximum of two tellings of one message's usage: while it streams,
// its counts grow.
func most(a, b model.Usage) model.Usage {
	out := model.Usage{
		Input: max(a.Input, b.Input), CacheRead: max(a.CacheRead, b.CacheRead), CacheWrite: max(a.CacheWrite, b.CacheWrite),
		Reasoning: max(a.Reasoning, b.Reasoning), CostUSD: max(a.CostUSD, b.CostUSD), Told: a.Told | b.Told,
	}
	// Output and reasoning are parts of one count that grows as a whole.
	out.Output = max(a.Output+a.Reasoning, b.Output+b.Reasoning) - out.Reasoning
	return out
}
