package opencode

import (
	"strings"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// part is a part's row.
func (f *effector) part(e *model.Event, r *row, view model.View) []model.Effect {
	s, _ := f.recall(e, r.message, view)
	// A part without its message is left of one that was removed.
	s.Failed = s.Failed || r.derived && !s.Told
	p, c := r.partAt(stageOf(e))
	switch p.typ {
	case "text", "reasoning", "file", "subtask":
		return f.speech(e, r, s, &p, view)
	case "tool":
		return f.tool(e, r, s, &p, &c, view)
	case "step-start":
		s.begin(r.part)
		return f.tree(&p)
	case "step-finish":
		return f.spent(e, r, s, &p, view)
	case "patch":
		return f.patched(e, s, &p, view)
	case "compaction":
		return f.compacts(e, r, s, &p, view)
	case "retry":
		return []model.Effect{failure(jsonscan.Get(r.object, "error"))}
	}
	return nil
}

// speech is what the user or the model says. A text that streams stands first
// without a word and then as a whole.
func (f *effector) speech(e *model.Event, r *row, s *seen, p *part, view model.View) []model.Effect {
	if s.Failed || p.timed && !p.ended && !r.derived {
		return nil
	}
	say := model.Say{Key: f.key(s, sideSaid, r.part), Response: s.response(r.part), Role: model.RoleAssistant, Tokens: model.TokensUnknown}
	if s.User {
		say.Role = model.RoleUser
	}
	say.Summary = s.Summary
	text, isSaid := p.said(s.User)
	if !isSaid {
		if first := view.Find(r.part); first <= 0 || first >= e.Pos || !stands(view, say.Key) {
			return nil
		}
		return []model.Effect{model.Forget{Keys: []string{say.Key}, Reason: model.LostRevert}}
	}
	say.Chars = chars(text)
	return append([]model.Effect{say}, f.attached(p, view)...)
}

// toolByUser stands for a command of the user that runs a sub-agent.
const toolByUser = "The following tool was executed by the user"

// said is the text of a part as the provider gets it; thoughts and pictures have
// none. isSaid is false where the part is none of the request's.
func (p *part) said(byUser bool) (text string, isSaid bool) {
	switch p.typ {
	case "text":
		text = jsonscan.Str(p.text)
		return text, text != "" && !(byUser && p.ignored)
	case "subtask":
		return toolByUser, true
	case "file":
		mime := jsonscan.Str(p.mime)
		return "", mime != "text/plain" && mime != "application/x-directory"
	}
	return "", jsonscan.Str(p.text) != ""
}

// attached is what the program read of a file for the user: the result of that
// read stands in a text that the program put in.
func (f *effector) attached(p *part, view model.View) []model.Effect {
	if !p.synthetic {
		return nil
	}
	text := jsonscan.Str(p.text)
	name, ok := between(text, "<path>", "</path>\n")
	if !ok || !strings.HasPrefix(text, "<path>") {
		return nil
	}
	return look(f.abs(name, nil), text, true, view)
}

func between(s, open, end string) (string, bool) {
	_, rest, ok := strings.Cut(s, open)
	if !ok {
		return "", false
	}
	inner, _, ok := strings.Cut(rest, end)
	return inner, ok
}

// tree is the work tree that a step begins with.
func (f *effector) tree(p *part) []model.Effect {
	if !isText(p.snapshot) || jsonscan.Str(p.snapshot) == "" {
		return nil
	}
	return []model.Effect{model.Set{Path: model.PathVars + "/worktree/tree", Value: p.snapshot}}
}

// spent is what a step took; a row that tells a part again adds nothing.
func (f *effector) spent(e *model.Event, r *row, s *seen, p *part, view model.View) []model.Effect {
	u := usageOf(p.tokens, p.cost)
	if pos := view.Find(r.part); u == nil || pos > 0 && pos < e.Pos {
		return nil
	}
	disjoint(u, f.version(), s.Provider)
	return []model.Effect{model.Spend{Usage: *u}}
}

// tool is a call on its way: pending, running, at its end, pruned.
func (f *effector) tool(e *model.Event, r *row, s *seen, p *part, c *call, view model.View) (out []model.Effect) {
	switch {
	case e.Kind == model.KindState && c.compacted.Known:
		return f.prune(e, r, s, view)
	case c.status == callPending:
		return append(f.call(s, p, r.part, 0), model.Call{ID: p.call, Tool: p.tool})
	case c.status == callRunning:
		if f.state.Called[r.part] || e.Kind == model.KindDelta { // told again, perhaps behind its end
			return nil
		}
		f.called(r.part)
		out = append(f.call(s, p, r.part, 0), model.Call{ID: p.call, Tool: p.tool})
		return append(out, f.starts(s, p, c)...)
	case !c.done() || e.Kind != model.KindObservation:
		return nil
	}
	if !f.state.Called[r.part] {
		out = f.call(s, p, r.part, 0)
	}
	delete(f.state.Called, r.part)
	out = append(out, model.Return{ID: p.call})
	if !s.Failed {
		key := f.key(s, sideGiven, r.part)
		out = append(out, model.Say{Key: key, Role: model.RoleTool, Chars: c.chars(), Tokens: model.TokensUnknown})
		if c.compacted.Known {
			out = append(out, cleared(key))
		}
	}
	return append(out, f.deed(e, s, p, c, view)...)
}

// calledLimit bounds how many open calls are kept in mind.
const calledLimit = 1 << 11

func (f *effector) called(part string) {
	if len(f.state.Called) >= calledLimit || f.state.Called == nil {
		f.state.Called = map[string]bool{}
	}
	f.state.Called[part] = true
}

// call puts a call into the context.
func (f *effector) call(s *seen, p *part, id string, chars int64) []model.Effect {
	if s.Failed {
		return nil
	}
	return []model.Effect{model.Say{Key: f.key(s, sideSaid, id), Response: s.response(id), Role: model.RoleAssistant, Chars: chars, Tokens: model.TokensUnknown}}
}

// What requests hold in place of an output that was pruned, and of the result of
// a call that never came to its end.
const (
	outputCleared   = "[Old tool result content cleared]"
	callInterrupted = "[Tool execution was interrupted]"
)

// result is what a call gave, as the provider gets it.
func (c *call) result() string {
	switch {
	case c.status == callError && c.interrupted && isText(jsonscan.Get(c.metadata, "output")):
		return jsonscan.Str(jsonscan.Get(c.metadata, "output"))
	case c.status == callError:
		return jsonscan.Str(c.err)
	case c.compacted.Known:
		return outputCleared
	}
	return jsonscan.Str(c.output)
}

// chars counts the characters of a result, mostly without making it.
func (c *call) chars() int64 {
	if c.status == callCompleted && !c.compacted.Known {
		return jsonscan.Chars(c.output)
	}
	return chars(c.result())
}

func cleared(key string) model.Effect {
	return model.Forget{Keys: []string{key}, Reason: model.LostPrune, Replace: true, ReplaceChars: int64(len(outputCleared))}
}

// prune takes an output out of the context.
func (f *effector) prune(e *model.Event, r *row, s *seen, view model.View) []model.Effect {
	key := f.key(s, sideGiven, r.part)
	if !stands(view, key) {
		if key = standing(view, sideGiven, r.part); key == "" {
			return nil
		}
	}
	f.mark(mark{Pos: e.Pos, Key: key})
	return []model.Effect{cleared(key)}
}

// stands reports whether a key is in view.
func stands(view model.View, key string) bool {
	for _, x := range view.Context() {
		if x.Key == key {
			return true
		}
	}
	return false
}

// chars counts code points.
func chars(s string) int64 { return int64(utf8.RuneCountInString(s)) }
