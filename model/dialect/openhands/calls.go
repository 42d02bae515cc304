package openhands

import "slices"

// callLimit bounds how many unanswered calls, and how many answered ones, are
// remembered. A log with more open calls than this is broken; its oldest calls
// are then only counted.
const callLimit = 1 << 14

// openCall is a call that waits for its result.
type openCall struct {
	Pos  int64
	Call string // the provider's id; empty where the record has none
	Tool string
	Dead bool // never ran, so it is not pending
}

// calls pairs calls with their results. Ids of calls may come again, so a
// result that names only the id takes the nearest call that is still open.
type calls struct {
	Open []openCall // in pos order
	Lost int64      // open calls beyond callLimit
	// Done remembers answered calls for results that come again, oldest first.
	Done []openCall
	// Delegates are open delegate calls, the innermost last (pos).
	Delegates []int64
}

func (c *calls) open(o openCall) {
	if len(c.Open) >= callLimit {
		// A part at once, so that a log of open calls costs no more per call.
		for _, old := range c.Open[:callLimit/4] {
			if !old.Dead {
				c.Lost++
			}
		}
		c.Open = slices.Delete(c.Open, 0, callLimit/4)
	}
	c.Open = append(c.Open, o)
}

// answer closes the open call at pos and returns it.
func (c *calls) answer(pos int64) (openCall, bool) {
	i, ok := slices.BinarySearchFunc(c.Open, pos, func(o openCall, pos int64) int {
		switch {
		case o.Pos < pos:
			return -1
		case o.Pos > pos:
			return 1
		}
		return 0
	})
	if ok {
		o := c.Open[i]
		c.Open = slices.Delete(c.Open, i, i+1)
		c.remember(o)
		return o, true
	}
	return c.done(func(o openCall) bool { return o.Pos == pos })
}

// nearest finds the call that a result with this id answers: the nearest open
// one, else the nearest that was answered before.
func (c *calls) nearest(call string) (openCall, bool) {
	for i := len(c.Open) - 1; i >= 0; i-- {
		if c.Open[i].Call == call {
			return c.Open[i], true
		}
	}
	return c.done(func(o openCall) bool { return o.Call == call })
}

// answered reports that a call has its result, and no other of its id waits.
func (c *calls) answered(call string) bool {
	is := func(o openCall) bool { return o.Call == call }
	return !slices.ContainsFunc(c.Open, is) && slices.ContainsFunc(c.Done, is)
}

func (c *calls) done(is func(openCall) bool) (openCall, bool) {
	for i := len(c.Done) - 1; i >= 0; i-- {
		if is(c.Done[i]) {
			return c.Done[i], true
		}
	}
	return openCall{}, false
}

func (c *calls) remember(o openCall) {
	if len(c.Done) >= doneLimit {
		c.Done = slices.Delete(c.Done, 0, doneLimit/2)
	}
	c.Done = append(c.Done, o)
}

// doneLimit bounds the answered calls that are remembered: a result that comes
// again comes soon, after a pause or a restart.
const doneLimit = 256

// endDelegate closes the innermost delegate.
func (c *calls) endDelegate() (pos int64, ok bool) {
	if len(c.Delegates) == 0 {
		return 0, false
	}
	pos = c.Delegates[len(c.Delegates)-1]
	c.Delegates = c.Delegates[:len(c.Delegates)-1]
	return pos, true
}

// pending counts the calls that ran, got no result, and are still part of the
// conversation.
func (c *calls) pending(isOn func(pos int64) bool) int64 {
	n := c.Lost
	for _, o := range c.Open {
		if !o.Dead && isOn(o.Pos) {
			n++
		}
	}
	return n
}
