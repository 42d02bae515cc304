package openhands

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// statsUsage sums a stats snapshot over its usages (agent, condenser, tasks).
// Before 1.1 the map was called service_to_metrics.
func statsUsage(stats []byte) *model.Usage {
	var sum model.Usage
	for _, name := range usageMaps {
		jsonscan.Fields(jsonscan.Get(stats, name), func(_ string, metrics []byte) bool {
			if u := metricsUsage(metrics); u != nil {
				sum = sum.Add(*u)
			}
			return true
		})
	}
	if sum.Told == 0 {
		return nil
	}
	return &sum
}

// responseLimit bounds how many responses of a stats snapshot are told apart.
const responseLimit = 1 << 16

// responseUsage reads what single responses took, by response id.
func responseUsage(stats []byte) map[string]model.Usage {
	by := map[string]model.Usage{}
	for _, name := range usageMaps {
		jsonscan.Fields(jsonscan.Get(stats, name), func(_ string, metrics []byte) bool {
			addResponses(by, metrics)
			return true
		})
	}
	return by
}

// addResponses reads one usage's responses. Its costs name none, and free ones
// are left out: they are told apart only where no cost was.
func addResponses(by map[string]model.Usage, metrics []byte) {
	tokens, costs := jsonscan.Get(metrics, "token_usages"), []float64{}
	jsonscan.Elements(jsonscan.Get(metrics, "costs"), func(v []byte) bool {
		cost, _ := jsonscan.Float(jsonscan.Get(v, "cost"))
		costs = append(costs, cost)
		return true
	})
	areAll, i := len(costs) == count(tokens), 0
	jsonscan.Elements(tokens, func(v []byte) bool {
		var u model.Usage
		readTokens(&u, v)
		if areAll {
			u.CostUSD, u.Told = costs[i], u.Told|model.ToldCost
		}
		i++
		if id := jsonscan.Str(jsonscan.Get(v, "response_id")); id != "" {
			by[id] = by[id].Add(u)
		}
		return len(by) < responseLimit
	})
}

// usageMaps are the members of a stats snapshot that hold its usages.
var usageMaps = []string{"usage_to_metrics", "service_to_metrics"}

// metricsUsage reads one metrics object: cost and tokens since the start of
// the conversation. nil where it says neither.
func metricsUsage(metrics []byte) *model.Usage {
	var u model.Usage
	var tokens []byte
	jsonscan.Fields(metrics, func(key string, v []byte) bool {
		switch key {
		case "accumulated_cost":
			if cost, ok := jsonscan.Float(v); ok {
				u.CostUSD, u.Told = cost, u.Told|model.ToldCost
			}
		case "accumulated_token_usage":
			tokens = v
		}
		return true
	})
	if isObject(tokens) {
		readTokens(&u, tokens)
	}
	if u.Told == 0 {
		return nil
	}
	return &u
}

// ownUsage reads what one response took, which V0 keeps with each of its calls
// and results; nil where it does not say.
func ownUsage(callMeta []byte) *model.Usage {
	tokens := jsonscan.Get(callMeta, "model_response", "usage")
	if !isObject(tokens) {
		return nil
	}
	var u model.Usage
	if readTokens(&u, tokens); u.Told == 0 {
		return nil
	}
	return &u
}

// readTokens reads the counts of a snapshot, or those of a provider's answer,
// and makes the classes disjoint: LiteLLM counts cached tokens inside
// the prompt and reasoning inside the completion. Where the cached ones are
// more than the prompt (ACP agents) they were counted apart already.
func readTokens(u *model.Usage, tokens []byte) {
	var prompt, completion int64
	jsonscan.Fields(tokens, func(key string, v []byte) bool {
		var class *int64
		var told model.Told
		switch key {
		case "prompt_tokens":
			class, told = &prompt, model.ToldInput
		case "completion_tokens":
			class, told = &completion, model.ToldOutput
		case "cache_read_tokens", "cache_read_input_tokens":
			class, told = &u.CacheRead, model.ToldCacheRead
		case "cache_write_tokens", "cache_creation_input_tokens":
			class, told = &u.CacheWrite, model.ToldCacheWrite
		case "reasoning_tokens":
			class, told = &u.Reasoning, model.ToldReasoning
		case "prompt_tokens_details":
			class, told, v = &u.CacheRead, model.ToldCacheRead, jsonscan.Get(v, "cached_tokens")
		case "completion_tokens_details":
			class, told, v = &u.Reasoning, model.ToldReasoning, jsonscan.Get(v, "reasoning_tokens")
		}
		if n, ok := jsonscan.Int(v); ok && n >= 0 && class != nil {
			*class, u.Told = n, u.Told|told
		}
		return true
	})
	u.Input, u.Output = without(prompt, u.CacheRead+u.CacheWrite), without(completion, u.Reasoning)
}

func without(whole, part int64) int64 {
	if part < 0 || part > whole {
		return whole
	}
	return whole - part
}
