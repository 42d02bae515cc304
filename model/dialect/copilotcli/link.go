package copilotcli

import (
	"slices"

	"hindcast/model"
	"hindcast/model/chat"
)

// linker adds what only the order tells: that a call which starts was asked for
// by a message, and where a result's call started.
type linker struct{ *chat.Linker }

// NewLinker starts the links of one session.
func (dialect) NewLinker(s *model.Stream, _ string) model.Linker {
	var from model.Summary
	if s != nil {
		from.Version = s.Version
	}
	return linker{chat.NewLinker(from)}
}

// Link completes one event.
func (l linker) Link(e *model.Event, look model.Lookup) {
	if e.Type == "tool.execution_start" {
		l.start(e, look)
	}
	l.Linker.Link(e, look)
}

// start: a call that a message asked for is told a second time when it starts.
// One that none asked for opens here.
func (l linker) start(e *model.Event, look model.Lookup) {
	n := chat.Note{Flags: chat.Late}
	first, ok := look.ByID(e.Call)
	if ok && first.Pos < e.Pos {
		e.Kind, e.Noise = model.KindDelta, true
		e.Links = append(e.Links, model.Link{Reason: model.ReasonAction, ToID: e.Call, To: model.Ref{Session: e.Session, Seq: first.Seq, Pos: first.Pos}})
	} else {
		n = chat.Note{Calls: []string{e.Call}}
		if !slices.ContainsFunc(e.Links, func(k model.Link) bool { return k.Reason == model.ReasonSpawn }) {
			n.Flags = chat.Reply
		}
	}
	e.Note = n.String()
}
