package jsonscan

import (
	"io"
	"sync"

	"hindcast/model"
)

const (
	firstBlock = 64 << 10 // bytes; small, so that the first records are seen at once
	blockSize  = 1 << 20  // bytes; only a larger single record gets a larger one
	// maxPiece bounds a span of bytes that cannot be read, and the length up to
	// which a line is given out without a look inside.
	maxPiece = 1 << 20
	// emptyReads is how many reads without bytes or error are put up with.
	emptyReads = 100
)

// Chunk is a run of input with the records found in it. Chunks come in order
// and cover every byte: what lies outside all spans is structure.
type Chunk struct {
	Data   []byte // owned by the receiver until it is given back with Free
	Offset int64  // of Data in the input
	Spans  []Span
	Free   func()
}

// Span is one record, or bytes that cannot be read, within a Chunk's Data.
type Span struct {
	Start, End int
	Broken     string // why it cannot be read; empty for a record candidate
	Whole      bool   // it is one valid value, which Value need not look at
}

// Splitter cuts a stream into chunks of whole records. In FrameLines a span is
// a line (its values are found later, by Value); elsewhere it is one value.
// The records do not depend on how the reader portions its bytes.
//
// A run of bytes that cannot be read is given out in pieces of at most 1 MB,
// so that it is never held whole; they follow each other without a gap. A line
// longer than that is given out value by value for the same reason.
type Splitter struct {
	r      io.Reader
	framer framer
	buf    []byte // read, and not yet given out
	offset int64  // of buf in the input
	spans  []Span // found in buf
	err    error  // what ended the reading
	blocks sync.Pool
}

// framer finds records in a growing run of bytes.
type framer interface {
	// feed looks at b, which starts with what earlier calls saw, and appends
	// the spans that it finds. It returns how many bytes of b it is done with:
	// all spans end there, and no later one starts before. final says that
	// nothing follows b.
	feed(b []byte, final bool, spans []Span) (int, []Span)
	// shift says that the first n bytes are gone from b.
	shift(n int)
}

// NewSplitter reads r, whose first byte is at offset base of the input.
// tail says whether bytes at the end of input that could still grow into a
// record (a last line without newline that is not a complete value, an
// unclosed value) are left unread instead of being given out as broken.
// With a base above 0, r must go on where an earlier splitter's Offset was.
func NewSplitter(r io.Reader, base int64, f model.Framing, tail bool) *Splitter {
	s := &Splitter{r: r, offset: base, buf: make([]byte, 0, firstBlock)}
	switch f.Mode {
	case model.FrameLines, model.FrameWhole:
		s.framer = newLines(f.Mode == model.FrameWhole, tail, f.Torn)
	default:
		s.framer = newDocument(f, base > 0, tail)
	}
	return s
}

// Next returns the next chunk, io.EOF after the last, or the reader's error.
func (s *Splitter) Next() (*Chunk, error) {
	for {
		var n int
		n, s.spans = s.framer.feed(s.buf, s.err == io.EOF, s.spans)
		if n > 0 && (len(s.spans) > 0 || s.err != nil || n >= cap(s.buf)/2) {
			return s.give(n), nil
		}
		if s.err != nil {
			return nil, s.err
		}
		s.fill()
	}
}

// Offset is the offset in the input just after what Next has given out: where
// a later splitter may go on.
func (s *Splitter) Offset() int64 { return s.offset }

// fill reads once. A reader that portions its bytes (a pipe that somebody
// writes to) is not made to wait for a full block.
func (s *Splitter) fill() {
	if len(s.buf) == cap(s.buf) {
		s.replace(s.buf, max(blockSize, 2*cap(s.buf)))
	}
	for range emptyReads {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		if n < 0 || n > cap(s.buf)-len(s.buf) {
			n, err = 0, io.ErrNoProgress
		}
		s.buf = s.buf[:len(s.buf)+n]
		s.err = err
		if n > 0 || err != nil {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// give hands out the first n bytes with their spans. Few bytes are copied, so
// that no whole block leaves for their sake.
func (s *Splitter) give(n int) *Chunk {
	c := &Chunk{Offset: s.offset, Spans: s.spans}
	if n <= cap(s.buf)/8 {
		c.Data = append(make([]byte, 0, n), s.buf[:n]...)
		c.Free = func() { c.Data = nil }
		s.buf = s.buf[:copy(s.buf, s.buf[n:])]
	} else {
		block := s.buf
		c.Data = block[:n:n]
		c.Free = func() {
			if c.Data != nil {
				s.put(block)
			}
			c.Data = nil
		}
		s.replace(s.buf[n:], blockSize)
	}
	s.spans = make([]Span, 0, len(c.Spans))
	s.offset += int64(n)
	s.framer.shift(n)
	return c
}

// replace goes on in a block of at least size bytes that starts with rest.
func (s *Splitter) replace(rest []byte, size int) {
	var block []byte
	if p, ok := s.blocks.Get().(*[]byte); ok && size == blockSize && len(rest) < blockSize {
		block = *p
	} else {
		for size <= len(rest) {
			size *= 2
		}
		block = make([]byte, 0, size)
	}
	s.buf = append(block[:0], rest...)
}

func (s *Splitter) put(block []byte) {
	if cap(block) == blockSize {
		s.blocks.Put(&block)
	}
}

// broken appends the bytes from start to end as pieces that cannot be read.
func broken(spans []Span, start, end int, reason string) []Span {
	for ; end-start > maxPiece; start += maxPiece {
		spans = append(spans, Span{Start: start, End: start + maxPiece, Broken: reason})
	}
	if end > start {
		spans = append(spans, Span{Start: start, End: end, Broken: reason})
	}
	return spans
}
