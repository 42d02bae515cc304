package openhands

import (
	"errors"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

var errNoState = errors.New("not a state: a conversation's state or its task list is expected")

// ClaimsState: what the server says of the conversation may be its whole state;
// a condensation claims nothing.
func (dialect) ClaimsState(e *model.Event) bool { return e.Type == "ConversationStateUpdateEvent" }

// Recorded reads a conversation's state: the value of a full_state update, a
// base_state.json, or the list of a TASKS.json. Of a state it takes the
// execution status; the rest has no counterpart that the log could be held
// against, and is listed as unread.
func (dialect) Recorded(raw []byte) (model.RecordedState, error) {
	if isList(raw) {
		return model.RecordedState{Tasks: readTasks(raw)}, nil
	}
	var s model.RecordedState
	known := 0
	jsonscan.Fields(raw, func(key string, v []byte) bool {
		switch key {
		case "execution_status", "agent_status":
			status := jsonscan.Str(v)
			s.Execution = &status
			known++
		case "id":
			s.Session = sessionName(jsonscan.Str(v))
		case "agent", "workspace", "stats", "conversation_stats":
			known++
			s.Unread = append(s.Unread, "/"+model.EscapePointer(key))
		default:
			s.Unread = append(s.Unread, "/"+model.EscapePointer(key))
		}
		return true
	})
	if known == 0 {
		return model.RecordedState{}, errNoState
	}
	return s, nil
}
