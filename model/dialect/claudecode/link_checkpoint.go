package claudecode

import "hindcast/model"

// asModel links what the client wrote in the assistant's name: an error of the
// provider is what came of a request, anything else is nothing's answer.
func (l *linker) asModel(e *model.Event, n *note, look model.Lookup) {
	at := l.above(e, look)
	if n.Flags.has(breaks) {
		if at.Trigger > 0 {
			l.link(e, model.Link{Reason: model.ReasonSource}, at.Trigger, look)
		} else {
			l.infer(e, model.ReasonSource, l.state.User, look)
		}
	}
	l.state.Response = e.Pos
	l.state.Chain.put(e.ID, place{e.Pos, at.Trigger}, chainLimit)
}

// boundary links a compaction to what it stands on, and begins a new segment.
func (l *linker) boundary(e *model.Event, look model.Lookup) {
	st := &l.state
	base := int64(0)
	for _, k := range e.Links {
		if b, ok := look.ByID(k.ToID); k.Reason == model.ReasonBase && ok && b.Pos < e.Pos {
			base = b.Pos
		}
	}
	if base == 0 {
		base = st.Previous
		l.infer(e, model.ReasonBase, base, look)
	}
	l.infer(e, model.ReasonSource, base, look) // what filled the context last
	st.Boundary, st.Prompt, st.Response, st.Batch = e.Pos, 0, 0, nil
	st.Chain.put(e.ID, place{Solid: e.Pos}, chainLimit)
}

// microcompaction links to the results whose outputs it cleared.
func (l *linker) microcompaction(e *model.Event, n *note, look model.Lookup) {
	for _, id := range n.Ids {
		if r, ok := l.state.Results.get(id); ok {
			l.link(e, model.Link{Reason: model.ReasonForgets, ToID: id}, r.Pos, look)
		} else {
			e.Links = append(e.Links, model.Link{Reason: model.ReasonForgets, ToID: id})
		}
	}
}

// summary links the summary of a compaction to its boundary, which its parent
// names where nothing stands between.
func (l *linker) summary(e *model.Event, look model.Lookup) {
	if b, ok := look.ByID(parentOf(e)); ok && b.Pos == l.state.Boundary {
		l.link(e, model.Link{Reason: model.ReasonSource, ToID: parentOf(e)}, b.Pos, look)
		return
	}
	l.infer(e, model.ReasonSource, l.state.Boundary, look)
}
