package jsonscan

import (
	"bytes"

	"hindcast/model"
)

const (
	// lossWindow is how many bytes behind an error are searched at once for a
	// place to go on.
	lossWindow = 1 << 20
	// closeWindow is how far behind a place where another record seems to begin
	// the broken one may still come to its own end.
	closeWindow = 64 << 10
	// openingLimit bounds what is remembered of a record's first bytes.
	openingLimit = 128
)

// loss is an error in a document, and what helps to find the way back.
type loss struct {
	at      int // of the first byte that does not fit; later, how far was searched
	reason  string
	indent  int    // of the record on its line, -1 where it does not begin one
	opening string // the record up to its first key, where it is an object
	wrapper bool   // the error is not in a record
	blind   bool   // the brackets that are open are no longer known
}

func (l *loss) begin(d *document) { *l = loss{indent: d.indent} }

// lose gives up the record or wrapper at start, for the byte at index at.
func (d *document) lose(at int, reason string, b []byte) {
	d.loss.at, d.loss.reason, d.loss.blind = at, reason, false
	d.loss.wrapper = d.phase != inRecord
	if !d.loss.wrapper {
		d.loss.opening = opening(b[d.start:min(at, d.start+openingLimit)])
	}
	d.phase, d.pos = lost, at
}

// opening is an object's text up to the end of its first key, or "".
func opening(b []byte) string {
	if len(b) == 0 || b[0] != '{' {
		return ""
	}
	i := spaceEnd(b, 1)
	if i == len(b) || b[i] != '"' {
		return ""
	}
	if end, v := stringRest(b, i+1); v == done {
		return string(b[:end])
	}
	return ""
}

// recover looks for the place to go on, in a window of the input whose size
// does not depend on the portions in which it came.
func (d *document) recover(b []byte, final bool, spans []Span) (bool, []Span) {
	limit := d.loss.at + lossWindow
	if limit > len(b) {
		if !final {
			return false, spans
		}
		limit = len(b)
	}
	last := final && limit == len(b)
	search := d.searchRecord
	if d.loss.wrapper {
		search = d.searchWrapper
	}
	next, p, ok := search(b[:limit], last)
	switch {
	case ok && next == d.start:
		// The byte that does not fit is the array's own end, behind a comma.
		spans = append(spans, Span{Start: next, End: next + 1, Broken: d.loss.reason})
		d.move(d.closed())
		d.pos = next + 1
	case ok:
		spans = broken(spans, d.start, lossEnd(b, d.start, next), d.loss.reason)
		d.pos, d.phase, d.indent = next, p, indentAt(b, d.start, next)
		if p == atFirst || p == atElement || p == afterElement {
			d.array = true
		}
	case last:
		_, end := bounds(b, d.start, limit)
		spans = broken(spans, d.start, end, d.loss.reason)
		d.pos, d.phase = limit, d.between()
	default:
		if n := bytes.LastIndexByte(b[d.loss.at+1:limit], '\n'); n >= 0 {
			limit = d.loss.at + 1 + n
		}
		spans = broken(spans, d.start, limit, d.loss.reason)
		d.start, d.pos, d.loss.at = limit, limit, limit
	}
	return true, spans
}

// lossEnd is where the unreadable bytes end: white space and a comma before
// the place to go on are structure.
func lossEnd(b []byte, start, next int) int {
	end := next
	for end > start+1 && isSpace(b[end-1]) {
		end--
	}
	if end > start+1 && b[end-1] == ',' {
		end--
	}
	for end > start+1 && isSpace(b[end-1]) {
		end--
	}
	return end
}

// indentAt counts the blanks between pos and the start of its line, as far
// back as from; -1 where something else stands there.
func indentAt(b []byte, from, pos int) int {
	for i := pos - 1; i >= from; i-- {
		if b[i] == '\n' {
			return pos - 1 - i
		}
		if !isSpace(b[i]) {
			return -1
		}
	}
	return -1
}

// searchWrapper finds the records' array behind an error in the object around
// it, or the next object that starts a line.
func (d *document) searchWrapper(b []byte, _ bool) (int, phase, bool) {
	for i := d.loss.at; i < len(b); i++ {
		switch b[i] {
		case '\n':
			if i+1 < len(b) && b[i+1] == '{' {
				return i + 1, atTop, true
			}
		case '"':
			if i > d.start && d.memberAt(b, i) {
				return i, atKey, true
			}
		}
	}
	return 0, lost, false
}

// memberAt reports whether the records' key, a colon and a bracket are at i.
func (d *document) memberAt(b []byte, i int) bool {
	key := d.member
	if !bytes.HasPrefix(b[i+1:], []byte(key)) || i+1+len(key) >= len(b) || b[i+1+len(key)] != '"' {
		return false
	}
	i = spaceEnd(b, i+len(key)+2)
	if i == len(b) || b[i] != ':' {
		return false
	}
	i = spaceEnd(b, i+1)
	return i < len(b) && b[i] == '['
}

// searchRecord finds where to go on behind an error in a record. In this order:
//
//   - the place where its brackets close, if only its grammar is wrong, or the
//     line on which something begins that is indented as it was;
//   - a comma behind which an object with the same first key begins;
//   - a comma between two objects.
//
// The brackets say nothing where a quote is missing, which is why the others
// are looked for as well.
func (d *document) searchRecord(b []byte, last bool) (int, phase, bool) {
	r := search{d: d, b: b, last: last, similar: -1, object: -1, follow: !d.loss.blind}
	r.barren = d.loss.at < d.barren
	if r.barren && d.m.depth > 0 {
		r.follow = false
	}
	r.quoted = r.follow && (d.m.state == inString || d.m.state == inKey)
	if r.follow && r.atError() {
		return d.loss.at, d.before(), true
	}
	i := d.loss.at
	for ; i < len(b); i++ {
		if r.guess() >= 0 && (!r.follow || i > r.guess()+closeWindow) {
			break
		}
		switch c := b[i]; {
		case c == '\n':
			r.quoted = false // no string goes on in another line
			if next, p, ok := r.sibling(i + 1); ok {
				return next, p, true
			}
			continue
		case c == ',':
			r.comma(i)
		}
		if !r.follow {
			continue
		}
		skip, next, p, ok := r.bracket(i)
		if ok {
			return next, p, true
		}
		i += skip
	}
	if at := r.guess(); at >= 0 {
		d.barren = max(d.barren, i)
		return at, d.before(), true
	}
	d.loss.blind = !r.follow || d.m.depth > 0
	return 0, lost, false
}

// before is the phase in which a record is about to begin.
func (d *document) before() phase {
	if d.array {
		return atElement
	}
	return atTop
}

// search is the state of one look behind an error.
type search struct {
	d       *document
	b       []byte
	last    bool // b ends the input
	follow  bool // brackets are still counted, in d.m
	quoted  bool // within a string
	barren  bool // no brackets close here: an earlier look found none
	similar int  // where an object with the same first key begins
	object  int  // where any object begins, behind another's end
}

func (r *search) guess() int {
	if r.similar >= 0 {
		return r.similar
	}
	return r.object
}

// atError looks at the error's own place. Where a bracket is missing, the byte
// that does not fit may begin the next record; where a quote is missing, the
// next record's opening has been taken for the end of a string just before.
func (r *search) atError() bool {
	d := r.d
	if structure[r.b[d.loss.at]] == opens && d.loss.indent >= 0 && indentAt(r.b, d.start, d.loss.at) == d.loss.indent {
		return true
	}
	if n := bytes.LastIndexByte(r.b[d.start:d.loss.at], ','); n > 0 {
		r.comma(d.start + n)
	}
	return false
}

// comma notes what begins behind the comma at i.
func (r *search) comma(i int) {
	if r.similar >= 0 {
		return
	}
	next := spaceEnd(r.b, i+1)
	if next == len(r.b) || r.b[next] != '{' {
		return
	}
	if o := r.d.loss.opening; o != "" && bytes.HasPrefix(r.b[next:], []byte(o)) {
		r.similar = next
	}
	if r.object < 0 && i >= r.d.loss.at && i > r.d.start && r.b[i-1] == '}' {
		r.object = next
	}
}

// sibling looks at the line that starts at i.
func (r *search) sibling(i int) (int, phase, bool) {
	k := i
	for k < len(r.b) && (r.b[k] == ' ' || r.b[k] == '\t') {
		k++
	}
	if k == len(r.b) {
		return 0, lost, false
	}
	c, indent := r.b[k], r.d.loss.indent
	loose := r.follow && r.d.m.depth == 0
	switch {
	case opens == structure[c] && (loose || k-i == indent):
		return k, r.d.before(), true
	case c == ']' && r.d.array && k-i < indent:
		return k, afterElement, true
	}
	return 0, lost, false
}

// bracket follows strings and brackets over the byte at i. It returns how many
// more bytes to step over, or where the broken record ends.
func (r *search) bracket(i int) (skip, next int, p phase, ok bool) {
	c, m := r.b[i], &r.d.m
	switch {
	case c == '\\' && r.quoted:
		if i+1 < len(r.b) && r.b[i+1] != '\n' {
			return 1, 0, lost, false
		}
	case c == '"':
		r.quoted = !r.quoted
	case r.quoted:
	case m.depth == 0:
		next, p, ok = r.outside(i)
		if !ok && structure[c] == opens {
			r.follow = !r.barren
			m.push(objectBit(c))
		}
		return 0, next, p, ok
	case structure[c] == opens:
		m.push(objectBit(c))
	case structure[c] == closes:
		if (c == '}') != (m.top&1 == 1) {
			r.follow = false
			break
		}
		m.pop()
		if m.depth == 0 {
			r.follow = r.ends(i + 1)
			return 0, i + 1, r.d.between(), r.follow
		}
	}
	return 0, 0, lost, false
}

func objectBit(c byte) uint64 {
	if c == '{' {
		return 1
	}
	return 0
}

// outside looks at byte i where no bracket of the broken record is open.
func (r *search) outside(i int) (int, phase, bool) {
	c, start := r.b[i], r.d.start
	switch {
	case r.d.array && c == ',' && i == start:
		return i + 1, atElement, true
	case r.d.array && (c == ',' || c == ']'):
		return i, afterElement, true
	case !r.d.array && structure[c] == opens && i > start:
		return i, atTop, true
	}
	return 0, lost, false
}

// ends reports whether a record may end before i, by what follows there.
func (r *search) ends(i int) bool {
	next := spaceEnd(r.b, i)
	switch {
	case next == len(r.b):
		return r.last
	case r.d.array:
		return r.b[next] == ',' || r.b[next] == ']'
	}
	return structure[r.b[next]] == opens || bytes.IndexByte(r.b[i:next], '\n') >= 0 || r.d.mode == model.FrameElements
}
