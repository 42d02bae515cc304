package openhands

import (
	"cmp"
	"container/heap"
	"slices"

	"hindcast/model"
)

// strayShare is the part of neighbours that may stand against the general
// direction of a stream's times before the stream counts as unordered.
const strayShare = 10

// Reorder restores the log's order of a stream that lost it: stores without
// an index and exports that are sorted by time. Records go behind the parent
// that they name; where they name none, a result goes behind its call; apart
// from that the order by time is kept.
func (dialect) Reorder(keys []model.OrderKey) []int {
	order := byTime(keys)
	rank := make([]int, len(keys)) // of a key in that order
	for r, i := range order {
		rank[i] = r
	}
	return topological(keys, order, rank, blockers(keys, order, rank))
}

// byTime is the order in which the records are taken up. Arrival order is kept
// where times mostly rise (they may go back where tools ran side by side),
// reversed where they mostly fall (a page that starts with the newest), and
// replaced by the times where they show no direction (file names of random
// ids).
func byTime(keys []model.OrderKey) []int {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	rise, fall := 0, 0
	for i := 1; i < len(keys); i++ {
		a, b := keys[i-1].Time, keys[i].Time
		switch {
		case !a.Known || !b.Known:
		case b.Nanos > a.Nanos:
			rise++
		case b.Nanos < a.Nanos:
			fall++
		}
	}
	switch {
	case fall*strayShare <= rise:
	case rise*strayShare <= fall:
		slices.Reverse(order)
	default:
		// A record without a time stays behind its neighbour.
		times := make([]int64, len(keys))
		for i, k := range keys {
			times[i] = k.Time.Nanos
			if !k.Time.Known && i > 0 {
				times[i] = times[i-1]
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	}
	return order
}

// blockers gives for each key the one that must come before it, or -1.
func blockers(keys []model.OrderKey, order, rank []int) []int {
	byID := make(map[string]int, len(keys))
	for _, i := range order {
		if id := keys[i].ID; id != "" {
			if _, seen := byID[id]; !seen {
				byID[id] = i
			}
		}
	}
	calls := map[string][]int{} // of an id, in order
	for _, i := range order {
		if k := keys[i]; k.Kind == model.KindAction && k.Call != "" {
			calls[k.Call] = append(calls[k.Call], i)
		}
	}
	before := make([]int, len(keys))
	for _, i := range order {
		k := keys[i]
		before[i] = -1
		p, known := byID[k.Parent]
		switch {
		case k.Parent != "" && known && p != i:
			before[i] = p
		case k.Parent == "" && k.Call != "" && (k.Kind == model.KindObservation || k.Kind == model.KindError):
			before[i] = callBefore(calls[k.Call], rank[i], rank)
		}
	}
	return before
}

// callBefore picks the call that must come before a result at rank: the
// nearest before it, else the first one after it; -1 where there is none.
func callBefore(calls []int, at int, rank []int) int {
	if len(calls) == 0 {
		return -1
	}
	n, _ := slices.BinarySearchFunc(calls, at, func(c, at int) int { return cmp.Compare(rank[c], at) })
	return calls[max(n-1, 0)]
}

// rankHeap holds keys that may come next, the earliest first.
type rankHeap struct{ keys, rank []int }

func (h *rankHeap) Len() int           { return len(h.keys) }
func (h *rankHeap) Less(i, j int) bool { return h.rank[h.keys[i]] < h.rank[h.keys[j]] }
func (h *rankHeap) Swap(i, j int)      { h.keys[i], h.keys[j] = h.keys[j], h.keys[i] }
func (h *rankHeap) Push(x any)         { h.keys = append(h.keys, x.(int)) }
func (h *rankHeap) Pop() any {
	last := h.keys[len(h.keys)-1]
	h.keys = h.keys[:len(h.keys)-1]
	return last
}

// topological takes the keys in order, each behind its blocker. Keys that
// block each other in a ring are released in order.
func topological(keys []model.OrderKey, order, rank, before []int) []int {
	// waiting lists are chained through next, so that they cost two slices.
	first, next := fill(len(keys)), fill(len(keys))
	ready := &rankHeap{rank: rank}
	for r := len(order) - 1; r >= 0; r-- {
		i := order[r]
		if b := before[i]; b >= 0 {
			next[i], first[b] = first[b], i
		} else {
			ready.keys = append(ready.keys, i)
		}
	}
	heap.Init(ready)
	out := make([]int, 0, len(keys))
	done := make([]bool, len(keys))
	take := func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		out = append(out, i)
		for w := first[i]; w >= 0; w = next[w] {
			if !done[w] {
				heap.Push(ready, w)
			}
		}
	}
	for r := 0; ; {
		for ready.Len() > 0 {
			take(heap.Pop(ready).(int))
		}
		for r < len(order) && done[order[r]] {
			r++
		}
		if r == len(order) {
			return out
		}
		take(order[r])
	}
}

func fill(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = -1
	}
	return s
}
