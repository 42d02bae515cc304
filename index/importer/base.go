package importer

import (
	"cmp"
	"context"
	"slices"

	"hindcast/index/store"
	"hindcast/model"
)

// stand is what a session has from another one, its base, before its own events.
type stand struct {
	Key   int64       // of the base's row: another once that was put in order anew
	Pos   int64       // the last pos that the session has from there
	Last  int64       // the highest seq up to there
	Usage model.Usage // of the events up to there, which is not the session's own
}

// same reports that two stands bring the same events.
func (a stand) same(b stand) bool { return a.Key == b.Key && a.Pos == b.Pos }

// baseOf finds the session that another one goes on from, as far as its records
// have told; nil where it is not in the dump.
func (m *Importer) baseOf(s *session) *session {
	id := s.row.Base
	if s.linker != nil {
		id = s.linker.Summary().Base.Session
	}
	base := m.sessions[sessionID{s.row.Dialect, id}]
	if id == "" || base == s {
		return nil
	}
	return base
}

// basesFirst lists the sessions, each behind the one that it goes on from, else
// by rank.
func (m *Importer) basesFirst() []*session {
	all := m.inRank()
	depths := make(map[*session]int)
	for _, s := range all {
		depths[s] = len(m.bases(s))
	}
	slices.SortStableFunc(all, func(a, b *session) int { return cmp.Compare(depths[a], depths[b]) })
	return all
}

// bases lists what a session goes on from, the nearest first; nothing where that
// runs in a ring.
func (m *Importer) bases(s *session) (list []*session) {
	for b := m.baseOf(s); b != nil; b = m.baseOf(b) {
		if b == s || slices.Contains(list, b) {
			return nil
		}
		list = append(list, b)
	}
	return list
}

// ownerOf is the session whose own event stands at a pos of another one.
func (m *Importer) ownerOf(s *session, pos int64) *session {
	for _, base := range m.bases(s) {
		if pos > s.row.BasePos {
			break
		}
		s = base
	}
	return s
}

// standsOn finds what a session has from its base, all of which is in order.
func (m *Importer) standsOn(ctx context.Context, s *session) (stand, error) {
	bases := m.bases(s)
	if len(bases) == 0 {
		return stand{}, nil
	}
	r, base, from := m.st.Reader(), bases[0], s.linker.Summary().Base
	on := stand{Key: base.row.Key}
	if from.Event == "" {
		var err error
		on.Pos, err = r.LastUpTo(ctx, on.Key, from.Seq)
		return on, err
	}
	at, ok, err := r.Find(ctx, on.Key, from.Event)
	if ok {
		on.Pos = at.Pos
	}
	return on, err
}

// inherit puts what a session has from its base at its beginning: the same
// records, where they are, at the same positions.
func (m *Importer) inherit(ctx context.Context, s *session, on stand, sources map[int64]*sourceState) error {
	if on.Pos == 0 {
		s.state.Stand = on
		return nil
	}
	var base *session
	for _, b := range m.sessions {
		if b.row.Key == on.Key {
			base = b
		}
	}
	var list []arrival
	err := m.st.Reader().Places(ctx, on.Key, func(p store.Place) bool {
		list = append(list, arrivalAt(p))
		return p.Pos < on.Pos
	})
	if err != nil {
		return err
	}
	r := rereader{m: m, old: base, sources: sources}
	err = r.each(ctx, list, func(e *model.Event) error {
		inOrder := *m.streamOf(sources[e.Span.Source].row.Stream) // as they come
		inOrder.Order = model.OrderArrival
		e.Origin = model.OriginInherited
		if err := s.place(m, &inOrder, e); err != nil {
			return err
		}
		on.Last = max(on.Last, e.Seq)
		return m.out.maybeFlush(ctx)
	})
	if err != nil {
		return err
	}
	on.Usage = s.linker.Summary().Usage
	s.state.Stand = on
	return nil
}
