package claudecode

import (
	"hindcast/model"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

// say puts a record into the context: at the end, or, between a compaction and
// its summary, before the messages that were kept.
func (f *effector) say(e *model.Event, role model.Role) model.Say {
	s := model.Say{Role: role, Tokens: model.TokensUnknown}
	if f.state.Front != "" {
		s.Key = f.state.Front + model.MessageKey(e.Pos)
	}
	return s
}

// frontMark ends the key of the record before the kept ones. It sorts before
// all digits, so that what is said there stands behind that record.
const frontMark = "+"

// compacts takes all out of the context but what the boundary keeps.
func (f *effector) compacts(e *model.Event, r *record, view model.View) []model.Effect {
	kept := map[string]bool{}
	names(jsonscan.Get(r.compactMetadata, "preservedMessages", "uuids"), kept)
	names(jsonscan.Get(r.compactMetadata, "preserved_messages", "uuids"), kept)
	f.state.Boundary, f.state.Start, f.state.Front = checkpointID(e), e.Pos, ""
	f.state.Last = e.Pos
	var gone []string
	for _, x := range view.Context() {
		switch {
		case x.Key == promptKey:
		case !kept[x.Event]:
			gone = append(gone, x.Key)
		case f.state.Front == "":
			f.state.Front = before(x)
		}
	}
	return []model.Effect{model.Forget{Keys: gone, Reason: model.LostCompaction, Checkpoint: f.state.Boundary}}
}

// before is the beginning of keys that stand right before a message.
func before(x model.Entry) string {
	prefix := x.Key[:max(len(x.Key)-len(model.MessageKey(0)), 0)]
	return prefix + model.MessageKey(x.Pos-1) + frontMark
}

// summary comes in for what a compaction dropped. One without a boundary (older
// than 2.0) drops what stands before it itself.
func (f *effector) summary(e *model.Event, r *record, view model.View) []model.Effect {
	var out []model.Effect
	if f.state.Boundary == "" {
		out = f.compacts(e, &record{}, view)
	}
	say := f.say(e, model.RoleUser)
	say.Chars, say.Summary = phrase.ContentChars(jsonscan.Get(r.message, "content")), true
	out = append(out, model.Forget{Reason: model.LostCompaction, Summary: &say, Checkpoint: f.state.Boundary})
	f.state.Boundary, f.state.Front = "", ""
	f.state.Last = e.Pos
	return out
}

// checkpointID names a compaction; one without an id goes by its place.
func checkpointID(e *model.Event) string {
	if e.ID != "" {
		return e.ID
	}
	return "#" + model.MessageKey(e.Pos)
}

// microcompacts clears the outputs of old calls: their messages stay with empty
// texts. Attachments leave.
func microcompacts(e *model.Event, r *record, view model.View) []model.Effect {
	calls, attachments := map[string]bool{}, map[string]bool{}
	names(jsonscan.Get(r.microcompactMetadata, "compactedToolIds"), calls)
	names(jsonscan.Get(r.microcompactMetadata, "clearedAttachmentUUIDs"), attachments)
	var cleared, gone []string
	for _, x := range view.Context() {
		switch {
		case attachments[x.Event]:
			gone = append(gone, x.Key)
		case x.Role == model.RoleTool && !x.Replaced && answersAny(view, x.Pos, calls):
			cleared = append(cleared, x.Key)
		}
	}
	id := checkpointID(e)
	out := []model.Effect{model.Forget{Keys: cleared, Reason: model.LostPrune, Replace: true, Checkpoint: id}}
	if len(gone) > 0 {
		out = append(out, model.Forget{Keys: gone, Reason: model.LostPrune, Checkpoint: id})
	}
	return out
}

// names collects the strings of a list.
func names(list []byte, into map[string]bool) {
	jsonscan.Elements(list, func(v []byte) bool {
		if s := jsonscan.Str(v); s != "" {
			into[s] = true
		}
		return true
	})
}

// answersAny reports a result of one of these calls.
func answersAny(view model.View, pos int64, calls map[string]bool) bool {
	_, raw, ok := view.Record(pos)
	if !ok {
		return false
	}
	found := false
	eachBlock(jsonscan.Get(raw, "message", "content"), func(b block) bool {
		found = b.typ == blockToolResult && calls[jsonscan.Str(b.toolUseID)]
		return !found
	})
	return found
}

// attached is what the client puts beside the messages: said where it was
// rendered for the model, and a look at a file where it holds one.
func (f *effector) attached(e *model.Event, r *record, view model.View) (out []model.Effect) {
	typ := jsonscan.Str(jsonscan.Get(r.attachment, "type"))
	if typ == "prompt_snapshot" {
		return []model.Effect{model.Say{Key: promptKey, Role: model.RoleSystem, Chars: promptChars(r.attachment), Tokens: model.TokensUnknown}}
	}
	if role, ok := model.ParseRole(jsonscan.Str(r.renderedRole)); ok && count(r.rendered) > 0 {
		say := f.say(e, role)
		for _, text := range renderings(r.rendered) {
			say.Chars = joinedChars(say.Chars, runes(text))
		}
		out = append(out, say)
	}
	switch typ {
	case "file":
		if fx := sawFile(jsonscan.Get(r.attachment, "content", "file"), jsonscan.Str(r.cwd)); fx != nil {
			out = append(out, fx)
		}
	case "edited_text_file":
		if fx := changedOutside(r.attachment, jsonscan.Str(r.cwd), view); fx != nil {
			out = append(out, fx)
		}
	}
	return out
}

// promptKey is the place of the system prompt, before all messages; a later
// snapshot of it takes the place of the one before.
const promptKey = "+prompt"

func promptChars(attachment []byte) (n int64) {
	jsonscan.Elements(jsonscan.Get(attachment, "systemPrompt"), func(v []byte) bool {
		n += jsonscan.Chars(v)
		return true
	})
	return n
}
