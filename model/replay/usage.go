package replay

import (
	"math"

	"hindcast/model"
)

const (
	pathCacheRead  = "/usage/cache_read_tokens"
	pathCacheWrite = "/usage/cache_write_tokens"
	pathCost       = "/usage/cost_usd"
	pathInput      = "/usage/input_tokens"
	pathOutput     = "/usage/output_tokens"
	pathReasoning  = "/usage/reasoning_tokens"
)

// usage is what the session has spent; nil where no record has told.
type usage struct {
	tokens [len(usagePaths)]amount
	cost   *float64
	spent  model.Value // the cell of cost, where that is not nil
}

// amount is a number that may not be known.
type amount struct {
	n     int64
	known bool
}

// told is the number; nil where it is not known.
func (a *amount) told() *int64 {
	if !a.known {
		return nil
	}
	return &a.n
}

func amountOf(n *int64) amount {
	if n == nil {
		return amount{}
	}
	return amount{n: *n, known: true}
}

// usagePaths are the cells of the token classes, in the order of classes and of
// usageTold.
var usagePaths = [...]string{pathInput, pathOutput, pathCacheRead, pathCacheWrite, pathReasoning}

var usageTold = [len(usagePaths)]model.Told{model.ToldInput, model.ToldOutput, model.ToldCacheRead, model.ToldCacheWrite, model.ToldReasoning}

func classes(u model.Usage) [len(usagePaths)]int64 {
	return [...]int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning}
}

func (f *usage) spend(s *step, x model.Spend) {
	for i, n := range classes(x.Usage) {
		if !x.Usage.Told.Has(usageTold[i]) {
			continue
		}
		if !x.Cumulative {
			n += f.tokens[i].n
		}
		if now := (amount{n: n, known: true}); !s.stays(usagePaths[i], f.tokens[i] == now) {
			f.put(s, i, now)
		}
	}
	if cost := x.Usage.CostUSD; x.Usage.Told.Has(model.ToldCost) && !math.IsNaN(cost) && !math.IsInf(cost, 0) {
		if f.cost != nil && !x.Cumulative {
			cost += *f.cost
		}
		f.putCost(s, &cost)
	}
}

func (f *usage) put(s *step, class int, now amount) *touched {
	old := s.mem.int(f.tokens[class].told())
	f.tokens[class] = now
	return s.put(usagePaths[class], old, s.mem.int(now.told()))
}

func (f *usage) putCost(s *step, now *float64) *touched {
	old := null
	if f.cost != nil {
		old = f.spent
	}
	f.setCost(now)
	return s.put(pathCost, old, f.spent)
}

func (f *usage) setCost(usd *float64) { f.cost, f.spent = usd, leafCost(usd) }

func (f *usage) restore(s *step, cells []PastCell, _ model.LostReason) {
	for _, c := range cells {
		if c.Path == pathCost {
			f.putCost(s, read[*float64](c.Value)).restores = c.Pos
		}
		for i, path := range usagePaths {
			if c.Path == path {
				f.put(s, i, amountOf(read[*int64](c.Value))).restores = c.Pos
			}
		}
	}
}

func (f *usage) save(w *encoder) {
	for i := range f.tokens {
		w.intOrNil(f.tokens[i].told())
	}
	w.floatOrNil(f.cost)
}

func (f *usage) load(r *decoder) {
	for i := range f.tokens {
		f.tokens[i] = amountOf(r.intOrNil())
	}
	f.setCost(r.floatOrNil())
}
