package store

import "strings"

// jsonCursor walks over JSON of which every byte is expected. The first that
// is not stays an error until the end.
type jsonCursor struct {
	b   []byte
	bad bool
}

// done reports that all of it was as expected.
func (s *jsonCursor) done() bool { return !s.bad && len(s.b) == 0 }

// try passes over a text if it stands there.
func (s *jsonCursor) try(text string) bool {
	if len(s.b) < len(text) || string(s.b[:len(text)]) != text {
		return false
	}
	s.b = s.b[len(text):]
	return true
}

func (s *jsonCursor) literal(text string) {
	if !s.try(text) {
		s.b, s.bad = nil, true
	}
}

// whole reads a whole number that strconv would write the same.
func (s *jsonCursor) whole() int64 {
	const most = 18 // digits that always fit
	minus := s.try("-")
	n, i := int64(0), 0
	for ; i < len(s.b) && i <= most && s.b[i]-'0' < 10; i++ {
		n = n*10 + int64(s.b[i]-'0')
	}
	if i == 0 || i > most || s.b[0] == '0' && (i > 1 || minus) {
		s.b, s.bad = nil, true
		return 0
	}
	s.b = s.b[i:]
	if minus {
		return -n
	}
	return n
}

// quoted reads a string and gives what stands between its quotes, escapes as
// written.
func (s *jsonCursor) quoted() string {
	s.literal(`"`)
	for i := 0; i < len(s.b); i++ {
		switch s.b[i] {
		case '\\':
			i++
		case '"':
			text := string(s.b[:i])
			s.b = s.b[i+1:]
			return text
		}
	}
	s.b, s.bad = nil, true
	return ""
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// unescapePointer gives the name that a segment of a JSON Pointer stands for
// (RFC 6901).
func unescapePointer(segment string) string {
	if strings.IndexByte(segment, '~') < 0 {
		return segment
	}
	return pointerEscapes.Replace(segment)
}
