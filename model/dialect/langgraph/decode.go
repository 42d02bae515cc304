package langgraph

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/jsonscan"
	"hindcast/model/phrase"
)

var errNoObject = errors.New("not a checkpoint: it is no object")

func digest(v []byte) string {
	h := fnv.New64a()
	h.Write(v)
	return strconv.FormatUint(h.Sum64(), 36)
}

// note is what Decode tells the linker of a checkpoint.
type note struct {
	Parent  string `json:",omitempty"` // checkpoint
	Session string `json:",omitempty"` // that the session belongs to
	Count   int    // of messages
	Last    []noted
}

// noted is one of the last messages.
type noted struct {
	Key, Type, Title, Tool, Call string
	Calls, Results               []string `json:",omitempty"`
	Failed                       bool     `json:",omitempty"`
}

// lastLimit is how many of a state's messages one step may have added.
const lastLimit = 64

// Decode reads a checkpoint.
func (dialect) Decode(rec *model.Record, emit func(*model.Event)) error {
	if jsonscan.Kind(rec.Raw) != '{' {
		return errNoObject
	}
	t := readTuple(rec.Raw)
	source := jsonscan.Str(jsonscan.Get(t.metadata, "source"))
	e := &model.Event{
		Session: t.thread, ID: t.id, Type: cmp.Or(source, "checkpoint"), Source: source, Kind: model.KindState,
		Time: model.ParseTime(jsonscan.Scalar(jsonscan.Get(t.checkpoint, "ts"))),
	}
	n := note{Parent: t.parent}
	if t.ns != "" && t.thread != "" {
		e.Session, n.Session = t.thread+"/"+t.ns, t.thread
	}
	step := jsonscan.Scalar(jsonscan.Get(t.metadata, "step"))
	e.Title = phrase.OneLine(e.Type + " step " + step)
	switch source {
	case "update", "fork":
		e.Kind = model.KindCheckpoint
	case "input":
		if given := t.given(); len(given) > 0 {
			last := given[len(given)-1]
			e.Title = phrase.Titled("input", strings.TrimPrefix(last.noted().Title, last.typ+": "))
		}
	case "loop":
	default:
		if t.checkpoint == nil && t.id == "" {
			e.Kind, e.Type, e.Title = model.KindOther, cmp.Or(jsonscan.Str(jsonscan.Get(rec.Raw, "type")), "unknown"), "a record that is no checkpoint"
		}
	}
	if fault := t.fault(); fault != "" {
		e.Outcome, e.Title = model.OutcomeFailed, phrase.Titled(e.Title, phrase.FirstLine(fault))
	}
	if t.parent != "" && t.parent != t.id {
		e.Links = append(e.Links, model.Link{Reason: model.ReasonSource, ToID: t.parent})
	}
	all := t.messages()
	n.Count = len(all)
	for _, m := range all[max(0, len(all)-lastLimit):] {
		n.Last = append(n.Last, m.noted())
	}
	b, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("note a checkpoint: %w", err)
	}
	e.Note = string(b)
	emit(e)
	return nil
}

func (m *message) noted() noted {
	line := chat.Line(phrase.Content(jsonscan.Get(m.body, "content"), phrase.LineLimit))
	n := noted{Key: m.key, Type: m.typ, Title: phrase.Titled(m.typ, line)}
	var tools []string
	for _, c := range m.calls() {
		n.Calls = append(n.Calls, c.ID)
		about := c.Tool
		if a := chat.About([]byte(c.Args)); a != "" {
			about += " " + a
		}
		tools = append(tools, about)
		if n.Tool == "" {
			n.Tool, n.Call = c.Tool, c.ID
		}
	}
	if len(tools) > 0 {
		n.Title = phrase.OneLine(strings.Join(tools, ", "))
	}
	if m.typ == "tool" {
		n.Call, n.Tool = m.answers(), jsonscan.Str(jsonscan.Get(m.body, "name"))
		n.Results = []string{n.Call}
		outcome := model.OutcomeUnknown
		if n.Failed = jsonscan.Str(jsonscan.Get(m.body, "status")) == "error"; n.Failed {
			outcome = model.OutcomeFailed
		}
		n.Title = chat.ResultTitle(n.Tool, line, nil, outcome)
	}
	return n
}

// linker tells what each checkpoint gained against its parent, and leaves the
// rest to the links of messages.
type linker struct {
	*chat.Linker
	ends map[string]string // the last message of each checkpoint
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(*model.Stream, string) model.Linker {
	return &linker{chat.NewLinker(model.Summary{}), map[string]string{}}
}

// Link completes one event.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	var n note
	if json.Unmarshal([]byte(e.Note), &n) != nil {
		n = note{}
	}
	told := chat.Note{Parent: n.Session}
	for _, m := range n.gained(l.ends[n.Parent]) {
		told.Calls, told.Results = append(told.Calls, m.Calls...), append(told.Results, m.Results...)
		if m.Type == "human" {
			told.Title = cmp.Or(told.Title, strings.TrimPrefix(m.Title, "human: "))
		}
		if e.Outcome.Failed() {
			continue
		}
		e.Title, e.Tool, e.Call, e.Source = m.Title, m.Tool, m.Call, speakers[m.Type]
		if e.Kind != model.KindCheckpoint {
			e.Kind = m.kind()
		}
		if m.Failed {
			e.Outcome = model.OutcomeFailed
		}
	}
	if len(n.Last) > 0 {
		l.ends[e.ID] = n.Last[len(n.Last)-1].Key
	}
	e.Note = told.String()
	l.Linker.Link(e, look)
}

// gained are the messages behind the one that the parent ends with; where that
// is gone, the last alone.
func (n *note) gained(end string) []noted {
	if at := slices.IndexFunc(n.Last, func(m noted) bool { return m.Key == end }); at >= 0 {
		return n.Last[at+1:]
	}
	if end == "" {
		return n.Last
	}
	return n.Last[max(0, len(n.Last)-1):]
}

// speakers are the words for who says the messages of a type.
var speakers = map[string]string{"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}

func (m *noted) kind() model.Kind {
	switch {
	case m.Type == "tool":
		return model.KindObservation
	case len(m.Calls) > 0:
		return model.KindAction
	}
	return model.KindMessage
}

type saved struct {
	Links []byte
	Ends  map[string]string
}

// Save and Load carry the working state across a stop.
func (l *linker) Save() ([]byte, error) {
	links, err := l.Linker.Save()
	if err != nil {
		return nil, err
	}
	return json.Marshal(saved{links, l.ends})
}

// Load takes up what Save wrote.
func (l *linker) Load(state []byte) error {
	var s saved
	if err := json.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("load the links of a session: %w", err)
	}
	l.ends = s.Ends
	if l.ends == nil {
		l.ends = map[string]string{}
	}
	return l.Linker.Load(s.Links)
}
