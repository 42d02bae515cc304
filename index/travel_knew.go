package index

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/query"
	"hindcast/model/replay"
)

// carrier is a stretch in which one message held a text in the model's view:
// after the events from to until-1 (until 0: to the end).
type carrier struct {
	pos         int64 // the event that says it
	from, until int64
}

// Knew finds the spans in which a text was in the model's view. A call that
// waits for its result is in view, though some programs send it only with it.
func (x *Index) Knew(ctx context.Context, session, text string) (answer.Knew, error) {
	out := answer.Knew{Text: text, Spans: []answer.Span{}, Events: make(map[int64]answer.Event)}
	key, end, err := x.foldedAll(ctx, session)
	if err != nil || text == "" {
		return out, err
	}
	carriers, err := x.carriers(ctx, key, text)
	if err != nil || len(carriers) == 0 {
		return out, err
	}
	ref := func(pos int64) (answer.Ref, error) {
		if e, ok := out.Events[pos]; ok {
			return refOfAnswer(e), nil
		}
		e, err := x.ownEvent(ctx, key, pos)
		if err != nil {
			return answer.Ref{}, err
		}
		out.Events[pos] = answer.NewEvent(e)
		return answer.NewRef(refOf(e)), nil
	}
	first, err := ref(carriers[0].pos)
	if err != nil {
		return out, err
	}
	out.First = &first
	sure := surety{x: x, key: key, known: make(map[int64]bool)}
	for len(carriers) > 0 {
		n, until := joined(carriers)
		span, err := spanOf(carriers[:n], until, ref)
		if err != nil {
			return out, err
		}
		last := end
		if until != 0 {
			last = until - 1
		}
		if span.Exact, err = sure.over(ctx, carriers[0].from, last); err != nil {
			return out, err
		}
		out.Spans = append(out.Spans, span)
		carriers = carriers[n:]
	}
	return out, nil
}

// joined tells how many of the carriers, which stand by their beginnings, make
// one span without a gap, and where that ends (0: it does not).
func joined(carriers []carrier) (n int, until int64) {
	until = carriers[0].until
	for n = 1; n < len(carriers); n++ {
		c := carriers[n]
		if until != 0 && c.from > until {
			break
		}
		if until != 0 && (c.until == 0 || c.until > until) {
			until = c.until
		}
	}
	return n, until
}

func spanOf(carriers []carrier, until int64, ref func(int64) (answer.Ref, error)) (s answer.Span, err error) {
	s.Carriers = []answer.Ref{}
	if s.From, err = ref(carriers[0].from); err != nil {
		return s, err
	}
	if s.InBy, err = ref(carriers[0].pos); err != nil {
		return s, err
	}
	seen := make(map[int64]bool)
	for _, c := range carriers {
		if seen[c.pos] {
			continue
		}
		seen[c.pos] = true
		r, err := ref(c.pos)
		if err != nil {
			return s, err
		}
		s.Carriers = append(s.Carriers, r)
	}
	if until == 0 {
		return s, nil
	}
	last, err := ref(until - 1)
	if err != nil {
		return s, err
	}
	out, err := ref(until)
	s.To, s.OutBy = &last, &out
	return s, err
}

// carriers lists the stretches of all messages that hold a text, by where they
// begin.
func (x *Index) carriers(ctx context.Context, key int64, text string) ([]carrier, error) {
	teller, err := x.teller(ctx, key)
	if err != nil || teller == nil {
		return nil, err
	}
	_, framed := teller.(model.Framer)
	lines := strings.Split(text, "\n")
	var out []carrier
	spec := store.PageSpec{Session: key, Limit: textPage}
	for {
		places, err := x.st.Reader().Spans(ctx, spec)
		if err != nil {
			return nil, err
		}
		for part := range slices.Chunk(places, candidatePage) {
			said, err := x.speakers(ctx, key, teller, part, text, func(raw []byte) bool { return framed || mayHold(raw, lines) })
			if err != nil {
				return nil, err
			}
			for _, m := range said {
				found, err := x.lives(ctx, key, m.path, m.pos)
				if err != nil {
					return nil, err
				}
				out = append(out, found...)
			}
		}
		if len(places) < textPage {
			break
		}
		spec.From = places[len(places)-1].Pos + 1
	}
	slices.SortFunc(out, func(a, b carrier) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.pos, b.pos)) })
	return out, nil
}

// mayHold reports whether a message that is made of a record may hold a text,
// given by its lines: as it stands there, or in its strings, which a message
// may join.
func mayHold(raw []byte, lines []string) bool {
	var decoded string
	for _, l := range lines {
		if bytes.Contains(raw, []byte(l)) {
			continue
		}
		if !query.MayMatch(query.Term{Field: query.FieldText, Op: query.OpContains, Text: l}, raw, nil) {
			return false
		}
		if decoded == "" {
			decoded = DecodedText(raw)
		}
		if !strings.Contains(decoded, l) {
			return false
		}
	}
	return true
}

// spoken is a message that an event said.
type spoken struct {
	pos  int64
	path string
}

// speakers finds the messages with a text in them that the records at some
// places, those that may, said.
func (x *Index) speakers(ctx context.Context, key int64, teller model.Teller, places []store.Place, text string, may func(raw []byte) bool) ([]spoken, error) {
	candidates := make(map[int64]bool)
	for _, p := range places {
		raw, err := x.span(ctx, p.Span)
		if err != nil {
			return nil, err
		}
		if may(raw) {
			candidates[p.Pos] = true
		}
	}
	said, err := x.saidBy(ctx, key, candidates)
	if err != nil {
		return nil, err
	}
	view, err := x.viewed(ctx, key, said)
	if err != nil {
		return nil, err
	}
	var out []spoken
	for i := range view {
		if saysText(teller.Messages(view[i:i+1], true), text) {
			out = append(out, spoken{said[i].Pos, said[i].Path})
		}
	}
	return out, nil
}

// fewCandidates are looked up one by one, more of them by reading on.
const fewCandidates = 8

// saidBy lists the messages that some events said, as they said them.
func (x *Index) saidBy(ctx context.Context, key int64, events map[int64]bool) (said []store.Member, err error) {
	take := func(w model.Write) bool {
		if events[w.Pos] && below(w.Path, model.PathMessages) && !w.New.Absent() {
			if e, ok := replay.Message(w.Path, w.New); ok && e.Pos == w.Pos {
				said = append(said, store.Member{Path: w.Path, Value: w.New, Pos: w.Pos})
			}
		}
		return true
	}
	positions := slices.Sorted(maps.Keys(events))
	r := x.st.Reader()
	switch n := len(positions); {
	case n == 0:
	case n <= fewCandidates:
		for _, pos := range positions {
			if err = r.Writes(ctx, key, pos-1, pos, take); err != nil {
				return nil, err
			}
		}
	default:
		err = r.Writes(ctx, key, positions[0]-1, positions[n-1], take)
	}
	return said, err
}

// saysText reports whether a text stands in a message, or in what its calls
// were given. What the program puts in for want of a record, no record carries.
func saysText(c model.Conversation, text string) bool {
	for _, m := range c.Messages {
		if len(m.Records) == 0 {
			continue
		}
		if strings.Contains(m.Text, text) {
			return true
		}
		for _, call := range m.Calls {
			if strings.Contains(call.Args, text) {
				return true
			}
		}
	}
	return false
}

// lives follows a message that an event said through its later writes: while it
// is in view with the event's own text. A revert may bring it back.
func (x *Index) lives(ctx context.Context, key int64, path string, pos int64) ([]carrier, error) {
	var out []carrier
	open := false
	after := pos - 1
	for {
		writes, err := x.st.Reader().History(ctx, key, path, after, pageOf)
		if err != nil {
			return nil, err
		}
		for _, w := range writes {
			after = w.Pos
			e, ok := replay.Message(path, w.New)
			carries := ok && e.Pos == pos && !e.Replaced
			switch {
			case carries && !open:
				out = append(out, carrier{pos: pos, from: w.Pos})
			case !carries && open:
				out[len(out)-1].until = w.Pos
			}
			open = carries
		}
		if len(writes) < pageOf {
			return out, nil
		}
	}
}

// Origin finds the first event, up to at, in whose content a text appears, and
// the way from there: the message that had it in view when at was made.
func (x *Index) Origin(ctx context.Context, at model.Event, text string) (answer.Origin, error) {
	used := answer.NewRef(refOf(at))
	out := answer.Origin{Text: text, UsedAt: used, Path: []answer.Ref{}, Events: map[int64]answer.Event{at.Pos: answer.NewEvent(at)}}
	key, err := x.folded(ctx, at.Session, at.Pos)
	if err != nil || text == "" {
		return out, err
	}
	first, err := x.firstMention(ctx, at.Session, at.Pos, text)
	if err != nil || first.Pos == 0 {
		return out, err
	}
	add := func(e model.Event) {
		out.Events[e.Pos] = answer.NewEvent(e)
		out.Path = append(out.Path, answer.NewRef(refOf(e)))
	}
	ref := answer.NewRef(refOf(first))
	out.First = &ref
	add(first)
	start, err := x.responseStart(ctx, at)
	if err != nil {
		return out, err
	}
	carriers, err := x.carriers(ctx, key, text)
	if err != nil {
		return out, err
	}
	for _, c := range carriers {
		if c.from >= start || c.until != 0 && c.until < start || c.pos == first.Pos {
			continue
		}
		e, err := x.eventAt(ctx, key, c.pos)
		if err != nil {
			return out, err
		}
		add(e)
	}
	uses, err := x.mentions(ctx, at, text)
	if err != nil {
		return out, err
	}
	if uses && at.Pos != first.Pos {
		add(at)
	}
	return out, nil
}

// mentions reports whether an event's content holds a text.
func (x *Index) mentions(ctx context.Context, e model.Event, text string) (bool, error) {
	raw, err := x.Raw(ctx, e)
	return err == nil && strings.Contains(DecodedText(raw), text), ctx.Err()
}

// firstMention is the first event whose content holds a text, up to pos.
func (x *Index) firstMention(ctx context.Context, session string, pos int64, text string) (model.Event, error) {
	var first model.Event
	where := query.Term{Field: query.FieldText, Op: query.OpContains, Text: text}
	err := x.Query(ctx, session, where, func(e model.Event) bool {
		if e.Pos <= pos {
			first = e
		}
		return false
	})
	return first, err
}
