package answer

import (
	"math"

	"hindcast/model"
)

// Sessions is the answer of sessions.
type Sessions struct {
	Sessions []Session `json:"sessions"`
}

// Session describes one stream of events. Events counts all but copied and
// inherited ones.
type Session struct {
	ID                string  `json:"id"`
	Dialect           string  `json:"dialect"`
	Version           *string `json:"version"`
	Parent            *string `json:"parent"`
	Title             string  `json:"title"`
	Events            int64   `json:"events"`
	Copies            int64   `json:"copies"`
	Inherited         int64   `json:"inherited"`
	First             int64   `json:"first"`
	Last              int64   `json:"last"`
	Started           *string `json:"started"`
	Ended             *string `json:"ended"`
	Failed            int64   `json:"failed"`
	OpenCalls         int64   `json:"open_calls"`
	Outcome           *string `json:"outcome"`
	Usage             Usage   `json:"usage"`
	UsageWithChildren Usage   `json:"usage_with_children"`
}

// Usage counts tokens in disjoint classes and money; null where no record told.
type Usage struct {
	InputTokens      *int64   `json:"input_tokens"`
	OutputTokens     *int64   `json:"output_tokens"`
	CacheReadTokens  *int64   `json:"cache_read_tokens"`
	CacheWriteTokens *int64   `json:"cache_write_tokens"`
	ReasoningTokens  *int64   `json:"reasoning_tokens"`
	CostUSD          *float64 `json:"cost_usd"`
}

// NewUsage converts a usage of the index.
func NewUsage(u model.Usage) Usage {
	var out Usage
	for _, class := range []struct {
		told model.Told
		from int64
		to   **int64
	}{
		{model.ToldInput, u.Input, &out.InputTokens}, {model.ToldOutput, u.Output, &out.OutputTokens},
		{model.ToldCacheRead, u.CacheRead, &out.CacheReadTokens}, {model.ToldCacheWrite, u.CacheWrite, &out.CacheWriteTokens},
		{model.ToldReasoning, u.Reasoning, &out.ReasoningTokens},
	} {
		if u.Told.Has(class.told) {
			*class.to = &class.from
		}
	}
	if u.Told.Has(model.ToldCost) {
		cost := math.Round(u.CostUSD*1e9) / 1e9 // sums of decimals leave noise behind
		out.CostUSD = &cost
	}
	return out
}

// NewSession converts a session of the index; withChildren is its usage summed
// with that of its sub-agents.
func NewSession(s model.Session, withChildren model.Usage) Session {
	return Session{
		ID: s.ID, Dialect: s.Dialect, Version: orNull(s.Version), Parent: orNull(s.Parent), Title: s.Title,
		Events: s.Events, Copies: s.Copies, Inherited: s.Inherited, First: s.First, Last: s.Last,
		Started: orNull(s.Started.String()), Ended: orNull(s.Ended.String()),
		Failed: s.Failed, OpenCalls: s.OpenCalls, Outcome: orNull(s.Outcome),
		Usage: NewUsage(s.Usage), UsageWithChildren: NewUsage(withChildren),
	}
}
