package installed

import (
	"bytes"
	"cmp"
	"slices"

	"hindcast/model"
	"hindcast/model/jsonscan"
)

// story is a session as far as pieces of it tell.
type story struct {
	events  []moment
	summary model.Summary
	failed  int64
}

// moment is an event, and whether it stands behind what was left out.
type moment struct {
	*model.Event
	late bool
}

// read has the row's dialect read the pieces, as an import would read all of
// them; nil where it does not know them. What is missing between the pieces is
// to a dialect as if it had been lost.
func (p *pieces) read(r *Row) (s *story) {
	defer func() {
		if recover() != nil { // a fault in a dialect costs a row its words
			s = nil
		}
	}()
	streams := r.reads.Claim(p, false)
	at := slices.IndexFunc(streams, func(s model.Stream) bool { return s.Session == r.Session })
	if at < 0 && len(streams) == 1 {
		at = 0
	}
	if at < 0 {
		return nil
	}
	stream := &streams[at]
	s = &story{}
	for n, f := range stream.Files {
		rec := model.Record{Stream: stream, File: f, Name: p.files[f].Name}
		if stream.Keys != nil {
			rec.Key = stream.Keys[n]
		}
		s.decode(r, rec, p.data[f], p.late != 0 && f >= p.late)
		s.decode(r, rec, p.tail, true)
	}
	s.order(r.reads, stream)
	s.tell(r, stream)
	return s
}

// decode reads the records of a file that belong to the session.
func (s *story) decode(r *Row, rec model.Record, text []byte, late bool) {
	split := jsonscan.NewSplitter(bytes.NewReader(text), 0, rec.Stream.Framing, true)
	for {
		chunk, err := split.Next()
		if err != nil {
			return
		}
		for _, span := range chunk.Spans {
			line := chunk.Data[span.Start:span.End]
			for len(line) > 0 && span.Broken == "" {
				start, end, err := jsonscan.Value(line)
				if err != nil {
					break
				}
				rec.Raw, rec.Offset = line[start:end], chunk.Offset+int64(span.Start+start)
				s.record(r, &rec, late)
				line = line[end:]
				rec.Index++
			}
		}
	}
}

func (s *story) record(r *Row, rec *model.Record, late bool) {
	emit := func(e *model.Event) {
		if e.Session == "" {
			e.Session = rec.Stream.Session
		}
		if e.Session == rec.Stream.Session || e.Session == r.Session {
			own := *e
			s.events = append(s.events, moment{&own, late})
		}
	}
	_ = r.reads.Decode(rec, emit) // what is broken is told by whoever opens it
}

// order puts the events into replay order.
func (s *story) order(d model.Dialect, stream *model.Stream) {
	switch reorder, ok := d.(model.Reorderer); {
	case stream.Order == model.OrderSeq:
		slices.SortStableFunc(s.events, func(a, b moment) int {
			if !a.HasSeq || !b.HasSeq {
				return 0
			}
			return cmp.Compare(a.Seq, b.Seq)
		})
	case stream.Order == model.OrderRepair && ok:
		keys := make([]model.OrderKey, len(s.events))
		for i, e := range s.events {
			keys[i] = model.KeyOf(e.Event)
		}
		arrived := s.events
		s.events = nil
		for _, i := range reorder.Reorder(keys) {
			s.events = append(s.events, arrived[i])
		}
	}
}

// tell sums up what the events say. How the session came out is told by its
// end alone, where something before it is missing: what was open there may have
// been closed since.
func (s *story) tell(r *Row, stream *model.Stream) {
	all := &links{linker: r.reads.NewLinker(stream, r.Session), ids: map[string]int64{}}
	end := &links{linker: r.reads.NewLinker(stream, r.Session), ids: map[string]int64{}}
	for _, m := range s.events {
		if m.late {
			own := *m.Event
			end.link(&own)
		}
		all.link(m.Event)
		if m.Outcome.Failed() && m.Origin != model.OriginCopied && m.Origin != model.OriginInherited {
			s.failed++
		}
	}
	s.summary = all.linker.Summary()
	s.summary.Parent = cmp.Or(s.summary.Parent, stream.Parent)
	s.summary.Title = cmp.Or(s.summary.Title, stream.Title)
	if len(end.events) > 0 {
		s.summary.Outcome = end.linker.Summary().Outcome
	}
}

// links is a linker with the events that it has seen.
type links struct {
	linker model.Linker
	events []model.Brief
	ids    map[string]int64
}

var _ model.Lookup = (*links)(nil)

func (l *links) link(e *model.Event) {
	e.Pos = int64(len(l.events) + 1)
	if !e.HasSeq {
		e.Seq = e.Pos
	}
	l.linker.Link(e, l)
	l.events = append(l.events, model.Brief{Pos: e.Pos, Seq: e.Seq, Kind: e.Kind})
	for _, id := range append([]string{e.ID}, e.Aliases...) {
		if _, known := l.ids[id]; !known && id != "" {
			l.ids[id] = e.Pos
		}
	}
}

// ByID implements model.Lookup.
func (l *links) ByID(id string) (model.Brief, bool) { return l.At(l.ids[id]) }

// At implements model.Lookup.
func (l *links) At(pos int64) (model.Brief, bool) {
	if pos < 1 || pos > int64(len(l.events)) {
		return model.Brief{}, false
	}
	return l.events[pos-1], true
}
