package importer

import (
	"context"
	"errors"
	"fmt"

	"hindcast/index/source"
	"hindcast/index/store"
	"hindcast/model"
)

// take is the third stage: it gets the decoded jobs in reading order, gives
// each event its place and its links, and hands on to the writer.
func (m *Importer) take(ctx context.Context, j *job) error {
	src := j.src
	before := src.row.Size
	m.reopenTail(src, j)
	m.out.pending.Spool = append(m.out.pending.Spool, j.blocks...)
	for i := range j.events {
		e := &j.events[i]
		s := m.session(j.stream, e.Session)
		if err := s.place(m, j.stream, e); err != nil {
			return err
		}
	}
	for _, q := range j.quarantined {
		m.quarantine(src, q)
	}
	if j.chunk != nil {
		src.tailOpen = j.tailOpen
	}
	src.row.EventBytes += j.eventBytes
	src.row.EvidenceBytes += j.evidenceBytes
	src.row.Records += j.records
	if j.chunk != nil {
		src.row.Indexed = max(src.row.Indexed, j.chunk.Offset+int64(len(j.chunk.Data)))
		src.row.Size = max(src.row.Size, src.row.Indexed)
	}
	if j.end {
		m.endFile(src, j)
	} else if src.row.Role != "events" {
		for _, b := range j.blocks {
			src.row.Indexed = b.Offset + b.Raw
		}
	}
	src.account()
	m.read += src.row.Size - before
	m.out.source(src)
	return m.out.maybeFlush(ctx)
}

// reopenTail forgets a quarantined span at the end of what was read, once
// there is more: the record may be whole now.
func (m *Importer) reopenTail(src *sourceState, j *job) {
	if j.chunk == nil || !src.pending {
		return
	}
	if j.chunk.Offset+int64(len(j.chunk.Data)) <= src.tail.Offset {
		return
	}
	src.row.QuarantinedBytes -= src.tail.Length
	m.quarantined--
	m.out.pending.Reread = append(m.out.pending.Reread, src.tail)
	src.tail, src.pending = store.Quarantine{}, false
}

func (m *Importer) quarantine(src *sourceState, q store.Quarantine) {
	src.row.QuarantinedBytes += q.Length
	if t := src.tail; t.Length > 0 && t.Offset+t.Length == q.Offset && t.Reason == q.Reason {
		q.Offset, q.Length = t.Offset, t.Length+q.Length // the same row, longer
	} else {
		m.quarantined++
	}
	src.tail = q
	m.out.pending.Quarantined = append(m.out.pending.Quarantined, q)
}

// endFile closes a file: its size is known now. A span that could not be read
// and touches the end stays open, so that the file may grow into it.
func (m *Importer) endFile(src *sourceState, j *job) {
	src.row.Size = max(src.row.Size, j.size)
	if src.row.Role != "events" {
		src.row.EvidenceBytes = j.size
		src.row.Indexed = j.size
		m.out.pending.Evidence = append(m.out.pending.Evidence, store.Evidence{Source: src.row.ID, Length: j.size, What: src.row.Role})
	} else if src.tail.Length > 0 && src.tailOpen {
		src.row.Indexed, src.pending = src.tail.Offset, true
	} else {
		src.row.Indexed = src.row.Size
		src.tail = store.Quarantine{}
	}
	switch {
	case j.problem != nil:
		m.endEarly(src, j.problem.Error(), errors.Is(j.problem, source.ErrTruncated))
	case src.row.Size == 0 && src.row.Role == "events" && m.dump.Files()[j.file].Database == "":
		m.endEarly(src, "the file is empty", true)
	}
	src.row.Done = true
}

// endEarly records that a file does not hold what it should: it could not be
// read to its end, or a program died before it wrote anything.
func (m *Importer) endEarly(src *sourceState, reason string, cut bool) {
	if cut {
		reason = "cut: " + reason
	}
	m.quarantined++
	m.out.pending.Quarantined = append(m.out.pending.Quarantined,
		store.Quarantine{Source: src.row.ID, Offset: src.row.Size, Length: 0, Reason: reason})
}

// account derives the bytes that belong to no record from what is counted.
func (s *sourceState) account() {
	s.row.StructureBytes = s.row.Size - s.row.EventBytes - s.row.EvidenceBytes - s.row.QuarantinedBytes
}

// place gives an event its pos in the session, resolves its links, and puts it
// into the pending batch.
func (s *session) place(m *Importer, ss *streamState, e *model.Event) error {
	if err := s.wake(m, ss); err != nil {
		return err
	}
	s.row.LastPos++
	e.Pos, e.Session = s.row.LastPos, s.row.ID
	s.inOrder(m, ss, e)
	draft := ss.Order == model.OrderRepair && m.drafted < m.opt.Drafts
	if draft {
		m.packed = packDraft(m.packed[:0], e)
	}
	first, seen, err := s.first(m, e.ID)
	if err != nil {
		return err
	}
	if seen && first.hash == uint32(e.Hash) {
		e.Origin = model.OriginCopied
	} else {
		s.remember(e, !seen)
		s.look = lookup{m: m, s: s}
		s.linker.Link(e, &s.look)
		if s.look.err != nil {
			return s.look.err
		}
	}
	if err := s.resolve(m, e); err != nil {
		return err
	}
	if draft {
		m.packed = packKey(m.packed, e)
		s.drafts.keep(m, e.Pos, m.packed)
	}
	s.count(e)
	s.info.push(e.Pos, s.infoOf(m, e))
	if err := s.mate(m, e); err != nil {
		return err
	}
	if e.Pos > s.kept {
		m.out.event(s, e)
	}
	return nil
}

// inOrder settles the event's seq and notes if it came too late for its place.
func (s *session) inOrder(m *Importer, ss *streamState, e *model.Event) {
	before := s.unsettled()
	if !e.HasSeq {
		e.Seq = e.Pos
	} else if ss.Order == model.OrderSeq {
		if s.state.Ordered && e.Seq < s.state.Order {
			s.state.Late = true
		}
		s.state.Order, s.state.Ordered = max(e.Seq, s.state.Order), true
	}
	if ss.Order == model.OrderRepair {
		s.state.Repair = true
	}
	if !before && s.unsettled() {
		m.unsettled++
	}
}

// remember makes the event findable by its ids; the first of an id wins.
func (s *session) remember(e *model.Event, isNew bool) {
	entry := idEntry{pos: uint32(e.Pos), hash: uint32(e.Hash)}
	switch {
	case e.ID == "":
	case isNew:
		s.ids.add(e.ID, entry)
	default:
		s.ids.put(e.ID, entry)
	}
	entry.alias = true
	for _, a := range e.Aliases {
		s.ids.put(a, entry)
	}
}

// first finds the event of the session that carries an id.
func (s *session) first(m *Importer, id string) (idEntry, bool, error) {
	if id == "" {
		return idEntry{}, false, nil
	}
	if e, ok := s.ids.get(id); ok {
		return e, true, nil
	}
	if !s.ids.mayHold(id) {
		return idEntry{}, false, nil
	}
	if err := m.indexIDs(); err != nil {
		return idEntry{}, false, err
	}
	found, ok, err := m.st.Reader().Find(m.out.ctx, s.row.Key, id)
	if err != nil || !ok || s.stale(found.Pos) {
		return idEntry{}, false, err
	}
	e := idEntry{pos: uint32(found.Pos), hash: uint32(found.Hash)}
	s.ids.put(id, e)
	return e, true, nil
}

// resolve turns the ids of links into events, where the session has them, and
// picks the cause.
func (s *session) resolve(m *Importer, e *model.Event) error {
	for i := range e.Links {
		l := &e.Links[i]
		if l.To.Pos > 0 {
			if l.To.Session == "" {
				l.To.Session = s.row.ID
			}
			continue
		}
		if l.Broken != model.LinkWhole {
			continue
		}
		if l.ToID == e.ID {
			l.Broken = model.LinkSelf
			continue
		}
		found, ok, err := s.first(m, l.ToID)
		if err != nil {
			return err
		}
		if !ok || int64(found.pos) >= e.Pos {
			l.Broken = model.LinkMissing
			continue
		}
		at, err := s.at(m, int64(found.pos))
		if err != nil {
			return err
		}
		l.To = model.Ref{Session: s.row.ID, Seq: at.seq, Pos: int64(found.pos), ID: l.ToID}
	}
	if best := model.PreferredCause(e.Links); best >= 0 {
		e.Cause = &e.Links[best]
	}
	return nil
}

// infoOf follows the cause to the event's root.
func (s *session) infoOf(m *Importer, e *model.Event) info {
	e.Root, e.Depth = e.Pos, 0
	if e.Cause != nil && e.Cause.To.Session == s.row.ID {
		if at, err := s.at(m, e.Cause.To.Pos); err == nil {
			e.Root, e.Depth = int64(at.root), int64(at.depth)+1
		}
	}
	return info{seq: e.Seq, root: uint32(e.Root), depth: uint32(e.Depth), kind: e.Kind}
}

// mate joins a call and its first result.
func (s *session) mate(m *Importer, e *model.Event) error {
	if e.Kind != model.KindObservation && e.Kind != model.KindError {
		return nil
	}
	for _, l := range e.Links {
		if l.Reason != model.ReasonAction || !l.Resolved() || l.To.Session != s.row.ID {
			continue
		}
		first, err := s.firstResult(m, l.To.Pos)
		if err != nil || !first {
			return err
		}
		if e.Mate = l.To.Pos; e.Pos <= s.kept {
			return nil
		}
		if stored := s.inBatch(l.To.Pos); stored != nil {
			stored.Mate = e.Pos
		} else {
			m.out.pending.Mates = append(m.out.pending.Mates, store.Mate{Session: s.row.Key, Pos: l.To.Pos, Mate: e.Pos})
		}
		return nil
	}
	return nil
}

// firstResult marks a call as returned; false if it was, or is no call.
func (s *session) firstResult(m *Importer, pos int64) (bool, error) {
	if call := s.info.at(pos); call != nil {
		first := !call.mated && call.kind == model.KindAction
		call.mated = call.mated || first
		return first, nil
	}
	call, err := s.at(m, pos)
	if err != nil || call.mated || call.kind != model.KindAction || s.mated[pos] {
		return false, err
	}
	if s.mated == nil {
		s.mated = make(map[int64]bool)
	}
	s.mated[pos] = true
	return true, nil
}

// at tells what is known of an earlier event.
func (s *session) at(m *Importer, pos int64) (info, error) {
	if i := s.info.at(pos); i != nil {
		return *i, nil
	}
	found, ok, err := m.st.Reader().FindPos(m.out.ctx, s.row.Key, pos)
	if err != nil {
		return info{}, err
	}
	if !ok {
		return info{}, fmt.Errorf("no event at %d of session %s", pos, s.row.ID)
	}
	return info{seq: found.Seq, root: uint32(found.Root), depth: uint32(found.Depth), kind: found.Kind, mated: found.Mate > 0 && !s.stale(found.Mate)}, nil
}

// lookup answers a linker's questions about earlier events.
type lookup struct {
	m   *Importer
	s   *session
	err error
}

// ByID finds the first event that carries an id.
func (l *lookup) ByID(id string) (model.Brief, bool) {
	e, ok, err := l.s.first(l.m, id)
	if err != nil {
		l.err = err
		return model.Brief{}, false
	}
	if !ok || int64(e.pos) >= l.s.row.LastPos {
		return model.Brief{}, false
	}
	return l.At(int64(e.pos))
}

// At finds an event by pos.
func (l *lookup) At(pos int64) (model.Brief, bool) {
	if pos <= 0 || pos >= l.s.row.LastPos {
		return model.Brief{}, false
	}
	i, err := l.s.at(l.m, pos)
	if err != nil {
		l.err = err
		return model.Brief{}, false
	}
	return model.Brief{Pos: pos, Seq: i.seq, Kind: i.kind}, true
}
