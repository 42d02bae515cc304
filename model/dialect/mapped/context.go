package mapped

import (
	"bytes"
	"errors"
	"slices"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

// forgetAll is the word for all messages.
const forgetAll = "all"

// checkpoint claims a state, or takes messages out of the context.
func (x *effect) checkpoint(e *model.Event, n int, s scope, view model.View) model.Effect {
	id := x.arg("id", s)
	if id == "" {
		id = chat.CallID(e.ID, e.Pos)
	}
	if !x.args["forget"].given() {
		snap := model.Snapshot{Checkpoint: id, State: bytes.Clone(jsonscan.Unpacked(x.args["state"].raw(s)))}
		for _, l := range e.Links {
			if l.Reason == model.ReasonBase {
				snap.HasBase, snap.BasePos, snap.BaseSeq = true, l.To.Pos, l.To.Seq
			}
		}
		return snap
	}
	out := model.Forget{Reason: model.LostCompaction, Checkpoint: id}
	ids := x.args["forget"].list(s)
	for _, entry := range view.Context() {
		if len(ids) == 1 && ids[0] == forgetAll || slices.Contains(ids, entry.Event) {
			out.Keys = append(out.Keys, entry.Key)
		}
	}
	if summary := x.arg("summary", s); summary != "" {
		say := chat.Say(e.Pos, n, model.RoleUser, summary)
		say.Summary = true
		out.Summary = &say
	}
	return out
}

var errNoState = errors.New("the recorded state is no object")

// Recorded reads the state of a checkpoint: the values under /vars, by name.
func (Dialect) Recorded(raw []byte) (model.RecordedState, error) {
	if jsonscan.Kind(raw) != '{' {
		return model.RecordedState{}, errNoState
	}
	vars := map[string][]byte{}
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		vars[key] = v
		return true
	})
	return model.RecordedState{Vars: vars}, nil
}

// Messages gives the messages in view as the records have them. That the
// provider got nothing else, no mapping can say.
func (d Dialect) Messages(view []model.Viewed, _ bool) model.Conversation {
	return chat.Messages(view, false, func(v *model.Viewed) (said chat.Said) {
		r, part := d.m.read(v.Raw), chat.Part(v.Key)
		r.effects(func(n int, x *effect, s scope) {
			switch {
			case x.do == doMessage && n == part:
				said.Text = content(x, s)
			case x.do == doCheckpoint && n == part:
				said.Text = x.arg("summary", s)
			case x.do == doCall && v.Role == model.RoleAssistant:
				args := jsonscan.Unpacked(x.args["arguments"].raw(s))
				said.Calls = append(said.Calls, model.MessageCall{ID: chat.CallID(r.callID(x, s), v.Pos), Tool: x.arg("tool", s), Args: string(args)})
			case x.do == doReturn && v.Role == model.RoleTool:
				said.Results = append(said.Results, r.callID(x, s))
			}
		})
		return said
	})
}
