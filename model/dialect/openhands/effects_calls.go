package openhands

import "hindcast/model"

// openCalls follows the calls of a conversation. An answer counts on the
// branches that it stands on: where the conversation goes back behind it, the
// call is open again.
type openCalls struct {
	All []followed // in pos order
}

// followed is a call, and the results that came for it.
type followed struct {
	Pos  int64
	Call string  // the provider's id; may come again
	Key  string  // how it stands in pending; unlike any other that is open
	Tool string  `json:",omitempty"`
	Ends []int64 `json:",omitempty"` // pos of its results
	Open bool    `json:",omitempty"`
}

// followLimit bounds how many calls are followed, endLimit how many results of
// one. Of more calls than that the oldest are let go.
const (
	followLimit = 1 << 11
	endLimit    = 8
)

// open begins a call.
func (c *openCalls) open(e *model.Event, id string) model.Effect {
	key := id
	for i := range c.All {
		if c.All[i].Open && c.All[i].Key == key {
			key = checkpointID(e) // a weak provider's id came again
			break
		}
	}
	if len(c.All) >= followLimit {
		c.All = append(c.All[:0], c.All[followLimit/4:]...)
	}
	c.All = append(c.All, followed{Pos: e.Pos, Call: id, Key: key, Tool: e.Tool, Open: true})
	return model.Call{ID: key, Tool: e.Tool}
}

// byPos finds the call of an event; nil where that is none or was let go.
func (c *openCalls) byPos(pos int64) *followed {
	for i := len(c.All) - 1; i >= 0 && c.All[i].Pos >= pos; i-- {
		if c.All[i].Pos == pos {
			return &c.All[i]
		}
	}
	return nil
}

// nearest finds the call that a result with this id answers: the nearest open
// one, else the nearest.
func (c *openCalls) nearest(call string) (best *followed) {
	for i := len(c.All) - 1; i >= 0; i-- {
		if a := &c.All[i]; a.Call == call && (a.Open || best == nil) {
			if a.Open {
				return a
			}
			best = a
		}
	}
	return best
}

// answer closes a call; nil where it is open no more.
func (a *followed) answer(pos int64) []model.Effect {
	if a == nil {
		return nil
	}
	if len(a.Ends) < endLimit {
		a.Ends = append(a.Ends, pos)
	}
	if !a.Open {
		return nil
	}
	a.Open = false
	return []model.Effect{model.Return{ID: a.Key}}
}

// turn opens and closes calls as the path of the conversation wants it after
// it went back.
func (c *openCalls) turn(isOn func(pos int64) bool) (out []model.Effect) {
	for i := range c.All {
		a := &c.All[i]
		want := isOn(a.Pos)
		for _, end := range a.Ends {
			want = want && !isOn(end)
		}
		switch {
		case a.Open && !want:
			out = append(out, model.Return{ID: a.Key})
		case !a.Open && want:
			out = append(out, model.Call{ID: a.Key, Tool: a.Tool})
		}
		a.Open = want
	}
	return out
}
