package chat

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// Counts are token counts as a record writes them; nil spans are not told.
type Counts struct {
	Prompt, Completion, CacheRead, CacheWrite, Reasoning, Cost []byte
	// CacheInside: cached tokens are counted in Prompt as well. ReasoningInside:
	// so are those of reasoning in Completion.
	CacheInside, ReasoningInside bool
}

// Usage makes the classes disjoint; nil where nothing is told.
func (c *Counts) Usage() *model.Usage {
	var u model.Usage
	for _, f := range []struct {
		v    []byte
		to   *int64
		told model.Told
	}{
		{c.Prompt, &u.Input, model.ToldInput}, {c.Completion, &u.Output, model.ToldOutput},
		{c.CacheRead, &u.CacheRead, model.ToldCacheRead}, {c.CacheWrite, &u.CacheWrite, model.ToldCacheWrite},
		{c.Reasoning, &u.Reasoning, model.ToldReasoning},
	} {
		if n, ok := jsonscan.Int(f.v); ok && n >= 0 {
			*f.to, u.Told = n, u.Told|f.told
		}
	}
	if x, ok := jsonscan.Float(c.Cost); ok {
		u.CostUSD, u.Told = x, u.Told|model.ToldCost
	}
	if cached := u.CacheRead + u.CacheWrite; c.CacheInside && cached <= u.Input {
		u.Input -= cached
	}
	if c.ReasoningInside && u.Reasoning <= u.Output {
		u.Output -= u.Reasoning
	}
	if u.Told == 0 {
		return nil
	}
	return &u
}
