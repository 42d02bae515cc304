package cline

import (
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/patch"
)

// effector turns messages into effects; it keeps nothing between them.
type effector struct{}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return effector{} }

// Save has nothing to carry.
func (effector) Save() ([]byte, error) { return nil, nil }

// Load has nothing to take up.
func (effector) Load([]byte) error { return nil }

// Effects tells what a message or an entry of the screen does.
func (effector) Effects(e *model.Event, raw []byte, view model.View) []model.Effect {
	if e.Origin == model.OriginCopied {
		return nil
	}
	m := readMessage(raw)
	if m.isScreen() {
		return m.screenEffects(e, view)
	}
	role, ok := model.ParseRole(e.Type)
	if !ok {
		return nil
	}
	if e.Kind == model.KindObservation {
		role = model.RoleTool
	}
	say := chat.Say(e.Pos, 0, role, m.words())
	fx := m.forgets(e, view)
	say.Summary = e.Kind == model.KindCheckpoint
	fx = append(fx, say)
	for i, c := range m.calls() {
		fx = append(fx, model.Call{ID: callID(c.id, e.Pos, i), Tool: c.tool})
	}
	fx = append(fx, m.attached()...)
	fx = append(fx, m.resultEffects(e, view)...)
	if u := m.usage(); u != nil {
		fx = append(fx, model.Spend{Usage: *u})
	}
	return fx
}

func callID(id string, pos int64, n int) string {
	if id == "" && n > 0 {
		return chat.CallID("", pos) + "/" + strconv.Itoa(n)
	}
	return chat.CallID(id, pos)
}

// words is a message's text, with that of its results.
func (m *message) words() string {
	results := m.results()
	if len(results) == 0 || results[0].id == "" {
		return chat.Text(m.content)
	}
	var texts []string
	for _, r := range results {
		texts = append(texts, r.text)
	}
	if more := chat.Text(m.content); more != "" {
		texts = append(texts, more)
	}
	return strings.Join(texts, "\n")
}

// forgets takes out of the context what a marker hides. What the SDK's
// compaction removed is gone from the file.
func (m *message) forgets(e *model.Event, view model.View) []model.Effect {
	marker := m.marker()
	if marker == "" {
		if m.compacts() {
			return []model.Effect{model.Forget{Reason: model.LostCompaction, Checkpoint: e.ID}}
		}
		return nil
	}
	fx := model.Forget{Reason: model.LostCondensation, Checkpoint: marker}
	if m.isMarker != nil {
		fx.Reason = model.LostWindow
	}
	for _, x := range view.Context() {
		if _, raw, ok := view.Record(x.Pos); ok {
			if other := readMessage(raw); other.hiddenBy(marker) {
				fx.Keys = append(fx.Keys, x.Key)
			}
		}
	}
	return []model.Effect{fx}
}

// attached are the files that a user put into a message, whole.
func (m *message) attached() (fx []model.Effect) {
	seen := map[string]bool{}
	jsonscan.Elements(m.content, func(b []byte) bool {
		path, text := jsonscan.Str(jsonscan.Get(b, "path")), jsonscan.Get(b, "content")
		if jsonscan.Str(jsonscan.Get(b, "type")) == "file" && path != "" && jsonscan.Kind(text) == '"' && !seen[path] {
			seen[path] = true
			fx = append(fx, model.SeeFile{Path: path, Content: jsonscan.Str(text), Whole: true})
		}
		return true
	})
	return fx
}

// resultEffects closes calls and tells what they did.
func (m *message) resultEffects(e *model.Event, view model.View) (fx []model.Effect) {
	results := m.results()
	ran := false
	for _, l := range e.Links {
		if !chat.IsAnswer(e, l) {
			continue
		}
		_, raw, ok := view.Record(l.To.Pos)
		if !ok {
			continue
		}
		made := readMessage(raw)
		for i, c := range made.calls() {
			r := find(results, c.id)
			if r == nil || r.taken {
				continue
			}
			r.taken = true
			fx = append(fx, model.Return{ID: callID(c.id, l.To.Pos, i)})
			x := c.effect(r, view)
			if _, isRun := x.(model.Run); x != nil && !(isRun && ran) {
				fx, ran = append(fx, x), ran || isRun
			}
		}
	}
	return fx
}

func find(results []result, id string) *result {
	for i := range results {
		if results[i].id == id {
			return &results[i]
		}
	}
	return nil
}

// effect is what a call did; nil where that cannot be told.
func (c *call) effect(r *result, view model.View) model.Effect {
	if command, ok := chat.Command(c.tool, c.args); ok {
		return model.Run{Command: command, Exit: r.exit}
	}
	if c.tool == "run_commands" {
		var all []string
		jsonscan.Elements(jsonscan.Get(c.args, "commands"), func(v []byte) bool {
			all = append(all, jsonscan.Str(v))
			return true
		})
		return model.Run{Command: strings.Join(all, "\n"), Exit: r.exit}
	}
	path := jsonscan.Str(jsonscan.Get(c.args, "path"))
	if path == "" || r.outcome.Failed() {
		return nil
	}
	switch c.tool {
	case "editor":
		if old := jsonscan.Str(jsonscan.Get(c.args, "old_text")); old != "" && r.outcome == model.OutcomeOK && jsonscan.Get(c.args, "insert_line") == nil {
			return model.EditFile{Path: path, Old: old, New: jsonscan.Str(jsonscan.Get(c.args, "new_text"))}
		}
		return model.DoubtFiles{Paths: []string{path}}
	case "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace":
		return c.edit(path, r, view)
	}
	return nil
}

// edit reads an edit of the extensions. The editor may have formatted what was
// saved: where the answer shows the file, that counts.
func (c *call) edit(path string, r *result, view model.View) model.Effect {
	want, ok := jsonscan.Text(jsonscan.Get(c.args, "content"))
	if c.tool == "replace_in_file" {
		if text, _, tracked := view.File(path); tracked && text != nil {
			want, ok = patch.SearchReplace(*text, jsonscan.Str(jsonscan.Get(c.args, "diff")))
		}
	} else if c.tool != "write_to_file" {
		ok = false
	}
	if _, shown, has := strings.Cut(r.text, "<final_file_content path="); has && ok {
		_, shown, _ = strings.Cut(shown, ">\n")
		shown, _, _ = strings.Cut(shown, "</final_file_content>")
		ok = strings.TrimSpace(shown) == strings.TrimSpace(want)
	} else if !strings.Contains(r.text, "successfully") {
		ok = false
	}
	if !ok {
		return model.DoubtFiles{Paths: []string{path}}
	}
	return model.WriteFile{Path: path, Content: want, Certainty: model.CertaintyDerived}
}

// screenEffects tells what an entry of the screen adds to the messages.
func (m *message) screenEffects(e *model.Event, view model.View) (fx []model.Effect) {
	if u := m.requestUsage(); u != nil {
		fx = append(fx, model.Spend{Usage: *u})
	}
	switch {
	case e.Kind == model.KindCheckpoint:
		fx = append(fx, model.Snapshot{Checkpoint: m.checkpoint()})
	case e.Kind == model.KindError:
		fx = append(fx, model.Fail{Code: strings.TrimPrefix(strings.TrimPrefix(e.Type, "say/"), "ask/"), Message: jsonscan.Str(m.text)})
	}
	var ends []int64
	jsonscan.Elements(m.deleted, func(v []byte) bool {
		n, ok := jsonscan.Int(v)
		if ok {
			ends = append(ends, n+1)
		}
		return ok
	})
	if len(ends) == 2 {
		lost := model.Forget{Reason: model.LostWindow, Checkpoint: "deleted-" + strconv.FormatInt(ends[1], 10)}
		for _, x := range view.Context() {
			if x.Seq >= ends[0] && x.Seq <= ends[1] {
				lost.Keys = append(lost.Keys, x.Key)
			}
		}
		if len(lost.Keys) > 0 {
			fx = append(fx, lost)
		}
	}
	return fx
}

// Frames says that the arguments of calls in XML stand in no record as they
// are told.
func (dialect) Frames() {}

// Messages gives the context. The system prompt, and what the program adds of
// its surroundings, is in no record.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (s chat.Said) {
		m := readMessage(v.Raw)
		s.Text = m.words()
		for i, c := range m.calls() {
			s.Calls = append(s.Calls, model.MessageCall{ID: callID(c.id, v.Pos, i), Tool: c.tool, Args: string(c.args)})
		}
		for _, r := range m.results() {
			if r.id != "" {
				s.Results = append(s.Results, r.id)
			}
		}
		return s
	})
}
