package langgraph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector tells the difference of each checkpoint to its parent. It carries
// the places of the messages that were said, by their keys.
type effector struct{ said map[string]string }

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector {
	return &effector{map[string]string{}}
}

// Save and Load carry the places across a stop.
func (f *effector) Save() ([]byte, error) { return json.Marshal(f.said) }

// Load takes up what Save wrote.
func (f *effector) Load(saved []byte) error {
	said := map[string]string{}
	if err := json.Unmarshal(saved, &said); err != nil {
		return fmt.Errorf("load the effects of a session: %w", err)
	}
	f.said = said
	return nil
}

// facets are the parts of the state that a checkpoint holds.
const facets = model.FacetContext | model.FacetVars

// Effects tells what a checkpoint changes. A child of another than the one
// before takes back what came between.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied || e.Kind == model.KindOther {
		return nil
	}
	t := readTuple(raw)
	var before tuple
	at := int64(0)
	if t.parent != "" {
		at = view.Find(t.parent)
	}
	if at >= e.Pos {
		at = 0
	}
	if at > 0 {
		if _, b, ok := view.Record(at); ok {
			before = readTuple(bytes.Clone(b))
		}
	}
	if at != e.Pos-1 {
		fx = append(fx, model.Revert{To: at, Facets: facets, Reason: model.LostBranch})
	}
	if t.checkpoint != nil {
		fx = append(fx, f.talk(e, &before, &t)...)
		fx = append(fx, difference(before.checkpoint, t.checkpoint)...)
	}
	if fault := t.fault(); fault != "" {
		fx = append(fx, model.Fail{Code: "__error__", Message: fault})
	}
	return fx
}

// talk says the messages that came, and forgets those that went.
func (f *effector) talk(e *model.Event, before, now *tuple) (fx []model.Effect) {
	old, all := map[string]bool{}, now.messages()
	gone := before.messages()
	for _, m := range gone {
		old[m.key] = true
	}
	here := map[string]bool{}
	var said []model.Effect
	for i, m := range all {
		if here[m.key] || old[m.key] {
			here[m.key] = true
			continue
		}
		here[m.key] = true
		f.said[m.key] = chat.Key(e.Pos, i)
		said = append(said, chat.Say(e.Pos, i, roles[m.typ], chat.Text(jsonscan.Get(m.body, "content"))))
		for _, c := range m.calls() {
			said = append(said, model.Call{ID: chat.CallID(c.ID, e.Pos), Tool: c.Tool})
			if command, ok := chat.Command(c.Tool, []byte(c.Args)); ok {
				said = append(said, model.Run{Command: command})
			}
		}
		if id := m.answers(); id != "" {
			said = append(said, model.Return{ID: id})
		}
	}
	var keys []string
	for _, m := range gone {
		if key := f.said[m.key]; key != "" && !here[m.key] {
			keys = append(keys, key)
		}
	}
	if keys != nil {
		fx = append(fx, model.Forget{Keys: keys, Reason: model.LostPrune})
	}
	return append(fx, said...)
}

// escaper writes a key as a token of a JSON Pointer (RFC 6901).
var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// channels are the values of a state, without messages, which are the context,
// and without the program's own.
func channels(checkpoint []byte) (names []string, values map[string]string) {
	values = map[string]string{}
	jsonscan.Fields(jsonscan.Get(checkpoint, "channel_values"), func(key string, v []byte) bool {
		var b bytes.Buffer
		if key == "" || key == "messages" || strings.HasPrefix(key, "__pregel") || json.Compact(&b, v) != nil {
			return true
		}
		if _, again := values[key]; !again {
			names = append(names, key)
		}
		values[key] = b.String()
		return true
	})
	return names, values
}

// difference sets the channels that changed and takes away those that went.
func difference(before, now []byte) (fx []model.Effect) {
	oldNames, old := channels(before)
	names, values := channels(now)
	for _, name := range names {
		if was, there := old[name]; !there || was != values[name] {
			fx = append(fx, model.Set{Path: "/vars/" + escaper.Replace(name), Value: []byte(values[name])})
		}
	}
	for _, name := range oldNames {
		if _, there := values[name]; !there {
			fx = append(fx, model.Unset{Path: "/vars/" + escaper.Replace(name)})
		}
	}
	return fx
}

// Messages gives the messages of the state in view. What a node put before them
// for its model is not recorded.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (said chat.Said) {
		t := readTuple(v.Raw)
		all, part := t.messages(), chat.Part(v.Key)
		if part < 0 || part >= len(all) {
			return said
		}
		m := all[part]
		said.Text, said.Calls = chat.Text(jsonscan.Get(m.body, "content")), m.calls()
		for i := range said.Calls {
			said.Calls[i].ID = chat.CallID(said.Calls[i].ID, v.Pos)
		}
		if id := m.answers(); id != "" {
			said.Results = []string{id}
		}
		return said
	})
}
