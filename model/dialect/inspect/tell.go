package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector turns events into effects. It carries the variables that the patches
// of state and store change.
type effector struct{ vars map[string]any }

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector {
	return &effector{map[string]any{}}
}

// Save and Load carry the variables across a stop.
func (f *effector) Save() ([]byte, error) { return json.Marshal(f.vars) }

// Load takes up what Save wrote.
func (f *effector) Load(saved []byte) error {
	vars, err := parse(saved)
	if err != nil {
		return fmt.Errorf("load the effects of a session: %w", err)
	}
	f.vars, _ = vars.(map[string]any)
	if f.vars == nil {
		f.vars = map[string]any{}
	}
	return nil
}

func parse(raw []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// Effects tells what an event or a message does.
func (f *effector) Effects(e *model.Event, raw []byte, _ model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied {
		return nil
	}
	if isEvent := jsonscan.Get(raw, "event") != nil; isEvent && (e.Type == "state" || e.Type == "store") {
		return f.patch(e.Type, raw)
	}
	for i, m := range messages(e.Type, raw) {
		fx = append(fx, chat.Say(e.Pos, i, m.Role, m.Text))
		for _, c := range m.Calls {
			fx = append(fx, model.Call{ID: chat.CallID(c.ID, e.Pos), Tool: c.Tool})
			if command, ok := chat.Command(c.Tool, []byte(c.Args)); ok && len(m.Calls) == 1 {
				fx = append(fx, model.Run{Command: command})
			}
		}
		for _, id := range m.Results {
			fx = append(fx, model.Return{ID: id})
		}
	}
	if e.Usage != nil {
		fx = append(fx, model.Spend{Usage: *e.Usage})
	} else if u := usage(raw); u != nil && e.Type == "model" {
		fx = append(fx, model.Spend{Usage: *u})
	}
	if e.Kind == model.KindError {
		fx = append(fx, model.Fail{Code: e.Type, Message: e.Title})
	}
	return fx
}

// messages are what a record adds to the context.
func messages(typ string, raw []byte) []model.Message {
	if jsonscan.Get(raw, "event") == nil {
		if m, ok := read(raw); ok {
			return []model.Message{m}
		}
		return nil
	}
	switch typ {
	case "sample_init":
		return inputs(raw)
	case "model":
		if m, ok := read(answer(raw)); ok {
			return []model.Message{m}
		}
	case "tool":
		m := model.Message{Role: model.RoleTool, Text: chat.Text(jsonscan.Get(raw, "result"))}
		if fault := jsonscan.Get(raw, "error"); m.Text == "" && isThere(fault) {
			m.Text = faultText(fault)
		}
		if id := jsonscan.Scalar(jsonscan.Get(raw, "id")); id != "" {
			m.Results = []string{id}
		}
		return []model.Message{m}
	}
	return nil
}

// inputs are the messages that a sample begins with.
func inputs(raw []byte) (all []model.Message) {
	input := jsonscan.Get(raw, "sample", "input")
	if jsonscan.Kind(input) == '"' {
		return []model.Message{{Role: model.RoleUser, Text: jsonscan.Str(input)}}
	}
	jsonscan.Elements(input, func(v []byte) bool {
		if m, ok := read(v); ok {
			all = append(all, m)
		}
		return true
	})
	return all
}

// read reads a message of the log.
func read(v []byte) (m model.Message, ok bool) {
	m.Role, ok = model.ParseRole(jsonscan.Str(jsonscan.Get(v, "role")))
	m.Text, m.Calls, m.Tokens = chat.Text(jsonscan.Get(v, "content")), calls(v), model.TokensUnknown
	if id := jsonscan.Scalar(jsonscan.Get(v, "tool_call_id")); id != "" {
		m.Results = []string{id}
	}
	return m, ok
}

// Messages gives the context as the events tell it.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (s chat.Said) {
		all := messages(v.Record.Type, v.Raw)
		if part := chat.Part(v.Key); part >= 0 && part < len(all) {
			s.Text, s.Calls, s.Results = all[part].Text, slices.Clone(all[part].Calls), all[part].Results
			for i := range s.Calls {
				s.Calls[i].ID = chat.CallID(s.Calls[i].ID, v.Pos)
			}
		}
		return s
	})
}

// Request gives the input that a model event records.
func (dialect) Request(e model.Event, _ []model.Viewed, log model.Records) (c model.Conversation, ok bool) {
	if e.Type != "model" {
		return c, false
	}
	_, raw, ok := log.Record(e.Pos)
	input := jsonscan.Get(raw, "input")
	if !ok || jsonscan.Kind(input) != '[' {
		return c, false
	}
	c.Exact = true
	jsonscan.Elements(input, func(v []byte) bool {
		m, known := read(v)
		c.Exact = c.Exact && known
		c.Messages = append(c.Messages, m)
		return true
	})
	return c, len(c.Messages) > 0
}

// patch applies the changes of the store, whose values are variables, or of a
// state, which is one, and sets what they touch. What a state repeats of
// messages, output and store is left out.
func (f *effector) patch(typ string, raw []byte) (fx []model.Effect) {
	var touched []string
	note := func(path []string) {
		if !slices.Contains(touched, path[0]) {
			touched = append(touched, path[0])
		}
	}
	jsonscan.Elements(jsonscan.Get(raw, "changes"), func(c []byte) bool {
		path := tokens(typ, jsonscan.Str(jsonscan.Get(c, "path")))
		if path == nil {
			return true
		}
		op := jsonscan.Str(jsonscan.Get(c, "op"))
		value, err := parse(jsonscan.Get(c, "value"))
		from := tokens(typ, jsonscan.Str(jsonscan.Get(c, "from")))
		switch {
		case op == "remove":
			f.put(path, nil, "remove")
		case (op == "add" || op == "replace") && err == nil:
			f.put(path, value, op)
		case (op == "copy" || op == "move") && from != nil:
			value = clone(lookup(f.vars, from))
			if op == "move" {
				f.put(from, nil, "remove")
				note(from)
			}
			f.put(path, value, "add")
		default:
			return true
		}
		note(path)
		return true
	})
	for _, key := range touched {
		at := "/vars/" + escaper.Replace(key)
		value, there := f.vars[key]
		b, err := json.Marshal(value)
		switch {
		case !there:
			fx = append(fx, model.Unset{Path: at})
		case err == nil:
			fx = append(fx, model.Set{Path: at, Value: b})
		}
	}
	return fx
}

// escaper writes a key as a token of a JSON Pointer, unescaper reads it.
var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// tokens takes a pointer apart; nil for one that names no variable.
func tokens(typ, pointer string) []string {
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok || rest == "" {
		return nil
	}
	path := strings.Split(rest, "/")
	for i := range path {
		path[i] = unescaper.Replace(path[i])
	}
	switch {
	case typ == "state" && (path[0] == "messages" || path[0] == "output" || path[0] == "store"):
		return nil
	case typ == "state":
		return append([]string{"state"}, path...)
	case path[0] == "":
		return nil
	}
	return path
}

func lookup(v any, path []string) any {
	for _, key := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

func clone(v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	c, _ := parse(b)
	return c
}

// put changes the variables at a path. A patch that does not fit changes nothing.
func (f *effector) put(path []string, value any, op string) {
	if path[0] == "state" && len(path) > 1 && f.vars["state"] == nil {
		f.vars["state"] = map[string]any{}
	}
	f.vars, _ = change(f.vars, path, value, op).(map[string]any)
}

func change(in any, path []string, value any, op string) any {
	key := path[0]
	switch x := in.(type) {
	case map[string]any:
		old, there := x[key]
		switch {
		case len(path) > 1 && there:
			x[key] = change(old, path[1:], value, op)
		case len(path) > 1:
		case op == "remove":
			delete(x, key)
		default:
			x[key] = value
		}
		return x
	case []any:
		i, err := strconv.Atoi(key)
		switch {
		case key == "-" && len(path) == 1 && op == "add":
			return append(x, value)
		case err != nil || i < 0 || i > len(x):
		case op == "add" && len(path) == 1:
			return slices.Insert(x, i, value)
		case i == len(x):
		case len(path) > 1:
			x[i] = change(x[i], path[1:], value, op)
		case op == "remove":
			return slices.Delete(x, i, i+1)
		default:
			x[i] = value
		}
		return x
	}
	return in
}
