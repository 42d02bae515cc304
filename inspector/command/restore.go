package command

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"hindcast/index"
	"hindcast/model"
	"hindcast/model/answer"
)

// restoredValue is one value of what a restart would rebuild. Who wrote it is
// not known: a restart writes all of it anew.
func restoredValue(ctx context.Context, t index.Travel, at model.Event, pointer string) (answer.StateValue, error) {
	none := answer.StateValue{}
	s, err := t.State(ctx, at, true)
	if err != nil {
		return none, err
	}
	var doc bytes.Buffer
	if err := answer.EncodeLine(&doc, s); err != nil {
		return none, err
	}
	value, ok := pick(bytes.TrimSpace(doc.Bytes()), pointer)
	if !ok {
		return none, &index.PathError{Path: pointer, Reason: "a restart would not rebuild it"}
	}
	got := answer.StateValue{Path: pointer, Value: value}
	if p, _ := model.ParseStatePath(pointer); p.File != "" {
		if raw, ok := pick(doc.Bytes(), model.PathFiles+"/"+model.EscapePointer(p.File)+"/certainty"); ok {
			err = json.Unmarshal(raw, &got.Certainty)
		}
	}
	return got, err
}

// pick finds a value in a state document. Members of its lists are named by
// their keys.
func pick(doc []byte, pointer string) (json.RawMessage, bool) {
	at := json.RawMessage(doc)
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		key := model.UnescapePointer(token)
		if len(at) > 0 && at[0] == '[' {
			next, ok := pickKeyed(at, key)
			if !ok {
				return nil, false
			}
			at = next
			continue
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(at, &members) != nil || members[key] == nil {
			return nil, false
		}
		at = members[key]
	}
	return at, true
}

// pickKeyed finds the member of a list that carries a key.
func pickKeyed(list json.RawMessage, key string) (json.RawMessage, bool) {
	var members []json.RawMessage
	if json.Unmarshal(list, &members) != nil {
		return nil, false
	}
	for _, m := range members {
		var names struct{ Key, ID, Call *string }
		if json.Unmarshal(m, &names) != nil {
			continue
		}
		for _, name := range []*string{names.Key, names.ID, names.Call} {
			if name != nil && *name == key {
				return m, true
			}
		}
	}
	return nil, false
}
