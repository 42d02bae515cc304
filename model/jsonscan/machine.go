package jsonscan

import "fmt"

// state is what a machine expects next.
type state uint8

const (
	wantValue    state = iota // a value
	wantFirst                 // a value or ]
	wantKey                   // a key
	wantFirstKey              // a key or }
	wantColon
	wantMore // a comma or the closing bracket
	inString
	inKey
	numMinus  // after the sign
	numZero   // after a leading 0
	numInt    // in the integer digits
	numDot    // after the point
	numFrac   // in the fraction
	numExp    // after e
	numSign   // after the exponent's sign
	numDigits // in the exponent
	scalarEnd // after a scalar that stands alone: a delimiter must follow
)

// verdict is how far a machine came.
type verdict uint8

const (
	more verdict = iota // the bytes ended within the value
	done
	bad
)

// machine validates one JSON value (RFC 8259) that may arrive in pieces. It
// keeps one bit for each open bracket, so nesting costs memory only, and little
// of it. Strings may hold any bytes but raw control characters.
//
// The innermost min(depth, 64) brackets are the low bits of top, the nearest
// lowest; the others stand in outer, 64 in each.
type machine struct {
	state state
	depth int
	top   uint64 // 1 is an object, 0 an array
	outer []uint64
}

func (m *machine) reset() {
	m.state, m.depth, m.top, m.outer = wantValue, 0, 0, m.outer[:0]
}

func (m *machine) push(object uint64) {
	if m.depth&63 == 0 && m.depth > 0 {
		m.outer = append(m.outer, m.top)
		m.top = 0
	}
	m.top = m.top<<1 | object
	m.depth++
}

func (m *machine) pop() {
	m.depth--
	m.top >>= 1
	if m.depth&63 == 0 && m.depth > 0 {
		last := len(m.outer) - 1
		m.top, m.outer = m.outer[last], m.outer[:last]
	}
}

// run goes on at b[i]. It returns the index after the value (done), the index
// at which a longer b has to be gone on with (more), or the index of the byte
// that does not fit (bad).
func (m *machine) run(b []byte, i int) (int, verdict) {
	v := done
	for i < len(b) {
		c := b[i]
		if c <= ' ' && m.state <= wantMore {
			if !isSpace(c) {
				return i, bad
			}
			i++
			continue
		}
		switch m.state {
		case wantValue, wantFirst:
			i, v = m.begin(b, i)
		case wantMore:
			i, v = m.follow(b, i)
		case wantKey, wantFirstKey:
			i, v = m.key(b, i)
		case wantColon:
			if c != ':' {
				return i, bad
			}
			m.state = wantValue
			i++
		case inString:
			if i, v = stringRest(b, i); v == done {
				m.state = wantMore
			}
		case inKey:
			if i, v = stringRest(b, i); v == done {
				m.state = wantColon
			}
		case scalarEnd:
			if !delimits[c] {
				return i, bad
			}
			return i, done
		default:
			var ok bool
			if i, ok = m.number(b, i); !ok {
				return i, bad
			}
		}
		if v != done || m.depth == 0 && m.state == wantMore {
			return i, v
		}
	}
	return i, more
}

// follow takes the comma or closing bracket at b[i], and a quote that stands
// right behind the comma. Like begin and key it answers done where the machine
// can go on.
func (m *machine) follow(b []byte, i int) (int, verdict) {
	object := m.top&1 == 1
	switch c := b[i]; {
	case c == ',':
		i++
		quoted := i < len(b) && b[i] == '"'
		switch {
		case object && quoted:
			m.state = inKey
		case object:
			m.state = wantKey
		case quoted:
			m.state = inString
		default:
			m.state = wantValue
		}
		if quoted {
			i++
		}
		return i, done
	case c == '}' && object, c == ']' && !object:
		m.pop()
		return i + 1, done
	}
	return i, bad
}

// key takes the quote of a key, or the end of an object that has none.
func (m *machine) key(b []byte, i int) (int, verdict) {
	switch {
	case b[i] == '"':
		m.state = inKey
	case b[i] == '}' && m.state == wantFirstKey:
		m.pop()
		m.state = wantMore
	default:
		return i, bad
	}
	return i + 1, done
}

// begin takes the first byte of a value at b[i], or all of a literal.
func (m *machine) begin(b []byte, i int) (int, verdict) {
	switch c := b[i]; c {
	case '"':
		m.state = inString
	case '{':
		m.push(1)
		m.state = wantFirstKey
	case '[':
		m.push(0)
		m.state = wantFirst
	case ']':
		if m.state != wantFirst {
			return i, bad
		}
		m.pop()
		m.state = wantMore
	case '-':
		m.state = numMinus
	case '0':
		m.state = numZero
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		m.state = numInt
	case 't':
		return m.literal(b, i, "true")
	case 'f':
		return m.literal(b, i, "false")
	case 'n':
		return m.literal(b, i, "null")
	default:
		return i, bad
	}
	return i + 1, done
}

func (m *machine) literal(b []byte, i int, word string) (int, verdict) {
	have := b[i:min(i+len(word), len(b))]
	if string(have) != word {
		for k := range have {
			if have[k] != word[k] {
				return i + k, bad
			}
		}
		return i, more
	}
	m.scalarDone()
	return i + len(word), done
}

func (m *machine) scalarDone() {
	m.state = wantMore
	if m.depth == 0 {
		m.state = scalarEnd
	}
}

// number goes on within a number. It stops at the end of b, at the first byte
// after the number, or (false) at a byte that cannot stand there.
func (m *machine) number(b []byte, i int) (int, bool) {
	for i < len(b) {
		c := b[i]
		digit := c-'0' <= 9
		var next state
		switch m.state {
		case numMinus:
			next = numInt
			if c == '0' {
				next = numZero
			}
		case numDot:
			next = numFrac
		case numExp:
			next = numDigits
			if c == '+' || c == '-' {
				m.state = numSign
				i++
				continue
			}
		case numSign:
			next = numDigits
		default:
			if digit && m.state != numZero {
				i++
				continue
			}
			switch {
			case c == '.' && m.state < numDot:
				m.state = numDot
			case c|0x20 == 'e' && m.state != numDigits:
				m.state = numExp
			default:
				m.scalarDone()
				return i, true
			}
			i++
			continue
		}
		if !digit {
			return i, false
		}
		m.state = next
		i++
	}
	return i, true
}

// finish reports whether the value is complete if no byte follows.
func (m *machine) finish() bool {
	if m.depth > 0 {
		return false
	}
	switch m.state {
	case scalarEnd, numZero, numInt, numFrac, numDigits:
		return true
	}
	return false
}

// reason says why byte c does not fit where the machine stands.
func (m *machine) reason(c byte) string {
	what := "where a value should be"
	switch m.state {
	case wantFirst:
		what = "where a value or ] should be"
	case wantKey:
		what = "where a key should be"
	case wantFirstKey:
		what = "where a key or } should be"
	case wantColon:
		what = "where a colon should be"
	case wantMore:
		what = "where a comma or ] should be"
		if m.top&1 == 1 {
			what = "where a comma or } should be"
		}
	case inString, inKey:
		what = "in an escape sequence"
		if c < ' ' {
			what = "in a string"
		}
	case scalarEnd:
		what = "after a value"
	case numMinus, numDot, numExp, numSign:
		what = "in a number"
	}
	return "unexpected " + byteName(c) + " " + what
}

func byteName(c byte) string {
	switch {
	case c == '\n':
		return "end of line"
	case c < ' ' || c >= 0x7f:
		return fmt.Sprintf("byte 0x%02x", c)
	}
	return "'" + string(rune(c)) + "'"
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// spaceEnd returns the index of the first byte at or after i that is not white
// space.
func spaceEnd(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}
