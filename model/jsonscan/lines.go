package jsonscan

import "bytes"

const cutReason = "the value is cut: the input ends within it"

// lines finds the lines of a stream, or takes the whole of it as one line.
// A line ends at a line feed; before a record separator; and at a carriage
// return between a closing and an opening bracket, where JSON text cannot go
// on anyway.
type lines struct {
	whole, tail bool
	torn        bool // half a value at the end is given out
	start       int  // of the line that is being read
	lf, cr, rs  finder

	// A line that outgrew maxPiece is read value by value: long is set, pos is
	// how far, start is that of the value, reason is set once bytes cannot be
	// read, and then start is that of the bytes not yet given out.
	long   bool
	pos    int
	inside bool // a value has begun
	m      machine
	reason string
}

func newLines(whole, tail, torn bool) *lines {
	return &lines{
		whole: whole, tail: tail, torn: torn,
		lf: finder{c: '\n', at: -1}, cr: finder{c: '\r', at: -1}, rs: finder{c: recordSeparator, at: -1},
	}
}

// finder remembers where a byte comes next, so that a search that found
// nothing is not made twice.
type finder struct {
	c        byte
	at       int // -1: none before searched
	searched int
}

// next returns the first index of the byte at or after from, or -1.
func (f *finder) next(b []byte, from int) int {
	if f.at >= from {
		return f.at
	}
	from = max(from, f.searched)
	f.at = -1
	if from < len(b) {
		if n := bytes.IndexByte(b[from:], f.c); n >= 0 {
			f.at = from + n
			f.searched = f.at + 1
			return f.at
		}
	}
	f.searched = max(f.searched, len(b))
	return -1
}

func (f *finder) shift(n int) {
	f.at = max(f.at-n, -1)
	f.searched = max(f.searched-n, 0)
}

func (l *lines) shift(n int) {
	l.start -= n
	l.pos -= n
	l.lf.shift(n)
	l.cr.shift(n)
	l.rs.shift(n)
}

func (l *lines) feed(b []byte, final bool, spans []Span) (int, []Span) {
	for {
		end, next, found := l.lineEnd(b)
		if !found {
			break
		}
		spans = l.line(b, end, spans)
		l.start, l.long = next, false
	}
	if final && !l.unfinished(b) {
		spans = l.line(b, len(b), spans)
		l.start, l.long = len(b), false
		return l.start, spans
	}
	if l.long || len(b)-l.start > maxPiece {
		spans = l.longLine(b, len(b), false, spans)
	}
	return l.start, spans
}

// lineEnd tells where the line that is being read ends and where the next
// starts. The search goes on behind what a long line has already been read of.
func (l *lines) lineEnd(b []byte) (end, next int, found bool) {
	if l.whole || l.start >= len(b) {
		return 0, 0, false
	}
	from := l.start
	if l.long {
		from = max(from, l.pos)
	}
	end = l.lf.next(b, from)
	next = end + 1
	if p := l.rs.next(b, from+1); p >= 0 && (end < 0 || p < end) {
		end, next = p, p
	}
	for p := l.cr.next(b, from); p >= 0 && (end < 0 || p < end) && p+1 < len(b); p = l.cr.next(b, p+1) {
		if p > 0 && structure[b[p-1]] == closes && structure[b[p+1]] == opens {
			end, next = p, p+1
			break
		}
	}
	return end, next, end >= 0
}

// line gives out what is left of the line that ends at end.
func (l *lines) line(b []byte, end int, spans []Span) []Span {
	if !l.long {
		start, end := bounds(b, l.start, end)
		if start == end || streamField(b[start:end]) {
			return spans
		}
		if end-start <= maxPiece {
			return append(spans, Span{Start: start, End: end})
		}
	}
	return l.longLine(b, end, true, spans)
}

// streamField reports a line of a stream of server-sent events that holds no
// data: a comment, or the name, the id or the delay of an event.
func streamField(line []byte) bool {
	if line[0] == ':' {
		return true
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok || bytes.ContainsAny(bytes.TrimSpace(value), " \t{[\"") {
		return false
	}
	switch string(name) {
	case "event", "id", "retry":
		return true
	}
	return false
}

// unfinished says whether the last line, which has no end, may still grow.
func (l *lines) unfinished(b []byte) bool {
	if !l.tail {
		return false
	}
	if l.long {
		return true
	}
	start, end := bounds(b, l.start, len(b))
	for start < end {
		first, n, err := Value(b[start:end])
		if err != nil {
			return true
		}
		k := Kind(b[start+first : end])
		start += n
		if start == end && k == '0' {
			return true
		}
		start = spaceEnd(b[:end], start)
	}
	return false
}

// bounds takes what is structure off both ends of a line: white space, byte
// order marks, record separators, and the field name with which a server-sent
// event begins.
func bounds(b []byte, start, end int) (int, int) {
	for start < end {
		switch {
		case isSpace(b[start]) || b[start] == recordSeparator:
			start++
			continue
		case end-start >= len(bom) && string(b[start:start+len(bom)]) == bom:
			start += len(bom)
			continue
		case end-start > len(eventData) && string(b[start:start+len(eventData)]) == eventData:
			if value := spaceEnd(b[:end], start+len(eventData)); value < end && structure[b[value]] == opens {
				start = value
			}
		}
		break
	}
	for end > start && isSpace(b[end-1]) {
		end--
	}
	return start, end
}

// longLine goes on with a line of more than maxPiece bytes, of which b[:end] is
// there; ended says that this is all of it.
func (l *lines) longLine(b []byte, end int, ended bool, spans []Span) []Span {
	if !l.long {
		l.start, _ = bounds(b, l.start, end)
		if !ended && end-l.start <= maxPiece {
			return spans
		}
		l.long, l.pos, l.inside, l.reason = true, l.start, false, ""
	}
	b = b[:end]
	for l.reason == "" {
		if !l.inside {
			l.pos = spaceEnd(b, l.pos)
			l.start = l.pos
			if l.pos == end {
				return spans
			}
			l.inside = true
			l.m.reset()
		}
		var v verdict
		l.pos, v = l.m.run(b, l.pos)
		switch {
		case v == bad:
			l.reason = l.m.reason(b[l.pos])
		case v == done || ended && l.m.finish():
			spans = append(spans, Span{Start: l.start, End: l.pos})
			l.start, l.inside = l.pos, false
		case ended && l.torn:
			return append(spans, Span{Start: l.start, End: end})
		case ended:
			l.reason = cutReason
		default:
			return spans
		}
	}
	l.pos = end
	if ended {
		_, end = bounds(b, l.start, end)
		return broken(spans, l.start, end, l.reason)
	}
	whole := (end - l.start) / maxPiece * maxPiece
	spans = broken(spans, l.start, l.start+whole, l.reason)
	l.start += whole
	return spans
}
