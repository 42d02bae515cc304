package importer

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
)

// arrival is an event of a session that is being put in order: where its
// record stands, and its place in the order of arrival.
type arrival struct {
	pos    int64 // in the index so far
	seq    int64
	order  int64
	hasSeq bool
	span   model.Span
}

// settle puts the events of a session in replay order, behind those of the
// session that it goes on from.
func (m *Importer) settle(ctx context.Context, s *session) error {
	if s.asleep && (s.row.Provisional || s.row.Base != "") {
		if ss := m.streamOf(s.row.Stream); ss != nil {
			if err := s.wake(m, ss); err != nil {
				return err
			}
		}
	}
	if s.asleep {
		return nil
	}
	on, err := m.standsOn(ctx, s)
	if err != nil || !s.unsettled() && on.same(s.state.Stand) {
		return err
	}
	return m.resequence(ctx, s, on)
}

// resequence writes a session in replay order. Its events are decoded and linked
// again. Where the order changes near the end, the events from there on take the
// place of the old ones in one commit. Else all are written under a new key
// beside the old ones, which readers see until the last commit changes one for
// the other; an interrupted attempt leaves nothing but rows that the next start
// drops.
func (m *Importer) resequence(ctx context.Context, old *session, on stand) error {
	list, err := m.arrivals(ctx, old)
	if err != nil {
		return err
	}
	ss := m.streamOf(old.row.Stream)
	if ss == nil {
		return fmt.Errorf("its stream is not in the dump any more")
	}
	all := len(list)
	if old.state.Repair {
		list, err = m.repaired(ctx, ss, old, list)
		if err != nil {
			return err
		}
	} else {
		slices.SortStableFunc(list, func(a, b arrival) int { return cmp.Compare(a.order, b.order) })
	}
	if old.unsettled() {
		m.unsettled--
	}
	if on.same(old.state.Stand) && len(list) == all && slices.IsSortedFunc(list, func(a, b arrival) int { return cmp.Compare(a.pos, b.pos) }) {
		old.state.Late, old.state.Repair = false, false
		old.drafts.free(m)
		old.touch(m)
		return m.out.drain()
	}
	return m.replay(ctx, ss, old, list, on)
}

// arrivals lists a session's own events in the order of the files and of the
// records in them, each with the seq by which it is sorted: its own, or that of
// the one before it.
func (m *Importer) arrivals(ctx context.Context, s *session) ([]arrival, error) {
	list := make([]arrival, 0, s.row.LastPos)
	err := m.st.Reader().Places(ctx, s.row.Key, func(p store.Place) bool {
		if p.Pos > s.state.Stand.Pos {
			list = append(list, arrivalAt(p))
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.span.Source, b.span.Source), cmp.Compare(a.span.Offset, b.span.Offset))
	})
	for i := range list {
		switch {
		case list[i].hasSeq:
			list[i].order = list[i].seq
		case i > 0:
			list[i].order = list[i-1].order
		}
	}
	return list, nil
}

func arrivalAt(p store.Place) arrival {
	return arrival{pos: p.Pos, seq: p.Seq, hasSeq: p.HasSeq, span: p.Span}
}

// repaired asks the dialect for the order of records that carry none.
func (m *Importer) repaired(ctx context.Context, ss *streamState, s *session, list []arrival) ([]arrival, error) {
	r, ok := ss.dialect.(model.Reorderer)
	if !ok {
		return list, nil
	}
	keys := s.drafts.keys(list)
	if keys == nil {
		var err error
		if keys, err = m.orderKeys(ctx, s, list); err != nil {
			return nil, err
		}
	}
	out := make([]arrival, 0, len(list))
	for _, i := range r.Reorder(keys) {
		out = append(out, list[i])
	}
	if len(out) < len(list) {
		m.leaveOut(list, out)
	}
	return out, nil
}

// orderPage is how many events are read at once for their keys.
const orderPage = 512

// orderKeys reads what a dialect needs to put events in order.
func (m *Importer) orderKeys(ctx context.Context, s *session, list []arrival) ([]model.OrderKey, error) {
	keys := make([]model.OrderKey, len(list))
	places := make(map[int64]int, len(list))
	for i, a := range list {
		places[a.pos] = i
	}
	for from := int64(1); from <= s.row.LastPos; {
		page, _, err := m.st.Reader().Page(ctx, store.PageSpec{Session: s.row.Key, From: from, Limit: orderPage, WithLinks: true})
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			break
		}
		for _, e := range page {
			if i, ok := places[e.Pos]; ok {
				keys[i] = model.KeyOf(&e)
				keys[i].Aliases, keys[i].HasSeq = nil, list[i].hasSeq
			}
			from = e.Pos + 1
		}
	}
	err := m.st.Reader().Aliases(ctx, s.row.Key, func(pos int64, alias string) {
		if i, ok := places[pos]; ok {
			keys[i].Aliases = append(keys[i].Aliases, alias)
		}
	})
	return keys, err
}

// leaveOut makes evidence of the records that have no event any more.
func (m *Importer) leaveOut(all, kept []arrival) {
	counted := make(map[model.Span]bool, len(all))
	for _, a := range kept {
		counted[a.span] = true
	}
	bytes := make(map[int64]int64) // of a source
	for _, a := range all {
		if !counted[a.span] {
			counted[a.span] = true
			bytes[a.span.Source] += a.span.Length
		}
	}
	for _, src := range m.inOrder() {
		if n := bytes[src.row.ID]; n > 0 {
			src.row.EventBytes -= n
			src.row.EvidenceBytes += n
			m.out.source(src)
		}
	}
}

// replay imports a session's records again in the given order, behind what it
// stands on.
func (m *Importer) replay(ctx context.Context, ss *streamState, old *session, list []arrival, on stand) error {
	kept := m.keeps(old, list, on)
	sources := make(map[int64]*sourceState)
	for _, src := range m.sources {
		sources[src.row.ID] = src
	}
	s := m.anew(ss, old, kept)
	m.events -= old.row.LastPos - kept
	if err := m.inherit(ctx, s, on, sources); err != nil {
		return err
	}
	inOrder := *ss // its records come in replay order now
	inOrder.Order = model.OrderArrival
	r := rereader{m: m, old: old, sources: sources}
	err := r.each(ctx, list, func(e *model.Event) error {
		if err := s.place(m, &inOrder, e); err != nil {
			return err
		}
		return s.relieve(ctx, m)
	})
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.hasSeq {
			s.state.Order, s.state.Ordered = max(s.state.Order, a.seq), true
		}
	}
	if err := m.repoint(ctx, old, s, list); err != nil {
		return err
	}
	if kept > 0 {
		m.out.pending.Cuts = append(m.out.pending.Cuts, store.Cut{Session: old.row.Key, From: kept + 1})
	} else {
		m.out.pending.Drop = append(m.out.pending.Drop, old.row.Key)
	}
	s.staged, s.kept = false, 0
	s.touch(m)
	m.sessions[sessionID{old.row.Dialect, old.row.ID}] = s
	old.drafts.free(m)
	return m.out.drain()
}

// anew begins a session whose records come again. Those up to kept are only
// linked, so that what the linker knows is right behind them.
func (m *Importer) anew(ss *streamState, old *session, kept int64) *session {
	s := &session{row: store.SessionRow{Stream: old.row.Stream, Rank: old.row.Rank, Order: old.row.Order}, kept: kept}
	s.row.Session = model.Session{Key: old.row.Key, ID: old.row.ID, Dialect: old.row.Dialect, Version: ss.Version, Parent: ss.Parent, Title: ss.Title}
	s.linker = ss.dialect.NewLinker(&ss.Stream, old.row.ID)
	if kept == 0 {
		m.nextKey++
		s.row.Key, s.staged = m.nextKey, true
	} else {
		s.row.Parent = old.row.Parent // which its first event may have told
	}
	return s
}

// relieve bounds what a session that is put in order holds in memory. The
// events that take the place of others in the index go there at once.
func (s *session) relieve(ctx context.Context, m *Importer) error {
	if s.kept == 0 {
		return m.out.maybeFlush(ctx)
	}
	if s.row.LastPos <= s.kept && s.ids.m.n >= m.opt.IDs/2 {
		s.ids.forget()
	}
	return nil
}

// lateTail is how many events one commit puts in the place of others, where a
// record came late. Further from the end the whole session is written again.
const lateTail = 1 << 14

// keeps finds the pos up to which the order of a session stays as the index has
// it, its own first event among that; 0: not so far, or others go on from what
// stands behind it.
func (m *Importer) keeps(s *session, list []arrival, on stand) int64 {
	if !on.same(s.state.Stand) {
		return 0
	}
	n := 0
	for n < len(list) && list[n].pos == on.Pos+int64(n)+1 {
		n++
	}
	kept := on.Pos + int64(n)
	if n == 0 || len(list)-n > lateTail {
		return 0
	}
	for _, other := range m.sessions {
		if other.row.BasePos > kept && slices.Contains(m.bases(other), s) {
			return 0
		}
	}
	return kept
}

// repoint makes the links that other sessions have to events of a session that
// moved lead to where these are now.
func (m *Importer) repoint(ctx context.Context, old, s *session, list []arrival) error {
	if !m.w.HasIndexes() {
		return nil // sessions are not linked yet
	}
	links, err := m.st.Reader().PointedAt(ctx, old.row.Key, s.kept+1)
	if err != nil || len(links) == 0 {
		return err
	}
	moved := make(map[int64]int64)
	for i, a := range list {
		moved[a.pos] = s.state.Stand.Pos + int64(i) + 1
	}
	for _, l := range links {
		l.ToSession = s.row.Key
		if to, own := moved[l.ToPos]; own {
			l.ToPos = to
		}
		m.out.pending.Pointed = append(m.out.pending.Pointed, l)
	}
	return nil
}

func (m *Importer) streamOf(id int64) *streamState {
	for _, ss := range m.streams {
		if ss.id == id {
			return ss
		}
	}
	return nil
}
