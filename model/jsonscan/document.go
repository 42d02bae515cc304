package jsonscan

import "hindcast/model"

// phase is where in a document a framer stands.
type phase uint8

const (
	atTop        phase = iota // between top-level values
	atFirst                   // after [ of the records' array
	atElement                 // after a comma in it
	afterElement              // after an element of it
	resumed                   // somewhere between the elements: an earlier splitter read up to here
	inRecord                  // within a record
	atFirstKey                // after { of a wrapper
	atKey                     // after a comma in it
	inWrapperKey              // within a key of it
	atColon                   // after the key
	atMember                  // after the colon
	inMember                  // within a member that holds no records
	afterMember               // after a member
	lost                      // behind bytes that cannot be read, looking for a place to go on
)

// document finds records in values that extend over any number of lines: one
// after another, in one array, or in an array that is a member of a wrapper.
// Everything is read once, whatever portions it comes in.
type document struct {
	mode   model.FramingMode
	member string // key of the array, where mode is FrameMember
	beside string // key of an object that is a record too
	tail   bool
	torn   bool // half a record at the end is given out

	phase phase
	pos   int // how far b has been read
	start int // of the record, wrapper key or unreadable run that is being read
	m     machine
	array bool // the records' array is open
	ours  bool // the wrapper's current key is member
	aside bool // the wrapper's current key is beside
	alone bool // the record at start is that value
	// indent is the number of blanks before pos where only blanks stand between
	// it and the start of its line, else -1.
	indent int
	loss   loss
	// barren is how far the end of a broken record was looked for in vain. Up
	// to there it is not looked for again, so that no byte is searched by each
	// of many broken records before it.
	barren int
}

func newDocument(f model.Framing, resume, tail bool) *document {
	d := &document{mode: f.Mode, member: f.Member, beside: f.Beside, tail: tail, torn: f.Torn}
	if resume && f.Mode != model.FrameValues {
		d.phase, d.array = resumed, true
	}
	return d
}

func (d *document) shift(n int) {
	d.pos -= n
	d.start -= n
	d.loss.at -= n
	d.barren -= n
}

func (d *document) feed(b []byte, final bool, spans []Span) (int, []Span) {
	for d.pos < len(b) {
		var ok bool
		if ok, spans = d.step(b, final, spans); !ok {
			break
		}
	}
	if final {
		spans = d.end(b, spans)
	}
	if d.holds() {
		return d.start, spans
	}
	return d.pos, spans
}

// holds says whether the bytes since start are needed still.
func (d *document) holds() bool {
	return d.phase == inRecord || d.phase == inWrapperKey || d.phase == lost
}

// step reads on by a byte of structure or a run of a value. It returns false
// where it needs more bytes.
func (d *document) step(b []byte, final bool, spans []Span) (bool, []Span) {
	switch d.phase {
	case inRecord:
		return d.record(b, spans)
	case inWrapperKey:
		end, v := stringRest(b, d.pos)
		switch v {
		case done:
			d.ours = isKey(b[d.start:end], d.member)
			d.aside = d.beside != "" && isKey(b[d.start:end], d.beside)
			d.phase = atColon
		case bad:
			d.m.state = inKey
			d.lose(end, d.m.reason(b[end]), b)
			return true, spans
		}
		d.pos = end
		return v == done, spans
	case inMember:
		end, v := d.m.run(b, d.pos)
		d.pos, d.indent = end, -1
		switch v {
		case done:
			d.phase = afterMember
		case bad:
			d.start = end
			d.lose(end, d.m.reason(b[end]), b)
		}
		return v != more, spans
	case lost:
		return d.recover(b, final, spans)
	}
	c := b[d.pos]
	if isSpace(c) {
		d.blank(c)
		return true, spans
	}
	if d.phase == atTop {
		if n, wait := mark(b[d.pos:], final); wait {
			return false, spans
		} else if n > 0 {
			d.pos += n
			return true, spans
		}
	}
	if !d.structure(c, b) {
		d.begin(inRecord)
	}
	return true, spans
}

// blank steps over white space and keeps account of the line's indentation.
func (d *document) blank(c byte) {
	d.pos++
	switch {
	case c == '\n':
		d.indent = 0
	case d.indent >= 0:
		d.indent++
	}
}

// mark measures a byte order mark or record separator at the start of b; wait
// says that more bytes must tell.
func mark(b []byte, final bool) (n int, wait bool) {
	if b[0] == recordSeparator {
		return 1, false
	}
	have := b[:min(len(b), len(bom))]
	if string(have) != bom[:len(have)] {
		return 0, false
	}
	if len(have) == len(bom) {
		return len(bom), false
	}
	return 0, !final
}

// structure takes the byte c at pos, where it belongs to the document's frame,
// and moves on. It returns false where a record begins, or what should be one.
func (d *document) structure(c byte, b []byte) bool {
	next := d.phase
	switch d.phase {
	case atTop:
		switch {
		case d.mode == model.FrameElements && c == '[':
			next, d.array = atFirst, true
		case d.mode == model.FrameMember && c == '{':
			next = atFirstKey
		default:
			return false
		}
	case atFirst:
		if c != ']' {
			return false
		}
		next = d.closed()
	case atElement:
		return false
	case afterElement:
		switch c {
		case ',':
			next = atElement
		case ']':
			next = d.closed()
		default:
			return false
		}
	case resumed:
		switch {
		case c == ',':
		case c == ']':
			next = d.closed()
		case c == '}' && d.mode == model.FrameMember:
			next, d.array = atTop, false
		case c == '"' && d.mode == model.FrameMember:
			d.array = false
			d.begin(inWrapperKey)
			next = inWrapperKey
		default:
			return false
		}
	default:
		return d.wrapper(c, b)
	}
	d.move(next)
	return true
}

// wrapper is structure between the members of a wrapper object.
func (d *document) wrapper(c byte, b []byte) bool {
	var next phase
	switch {
	case d.phase == atFirstKey && c == '}', d.phase == afterMember && c == '}':
		next = atTop
	case d.phase == atFirstKey && c == '"', d.phase == atKey && c == '"':
		d.begin(inWrapperKey)
		next = inWrapperKey
	case d.phase == atColon && c == ':':
		next = atMember
	case d.phase == afterMember && c == ',':
		next = atKey
	case d.phase == atMember && d.ours && c == '[':
		next, d.array = atFirst, true
	case d.phase == atMember && d.aside && c == '{':
		d.begin(inRecord)
		d.alone = true
		return true
	case d.phase == atMember:
		d.m.reset()
		d.phase = inMember
		return true
	default:
		d.start = d.pos
		d.m.reset()
		d.m.state = wrapperState[d.phase]
		d.m.top = 1
		d.lose(d.pos, d.m.reason(c), b)
		return true
	}
	d.move(next)
	return true
}

// wrapperState gives the machine's word for a place in a wrapper, for the
// wording of errors.
var wrapperState = map[phase]state{atFirstKey: wantFirstKey, atKey: wantKey, atColon: wantColon, afterMember: wantMore}

func (d *document) move(next phase) {
	d.phase = next
	d.pos++
	d.indent = -1
}

// closed is the phase after the end of the records' array.
func (d *document) closed() phase {
	d.array = false
	if d.mode == model.FrameMember {
		return afterMember
	}
	return atTop
}

func (d *document) begin(p phase) {
	d.loss.begin(d)
	d.phase, d.start, d.alone = p, d.pos, false
	d.m.reset()
}

// between is the phase after a record.
func (d *document) between() phase {
	switch {
	case d.array:
		return afterElement
	case d.alone:
		return afterMember
	}
	return atTop
}

func (d *document) record(b []byte, spans []Span) (bool, []Span) {
	end, v := d.m.run(b, d.pos)
	d.pos = end
	switch v {
	case done:
		spans = append(spans, Span{Start: d.start, End: end, Whole: true})
		d.phase, d.indent = d.between(), -1
	case bad:
		d.lose(end, d.m.reason(b[end]), b)
	}
	return v != more, spans
}

// end settles what is open when the input ends.
func (d *document) end(b []byte, spans []Span) []Span {
	switch {
	case !d.holds():
	case d.phase == inRecord && d.m.finish():
		spans = append(spans, Span{Start: d.start, End: len(b)})
		d.phase = d.between()
	case d.phase == lost:
		_, end := bounds(b, d.start, len(b))
		spans = broken(spans, d.start, end, d.loss.reason)
		d.phase = d.between()
	case d.phase == inRecord && d.torn && !d.tail:
		spans = append(spans, Span{Start: d.start, End: len(b)})
		d.phase = d.between()
	case !d.tail:
		_, end := bounds(b, d.start, len(b))
		spans = broken(spans, d.start, end, cutReason)
		d.phase = d.between()
	}
	if !d.holds() {
		d.pos = len(b)
	}
	return spans
}
