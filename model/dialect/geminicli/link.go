package geminicli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"hindcast/model"
	"hindcast/model/chat"
	"hindcast/model/phrase"
)

// versionLimit bounds the messages of which a later version is judged against
// the one before.
const versionLimit = 256

// version is what was told of a message by its last line.
type version struct {
	ID    string
	Usage model.Usage
	Done  []string `json:",omitempty"` // calls whose results were told
}

// versions are the last messages, oldest first.
type versions []version

// of finds a message; a new one is put behind the others.
func (v *versions) of(id string) *version {
	for i := len(*v) - 1; i >= 0; i-- {
		if (*v)[i].ID == id {
			return &(*v)[i]
		}
	}
	if len(*v) >= versionLimit {
		*v = append((*v)[:0], (*v)[1:]...)
	}
	*v = append(*v, version{ID: id})
	return &(*v)[len(*v)-1]
}

// spend tells what a version's usage adds to the one before; nil for nothing.
func (v *version) spend(u *model.Usage) *model.Usage {
	if u == nil {
		return nil
	}
	more := u.Sub(v.Usage)
	v.Usage = *u
	if more == (model.Usage{Told: more.Told}) {
		return nil
	}
	return &more
}

// linker judges each line of a message against the line before.
type linker struct {
	chat *chat.Linker
	seen versions
	any  bool     // a message was there
	told []string // the calls whose results the last line with any told
}

// NewLinker starts the links of one session.
func (dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	var from model.Summary
	if s != nil {
		from.Parent, _ = s.Meta.(string)
	}
	return &linker{chat: chat.NewLinker(from)}
}

// Link completes one event.
func (l *linker) Link(e *model.Event, look model.Lookup) {
	switch {
	case e.Type == "gemini" && e.ID != "":
		first, again := look.ByID(e.ID)
		again = again && first.Pos < e.Pos
		e.Usage = l.seen.of(e.ID).spend(e.Usage)
		l.version(e, first, again)
	case e.Type == "$set.messages" && !l.any:
		e.Kind = model.KindState // the chat begins with it
	case e.Type == "session" && l.any:
		e.Title = "session resumed"
	case e.Type == "user" && e.Kind == model.KindDelta:
		l.repeats(e)
	}
	l.any = l.any || e.Kind == model.KindMessage
	l.chat.Link(e, look)
}

// repeats takes a message of results for what triggers the next answer only
// where the line of the calls has not told the same results before.
func (l *linker) repeats(e *model.Event) {
	n := chat.ReadNote(e.Note)
	isTold := func(id string) bool { return slices.Contains(l.told, id) }
	if len(n.Results) > 0 && !slices.ContainsFunc(n.Results, func(id string) bool { return !isTold(id) }) {
		n.Flags |= chat.Late
		e.Note = n.String()
	}
}

// version gives a line the kind of what it adds.
func (l *linker) version(e *model.Event, first model.Brief, again bool) {
	if n := chat.ReadNote(e.Note); len(n.Results) > 0 {
		l.told = n.Results
	}
	switch {
	case !again && e.Kind == model.KindObservation:
		e.Kind = model.KindAction // first seen when all was done: calls and results in one
	case again && e.Kind == model.KindMessage:
		e.Kind, e.Noise = model.KindDelta, true
	}
	if !again {
		return
	}
	if _, end, ok := strings.Cut(e.Title, " → "); ok && first.Kind == model.KindAction && !strings.Contains(end, " → ") {
		e.Title = phrase.Titled(e.Tool, end) // what was called is told
	}
	e.Links = append(e.Links, model.Link{Reason: model.ReasonAction, To: model.Ref{Session: e.Session, Seq: first.Seq, Pos: first.Pos, ID: e.ID}})
	n := chat.ReadNote(e.Note)
	n.Flags &^= chat.Reply
	if len(n.Results) == 0 {
		n.Flags |= chat.Late
	}
	e.Note = n.String()
}

// Summary tells of the session so far.
func (l *linker) Summary() model.Summary { return l.chat.Summary() }

type savedLinker struct {
	Chat json.RawMessage
	Seen versions
	Any  bool
	Told []string
}

// Save and Load carry the working state across a stop.
func (l *linker) Save() ([]byte, error) {
	inner, err := l.chat.Save()
	if err != nil {
		return nil, err
	}
	return json.Marshal(savedLinker{inner, l.seen, l.any, l.told})
}

// Load takes up what Save wrote.
func (l *linker) Load(state []byte) error {
	var s savedLinker
	if err := json.Unmarshal(state, &s); err != nil {
		return fmt.Errorf("load the links of a chat: %w", err)
	}
	l.seen, l.any, l.told = s.Seen, s.Any, s.Told
	return l.chat.Load(s.Chat)
}
