package codex

import (
	"strings"

	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// response is the answer of the model that goes on: what it made stands
// together, though results may stand between.
type response struct {
	ID      string `json:",omitempty"`
	Sampled int64  `json:",omitempty"` // what it was made from; -1: not told
	Stamp   string `json:",omitempty"` // when its latest record was written
	Ended   bool   `json:",omitempty"` // something came that may be the next one's input
}

// respond gives the name of the response that an item of the model's belongs
// to: its first item. Items made from the same history are one response. Where
// that is not told, what stands together is; older versions wrote a whole round
// with its results at once, so that it bears one time.
func (t *telling) respond() string {
	_, sampled, _ := t.line.sequence()
	stamp := jsonscan.Str(t.line.time)
	r := &t.state.Response
	same := r.ID != "" && sampled == r.Sampled && (sampled >= 0 || !r.Ended || stamp == r.Stamp)
	if !same {
		*r = response{ID: checkpointID(t.e), Sampled: sampled}
	}
	r.Stamp, r.Ended = stamp, false
	return r.ID
}

// historyItem is an item of what the model sees.
func (t *telling) historyItem() []model.Effect {
	b := &t.body
	kind := jsonscan.Str(b.typ)
	if kind == "ghost_snapshot" {
		id := jsonscan.Str(jsonscan.Get(b.ghost, "id"))
		if id == "" {
			id = checkpointID(t.e)
		}
		return []model.Effect{model.Snapshot{Checkpoint: id, BasePos: t.e.Pos - 1}}
	}
	if _, _, draft := t.line.sequence(); draft {
		return nil // the compaction that follows puts all in place
	}
	if !t.isSaid {
		return nil
	}
	said := &t.said
	say := model.Say{Role: said.role, Chars: t.chars, Tokens: model.TokensUnknown, Summary: said.summary}
	var out []model.Effect
	switch {
	case said.isOutput:
		out = t.result()
		t.state.Response.Ended = true
	case said.isMade:
		say.Response = t.respond()
		out = t.call(kind)
	default:
		t.state.Response = response{}
		out = t.addressed(b)
		t.show(shownOf(b), model.MessageKey(t.e.Pos))
	}
	return append(out, say)
}

// addressed reads what the program told the model in a message of the oldest
// files, which record it nowhere else: the directory.
func (t *telling) addressed(b *body) []model.Effect {
	if !t.line.flat {
		return nil
	}
	_, rest, ok := strings.Cut(phrase.Content(b.content, phrase.LineLimit), "<cwd>")
	dir, _, closed := strings.Cut(rest, "</cwd>")
	if prompt, kind := isPrompt(b, phrase.Content(b.content, phrase.LineLimit)); !ok || !closed || prompt || kind != "environment" {
		return nil
	}
	return t.enter(dir)
}

// spoken is an item of the history as the model gets it.
type spoken struct {
	role     model.Role
	content  []byte // a text, or the parts of one
	isMade   bool   // by the model
	isOutput bool   // the result of a call
	summary  bool
}

// spokenOf reads an item of the history; ok is false where it is none that the
// model sees as a message: tools, commits of the work tree.
func spokenOf(b *body) (s spoken, ok bool) {
	switch kind := word(b.typ); {
	case kind == "", kind == "additional_tools", kind == "ghost_snapshot":
		return s, false
	case kind == "message":
		s = spoken{role: messageRole(b.role), content: b.content}
		s.isMade = s.role == model.RoleAssistant
	case kind == "agent_message":
		s = spoken{role: model.RoleUser, content: b.content}
	case strings.HasSuffix(kind, "_output"):
		s = spoken{role: model.RoleTool, content: outputContent(b.output), isOutput: true}
	case kind == "compaction", kind == "compaction_summary", kind == "context_compaction":
		s = spoken{role: model.RoleUser, summary: true}
	default: // thoughts, calls
		s = spoken{role: model.RoleAssistant, isMade: true}
	}
	return s, true
}

// messageRole reads a role. What a developer says is the system's.
func messageRole(v []byte) model.Role {
	switch name := jsonscan.Str(v); name {
	case "developer":
		return model.RoleSystem
	default:
		role, _ := model.ParseRole(name)
		return role
	}
}

// outputContent is the text of a result, or its parts.
func outputContent(v []byte) []byte {
	if jsonscan.Kind(v) == '{' {
		return jsonscan.Get(v, "content")
	}
	return v
}
