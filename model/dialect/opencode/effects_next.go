package opencode

import (
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// next is an event of the coming model. What it records of the context is not
// known for sure.
func (f *effector) next(e *model.Event, r *row, view model.View) []model.Effect {
	get := func(keys ...string) []byte { return jsonscan.Get(r.data, keys...) }
	switch what := strings.TrimPrefix(r.typ, "session.next."); what {
	case "prompted", "synthetic", "context.updated":
		f.state.Exact = false
		role := model.RoleUser
		if what == "context.updated" {
			role = model.RoleSystem
		}
		say := model.Say{Key: f.nextKey(e, sideSaid), Response: r.message, Role: role, Chars: chars(nextText(r)), Tokens: model.TokensUnknown}
		return append(f.inferStatus("running", ""), say)
	case "step.started":
		f.nextStep(e, r)
		return append(f.inferStatus("running", ""), f.tree(&part{snapshot: get("snapshot")})...)
	case "text.started", "reasoning.started", "tool.input.started":
		f.nextPart(e, r)
	case "text.ended", "reasoning.ended":
		return []model.Effect{f.nextSay(e, r, sideSaid, model.RoleAssistant, nextText(r))}
	case "tool.called":
		call := jsonscan.Str(get("callID"))
		p, c := part{tool: jsonscan.Str(get("tool"))}, call2(get, callRunning)
		out := []model.Effect{f.nextSay(e, r, sideSaid, model.RoleAssistant, ""), model.Call{ID: call, Tool: p.tool}}
		return append(out, f.starts(nil, &p, &c)...)
	case "tool.success", "tool.failed":
		return f.nextResult(e, r, what == "tool.failed", view)
	case "shell.started":
		call := jsonscan.Str(get("callID"))
		return []model.Effect{model.Call{ID: call, Tool: "bash"}, model.Run{Command: jsonscan.Str(get("command")), Running: true}}
	case "shell.ended":
		return []model.Effect{
			model.Return{ID: jsonscan.Str(get("callID"))}, model.Run{},
			model.Say{Key: f.nextKey(e, sideSaid), Role: model.RoleUser, Chars: chars(nextText(r)), Tokens: model.TokensUnknown},
		}
	case "step.ended":
		return f.nextEnd(get)
	case "step.failed", "retried":
		fail := failure(get("error"))
		if what == "retried" {
			return []model.Effect{fail}
		}
		return append(f.inferStatus("error", fail.Message), fail)
	case "compaction.ended":
		return []model.Effect{f.nextCompaction(e, nextText(r), view)}
	case "revert.staged", "revert.cleared", "revert.committed":
		return f.nextRevert(e, what, jsonscan.Str(get("messageID")), view)
	case "agent.switched":
		return f.values(map[string]string{"agent": string(get("agent"))}, false)
	case "model.switched":
		return f.values(map[string]string{"model": string(get("model"))}, false)
	case "moved":
		if dir := firstNonEmpty(jsonscan.Str(get("location", "directory")), jsonscan.Str(get("directory"))); dir != "" {
			f.state.Directory = dir
			return []model.Effect{model.Cwd{Path: dir}}
		}
	}
	return nil
}

// nextText is what an event of the coming model says.
func nextText(r *row) string {
	for _, keys := range [][]string{{"prompt", "text"}, {"text"}, {"output"}, {"error", "message"}} {
		if v := jsonscan.Get(r.data, keys...); isText(v) {
			return jsonscan.Str(v)
		}
	}
	return contentText(jsonscan.Get(r.data, "content"))
}

// contentText joins the texts of content parts.
func contentText(list []byte) string {
	var texts []string
	jsonscan.Elements(list, func(v []byte) bool {
		if t := jsonscan.Get(v, "text"); isText(t) {
			texts = append(texts, jsonscan.Str(t))
		}
		return true
	})
	return strings.Join(texts, "\n")
}

// nextKey is the place of an event that is a message of its own.
func (f *effector) nextKey(e *model.Event, side string) string {
	return f.letter(letterPlain) + model.MessageKey(e.Pos) + side
}

// nextStep finds the step that an event belongs to, which is a message.
func (f *effector) nextStep(e *model.Event, r *row) *seen {
	f.state.Exact = false
	id := jsonscan.Str(jsonscan.Get(r.data, "assistantMessageID"))
	for i := range f.state.Recent {
		if f.state.Recent[i].ID == id {
			return &f.state.Recent[i]
		}
	}
	return f.remember(seen{ID: id, Place: model.MessageKey(e.Pos)})
}

// nextPart is the place of a part of a step: parts stand in the order in which
// they began.
func (f *effector) nextPart(e *model.Event, r *row) (s *seen, place string) {
	s = f.nextStep(e, r)
	id := ""
	for _, key := range []string{"callID", "textID", "reasoningID"} {
		if v := jsonscan.Str(jsonscan.Get(r.data, key)); v != "" {
			id = key + v
			break
		}
	}
	i := slices.Index(s.Parts, id)
	if i < 0 {
		i = len(s.Parts)
		s.Parts = append(s.Parts, id)
	}
	const first = 1000 // so that all have one length
	return s, strconv.Itoa(first + i)
}

func (f *effector) nextSay(e *model.Event, r *row, side string, role model.Role, text string) model.Say {
	s, place := f.nextPart(e, r)
	say := model.Say{Key: f.letter(letterPlain) + s.Place + side + place, Response: s.ID, Role: role, Chars: chars(text), Tokens: model.TokensUnknown}
	if role == model.RoleTool {
		say.Response = ""
	}
	if strings.HasSuffix(r.typ, "reasoning.ended") {
		say.Chars = 0
	}
	return say
}

// call2 reads a call or its result as the coming model tells it.
func call2(get func(keys ...string) []byte, status string) call {
	c := call{status: status, input: get("input"), metadata: get("structured"), err: get("error")}
	c.exit = jsonscan.Get(c.metadata, "exit")
	jsonscan.Elements(get("content"), func(v []byte) bool {
		c.output = jsonscan.Get(v, "text")
		return false
	})
	return c
}

func (f *effector) nextResult(e *model.Event, r *row, failed bool, view model.View) []model.Effect {
	id := jsonscan.Str(jsonscan.Get(r.data, "callID"))
	out := []model.Effect{model.Return{ID: id}, f.nextSay(e, r, sideGiven, model.RoleTool, nextText(r))}
	_, raw, ok := view.Record(view.Pending(id))
	if !ok {
		return out
	}
	made := readRow(raw)
	c := call2(func(keys ...string) []byte { return jsonscan.Get(r.data, keys...) }, callCompleted)
	if failed {
		c.status = callError
	}
	c.input = jsonscan.Get(made.data, "input")
	p := part{tool: jsonscan.Str(jsonscan.Get(made.data, "tool"))}
	return append(out, f.deed(e, &seen{ID: jsonscan.Str(jsonscan.Get(r.data, "assistantMessageID"))}, &p, &c, view)...)
}

func (f *effector) nextEnd(get func(keys ...string) []byte) (out []model.Effect) {
	if u := usageOf(get("tokens"), get("cost")); u != nil {
		out = append(out, model.Spend{Usage: *u})
	}
	if jsonscan.Str(get("finish")) != "tool-calls" {
		out = append(out, f.inferStatus("idle", "")...)
	}
	return out
}

// nextCompaction takes all that is in view out, for a summary.
func (f *effector) nextCompaction(e *model.Event, summary string, view model.View) model.Effect {
	var keys []string
	for _, x := range view.Context() {
		keys = append(keys, x.Key)
	}
	say := model.Say{Key: f.nextKey(e, sideSaid), Role: model.RoleUser, Chars: chars(summary), Tokens: model.TokensUnknown, Summary: true}
	return model.Forget{Keys: keys, Reason: model.LostCompaction, Checkpoint: e.ID, Summary: &say}
}

func (f *effector) nextRevert(e *model.Event, what, message string, view model.View) []model.Effect {
	const facets = model.FacetContext | model.FacetFiles
	was := f.state.Revert
	f.state.Revert = revert{}
	switch first := view.Find(message); {
	case what == "revert.cleared" && was.Pos > 0:
		return []model.Effect{model.Revert{To: was.Pos - 1, Facets: facets, Reason: model.LostRevert}}
	case what == "revert.staged" && first > 0 && first < e.Pos:
		f.state.Revert = revert{Target: message, Pos: e.Pos}
		return append([]model.Effect{model.Revert{To: first - 1, Facets: facets, Reason: model.LostRevert}}, f.keeps(first, view)...)
	}
	return nil
}

// nextRow is a message of the coming model as it was in the end.
func (f *effector) nextRow(e *model.Event, r *row, view model.View) (out []model.Effect) {
	f.state.Exact = false
	get := func(keys ...string) []byte { return jsonscan.Get(r.object, keys...) }
	say := model.Say{Key: f.nextKey(e, sideSaid), Response: r.message, Tokens: model.TokensUnknown, Chars: chars(jsonscan.Str(get("text")))}
	switch r.typ {
	case "user", "synthetic":
		return []model.Effect{say}
	case "system":
		say.Role = model.RoleSystem
		return []model.Effect{say}
	case "compaction":
		return []model.Effect{f.nextCompaction(e, jsonscan.Str(get("text")), view)}
	case "assistant":
		say.Role, say.Chars = model.RoleAssistant, chars(contentText(get("content")))
		out = []model.Effect{say}
		jsonscan.Elements(get("content"), func(v []byte) bool {
			state := jsonscan.Get(v, "state")
			if jsonscan.Str(jsonscan.Get(v, "type")) != "tool" {
				return true
			}
			c := call2(func(keys ...string) []byte { return jsonscan.Get(state, keys...) }, jsonscan.Str(jsonscan.Get(state, "status")))
			p := part{tool: jsonscan.Str(jsonscan.Get(v, "name"))}
			if c.done() {
				out = append(out, f.deed(e, &seen{ID: r.message}, &p, &c, view)...)
			}
			return true
		})
		return append(out, f.nextEnd(get)...)
	}
	return nil
}
