package index

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/replay"
)

// Context tells what the model has in view after an event, or was given to
// produce one.
func (x *Index) Context(ctx context.Context, q ContextQuery) (answer.Context, error) {
	out := answer.Context{View: "live", Messages: []answer.Message{}, Lost: []answer.Lost{}, Events: make(map[int64]answer.Event)}
	if q.Cold {
		out.View = "cold"
	}
	at := q.At
	point := at.Pos
	if q.For {
		first, err := x.responseStart(ctx, at)
		if err != nil {
			return out, err
		}
		point = first - 1
		ref := answer.NewRef(refOf(at))
		out.For = &ref
	}
	key, err := x.folded(ctx, at.Session, point)
	if err != nil {
		return out, err
	}
	out.At = answer.NewRef(refOf(at))
	if q.For && point > 0 {
		before, err := x.refAt(ctx, key, point)
		if err != nil {
			return out, err
		}
		out.At = *before
	}
	view, err := x.viewAt(ctx, key, point)
	if err != nil {
		return out, err
	}
	teller, err := x.teller(ctx, key)
	if err != nil {
		return out, err
	}
	log := &indexRecords{ctx: ctx, x: x, key: key}
	if resumer, ok := teller.(model.Resumer); ok && q.Cold {
		view = resumer.Resume(view, point, log)
	}
	said := conversation(teller, view, !q.Cold)
	if requester, ok := teller.(model.Requester); ok && q.For && !q.Cold {
		e, err := x.whole(ctx, at)
		if err != nil {
			return out, err
		}
		if request, ok := requester.Request(e, view, log); ok {
			said = request
		}
	}
	out.Exact = said.Exact
	for i, v := range view { // the dialect saw one session
		if v.Record.Origin == model.OriginInherited {
			if view[i].Record, err = x.ownEvent(ctx, key, v.Pos); err != nil {
				return out, err
			}
		}
	}
	for i, m := range said.Messages {
		out.Messages = append(out.Messages, messageOf(i+1, m, view))
	}
	for _, v := range view {
		out.Events[v.Pos] = answer.NewEvent(v.Record)
	}
	switch {
	case q.Window > 0:
		out.Lost = windowed(out, q.Window)
	case q.Lost:
		if out.Lost, err = x.lost(ctx, key, at.Session, point, view, out.Events); err != nil {
			return out, err
		}
	}
	return out, nil
}

// responseStart is the pos of the first event of the response that an event
// belongs to; a result belongs to the response that called it.
func (x *Index) responseStart(ctx context.Context, e model.Event) (int64, error) {
	whole, err := x.whole(ctx, e)
	if err != nil {
		return 0, err
	}
	if call := callOfResult(whole); call > 0 {
		if whole, err = x.Event(ctx, e.Session, call); err != nil {
			return 0, err
		}
	}
	first := whole.Pos
	for _, l := range whole.Links {
		if l.Reason == model.ReasonBatch && l.Resolved() && l.To.Session == e.Session {
			first = min(first, l.To.Pos)
		}
	}
	key, err := x.folded(ctx, whole.Session, whole.Pos)
	if err != nil {
		return 0, err
	}
	said, err := x.saidFirst(ctx, key, whole.Pos)
	if err != nil || said == 0 {
		return first, err
	}
	return min(first, said), nil
}

// saidFirst is the pos at which the response that an event says something of
// said its first; 0 where the event says nothing. A record may stand for
// another that said the same before, such as a call that had only begun.
func (x *Index) saidFirst(ctx context.Context, key, pos int64) (int64, error) {
	members, err := x.members(ctx, key, model.PathMessages, pos)
	if err != nil {
		return 0, err
	}
	at := slices.IndexFunc(members, func(m store.Member) bool {
		e, ok := replay.Message(m.Path, m.Value)
		return ok && e.Pos == pos && e.Role == model.RoleAssistant
	})
	if at < 0 {
		return 0, nil
	}
	self, _ := replay.Message(members[at].Path, members[at].Value)
	first := pos
	for i, m := range members {
		if e, ok := replay.Message(m.Path, m.Value); i != at && (!ok || self.Response == "" || e.Response != self.Response) {
			continue
		}
		w, ok, err := x.st.Reader().WriteAfter(ctx, key, m.Path, 0)
		if err != nil {
			return 0, err
		}
		if ok {
			first = min(first, w.Pos)
		}
	}
	return first, nil
}

// viewAt reads the records that are in view after pos, with their bytes.
func (x *Index) viewAt(ctx context.Context, key, pos int64) ([]model.Viewed, error) {
	members, err := x.members(ctx, key, model.PathMessages, pos)
	if err != nil {
		return nil, err
	}
	return x.viewed(ctx, key, members)
}

func (x *Index) viewed(ctx context.Context, key int64, members []store.Member) ([]model.Viewed, error) {
	view := make([]model.Viewed, 0, len(members))
	var positions []int64
	for _, m := range members {
		e, ok := replay.Message(m.Path, m.Value)
		if !ok {
			continue
		}
		view = append(view, model.Viewed{Entry: e})
		positions = append(positions, e.Pos)
	}
	const run = 500
	for at := 0; at < len(positions); at += run {
		end := min(at+run, len(positions))
		events, err := x.st.Reader().LinkedEventsAt(ctx, key, positions[at:end])
		if err != nil {
			return nil, err
		}
		for i := at; i < end; i++ {
			view[i].Record = events[positions[i]]
			if raw, err := x.Raw(ctx, view[i].Record); err == nil {
				view[i].Raw = raw
			}
		}
	}
	return view, nil
}

// teller is the dialect of a session; nil where it does not tell what records do.
func (x *Index) teller(ctx context.Context, key int64) (model.Teller, error) {
	row, _, err := x.st.Reader().Session(ctx, key)
	if err != nil {
		return nil, err
	}
	teller, _ := x.known.ByName(row.Dialect).(model.Teller)
	return teller, nil
}

// conversation is what the provider got.
func conversation(teller model.Teller, view []model.Viewed, live bool) model.Conversation {
	if teller == nil {
		return model.Conversation{}
	}
	return teller.Messages(view, live)
}

// indexRecords reads events of a session for a dialect.
type indexRecords struct {
	ctx context.Context
	x   *Index
	key int64
}

// Record implements model.Records.
func (r *indexRecords) Record(pos int64) (model.Event, []byte, bool) {
	e, err := r.x.eventAt(r.ctx, r.key, pos)
	if err != nil {
		return model.Event{}, nil, false
	}
	raw, err := r.x.Raw(r.ctx, e)
	return e, raw, err == nil
}

// Find implements model.Records.
func (r *indexRecords) Find(id string) int64 {
	found, ok, err := r.x.st.Reader().Find(r.ctx, r.key, id)
	if err != nil || !ok {
		return 0
	}
	return found.Pos
}

func messageOf(n int, m model.Message, view []model.Viewed) answer.Message {
	out := answer.Message{
		N: n, Role: m.Role.String(), Events: []answer.Ref{}, Text: m.Text, Chars: int64(utf8.RuneCountInString(m.Text)),
		Calls: []answer.MessageCall{}, Results: m.Results, Summary: m.Summary,
	}
	if out.Results == nil {
		out.Results = []string{}
	}
	for _, i := range m.Records {
		out.Events = append(out.Events, answer.NewRef(refOf(view[i].Record)))
	}
	for _, c := range m.Calls {
		out.Calls = append(out.Calls, answer.MessageCall{ID: c.ID, Tool: c.Tool, Args: c.Args})
	}
	if m.Tokens != model.TokensUnknown {
		out.Tokens = &m.Tokens
	}
	return out
}

// windowed lists what a policy that keeps the last messages would have dropped.
func windowed(c answer.Context, keep int) []answer.Lost {
	lost := []answer.Lost{}
	var others []answer.Message
	for _, m := range c.Messages {
		if m.Role != model.RoleSystem.String() {
			others = append(others, m)
		}
	}
	for _, m := range others[:max(len(others)-keep, 0)] {
		for _, e := range m.Events {
			lost = append(lost, answer.Lost{Event: e, By: c.At, Reason: model.LostWindow.String()})
		}
	}
	return lost
}

// lost lists the records that were in view before pos and are not any more, or
// not with their own text, each with the event that took it out last.
func (x *Index) lost(ctx context.Context, key int64, session string, pos int64, view []model.Viewed, events map[int64]answer.Event) ([]answer.Lost, error) {
	gone := make(map[string]model.Write)
	err := x.st.Reader().Writes(ctx, key, 0, pos, func(w model.Write) bool {
		if below(w.Path, model.PathMessages) && (w.New.Absent() || pruned(w)) {
			gone[w.Path] = w
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, v := range view {
		path := model.PathMessages + "/" + replay.Escape(v.Key)
		if w, ok := gone[path]; ok && w.New.Absent() {
			delete(gone, path)
		}
	}
	list := []answer.Lost{}
	for path, w := range gone {
		e, ok := replay.Message(path, w.Old)
		if !ok {
			continue
		}
		reason := w.Lost
		if !w.New.Absent() {
			reason = model.LostPrune
		}
		for _, p := range []int64{e.Pos, w.Pos} {
			if _, known := events[p]; !known {
				ev, err := x.ownEvent(ctx, key, p)
				if err != nil {
					return nil, err
				}
				events[p] = answer.NewEvent(ev)
			}
		}
		list = append(list, answer.Lost{Event: refOfAnswer(events[e.Pos]), By: refOfAnswer(events[w.Pos]), Reason: reason.String()})
	}
	slices.SortFunc(list, func(a, b answer.Lost) int {
		return cmp.Or(cmp.Compare(a.Event.Pos, b.Event.Pos), cmp.Compare(a.By.Pos, b.By.Pos), strings.Compare(a.Reason, b.Reason))
	})
	return slices.Compact(list), nil // a record may have held several messages
}

// pruned reports that a write took a message's own text away.
func pruned(w model.Write) bool {
	after, ok := replay.Message(w.Path, w.New)
	if !ok || !after.Replaced {
		return false
	}
	before, ok := replay.Message(w.Path, w.Old)
	return ok && !before.Replaced
}

func refOfAnswer(e answer.Event) answer.Ref {
	return answer.Ref{Session: e.Session, Seq: e.Seq, Pos: e.Pos, ID: e.ID}
}
