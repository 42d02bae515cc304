package importer

import (
	"context"

	"hindcast/index/store"
	"hindcast/model"
)

// linkSessions resolves recorded links that name an event of another session.
// Where the dialect does not say that ids are unique in the whole dump, they are
// so only within a session, and a link leaves its session in one case: the session's own first event names an event of exactly one other session
// (a sub-agent and the call that made it). That session is its parent; links
// of later events may name the parent's events too.
func (m *Importer) linkSessions(ctx context.Context) error {
	byID := make(map[string]*session)
	byKey := make(map[int64]*session)
	for _, s := range m.inRank() {
		byID[s.row.ID] = s
		byKey[s.row.Key] = s
	}
	if len(byKey) < 2 {
		return nil
	}
	for _, s := range m.basesFirst() {
		broken, err := m.st.Reader().Broken(ctx, s.row.Key, brokenLimit)
		if err != nil {
			return err
		}
		for _, b := range broken {
			if b.Link.ToID == "" {
				continue // a number of a sequence
			}
			if m.globalIDs(s) {
				other, err := m.parentByID(ctx, s, b.Link.ToID, byKey)
				if err != nil {
					return err
				}
				if other != nil {
					if err := m.linkAcross(ctx, s, other, b); err != nil {
						return err
					}
				}
				continue
			}
			parent := byID[m.ownerOf(s, b.Pos).row.Parent]
			if parent == s {
				parent = nil
			}
			if parent == nil && b.Pos == s.row.BasePos+1 {
				if parent, err = m.parentByID(ctx, s, b.Link.ToID, byKey); err != nil {
					return err
				}
			}
			if parent == nil && b.Pos > s.row.BasePos {
				break
			}
			if parent == nil {
				continue
			}
			if err := m.linkAcross(ctx, s, parent, b); err != nil {
				return err
			}
		}
	}
	return m.out.drain()
}

// globalIDs reports a session whose dialect has ids for the whole dump.
func (m *Importer) globalIDs(s *session) bool {
	ss := m.streamOf(s.row.Stream)
	return ss != nil && ss.dialect.Info().GlobalIDs
}

// brokenLimit bounds how many links of a session are tried on its parent.
const brokenLimit = 10_000

// parentByID finds the one other session that has an event of this id.
func (m *Importer) parentByID(ctx context.Context, s *session, id string, byKey map[int64]*session) (*session, error) {
	found, err := m.st.Reader().ByIDAnySession(ctx, id, 3)
	if err != nil {
		return nil, err
	}
	var parent *session
	for _, f := range found {
		other := byKey[f.Session]
		if other == nil || other == s || other.row.Dialect != s.row.Dialect {
			continue
		}
		if parent != nil && parent != other {
			return nil, nil
		}
		parent = other
	}
	return parent, nil
}

// linkAcross makes a broken link whole if the parent has its target.
func (m *Importer) linkAcross(ctx context.Context, s, parent *session, b store.BrokenLink) error {
	at, ok, err := m.st.Reader().Find(ctx, parent.row.Key, b.Link.ToID)
	if err != nil || !ok {
		return err
	}
	l := b.Link
	if l.Reason == model.ReasonSpawn {
		if at, err = m.callBehind(ctx, parent, at); err != nil {
			return err
		}
	}
	l.Broken = model.LinkWhole
	l.To = model.Ref{Session: parent.row.ID, Seq: at.Seq, Pos: at.Pos, ID: l.ToID}
	own, ok, err := m.st.Reader().FindPos(ctx, s.row.Key, b.Pos)
	if err != nil || !ok {
		return err
	}
	m.out.pending.Mended = append(m.out.pending.Mended, store.Mended{
		Session: s.row.Key, Pos: b.Pos, Link: l, ToSession: parent.row.Key,
		AsCause: l.Reason.Causal() && (own.Cause == 0 || own.CauseInferred),
	})
	if s.row.Parent == "" && b.Pos > s.row.BasePos && !m.globalIDs(s) {
		s.row.Parent = parent.row.ID
		s.touch(m)
	}
	return nil
}

// callBehind leads from a record of a call, which is what names a sub-agent in
// some formats, to that call.
func (m *Importer) callBehind(ctx context.Context, s *session, at store.Found) (store.Found, error) {
	e, ok, err := m.st.Reader().EventAt(ctx, s.row.Key, at.Pos)
	if err != nil || !ok || e.Kind == model.KindAction {
		return at, err
	}
	for _, l := range e.Links {
		if l.Reason != model.ReasonAction || !l.Resolved() || l.To.Session != s.row.ID {
			continue
		}
		if call, ok, err := m.st.Reader().FindPos(ctx, s.row.Key, l.To.Pos); ok || err != nil {
			return call, err
		}
	}
	return at, nil
}
