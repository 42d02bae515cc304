package goose

import (
	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector turns rows into effects; it keeps nothing between them.
type effector struct{}

// NewEffector starts a session.
func (dialect) NewEffector(*model.Stream, string) model.Effector { return effector{} }

// Save has nothing to carry.
func (effector) Save() ([]byte, error) { return nil, nil }

// Load has nothing to take up.
func (effector) Load([]byte) error { return nil }

// Effects tells what a row does.
func (effector) Effects(e *model.Event, raw []byte, view model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied {
		return nil
	}
	r := readRow(raw)
	switch {
	case r.isSession():
		if dir := jsonscan.Str(r.dir); dir != "" {
			fx = append(fx, model.Cwd{Path: dir})
		}
		return fx
	case !r.isMessage():
		if u := r.usage(); u != nil {
			fx = append(fx, model.Spend{Usage: *u})
		}
		return fx
	}
	role, ok := model.ParseRole(e.Type)
	if !ok {
		return nil
	}
	if e.Kind == model.KindObservation {
		role = model.RoleTool
	}
	say := chat.Say(e.Pos, 0, role, r.text())
	if e.Kind == model.KindCheckpoint {
		say.Summary = true
		fx = append(fx, hidden(e, view))
	}
	fx = append(fx, say)
	open := map[string]bool{}
	for _, c := range r.calls() {
		if id := chat.CallID(c.id, e.Pos); !open[id] {
			open[id] = true
			fx = append(fx, model.Call{ID: id, Tool: c.tool})
		}
	}
	return append(fx, r.returned(e, view)...)
}

// hidden takes out of the context what is marked as such. When that was marked
// is not recorded: the summary that stands for it is the likely moment.
func hidden(e *model.Event, view model.View) model.Effect {
	fx := model.Forget{Reason: model.LostCompaction, Checkpoint: chat.CallID(e.ID, e.Pos)}
	for _, x := range view.Context() {
		if _, raw, ok := view.Record(x.Pos); ok {
			if r := readRow(raw); r.isHidden() {
				fx.Keys = append(fx.Keys, x.Key)
			}
		}
	}
	return fx
}

// returned closes the calls that a row answers, and tells the command of the
// first shell among them.
func (r *row) returned(e *model.Event, view model.View) (fx []model.Effect) {
	answered := map[string]bool{}
	for _, res := range r.results() {
		if !answered[res.id] {
			answered[res.id] = true
			fx = append(fx, model.Return{ID: res.id})
		}
	}
	for _, l := range e.Links {
		if !chat.IsAnswer(e, l) {
			continue
		}
		_, raw, ok := view.Record(l.To.Pos)
		if !ok {
			continue
		}
		made := readRow(raw)
		for _, c := range made.calls() {
			if command, isShell := chat.Command(c.tool, c.args); isShell && answered[c.id] {
				return append(fx, model.Run{Command: command})
			}
		}
	}
	return fx
}

// Messages gives the context. The system prompt is in no row.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (s chat.Said) {
		r := readRow(v.Raw)
		s.Text = r.text()
		for _, c := range r.calls() {
			s.Calls = append(s.Calls, model.MessageCall{ID: chat.CallID(c.id, v.Pos), Tool: c.tool, Args: string(c.args)})
		}
		for _, res := range r.results() {
			s.Results = append(s.Results, res.id)
		}
		return s
	})
}
