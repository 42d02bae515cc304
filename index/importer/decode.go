package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// decodeJobs is one decoder: it works until the reader has no more.
func decodeJobs(work <-chan *job) {
	for j := range work {
		j.decode()
		close(j.done)
	}
}

func (j *job) decode() {
	for i := range j.blocks {
		raw := j.blocks[i].Data
		j.blocks[i].Data = store.EncodeBlock(raw)
		blockRoom.Put(&raw)
	}
	if j.chunk == nil {
		return
	}
	j.begin()
	j.events = make([]model.Event, 0, len(j.chunk.Spans)+1)
	for i, s := range j.chunk.Spans {
		off := j.chunk.Offset + int64(s.Start)
		if off < j.from {
			continue
		}
		if s.Broken != "" {
			j.quarantine(off, int64(s.End-s.Start), s.Broken)
			continue
		}
		text := j.chunk.Data[s.Start:s.End]
		if s.Whole || j.table && len(text) > 0 && text[0] == '{' && text[len(text)-1] == '}' {
			j.rec.Index, j.rec.Offset, j.rec.Raw = j.index+int64(i), off, text
			j.record()
			continue
		}
		j.values(off, text, j.index+int64(i))
	}
	if n := len(j.quarantined); n > 0 {
		q := j.quarantined[n-1]
		j.tailOpen = bytes.IndexByte(j.chunk.Data[q.Offset+q.Length-j.chunk.Offset:], '\n') < 0
	}
}

// values decodes the JSON values of a span: one, or several glued on a line.
func (j *job) values(off int64, text []byte, index int64) {
	at := 0
	for at < len(text) {
		start, end, err := jsonscan.Value(text[at:])
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			bad := at + leadingSpace(text[at:])
			if errors.Is(err, io.ErrUnexpectedEOF) && j.stream.Framing.Torn {
				if n := jsonscan.Standing(text[bad:]); n > 0 {
					j.rec.Index, j.rec.Offset, j.rec.Raw = index, off+int64(bad), text[bad:bad+n]
					j.record()
					bad += n
				}
			}
			j.quarantine(off+int64(bad), int64(len(text)-bad), broken(err))
			return
		}
		j.rec.Index, j.rec.Offset, j.rec.Raw = index, off+int64(at+start), text[at+start:at+end]
		j.record()
		at += end
	}
}

// begin prepares the job's record: what all of them have in common.
func (j *job) begin() {
	j.rec = model.Record{Stream: &j.stream.Stream, File: j.file, Name: j.src.row.Name, Key: j.key, Scratch: new(model.Event), Room: new([]byte)}
	j.emit = func(e *model.Event) { j.events = append(j.events, *e) }
}

// record decodes the JSON value in rec to its events.
func (j *job) record() {
	rec := &j.rec
	first := len(j.events)
	rec.Evidence = 0
	if err := j.decodeOne(); err != nil {
		j.events = j.events[:first]
		j.quarantine(rec.Offset, int64(len(rec.Raw)), err.Error())
		return
	}
	j.records++
	if len(j.events) == first { // read, and it tells nothing that others do not
		j.evidenceBytes += int64(len(rec.Raw))
	} else {
		j.evidenceBytes += rec.Evidence
	}
	var covered int64 // end of what is counted already, within the record
	for i := first; i < len(j.events); i++ {
		e := &j.events[i]
		if e.Span.Length == 0 {
			e.Span.Offset, e.Span.Length = 0, int64(len(rec.Raw))
		}
		j.eventBytes += max(0, e.Span.End()-max(covered, e.Span.Offset))
		covered = max(covered, e.Span.End())
		e.Hash = HashOf(rec.Raw[e.Span.Offset:e.Span.End()])
		e.Span.Offset += rec.Offset
		e.Span.Source = j.src.row.ID
		if e.Session == "" {
			e.Session = j.stream.Session
		}
	}
}

// decodeOne lets the dialect read a record. A fault in a dialect costs its
// record, never the dump.
func (j *job) decodeOne() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("fault in the %s decoder: %v", j.stream.Dialect, p)
		}
	}()
	return j.stream.dialect.Decode(&j.rec, j.emit)
}

func (j *job) quarantine(off, n int64, reason string) {
	if n > 0 {
		j.quarantined = append(j.quarantined, store.Quarantine{Source: j.src.row.ID, Offset: off, Length: n, Reason: reason})
	}
}

// broken says why text is not a record.
func broken(err error) string {
	var syntax *jsonscan.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Sprintf("not JSON: %s at byte %d", syntax.Reason, syntax.Offset+1)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "cut: the record does not end"
	}
	return err.Error()
}

// HashOf is the hash by which an event's bytes are known again.
func HashOf(raw []byte) uint64 { return xxhash.Sum64(raw) }

func leadingSpace(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(b)
}
