package reduxdevtools

import (
	"errors"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoState = errors.New("not a lifted state: actionsById and stagedActionIds are expected")

// propagated is the error of all states behind one that has an error.
const propagated = "Interrupted by an error up the chain"

// history is a lifted state taken apart.
type history struct {
	actions   map[string][]byte // what was performed, by id
	staged    []string          // ids in order
	skipped   map[string]bool
	computed  [][]byte // what came of each of the staged
	committed []byte   // the state before them; nil where none is told
}

// read takes an export or a bare lifted state apart.
func read(raw []byte) (h history, ok bool) {
	doc := inner(raw)
	if payload := jsonscan.Get(raw, "payload"); payload != nil && jsonscan.Get(raw, "actionsById") == nil {
		doc = inner(payload)
	}
	if jsonscan.Kind(jsonscan.Get(doc, "actionsById")) != '{' || jsonscan.Kind(jsonscan.Get(doc, "stagedActionIds")) != '[' {
		return h, false
	}
	h.actions, h.skipped = map[string][]byte{}, map[string]bool{}
	jsonscan.Fields(doc, func(key string, v []byte) bool {
		switch key {
		case "actionsById":
			jsonscan.Fields(v, func(id string, action []byte) bool {
				h.actions[id] = action
				return true
			})
		case "stagedActionIds":
			h.staged = nil
			jsonscan.Elements(v, func(id []byte) bool {
				h.staged = append(h.staged, jsonscan.Scalar(id))
				return true
			})
		case "skippedActionIds":
			jsonscan.Elements(v, func(id []byte) bool {
				h.skipped[jsonscan.Scalar(id)] = true
				return true
			})
		case "computedStates":
			h.computed = nil
			jsonscan.Elements(v, func(state []byte) bool {
				h.computed = append(h.computed, state)
				return true
			})
		case "committedState":
			h.committed = v
		}
		return true
	})
	if h.committed == nil {
		h.committed = inner(jsonscan.Get(raw, "preloadedState"))
	}
	return h, true
}

// inner is the JSON that stands in a string; of anything else the value itself.
func inner(v []byte) []byte {
	if jsonscan.Kind(v) != '"' {
		return v
	}
	text := []byte(jsonscan.Str(v))
	start, end, err := jsonscan.Value(text)
	if err != nil {
		return nil
	}
	return text[start:end]
}

// fault is the error of the state after the i-th staged action.
func (h *history) fault(i int) string {
	if i < 0 || i >= len(h.computed) {
		return ""
	}
	return jsonscan.Scalar(jsonscan.Get(h.computed[i], "error"))
}

// state is the one after the i-th staged action; nil where none is told.
func (h *history) state(i int) []byte {
	if i < 0 || i >= len(h.computed) {
		return nil
	}
	return jsonscan.Get(h.computed[i], "state")
}

// ascending reports that the ids are numbers that rise in the staged order.
func (h *history) ascending() bool {
	last := int64(-1)
	for _, id := range h.staged {
		n, ok := number(id)
		if !ok || n <= last {
			return false
		}
		last = n
	}
	return true
}

func number(id string) (int64, bool) { return jsonscan.Int([]byte(`"` + id + `"`)) }

// Decode reads all actions of a store. What each did stands in the states
// beside them, so that the record as a whole is that of each.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	h, ok := read(rec.Raw)
	if !ok {
		return errNoState
	}
	ascending := h.ascending()
	titled := false
	thrown := "" // the action whose error is that of all behind it
	for i, id := range h.staged {
		body := h.actions[id]
		action := jsonscan.Get(body, "action")
		e := &model.Event{ID: id, Kind: model.KindState, Origin: model.OriginDerived, Type: jsonscan.Scalar(jsonscan.Get(action, "type"))}
		if ascending {
			e.Seq, e.HasSeq = number(id)
		}
		if at := jsonscan.Get(body, "timestamp"); jsonscan.Kind(at) == '0' {
			e.Time = model.ParseTimeNumber(string(at))
		}
		e.Title = title(e.Type, action)
		fault := h.fault(i)
		switch {
		case body == nil:
			e.Kind, e.Title = model.KindOther, "action "+id+", which the export does not hold"
		case h.skipped[id]:
			e.Kind, e.Title = model.KindOther, "skipped: "+e.Title
		case fault != "" && fault != propagated:
			e.Kind, e.Title, thrown = model.KindError, e.Title+" → "+fault, id
		case fault != "":
			e.Title += " → " + fault
		}
		if fault == propagated && thrown != "" {
			e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, Inferred: true, ToID: thrown})
		}
		if fault != "" {
			e.Outcome = model.OutcomeFailed
		}
		e.Title = phrase.OneLine(e.Title)
		var n chat.Note
		if !titled && !strings.HasPrefix(e.Type, "@@") {
			titled, n.Title = true, e.Title
		}
		e.Note = n.String()
		emit(e)
	}
	return nil
}

// title is the type with what the payload says: a text, or its first scalars.
func title(typ string, action []byte) string {
	const fields = 4
	said := []string{typ}
	scalar := func(key string, v []byte) bool {
		text := phrase.Head(v, phrase.LineLimit)
		if text == "" {
			text = jsonscan.Scalar(v)
		}
		if text != "" {
			said = append(said, key+phrase.FirstLine(text))
		}
		return len(said) <= fields
	}
	payload := jsonscan.Get(action, "payload")
	switch {
	case payload == nil:
		payload = action
	case jsonscan.Kind(payload) != '{':
		scalar("", payload)
	}
	jsonscan.Fields(payload, func(key string, v []byte) bool {
		return key == "type" || key == "meta" || scalar(key+"=", v)
	})
	return strings.Join(said, " ")
}
