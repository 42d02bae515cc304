// Package langgraph reads the checkpoints of LangGraph: the tuples that a
// checkpointer lists, as JSON lines, and the rows of its checkpoints table. A
// checkpoint is the whole state after a step; what the step did is the
// difference to its parent.
package langgraph

import (
	"cmp"
	"encoding/base64"
	"path"
	"slices"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
)

const name = "langgraph"

type dialect struct{}

var _ interface {
	model.Teller
	model.Reorderer
} = dialect{}

// New returns the dialect. It also implements model.Teller and model.Reorderer.
func New() model.Dialect { return dialect{} }

// Info describes the format.
func (dialect) Info() model.DialectInfo {
	return model.DialectInfo{
		Name:     name,
		Title:    "LangGraph checkpoints",
		Versions: "checkpoints of version 1 to 4; values in JSON, those in msgpack are not taken apart",
		Packs:    []string{"tuples of a checkpointer's list as JSON lines", "the checkpoints table of SQLite", "its rows as JSON lines"},
		Detects:  "records with config.configurable.thread_id and checkpoint; or with thread_id, checkpoint_id and checkpoint",
		Context:  "partial", Files: "none", Cost: "none", Status: "none",
	}
}

// The confidences of a claim.
const (
	confidenceNamed  = 95
	confidenceForced = 1
)

// Claim finds tuples and rows. The table of pending writes goes with the rows.
func (dialect) Claim(d model.Dump, force bool) (streams []model.Stream) {
	for i, f := range d.Files() {
		look, ok := chat.LookAt(d, i)
		if !ok {
			continue
		}
		s := model.Stream{Dialect: name, Files: []int{i}, Framing: look.Framing, Order: model.OrderRepair, Session: chat.Stem(look.Name)}
		first := append(look.Records(1), nil)[0]
		switch {
		case isTuple(first):
			s.Confidence, s.Reason = confidenceNamed, "tuples with config.configurable.thread_id and checkpoint"
		case isRow(first):
			s.Confidence, s.Reason = confidenceNamed, "rows with thread_id, checkpoint_id and checkpoint"
			for j, other := range d.Files() {
				if f.Database != "" && other.Database == f.Database && path.Base(other.Name) == "writes" {
					s.Evidence = append(s.Evidence, model.Evidence{File: j, What: "pending writes"})
				}
			}
		case force && path.Base(f.Name) != "writes":
			s.Confidence, s.Reason = confidenceForced, "forced: no checkpoint was seen"
		default:
			continue
		}
		streams = append(streams, s)
	}
	return streams
}

func isTuple(v []byte) bool {
	return jsonscan.Get(v, "config", "configurable", "thread_id") != nil && jsonscan.Get(v, "checkpoint") != nil
}

func isRow(v []byte) bool {
	return jsonscan.Get(v, "thread_id") != nil && jsonscan.Get(v, "checkpoint_id") != nil && jsonscan.Get(v, "checkpoint") != nil
}

// Reorder sorts by the id, which grows with time: lists give the newest first.
// A record without an id stays behind the one before.
func (dialect) Reorder(keys []model.OrderKey) []int {
	order, ids := make([]int, len(keys)), make([]string, len(keys))
	last := ""
	for i, k := range keys {
		last = cmp.Or(k.ID, last)
		order[i], ids[i] = i, last
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	return order
}

// tuple holds a checkpoint, whatever it comes in.
type tuple struct {
	thread, ns, id, parent string
	checkpoint, metadata   []byte
	pending                []byte
}

func readTuple(raw []byte) (t tuple) {
	where := jsonscan.Get(raw, "config", "configurable")
	if where == nil {
		where = raw
		t.parent = jsonscan.Scalar(jsonscan.Get(raw, "parent_checkpoint_id"))
	}
	for _, key := range []string{"parentConfig", "parent_config"} {
		t.parent = cmp.Or(t.parent, jsonscan.Scalar(jsonscan.Get(raw, key, "configurable", "checkpoint_id")))
	}
	t.thread = jsonscan.Scalar(jsonscan.Get(where, "thread_id"))
	t.ns = jsonscan.Scalar(jsonscan.Get(where, "checkpoint_ns"))
	t.checkpoint, t.metadata = object(jsonscan.Get(raw, "checkpoint")), object(jsonscan.Get(raw, "metadata"))
	t.id = cmp.Or(jsonscan.Scalar(jsonscan.Get(where, "checkpoint_id")), jsonscan.Scalar(jsonscan.Get(t.checkpoint, "id")))
	for _, key := range []string{"pendingWrites", "pending_writes"} {
		if v := jsonscan.Get(raw, key); v != nil {
			t.pending = v
		}
	}
	return t
}

// object is a value as it stands, in a text, or in the bytes of a table's cell;
// nil where it is no JSON object (msgpack).
func object(v []byte) []byte {
	if b := jsonscan.Get(v, "$base64"); jsonscan.Kind(v) == '{' && b != nil {
		b, err := base64.StdEncoding.DecodeString(jsonscan.Str(b))
		if err != nil {
			return nil
		}
		v = b
	} else if jsonscan.Kind(v) == '"' {
		v = []byte(jsonscan.Str(v))
	}
	if start, end, err := jsonscan.Value(v); err == nil && v[start] == '{' {
		return v[start:end]
	}
	return nil
}

// fault is the error that a task of the step behind the checkpoint ended with.
func (t *tuple) fault() (text string) {
	jsonscan.Elements(t.pending, func(w []byte) bool {
		n, channel := 0, ""
		jsonscan.Elements(w, func(v []byte) bool {
			switch n++; n {
			case 2:
				channel = jsonscan.Str(v)
			case 3:
				if channel == "__error__" {
					text = cmp.Or(jsonscan.Scalar(v), jsonscan.Scalar(jsonscan.Get(v, "message")), "error")
				}
			}
			return n < 3
		})
		return text == ""
	})
	return text
}

// message is a message of a state.
type message struct {
	key, typ string
	body     []byte
}

// messages are those of the channel of that name.
func (t *tuple) messages() []message {
	return messagesIn(jsonscan.Get(t.checkpoint, "channel_values", "messages"))
}

// given are the messages that a run was started with.
func (t *tuple) given() []message {
	return messagesIn(jsonscan.Get(t.checkpoint, "channel_values", "__start__", "messages"))
}

func messagesIn(list []byte) (all []message) {
	jsonscan.Elements(list, func(v []byte) bool {
		m := message{body: v, typ: jsonscan.Str(jsonscan.Get(v, "type"))}
		if kwargs := jsonscan.Get(v, "kwargs"); kwargs != nil {
			m.body = kwargs
			jsonscan.Elements(jsonscan.Get(v, "id"), func(part []byte) bool {
				m.typ = jsonscan.Str(part)
				return true
			})
		}
		switch m.typ {
		case "human", "HumanMessage", "HumanMessageChunk":
			m.typ = "human"
		case "ai", "AIMessage", "AIMessageChunk":
			m.typ = "ai"
		case "tool", "ToolMessage":
			m.typ = "tool"
		case "system", "SystemMessage":
			m.typ = "system"
		}
		m.key = cmp.Or(jsonscan.Scalar(jsonscan.Get(m.body, "id")), digest(v))
		all = append(all, m)
		return true
	})
	return all
}

var roles = map[string]model.Role{"ai": model.RoleAssistant, "tool": model.RoleTool, "system": model.RoleSystem}

func (m *message) calls() (all []model.MessageCall) {
	jsonscan.Elements(jsonscan.Get(m.body, "tool_calls"), func(c []byte) bool {
		all = append(all, model.MessageCall{ID: jsonscan.Scalar(jsonscan.Get(c, "id")), Tool: jsonscan.Str(jsonscan.Get(c, "name")), Args: string(jsonscan.Get(c, "args"))})
		return true
	})
	return all
}

// answers is the id of the call that a tool's message answers.
func (m *message) answers() string {
	if m.typ != "tool" {
		return ""
	}
	return jsonscan.Scalar(jsonscan.Get(m.body, "tool_call_id"))
}
