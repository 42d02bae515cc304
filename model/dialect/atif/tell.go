package atif

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector turns steps into effects.
type effector struct {
	continued bool
	s         state
}

// state is what an effector carries from one step to the next.
type state struct {
	// Compacted is the pos of a compaction whose outcome stands in the copied
	// steps behind it; 0 where none is under way.
	Compacted int64 `json:",omitempty"`
	// Kept are the keys that stay in view: originals of copied steps. Brought
	// is where the first of the others stands, Chars how much they say.
	Kept    []string `json:",omitempty"`
	Brought int64    `json:",omitempty"`
	Chars   int64    `json:",omitempty"`
	// Said are the messages of users and system by a hash of their text, to
	// recognise copies.
	Said map[string]string `json:",omitempty"`
}

// saidLimit bounds the messages that a copy is recognised by.
const saidLimit = 1 << 10

// NewEffector starts a session.
func (dialect) NewEffector(s *model.Stream, _ string) model.Effector {
	return &effector{continued: metaOf(s).Continued}
}

// Save and Load carry what is under way across a stop.
func (f *effector) Save() ([]byte, error) { return json.Marshal(f.s) }

// Load takes up what Save wrote.
func (f *effector) Load(saved []byte) error {
	var s state
	if err := json.Unmarshal(saved, &s); err != nil {
		return fmt.Errorf("load the effects of a session: %w", err)
	}
	f.s = s
	return nil
}

// Effects tells what a step or an event line does.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if jsonscan.Get(raw, "scope_category") != nil {
		return lineEffects(e, raw)
	}
	s := readStep(raw)
	if e.Origin == model.OriginCopied {
		f.copied(e, &s)
		return nil
	}
	fx := f.settle(view)
	switch {
	case e.Kind == model.KindCheckpoint:
		fx = append(fx, f.compact(e, view))
	case e.Type == "agent":
		fx = append(fx, s.agentEffects(e)...)
	case e.Type == "user", e.Type == "system":
		role := model.RoleUser
		if e.Type == "system" {
			role = model.RoleSystem
		}
		text := chat.Text(s.message)
		if f.s.Said == nil {
			f.s.Said = map[string]string{}
		}
		if len(f.s.Said) < saidLimit {
			f.s.Said[digest(e.Type, text)] = chat.Key(e.Pos, 0)
		}
		fx = append(fx, chat.Say(e.Pos, 0, role, text))
	}
	if u := s.usage(); u != nil {
		fx = append(fx, model.Spend{Usage: *u})
	}
	return fx
}

func digest(source, text string) string {
	h := fnv.New64a()
	h.Write([]byte(source + "\x00" + text))
	return strconv.FormatUint(h.Sum64(), 36)
}

// compact replaces the context. Where the session goes on in another file, the
// steps that are copied there tell by what, and the first step behind them
// settles it.
func (f *effector) compact(e *model.Event, view model.View) model.Effect {
	fx := model.Forget{Reason: model.LostCompaction, Checkpoint: checkpoint(e.Pos)}
	if f.continued {
		f.s.Compacted = e.Pos
		return fx
	}
	fx.Keys = keys(view, nil)
	return fx
}

func checkpoint(pos int64) string { return "compaction#" + strconv.FormatInt(pos, 10) }

func keys(view model.View, kept []string) (all []string) {
	stay := map[string]bool{}
	for _, k := range kept {
		stay[k] = true
	}
	for _, x := range view.Context() {
		if !stay[x.Key] {
			all = append(all, x.Key)
		}
	}
	return all
}

// copied takes note of a copied step: it keeps its original in view, or is part
// of what the compaction brought.
func (f *effector) copied(e *model.Event, s *step) {
	if f.s.Compacted == 0 {
		return
	}
	text := chat.Text(s.message)
	if key, ok := f.s.Said[digest(e.Type, text)]; ok {
		f.s.Kept = append(f.s.Kept, key)
		return
	}
	if f.s.Brought == 0 {
		f.s.Brought = e.Pos
	}
	f.s.Chars += chat.Say(e.Pos, 0, model.RoleUser, text).Chars
}

// settle ends a compaction.
func (f *effector) settle(view model.View) []model.Effect {
	if f.s.Compacted == 0 {
		return nil
	}
	fx := model.Forget{Keys: keys(view, f.s.Kept), Reason: model.LostCompaction, Checkpoint: checkpoint(f.s.Compacted)}
	if f.s.Brought > 0 {
		fx.Summary = &model.Say{Key: chat.Key(f.s.Brought, 0), Role: model.RoleUser, Chars: f.s.Chars, Tokens: model.TokensUnknown, Summary: true}
	}
	f.s = state{Said: f.s.Said}
	return []model.Effect{fx}
}

// agentEffects: the answer is said, its calls open and close, and each result
// is said behind it.
func (s *step) agentEffects(e *model.Event) []model.Effect {
	fx := []model.Effect{chat.Say(e.Pos, 0, model.RoleAssistant, chat.Text(s.message))}
	open := map[string]bool{}
	n := 0
	jsonscan.Elements(s.calls, func(call []byte) bool {
		id, tool := jsonscan.Scalar(jsonscan.Get(call, "tool_call_id")), jsonscan.Str(jsonscan.Get(call, "function_name"))
		if open[id] {
			return true
		}
		open[id] = true
		fx = append(fx, model.Call{ID: chat.CallID(id, e.Pos), Tool: tool})
		if command, ok := chat.Command(tool, jsonscan.Get(call, "arguments")); ok && n == 0 {
			fx = append(fx, model.Run{Command: command})
			n++
		}
		return true
	})
	part := 0
	s.results(func(call string, v []byte) {
		part++
		if open[call] {
			fx = append(fx, model.Return{ID: chat.CallID(call, e.Pos)})
			delete(open, call)
		}
		fx = append(fx, chat.Say(e.Pos, part, resultRole(call), chat.Text(jsonscan.Get(v, "content"))))
	})
	return fx
}

// resultRole: what answers no call came as the user's next message.
func resultRole(call string) model.Role {
	if call == "" {
		return model.RoleUser
	}
	return model.RoleTool
}

// lineEffects tells what an event line does.
func lineEffects(e *model.Event, raw []byte) []model.Effect {
	l := readLine(raw)
	switch e.Type {
	case "agent/start":
		fx := []model.Effect{model.Status{Execution: "running"}}
		if text := chat.Text(jsonscan.Get(l.data, "input")); text != "" && jsonscan.Scalar(l.parent) == "" {
			fx = append(fx, chat.Say(e.Pos, 0, model.RoleUser, text))
		}
		return fx
	case "agent/end":
		if jsonscan.Scalar(l.parent) == "" {
			return []model.Effect{model.Status{Execution: "finished"}}
		}
	case "llm/end":
		fx := []model.Effect{chat.Say(e.Pos, 0, model.RoleAssistant, chat.Text(jsonscan.Get(l.data, "content")))}
		if u := l.usage(); u != nil {
			fx = append(fx, model.Spend{Usage: *u})
		}
		return fx
	case "tool/start":
		fx := []model.Effect{model.Call{ID: l.call(), Tool: e.Tool}}
		if command, ok := chat.Command(e.Tool, l.data); ok {
			fx = append(fx, model.Run{Command: command})
		}
		return fx
	case "tool/end":
		return []model.Effect{model.Return{ID: l.call()}, chat.Say(e.Pos, 0, model.RoleTool, l.output())}
	}
	return nil
}

// Messages gives the context. The format does not record requests, system
// prompts or what a compaction put in place.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (said chat.Said) {
		if jsonscan.Get(v.Raw, "scope_category") != nil {
			return lineSaid(v)
		}
		s := readStep(v.Raw)
		part := chat.Part(v.Key)
		switch {
		case v.Summary: // its text stands in copied steps, not in the step that settles it
		case part == 0:
			said.Text = chat.Text(s.message)
			jsonscan.Elements(s.calls, func(c []byte) bool {
				id := jsonscan.Scalar(jsonscan.Get(c, "tool_call_id"))
				said.Calls = append(said.Calls, model.MessageCall{ID: chat.CallID(id, v.Pos), Tool: jsonscan.Str(jsonscan.Get(c, "function_name")), Args: string(jsonscan.Get(c, "arguments"))})
				return true
			})
		default:
			s.results(func(call string, result []byte) {
				if part--; part == 0 {
					said.Text = chat.Text(jsonscan.Get(result, "content"))
					if call != "" {
						said.Results = []string{call}
					}
				}
			})
		}
		return said
	})
}

func lineSaid(v *model.Viewed) (said chat.Said) {
	l := readLine(v.Raw)
	switch v.Record.Type {
	case "agent/start":
		said.Text = chat.Text(jsonscan.Get(l.data, "input"))
	case "llm/end":
		said.Text = chat.Text(jsonscan.Get(l.data, "content"))
		said.Calls = chat.Calls(jsonscan.Get(l.data, "tool_calls"))
	case "tool/end":
		said.Text, said.Results = l.output(), []string{l.call()}
	}
	return said
}

// Request gives the messages that the start of a model's scope records.
func (dialect) Request(e model.Event, _ []model.Viewed, log model.Records) (c model.Conversation, ok bool) {
	if e.Type != "llm/end" {
		return c, false
	}
	pos, _ := chat.Answered(&e)
	start, raw, ok := log.Record(pos)
	if !ok || start.Type != "llm/start" {
		return c, false
	}
	l := readLine(raw)
	return chat.Requested(jsonscan.Get(l.data, "messages"))
}
