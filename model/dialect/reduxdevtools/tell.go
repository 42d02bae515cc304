package reduxdevtools

import (
	"bytes"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// effector tells how the state changed. It keeps the history that it took apart
// last, since all events of a file stand in the same record.
type effector struct {
	span  model.Span
	size  int
	h     history
	index map[string]int
}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return &effector{} }

// Messages is empty: a store knows no model.
func (dialect) Messages([]model.Viewed, bool) model.Conversation { return model.Conversation{} }

func (f *effector) look(e *model.Event, raw []byte) {
	if f.index != nil && f.span == e.Span && f.size == len(raw) {
		return
	}
	f.span, f.size, f.index = e.Span, len(raw), map[string]int{}
	f.h, _ = read(raw)
	for i, id := range f.h.staged {
		if _, again := f.index[id]; !again {
			f.index[id] = i
		}
	}
}

// Effects tells what differs between the states before and after an action.
func (f *effector) Effects(e *model.Event, raw []byte, _ model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied {
		return nil
	}
	f.look(e, raw)
	i, ok := f.index[e.ID]
	if !ok {
		return nil
	}
	now := f.h.state(i)
	if i == 0 {
		start := f.h.committed
		if start == nil {
			start = now
		}
		if start != nil {
			fx = append(fx, model.Snapshot{Checkpoint: "start", State: start})
		}
	}
	if now != nil {
		fx = differ(fx, "/vars", wrap(f.h.state(i-1)), wrap(now), deepest)
	}
	if e.Kind == model.KindError {
		fx = append(fx, model.Fail{Code: e.Type, Message: f.h.fault(i), Stack: jsonscan.Str(jsonscan.Get(f.h.actions[e.ID], "stack"))})
	}
	return fx
}

// wrap makes an object of a state that is none.
func wrap(state []byte) []byte {
	if k := jsonscan.Kind(state); k == 0 || k == '{' {
		return state
	}
	return slices.Concat([]byte(`{"state":`), state, []byte(`}`))
}

// deepest is how far down a difference is followed; below it values are
// replaced as a whole.
const deepest = 16

// escaper writes a key as a token of a JSON Pointer (RFC 6901).
var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// differ tells what changes one object into another.
func differ(fx []model.Effect, path string, old, now []byte, depth int) []model.Effect {
	before, was := members(old)
	after, is := members(now)
	for _, key := range before {
		if is[key] == nil {
			fx = append(fx, model.Unset{Path: path + "/" + escaper.Replace(key)})
		}
	}
	for _, key := range after {
		a, b, at := was[key], is[key], path+"/"+escaper.Replace(key)
		switch {
		case a != nil && bytes.Equal(a, b):
		case depth > 0 && jsonscan.Kind(a) == '{' && jsonscan.Kind(b) == '{':
			fx = differ(fx, at, a, b, depth-1)
		default:
			fx = append(fx, model.Set{Path: at, Value: b})
		}
	}
	return fx
}

// members are the keys of an object in order, each once, with the last value.
func members(obj []byte) (keys []string, values map[string][]byte) {
	values = map[string][]byte{}
	jsonscan.Fields(obj, func(key string, v []byte) bool {
		if values[key] == nil && key != "" {
			keys = append(keys, key)
		}
		values[key] = v
		return true
	})
	return keys, values
}

// Save and Load: what is kept is read again from the record.
func (*effector) Save() ([]byte, error) { return nil, nil }

// Load takes up nothing.
func (*effector) Load([]byte) error { return nil }
