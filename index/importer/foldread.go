package importer

import (
	"context"

	"hindcast/index/store"
	"hindcast/model"
)

// foldPage is how many events are read at once, foldPageBytes how many bytes of
// theirs (but one event at least).
const (
	foldPage      = 1024
	foldPageBytes = 8 << 20
)

// foldRecords reads a session's events with their links and bytes, in replay
// order, ahead of the fold. It answers about earlier ones, of which the last
// pages are at hand.
type foldRecords struct {
	ctx     context.Context
	m       *Importer
	key     int64
	sources map[int64]store.Source
	bytes   Bytes                                // of what is read in order
	lookups Bytes                                // of what is looked up
	foresee func(e *model.Event, raw []byte) any // nil: nothing is read ahead but bytes
	now     int64                                // pos of the event at hand
	pages   [2]foldEvents
	all     *idTable // of the session, as its import left them
	ids     idTable  // of the events so far, their own; not where all is whole
}

// foldEvents is a run of events with their bytes.
type foldEvents struct {
	events []model.Event
	raws   [][]byte // nil where the bytes cannot be read
	seen   []any    // what the dialect foresees of them; nil of an event: nothing
	err    error
}

func newFoldRecords(ctx context.Context, m *Importer, s *session, f *folding) *foldRecords {
	r := &foldRecords{ctx: ctx, m: m, key: s.row.Key, all: &s.ids, sources: make(map[int64]store.Source, len(m.sources))}
	if foreseer, ok := f.effector.(model.Foreseer); ok {
		r.foresee = foreseer.Foresee
	}
	for _, src := range m.sources {
		r.sources[src.row.ID] = src.row
	}
	return r
}

func (r *foldRecords) close() {
	r.bytes.Close()
	r.lookups.Close()
}

// foldIDs is how many ids of a fold's events are kept at hand, at least.
const foldIDs = 1 << 16

// each calls f with the events from pos to last. The next page is read while
// one is folded.
func (r *foldRecords) each(pos, last int64, f func(e *model.Event, raw []byte, seen any) error) error {
	r.ids.partial = pos > 1
	ctx, cancel := context.WithCancel(r.ctx)
	ahead := make(chan foldEvents, 1)
	go func() {
		defer close(ahead)
		for pos <= last && ctx.Err() == nil {
			page := r.read(ctx, pos)
			if n := len(page.events); n > 0 {
				pos = page.events[n-1].Pos + 1
			} else {
				pos = last + 1
			}
			select {
			case ahead <- page:
			case <-ctx.Done():
			}
		}
	}()
	defer func() {
		cancel()
		for range ahead { // the reader has ended after this
		}
	}()
	for page := range ahead {
		if page.err != nil {
			return page.err
		}
		r.pages[0], r.pages[1] = r.pages[1], page
		for i := range page.events {
			e := &page.events[i]
			if e.Pos > last {
				return nil
			}
			r.pass(e)
			if err := f(e, page.raws[i], page.seen[i]); err != nil {
				return err
			}
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

// pass moves on to an event.
func (r *foldRecords) pass(e *model.Event) {
	r.now = e.Pos
	if r.ids.partial || e.ID == "" || r.all.whole() {
		return
	}
	if _, ok := r.ids.get(e.ID); ok || r.ids.mayHold(e.ID) {
		return
	}
	r.ids.add(e.ID, idEntry{pos: uint32(e.Pos)})
	if r.ids.m.n >= foldIDs {
		r.ids.forget()
	}
}

// read gets a page of events and their bytes. A record that cannot be read has
// no effects: the fold goes on without it.
func (r *foldRecords) read(ctx context.Context, pos int64) (p foldEvents) {
	spec := store.PageSpec{Session: r.key, From: pos, Limit: foldPage, WithLinks: true, Lean: true}
	// A page is soon read, and watching ctx for it takes longer than that.
	p.events, _, p.err = r.m.st.Reader().Page(context.WithoutCancel(ctx), spec)
	bytes := int64(0)
	for i := range p.events {
		if bytes += p.events[i].Span.Length; bytes > foldPageBytes && i > 0 {
			p.events = p.events[:i]
			break
		}
	}
	p.raws = make([][]byte, 0, len(p.events))
	for i := 0; i < len(p.events); i = len(p.raws) {
		p.raws = append(p.raws, r.run(ctx, p.events[i:])...)
	}
	p.seen = make([]any, len(p.events))
	for i := range p.events {
		p.seen[i] = r.foreseen(&p.events[i], p.raws[i])
	}
	return p
}

// foreseen is what the dialect foresees of a record. Of one that it fails at it
// foresees nothing: it fails again where that is dealt with.
func (r *foldRecords) foreseen(e *model.Event, raw []byte) (seen any) {
	if r.foresee == nil || raw == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			seen = nil
		}
	}()
	return r.foresee(e, raw)
}

// Records that stand one behind the other are read at once, with what stands
// between them: so much at most between two, and so much in all.
const (
	runGap   = 256
	runBytes = 1 << 20
)

// run reads the bytes of the first event, and of those behind it that stand
// behind it in its source.
func (r *foldRecords) run(ctx context.Context, events []model.Event) (raws [][]byte) {
	first, end, n := events[0].Span, events[0].Span.End(), 1
	for n < len(events) {
		s := events[n].Span
		if s.Source != first.Source || s.Offset < first.Offset || s.Offset-end > runGap || s.End()-first.Offset > runBytes {
			break
		}
		end = max(end, s.End())
		n++
	}
	all := r.bytesOf(ctx, &r.bytes, model.Span{Source: first.Source, Offset: first.Offset, Length: end - first.Offset})
	if all == nil && n > 1 {
		return r.run(ctx, events[:1]) // one of them may be gone, the others not
	}
	for i := range events[:n] {
		var raw []byte
		if all != nil {
			at := events[i].Span.Offset - first.Offset
			raw = same(&events[i], all[at:at+events[i].Span.Length:at+events[i].Span.Length])
		}
		raws = append(raws, raw)
	}
	return raws
}

// bytesOf reads a span; nil where it is not there any more.
func (r *foldRecords) bytesOf(ctx context.Context, from *Bytes, s model.Span) []byte {
	src, ok := r.sources[s.Source]
	if !ok {
		return nil
	}
	raw, err := from.Read(ctx, r.m.st.Reader(), src, s.Offset, s.Length)
	if err != nil {
		return nil
	}
	return raw
}

// same gives the bytes that are an event's; nil where they have changed.
func same(e *model.Event, raw []byte) []byte {
	if raw == nil || HashOf(raw) != e.Hash {
		return nil
	}
	return raw
}

// Record gives an earlier event with its links and bytes.
func (r *foldRecords) Record(pos int64) (model.Event, []byte, bool) {
	if pos < 1 || pos > r.now {
		return model.Event{}, nil, false
	}
	for _, p := range r.pages {
		if n := len(p.events); n > 0 && pos >= p.events[0].Pos && pos <= p.events[n-1].Pos {
			i := pos - p.events[0].Pos
			return p.events[i], p.raws[i], p.raws[i] != nil
		}
	}
	e, ok, err := r.m.st.Reader().EventAt(r.ctx, r.key, pos)
	if err != nil || !ok {
		return model.Event{}, nil, false
	}
	raw := same(&e, r.bytesOf(r.ctx, &r.lookups, e.Span))
	return e, raw, raw != nil
}

// Find gives the pos of the first event that carries an id or alias, among
// those up to the one at hand.
func (r *foldRecords) Find(id string) int64 {
	if id == "" {
		return 0
	}
	if r.all.whole() {
		if e, ok := r.all.get(id); ok && int64(e.pos) <= r.now {
			return int64(e.pos)
		}
		return 0
	}
	if e, ok := r.ids.get(id); ok && !r.ids.partial {
		return int64(e.pos)
	}
	found, ok, err := r.m.st.Reader().Find(r.ctx, r.key, id)
	if err != nil || !ok || found.Pos > r.now {
		return 0
	}
	return found.Pos
}
