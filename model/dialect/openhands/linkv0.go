package openhands

import "hindcast/model"

// linkV0 completes an event of the older family. It has no tree: the log is
// one line.
func (l *linker) linkV0(e *model.Event, n *note, look model.Lookup) {
	st := &l.state
	l.answeredV0(e, n, look)
	switch {
	case n.Flags.has(forgetsPast) && st.Asked > 0:
		l.condensed(e, look)
	case n.Flags.has(recalls) && st.User > 0:
		l.infer(e, model.ReasonSource, st.User, look)
	default:
		l.made(e, n, st.LastV0, look)
	}
	if n.Flags.has(forgetsPast) {
		forgetRange(e, n, l, look)
	}
	if n.Flags.has(ofResponse) {
		if b, ok := look.ByID(n.Response); st.HasTotals || n.Response == "" || ok && b.Pos < e.Pos {
			e.Usage = nil // told before, or told better
		}
	}
	if n.Flags.has(opensCall) {
		st.Calls.open(openCall{Pos: e.Pos, Call: e.Call, Tool: e.Tool})
	}
	if n.Flags.has(delegates) && e.Kind == model.KindAction {
		if len(st.Calls.Delegates) < callLimit {
			st.Calls.Delegates = append(st.Calls.Delegates, e.Pos)
		}
	}
	if n.Flags.has(inView) {
		st.LastV0 = e.Pos
	}
	st.Asked = 0
	if n.Flags.has(asksToForget) {
		st.Asked = e.Pos
	}
}

// answeredV0 pairs a result: by cause, by the delegate that it ends, by the
// call's id, or by standing right behind a call where records name nothing.
func (l *linker) answeredV0(e *model.Event, n *note, look model.Lookup) {
	if !n.Flags.has(answersCall) {
		return
	}
	st := &l.state
	for _, k := range e.Links {
		if k.Reason != model.ReasonAction {
			continue
		}
		if b, ok := look.ByID(k.ToID); ok && b.Pos < e.Pos {
			l.close(e, b.Pos)
		}
		return
	}
	if n.Flags.has(delegates) {
		if pos, ok := st.Calls.endDelegate(); ok {
			l.link(e, model.Link{Reason: model.ReasonAction}, pos, look)
			l.close(e, pos)
			return
		}
	}
	if e.Call != "" {
		if o, ok := st.Calls.nearest(e.Call); ok {
			l.link(e, model.Link{Reason: model.ReasonAction}, o.Pos, look)
			l.close(e, o.Pos)
		} else {
			recorded(e, model.ReasonAction, e.Call) // it stays open: the call is missing
		}
		return
	}
	if !n.Flags.has(byNeighbour) || st.Previous == 0 {
		return
	}
	if b, ok := look.At(st.Previous); ok && b.Kind == model.KindAction {
		l.infer(e, model.ReasonAction, st.Previous, look)
		l.close(e, st.Previous)
	}
}

// forgetRange links a condensation to the events of the range that it names,
// as far as the log holds them.
func forgetRange(e *model.Event, n *note, l *linker, look model.Lookup) {
	from, ok := seqOf(n.From)
	to, ok2 := seqOf(n.To)
	if !ok || !ok2 || to < from {
		return
	}
	var hits []int64
	for pos := e.Pos - 1; pos > 0 && e.Pos-pos <= rangeLimit; pos-- {
		b, ok := look.At(pos)
		if !ok || b.Seq < from {
			break
		}
		if b.Seq <= to {
			hits = append(hits, pos)
		}
	}
	for i := len(hits) - 1; i >= 0; i-- {
		l.link(e, model.Link{Reason: model.ReasonForgets}, hits[i], look)
	}
}
