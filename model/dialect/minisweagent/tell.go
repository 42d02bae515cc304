package minisweagent

import (
	"encoding/json"
	"fmt"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// effector turns messages into effects.
type effector struct {
	cwd string
	s   answered
}

// answered counts the results of the last message whose calls have no ids: the
// nth of them answers its nth command.
type answered struct{ Pos, Results int64 }

// NewEffector starts a session.
func (dialect) NewEffector(s *model.Stream, _ string) model.Effector {
	f := &effector{}
	if s != nil {
		m, _ := s.Meta.(meta)
		f.cwd = m.Cwd
	}
	return f
}

// Save and Load carry the count across a stop.
func (f *effector) Save() ([]byte, error) { return json.Marshal(f.s) }

// Load takes up what Save wrote.
func (f *effector) Load(state []byte) error {
	var s answered
	if err := json.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("load the results of a run: %w", err)
	}
	f.s = s
	return nil
}

// callID names a call: by its id, else by its event and its place there.
func callID(a action, pos int64, n int) string {
	id := chat.CallID(a.id, pos)
	if a.id == "" && n > 0 {
		id += fmt.Sprintf("/%d", n)
	}
	return id
}

// Effects tells what a message does.
func (f *effector) Effects(e *model.Event, raw []byte, view model.View) (fx []model.Effect) {
	if e.Origin == model.OriginCopied {
		return nil
	}
	m := readMessage(raw)
	if e.Pos == 1 && f.cwd != "" {
		fx = append(fx, model.Cwd{Path: f.cwd})
	}
	if e.Type == "exit" {
		fx = append(fx, f.ran(e, &m, view)...)
		return append(fx, model.Status{Execution: "finished", Reason: jsonscan.Str(m.status)})
	}
	role, ok := model.ParseRole(e.Type)
	if !ok {
		return fx
	}
	fx = append(fx, chat.Say(e.Pos, 0, role, chat.Text(m.content)))
	switch e.Kind {
	case model.KindAction:
		open := map[string]bool{}
		for n, a := range m.commands() {
			if id := callID(a, e.Pos, n); !open[id] {
				open[id] = true
				fx = append(fx, model.Call{ID: id, Tool: "bash"})
			}
		}
	case model.KindObservation:
		fx = append(fx, f.ran(e, &m, view)...)
	}
	if e.Usage != nil || m.cost != nil {
		c := chat.Counts{Cost: m.cost}
		if u := c.Usage(); u != nil {
			fx = append(fx, model.Spend{Usage: *u})
		}
	}
	return fx
}

// ran closes the call that a result answers. Each command starts in the same
// directory: none moves it.
func (f *effector) ran(e *model.Event, m *message, view model.View) []model.Effect {
	pos, _ := chat.Answered(e)
	_, raw, ok := view.Record(pos)
	if !ok {
		return nil
	}
	call := readMessage(raw)
	if f.s.Pos != pos {
		f.s = answered{Pos: pos}
	}
	n := int(f.s.Results)
	f.s.Results++
	for i, a := range call.commands() {
		if e.Call == "" && i == n || e.Call != "" && a.id == e.Call {
			return []model.Effect{model.Return{ID: callID(a, pos, i)}, model.Run{Command: a.command, Exit: m.exit()}}
		}
	}
	return nil
}

// Messages gives the context: every message goes to the model as it stands.
func (dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, true, func(v *model.Viewed) chat.Said {
		m := readMessage(v.Raw)
		s := chat.Said{Text: chat.Text(m.content), Calls: chat.Calls(m.tools)}
		if v.Record.Kind == model.KindObservation && m.callID != nil {
			s.Results = []string{jsonscan.Scalar(m.callID)}
		}
		return s
	})
}
