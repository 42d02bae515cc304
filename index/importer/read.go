package importer

import (
	"context"
	"errors"
	"io"
	"sync"

	"hindcast/index/store"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

// job is a piece of a file on its way through the pipeline. The reader makes
// it, one decoder fills in what it holds, the sequencer takes it in order.
type job struct {
	stream *streamState
	src    *sourceState
	file   int
	key    int64 // of the file, where its name is its sequence number
	index  int64 // ordinal in the file of the chunk's first record
	chunk  *jsonscan.Chunk
	from   int64 // records that start before this offset are known already
	table  bool  // the file is a table, whose lines are objects that we wrote

	rec  model.Record // that is being decoded
	emit func(*model.Event)

	events      []model.Event
	quarantined []store.Quarantine
	eventBytes  int64
	// evidenceBytes are of records that gave no event.
	evidenceBytes int64
	records       int64
	tailOpen      bool // no line ends behind the last quarantined span

	blocks []store.SpoolBlock // unpacked bytes to keep, compressed by the decoder

	// end of a file: its size, and why reading stopped before its end
	end     bool
	size    int64
	problem error

	done chan struct{}
}

// queue bounds the jobs between reader and sequencer. A job holds about 1 MB
// and the events in it.
const queue = 6

// readAll runs the pipeline over all files with something new.
func (m *Importer) readAll(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *job, queue)
	ordered := make(chan *job, queue)
	for range m.opt.Workers {
		go decodeJobs(work)
	}
	go func() {
		defer close(work)
		defer close(ordered)
		r := reader{m: m, ctx: ctx, work: work, ordered: ordered}
		for _, ss := range m.streams {
			if !r.stream(ss) {
				return
			}
		}
	}()
	var failed error
	for j := range ordered {
		<-j.done
		if failed == nil {
			failed = m.take(ctx, j)
		}
		if j.chunk != nil && j.chunk.Free != nil {
			j.chunk.Free()
		}
		if failed != nil {
			cancel(failed)
		}
	}
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

// reader is the first stage.
type reader struct {
	m             *Importer
	ctx           context.Context
	work, ordered chan<- *job
}

// stream reads the files of one stream, evidence first, since it is small and
// tells what the events stand on; but tables of a database last, which are as
// large as that of the events. It reports whether to go on.
func (r *reader) stream(ss *streamState) bool {
	files := r.m.dump.Files()
	evidence := func(ofTables bool) bool {
		for _, e := range ss.Evidence {
			if (files[e.File].Database != "") == ofTables && !r.evidence(ss, e) {
				return false
			}
		}
		return true
	}
	if !evidence(false) {
		return false
	}
	for _, file := range ss.Files {
		if !r.file(ss, file, ss.keys[file]) {
			return false
		}
	}
	return evidence(true)
}

// send gives a job to the decoders and to the sequencer, in this order.
func (r *reader) send(j *job) bool {
	j.done = make(chan struct{})
	select {
	case r.work <- j:
	case <-r.ctx.Done():
		return false
	}
	select {
	case r.ordered <- j:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// file reads what is new of one file.
func (r *reader) file(ss *streamState, file int, key int64) bool {
	name := r.m.dump.Files()[file].Name
	src := r.m.sources[name]
	entry := r.m.dump.Entry(file)
	if src.row.Done && entry.Size >= 0 && entry.Size == src.row.Size {
		return true
	}
	if src.row.Done && entry.Size < 0 {
		return true // a pipe or packed file is read once
	}
	src.row.Path, src.row.Spooled = entry.Path, src.row.Spooled || !entry.Addressable // now that it was looked into
	known := src.row.Indexed
	from := known
	if ss.Framing.Mode != model.FrameLines && ss.Framing.Mode != model.FrameValues || src.row.Spooled {
		from = 0 // its records are found only from the start
	}
	j := &job{stream: ss, src: src, file: file, key: key, end: true}
	size, err := r.records(ss, src, file, key, from, known)
	if r.ctx.Err() != nil {
		return false
	}
	j.size, j.problem = size, err
	return r.send(j)
}

// records cuts a file into jobs and returns the offset of its end.
func (r *reader) records(ss *streamState, src *sourceState, file int, key, from, known int64) (int64, error) {
	rc, err := r.m.dump.Reader(r.ctx, file, from)
	if err != nil {
		return from, err
	}
	defer rc.Close()
	var in io.Reader = rc
	var sp *spooler
	if src.row.Spooled {
		sp = newSpooler(rc, src.row.ID, known)
		in = sp
	}
	split := jsonscan.NewSplitter(in, from, ss.Framing, false)
	var index int64
	table := r.m.dump.Files()[file].Database != ""
	for {
		chunk, err := split.Next()
		if err != nil {
			size := split.Offset()
			if sp != nil {
				sp.flush()
				if !r.send(&job{stream: ss, src: src, file: file, blocks: sp.take()}) {
					return size, r.ctx.Err()
				}
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return size, err
		}
		for _, part := range cut(chunk) {
			j := &job{stream: ss, src: src, file: file, key: key, index: index, chunk: part, from: known, table: table}
			index += int64(len(part.Spans))
			if sp != nil {
				j.blocks = sp.take()
			}
			if !r.send(j) {
				return split.Offset(), r.ctx.Err()
			}
		}
	}
}

// jobRecords bounds the records of a job: tiny ones become events that are a
// hundred times as large.
const jobRecords = 4096

// cut divides a chunk of many records into chunks of few over the same bytes.
// The last one gives them back, since jobs are taken in order.
func cut(c *jsonscan.Chunk) []*jsonscan.Chunk {
	var parts []*jsonscan.Chunk
	at := 0
	for len(c.Spans) > jobRecords {
		spans := c.Spans[:jobRecords]
		end := c.Spans[jobRecords].Start
		parts = append(parts, part(c, at, end, spans))
		at, c.Spans = end, c.Spans[jobRecords:]
	}
	last := part(c, at, len(c.Data), c.Spans)
	last.Free = c.Free
	return append(parts, last)
}

func part(c *jsonscan.Chunk, from, to int, spans []jsonscan.Span) *jsonscan.Chunk {
	for i := range spans {
		spans[i].Start -= from
		spans[i].End -= from
	}
	return &jsonscan.Chunk{Data: c.Data[from:to], Offset: c.Offset + int64(from), Spans: spans}
}

// evidence reads a file that holds no events: its bytes are counted, and kept
// where they could not be read again. A table stays where it is: whoever asks
// for its rows gets them from the database.
func (r *reader) evidence(ss *streamState, e model.Evidence) bool {
	name := r.m.dump.Files()[e.File].Name
	src := r.m.sources[name]
	entry := r.m.dump.Entry(e.File)
	if src.row.Done && (entry.Size < 0 || entry.Size == src.row.Size) {
		return true
	}
	src.row.Path, src.row.Spooled = entry.Path, src.row.Spooled || !entry.Addressable
	j := &job{stream: ss, src: src, file: e.File, end: true, size: entry.Size}
	switch {
	case r.m.dump.Files()[e.File].Database != "" && !r.m.opt.Bundle:
		src.row.Path, src.row.Spooled = "", false
		j.size, j.problem = r.m.dump.Weigh(r.ctx, e.File)
	case src.row.Spooled || entry.Size < 0:
		j.size, j.problem = r.swallow(ss, src, e.File)
	}
	return r.ctx.Err() == nil && r.send(j)
}

// swallow keeps a copy of a file, and returns its size.
func (r *reader) swallow(ss *streamState, src *sourceState, file int) (size int64, err error) {
	rc, err := r.m.dump.Reader(r.ctx, file, 0)
	if err != nil {
		return 0, err
	}
	defer rc.Close()
	sp := newSpooler(rc, src.row.ID, src.row.Indexed)
	for err == nil {
		var n int64
		n, err = io.CopyN(io.Discard, sp, swallowBytes)
		size += n
		if err != nil {
			sp.flush()
		}
		if !r.send(&job{stream: ss, src: src, file: file, blocks: sp.take()}) {
			return size, r.ctx.Err()
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return size, err
}

// swallowBytes is how much of a file without events is kept by one job.
const swallowBytes = 16 * store.BlockSize

// blockRoom lends room for blocks until they are packed.
var blockRoom = sync.Pool{New: func() any {
	b := make([]byte, 0, store.BlockSize)
	return &b
}}

// spooler keeps a copy of what is read through it, in blocks.
type spooler struct {
	r      io.Reader
	source int64
	at     int64 // offset of the next byte read
	known  int64 // bytes before it are kept already
	buf    []byte
	blocks []store.SpoolBlock
}

func newSpooler(r io.Reader, source, known int64) *spooler {
	return &spooler{r: r, source: source, known: known / store.BlockSize * store.BlockSize}
}

func (s *spooler) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	keep := p[:n]
	if skip := s.known - s.at; skip > 0 {
		keep = keep[min(skip, int64(n)):]
	}
	s.at += int64(n)
	for len(keep) > 0 {
		if s.buf == nil {
			s.buf = (*blockRoom.Get().(*[]byte))[:0]
		}
		m := min(len(keep), store.BlockSize-len(s.buf))
		s.buf = append(s.buf, keep[:m]...)
		keep = keep[m:]
		if len(s.buf) == store.BlockSize {
			s.flush()
		}
	}
	return n, err
}

// flush closes the block that is being filled.
func (s *spooler) flush() {
	if len(s.buf) == 0 {
		return
	}
	off := s.known
	if n := len(s.blocks); n > 0 {
		off = s.blocks[n-1].Offset + s.blocks[n-1].Raw
	}
	s.blocks = append(s.blocks, store.SpoolBlock{Source: s.source, Offset: off, Raw: int64(len(s.buf)), Data: s.buf})
	s.known = off + int64(len(s.buf))
	s.buf = nil
}

// take hands over the full blocks so far.
func (s *spooler) take() []store.SpoolBlock {
	b := s.blocks
	s.blocks = nil
	return b
}
