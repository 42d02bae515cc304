package geminicli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector turns lines into effects.
type effector struct{ seen versions }

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return &effector{} }

// Save and Load carry the last versions across a stop.
func (f *effector) Save() ([]byte, error) { return json.Marshal(f.seen) }

// Load takes up what Save wrote.
func (f *effector) Load(state []byte) error {
	var seen versions
	if err := json.Unmarshal(state, &seen); err != nil {
		return fmt.Errorf("load the versions of a chat: %w", err)
	}
	f.seen = seen
	return nil
}

// Effects tells what a line does.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	r := readRecord(raw)
	switch e.Type {
	case "user":
		if isAnswer(r.content) {
			return []model.Effect{chat.Say(e.Pos, 0, model.RoleTool, responses(r.content))}
		}
		return []model.Effect{chat.Say(e.Pos, 0, model.RoleUser, said(r.content, &model.Viewed{}).Text)}
	case "gemini":
		return f.gemini(e, &r, view)
	case "$set.messages":
		return replaced(e, jsonscan.Get(r.set, "messages"), view)
	case "$set":
		var fx []model.Effect
		jsonscan.Fields(r.set, func(key string, v []byte) bool {
			if key != "lastUpdated" {
				fx = append(fx, model.Set{Path: "/vars/" + model.EscapePointer(key), Value: v})
			}
			return true
		})
		return once(fx)
	case "$rewindTo":
		if pos := view.Find(jsonscan.Scalar(r.rewind)); pos > 0 && pos < e.Pos {
			return []model.Effect{model.Revert{To: pos - 1, Facets: model.FacetContext, Reason: model.LostRevert}}
		}
	case "error":
		return []model.Effect{model.Fail{Message: chat.Text(r.content)}}
	}
	return printed(e, &r)
}

// once keeps the last of what sets one name.
func once(fx []model.Effect) (out []model.Effect) {
	for i, x := range fx {
		later := slices.ContainsFunc(fx[i+1:], func(o model.Effect) bool { return o.(model.Set).Path == x.(model.Set).Path })
		if !later {
			out = append(out, x)
		}
	}
	return out
}

// gemini tells what a version of a message adds. It takes the place of the
// version before in the context.
func (f *effector) gemini(e *model.Event, r *record, view model.View) []model.Effect {
	at := e.Pos
	if first := view.Find(e.ID); e.ID != "" && first > 0 && first < at {
		at = first
	}
	fx := []model.Effect{chat.Say(at, 0, model.RoleAssistant, said(r.content, &model.Viewed{}).Text)}
	last := &version{}
	if e.ID != "" {
		last = f.seen.of(e.ID)
	}
	ran, here := false, map[string]bool{}
	eachCall(r.calls, func(c *call) {
		id := chat.CallID(jsonscan.Scalar(c.id), at)
		if here[id] || slices.Contains(last.Done, id) {
			return
		}
		here[id] = true
		if view.Pending(id) == 0 {
			fx = append(fx, model.Call{ID: id, Tool: jsonscan.Str(c.name)})
		}
		if !c.isDone() {
			return
		}
		last.Done = append(last.Done, id)
		fx = append(fx, model.Return{ID: id})
		if x := c.effect(); x != nil {
			if _, isRun := x.(model.Run); !isRun || !ran {
				fx = append(fx, x)
				ran = ran || isRun
			}
		}
	})
	if u := last.spend(usage(r.tokens)); u != nil {
		fx = append(fx, model.Spend{Usage: *u})
	}
	return fx
}

// effect is what a finished call did to the world; nil where that cannot be
// told.
func (c *call) effect() model.Effect {
	tool := jsonscan.Str(c.name)
	if command, ok := chat.Command(tool, c.args); ok {
		return model.Run{Command: command, Exit: c.exitCode(), Quiet: jsonscan.Str(c.status) == "cancelled"}
	}
	if c.outcome().Failed() {
		return nil
	}
	path := jsonscan.Str(jsonscan.Get(c.args, "file_path"))
	if path == "" {
		path = jsonscan.Str(jsonscan.Get(c.args, "absolute_path"))
	}
	switch tool {
	case "write_file", "replace", "edit":
		return c.edited(path)
	case "read_file":
		return c.read(path)
	}
	return nil
}

// edited reads an edit: recorded before and after, else what the model asked for.
func (c *call) edited(path string) model.Effect {
	if shown := jsonscan.Str(jsonscan.Get(c.display, "filePath")); shown != "" {
		path = shown
	}
	if path == "" {
		return nil
	}
	if now, ok := jsonscan.Text(jsonscan.Get(c.display, "newContent")); ok {
		fx := model.WriteFile{Path: path, Content: now, Certainty: model.CertaintyKnown}
		isNew, _ := jsonscan.Bool(jsonscan.Get(c.display, "isNewFile"))
		if before, ok := jsonscan.Text(jsonscan.Get(c.display, "originalContent")); ok && !isNew {
			fx.Before = &before
		}
		return fx
	}
	if strings.Contains(c.text(), "User modified") {
		return nil // to what, no record says
	}
	if whole, ok := jsonscan.Text(jsonscan.Get(c.args, "content")); ok {
		return model.WriteFile{Path: path, Content: whole, Certainty: model.CertaintyKnown}
	}
	if old := jsonscan.Str(jsonscan.Get(c.args, "old_string")); old != "" && !strings.Contains(c.text(), "fuzzy match") {
		n, _ := jsonscan.Int(jsonscan.Get(c.args, "expected_replacements"))
		return model.EditFile{Path: path, Old: old, New: jsonscan.Str(jsonscan.Get(c.args, "new_string")), All: n > 1}
	}
	return nil
}

// read reads a look at a file: whole where nothing was left out.
func (c *call) read(path string) model.Effect {
	text := c.text()
	if path == "" || strings.Contains(text, "<untrusted_context>") {
		return nil
	}
	for _, limit := range []string{"offset", "limit", "start_line", "end_line"} {
		if jsonscan.Get(c.args, limit) != nil {
			return nil
		}
	}
	if strings.Contains(text, "content has been truncated") {
		return nil
	}
	return model.SeeFile{Path: path, Content: text, Whole: true}
}

// replaced puts a whole history in the place of what is in view.
func replaced(e *model.Event, messages []byte, view model.View) (fx []model.Effect) {
	var keys []string
	for _, x := range view.Context() {
		keys = append(keys, x.Key)
	}
	if len(keys) > 0 {
		fx = append(fx, model.Forget{Keys: keys, Reason: model.LostRebuild, Checkpoint: "history#" + strconv.FormatInt(e.Pos, 10)})
	}
	part := 0
	jsonscan.Elements(messages, func(v []byte) bool {
		part++
		m := readRecord(v)
		role := model.RoleUser
		switch {
		case jsonscan.Str(m.typ) == "gemini":
			role = model.RoleAssistant
		case jsonscan.Str(m.typ) != "user":
			return true
		case isAnswer(m.content):
			role = model.RoleTool
		}
		fx = append(fx, chat.Say(e.Pos, part, role, said(m.content, &model.Viewed{}).Text))
		return true
	})
	return fx
}

// printed tells what an event of stream-json does.
func printed(e *model.Event, r *record) []model.Effect {
	switch e.Type {
	case "message":
		role, ok := model.ParseRole(e.Source)
		if ok {
			return []model.Effect{chat.Say(e.Pos, 0, role, chat.Text(r.content))}
		}
	case "tool_use":
		fx := []model.Effect{chat.Say(e.Pos, 0, model.RoleAssistant, ""), model.Call{ID: chat.CallID(e.Call, e.Pos), Tool: e.Tool}}
		if command, ok := chat.Command(e.Tool, r.params); ok {
			fx = append(fx, model.Run{Command: command})
		}
		return fx
	case "tool_result":
		return []model.Effect{model.Return{ID: e.Call}, chat.Say(e.Pos, 0, model.RoleTool, jsonscan.Str(r.output))}
	case "result":
		fx := []model.Effect{model.Status{Execution: "finished", Reason: jsonscan.Str(r.status)}}
		if u := r.total(); u != nil {
			fx = append(fx, model.Spend{Usage: *u, Cumulative: true})
		}
		return fx
	}
	return nil
}

// Messages gives the context. The system prompt is in no record.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) chat.Said {
		r := readRecord(v.Raw)
		if part := chat.Part(v.Key); part > 0 {
			jsonscan.Elements(jsonscan.Get(r.set, "messages"), func(m []byte) bool {
				part--
				if part == 0 {
					r = readRecord(m)
				}
				return part > 0
			})
		}
		s := said(r.content, v)
		eachCall(r.calls, func(c *call) {
			s.Calls = append(s.Calls, model.MessageCall{ID: chat.CallID(jsonscan.Scalar(c.id), v.Pos), Tool: jsonscan.Str(c.name), Args: string(c.args)})
		})
		switch {
		case r.tool != nil && r.params != nil:
			s.Calls = []model.MessageCall{{ID: chat.CallID(jsonscan.Scalar(r.toolID), v.Pos), Tool: jsonscan.Str(r.tool), Args: string(r.params)}}
		case r.toolID != nil && jsonscan.Str(r.typ) == "tool_result":
			s.Text, s.Results = jsonscan.Str(r.output), []string{jsonscan.Scalar(r.toolID)}
		}
		return s
	})
}
