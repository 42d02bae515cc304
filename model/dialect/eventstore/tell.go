package eventstore

import (
	"bytes"
	"encoding/json"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// effector folds rows as any event store can be folded: the last value of each
// field of the data wins.
type effector struct{ s store }

// NewEffector starts a session.
func (s store) NewEffector(*model.Stream, string) model.Effector { return effector{s} }

// Messages is empty: no model is known to these stores.
func (store) Messages([]model.Viewed, bool) model.Conversation { return model.Conversation{} }

// Effects sets a value for each field of the data.
func (f effector) Effects(e *model.Event, raw []byte, _ model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied || e.Kind == model.KindOther {
		return nil
	}
	seen := map[string]int{}
	jsonscan.Fields(object(f.s.read(raw).data), func(key string, v []byte) bool {
		if key == "" || key == "$type" {
			return true
		}
		var b bytes.Buffer
		if json.Compact(&b, v) != nil {
			return true
		}
		set := model.Set{Path: "/vars/" + model.EscapePointer(key), Value: b.Bytes()}
		if at, again := seen[key]; again {
			fx[at] = set
			return true
		}
		seen[key] = len(fx)
		fx = append(fx, set)
		return true
	})
	if e.Kind == model.KindError {
		fx = append(fx, model.Fail{Code: e.Type, Message: e.Title})
	}
	return fx
}

// Save and Load: nothing is carried from row to row.
func (effector) Save() ([]byte, error) { return nil, nil }

// Load takes up nothing.
func (effector) Load([]byte) error { return nil }
