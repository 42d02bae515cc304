package temporal

import (
	"bytes"
	"encoding/json"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector keeps nothing from event to event: what a result answers stands in
// the session.
type effector struct{}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return effector{} }

// Messages is empty: a history knows workflows, not what a model was told.
func (dialect) Messages([]model.Viewed, bool) model.Conversation { return model.Conversation{} }

// Effects opens and closes calls, and keeps results by the ids of activities.
func (effector) Effects(e *model.Event, raw []byte, view model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied {
		return nil
	}
	attrs, typ := attributes(raw), plain(e.Type)
	result := func(name string) {
		if values := payloads(jsonscan.Get(attrs, "result")); len(values) > 0 {
			fx = set(fx, name, values[0])
		}
	}
	switch {
	case typ == "workflowexecutionstarted":
		fx = append(fx, model.Status{Execution: "running"})
	case e.Kind == model.KindAction:
		fx = append(fx, model.Call{ID: chat.CallID(e.ID, e.Pos), Tool: e.Tool})
	case e.Kind == model.KindObservation:
		if pos, id := chat.Answered(e); pos > 0 {
			fx = append(fx, model.Return{ID: id})
			result(askedAs(view, pos, id))
		}
	case typ == "markerrecorded":
		marker := jsonscan.Scalar(jsonscan.Get(attrs, "markerName"))
		jsonscan.Fields(jsonscan.Get(attrs, "details"), func(key string, v []byte) bool {
			if values := payloads(v); len(values) > 0 {
				fx = set(fx, marker+"."+key, values[0])
			}
			return true
		})
	case e.Kind == model.KindState:
		for _, path := range [][]string{{"searchAttributes", "indexedFields"}, {"upsertedMemo", "fields"}} {
			jsonscan.Fields(jsonscan.Get(attrs, path...), func(key string, v []byte) bool {
				fx = set(fx, key, payload(v))
				return true
			})
		}
	}
	if execution := outcomes[typ]; execution != "" {
		fx = append(fx, model.Status{Execution: execution, Reason: failure(attrs)})
		result("result")
	}
	if e.Kind == model.KindError {
		fx = append(fx, model.Fail{Code: e.Type, Message: failure(attrs), Stack: jsonscan.Str(jsonscan.Get(attrs, "failure", "stackTrace"))})
	}
	return fx
}

// askedAs is the name that a workflow gave to what it asked for.
func askedAs(view model.View, pos int64, otherwise string) string {
	_, raw, ok := view.Record(pos)
	if !ok {
		return otherwise
	}
	attrs := attributes(raw)
	for _, key := range []string{"activityId", "timerId", "workflowId"} {
		if s := jsonscan.Scalar(jsonscan.Get(attrs, key)); s != "" {
			return s
		}
	}
	return otherwise
}

// escaper writes a key as a token of a JSON Pointer (RFC 6901).
var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func set(fx []model.Effect, name string, value []byte) []model.Effect {
	var b bytes.Buffer
	if name == "" || value == nil || json.Compact(&b, value) != nil {
		return fx
	}
	return append(fx, model.Set{Path: "/vars/" + escaper.Replace(name), Value: b.Bytes()})
}

// Save and Load: nothing is carried.
func (effector) Save() ([]byte, error) { return nil, nil }

// Load takes up nothing.
func (effector) Load([]byte) error { return nil }
