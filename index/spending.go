package index

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
)

// usageCells are the cells of the state that tell what was spent, in the order
// of model.Told.
var usageCells = [...]string{
	"/usage/input_tokens", "/usage/output_tokens", "/usage/cache_read_tokens", "/usage/cache_write_tokens", "/usage/reasoning_tokens", "/usage/cost_usd",
}

// spending calls f with what each event of a session added to what was spent, in
// pos order.
func (x *Index) spending(ctx context.Context, key, last int64, f func(pos int64, u model.Usage)) error {
	var total, more model.Usage
	at := int64(0)
	wanted := func(path string) bool { return strings.HasPrefix(path, "/usage/") }
	err := x.st.Reader().NewValues(ctx, key, 0, last, wanted, func(w model.Write) bool {
		if w.Pos != at && more.Told != 0 {
			f(at, more)
			more = model.Usage{}
		}
		at = w.Pos
		told := model.Told(1) << slices.Index(usageCells[:], w.Path)
		value, err := strconv.ParseFloat(string(w.New.JSON), 64)
		if err != nil || told == 0 { // null: what is not known adds nothing
			return true
		}
		now := amountOf(told, value)
		if diff := now.Sub(partOf(total, told)); diff != (model.Usage{}) {
			diff.Told = told
			more = more.Add(diff)
		}
		total = total.Sub(partOf(total, told)).Add(now)
		return true
	})
	if more.Told != 0 && err == nil {
		f(at, more)
	}
	return err
}

// amountOf is a usage of one part.
func amountOf(told model.Told, n float64) model.Usage {
	u := model.Usage{Told: told}
	switch told {
	case model.ToldInput:
		u.Input = int64(n)
	case model.ToldOutput:
		u.Output = int64(n)
	case model.ToldCacheRead:
		u.CacheRead = int64(n)
	case model.ToldCacheWrite:
		u.CacheWrite = int64(n)
	case model.ToldReasoning:
		u.Reasoning = int64(n)
	case model.ToldCost:
		u.CostUSD = n
	}
	return u
}

// partOf leaves one part of a usage.
func partOf(u model.Usage, told model.Told) model.Usage {
	switch told {
	case model.ToldInput:
		return amountOf(told, float64(u.Input))
	case model.ToldOutput:
		return amountOf(told, float64(u.Output))
	case model.ToldCacheRead:
		return amountOf(told, float64(u.CacheRead))
	case model.ToldCacheWrite:
		return amountOf(told, float64(u.CacheWrite))
	case model.ToldReasoning:
		return amountOf(told, float64(u.Reasoning))
	}
	return amountOf(told, u.CostUSD)
}

// requested is the tokens of a request, cached ones included.
func requested(u model.Usage) int64 { return u.Input + u.CacheRead + u.CacheWrite }

// spent is what one event told of tokens and money.
type spent struct {
	at    site
	usage model.Usage
}

// costliest keeps the events that told most: most money, else most tokens.
type costliest []spent

func (l *costliest) add(x spent) {
	if requested(x.usage) <= 0 { // no request: a correction, a total
		return
	}
	at, _ := slices.BinarySearchFunc(*l, x, func(a, b spent) int {
		if d := cmp.Or(cmp.Compare(b.usage.CostUSD, a.usage.CostUSD), cmp.Compare(requested(b.usage)+b.usage.Output, requested(a.usage)+a.usage.Output)); d != 0 {
			return d
		}
		if a.at.before(b.at) {
			return -1
		}
		return 1
	})
	if at < listLength {
		*l = slices.Insert(*l, at, x)
		*l = (*l)[:min(len(*l), listLength)]
	}
}

func (x *Index) costs(ctx context.Context, list costliest) ([]answer.Cost, error) {
	out := make([]answer.Cost, 0, len(list))
	for _, s := range list {
		e, ok, err := x.st.Reader().EventAt(ctx, s.at.session, s.at.pos)
		if err != nil || !ok {
			return out, err
		}
		if e.Kind != model.KindAction && e.Kind != model.KindMessage { // a record of the usage alone: of which answer
			made, ok, err := x.modelNear(ctx, s.at, true)
			if err != nil {
				return out, err
			}
			if ok {
				e = made
			}
		}
		out = append(out, answer.Cost{Event: answer.NewRef(refOf(e)), Title: e.Title, Usage: answer.NewUsage(s.usage)})
	}
	return out, nil
}

// usageAt is what a session had spent after an event.
func (x *Index) usageAt(ctx context.Context, key, pos int64) (u model.Usage, err error) {
	for i, cell := range usageCells {
		w, ok, err := x.st.Reader().WriteAt(ctx, key, cell, pos)
		if err != nil {
			return u, err
		}
		if !ok {
			continue
		}
		if n, err := strconv.ParseFloat(string(w.New.JSON), 64); err == nil {
			u = u.Add(amountOf(model.Told(1)<<i, n))
		}
	}
	return u, nil
}

// hasStates reports whether the states of a session are all there, which it
// waits for; an index that was made without them has none.
func (x *Index) hasStates(ctx context.Context, session string) (bool, error) {
	_, _, err := x.foldedAll(ctx, session)
	if errors.Is(err, errNotFolded) {
		return false, nil
	}
	return err == nil, err
}
