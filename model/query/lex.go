package query

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError says where a filter goes wrong, and what would be accepted
// there. Column counts runes from 1; the end of the text is one past the last.
type SyntaxError struct {
	Text    string // the filter
	Column  int
	Message string
	Hint    string // what would be accepted; may be empty
}

// Error names the column, then the fault.
func (e *SyntaxError) Error() string {
	msg := "filter column " + strconv.Itoa(e.Column) + ": " + e.Message
	if e.Hint != "" {
		msg += " (" + e.Hint + ")"
	}
	return msg
}

// value is an operand as written.
type value struct {
	text   string
	at     int  // byte offset of its first character
	quoted bool // stood in double quotes
	wild   bool // holds * or ? that is not escaped
	plain  bool // holds * or ? that is escaped
}

// lexer walks the filter's text. It hands out runs of bytes, and knows nothing
// of fields.
type lexer struct {
	src string
	at  int // byte offset of the next character
}

func (l *lexer) fail(at int, message, hint string) *SyntaxError {
	return &SyntaxError{Text: l.src, Column: utf8.RuneCountInString(l.src[:at]) + 1, Message: message, Hint: hint}
}

func (l *lexer) skipSpace() {
	for l.at < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.at:])
		if !unicode.IsSpace(r) {
			return
		}
		l.at += n
	}
}

func (l *lexer) done() bool { return l.at >= len(l.src) }

// peek is the next byte, 0 at the end.
func (l *lexer) peek() byte {
	if l.done() {
		return 0
	}
	return l.src[l.at]
}

// word is the run up to white space or a parenthesis; it is not consumed.
func (l *lexer) word() string {
	return l.src[l.at : l.at+bareEnd(l.src[l.at:], "()")]
}

// bareEnd is the length of the run of s that holds neither white space nor any
// byte of stop.
func bareEnd(s, stop string) int {
	for i, r := range s {
		if unicode.IsSpace(r) || r < utf8.RuneSelf && strings.IndexByte(stop, byte(r)) >= 0 {
			return i
		}
	}
	return len(s)
}

// value reads one operand: a quoted string, or a bare run that ends at white
// space, a parenthesis or, in a list, a comma.
func (l *lexer) value(list bool) (value, *SyntaxError) {
	if l.peek() == '"' {
		return l.quotedValue(list)
	}
	stop := "()\""
	if list {
		stop += ","
	}
	n := bareEnd(l.src[l.at:], stop)
	v := value{text: l.src[l.at : l.at+n], at: l.at}
	v.wild = strings.ContainsAny(v.text, "*?")
	l.at += n
	if l.peek() == '"' {
		return v, l.fail(l.at, "a quote inside a word", `put the whole value in quotes and write \" for a quote in it`)
	}
	return v, nil
}

func (l *lexer) quotedValue(list bool) (value, *SyntaxError) {
	v := value{at: l.at, quoted: true}
	var b strings.Builder
	for i := l.at + 1; i < len(l.src); i++ {
		c := l.src[i]
		switch {
		case c == '"':
			v.text = b.String()
			l.at = i + 1
			return v, l.endOfQuoted(list)
		case c == '\\' && i+1 < len(l.src) && strings.IndexByte(`"\*?`, l.src[i+1]) >= 0:
			i++
			v.plain = v.plain || l.src[i] == '*' || l.src[i] == '?'
			b.WriteByte(l.src[i])
		default:
			v.wild = v.wild || c == '*' || c == '?'
			b.WriteByte(c)
		}
	}
	return v, l.fail(v.at, "a quote that is not closed", `end it with "; a quote inside is written \"`)
}

func (l *lexer) endOfQuoted(list bool) *SyntaxError {
	if l.done() || l.peek() == ')' || list && l.peek() == ',' {
		return nil
	}
	if r, _ := utf8.DecodeRuneInString(l.src[l.at:]); unicode.IsSpace(r) {
		return nil
	}
	return l.fail(l.at, "text right behind a closing quote", "put a space between terms")
}
