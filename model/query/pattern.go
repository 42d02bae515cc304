package query

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxPattern bounds the text of a regular expression, in bytes.
const MaxPattern = 1000

// Pattern makes the term of a regular expression (RE2 syntax: matching takes
// time linear in the text). It is looked for in the title and in each line of
// the record's decoded text, smart case: letter case counts only where the
// expression asks for an upper-case letter.
func Pattern(expr string) (Term, error) {
	t := Term{Field: FieldText, Op: OpPattern, Text: expr, Fold: !asksUpper(expr)}
	flags := "(?m)"
	if t.Fold {
		flags = "(?mi)"
	}
	var err error
	t.re, err = regexp.Compile(flags + expr)
	return t, err
}

// asksUpper reports whether an expression holds an upper-case letter that is not
// the name of a class (\S, \pL, \p{Greek}).
func asksUpper(expr string) bool {
	for i := 0; i < len(expr); {
		r, n := utf8.DecodeRuneInString(expr[i:])
		i += n
		if r != '\\' {
			if unicode.IsUpper(r) || unicode.IsTitle(r) {
				return true
			}
			continue
		}
		r, n = utf8.DecodeRuneInString(expr[i:])
		i += n
		if r != 'p' && r != 'P' {
			continue
		}
		if end := strings.IndexByte(expr[i:], '}'); end >= 0 && expr[i] == '{' {
			i += end + 1
		} else if _, n = utf8.DecodeRuneInString(expr[i:]); n > 0 {
			i += n
		}
	}
	return false
}

// Find is the first place in s where the text of a term stands, in bytes; from
// is -1 where it does not. Only terms that look for a text (OpContains,
// OpPattern) have one.
func (t Term) Find(s string) (from, to int) {
	switch {
	case t.Op == OpPattern && t.re != nil:
		if at := t.re.FindStringIndex(s); at != nil && at[0] < at[1] {
			return at[0], at[1]
		}
	case t.Op != OpContains || t.Text == "":
	case !t.Fold:
		if i := strings.Index(s, t.Text); i >= 0 {
			return i, i + len(t.Text)
		}
	default:
		for i := range s {
			if n := foldPrefix(s[i:], t.Text); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

// foldPrefix is the number of bytes of s that equal the text but for case, 0
// where they do not.
func foldPrefix(s, text string) int {
	used := 0
	for _, want := range text {
		r, n := utf8.DecodeRuneInString(s[used:])
		if n == 0 || r != want && unicode.ToLower(r) != unicode.ToLower(want) {
			return 0
		}
		used += n
	}
	return used
}

func readPattern(p *parser, v value) (Expr, *SyntaxError) {
	if len(v.text) > MaxPattern {
		return nil, p.fail(v.at, "a regular expression that is too long", "at most 1000 bytes")
	}
	t, err := Pattern(v.text)
	if err != nil {
		return nil, p.fail(v.at, strings.TrimPrefix(err.Error(), "error parsing regexp: "), `RE2 syntax; what holds a space or a parenthesis goes in quotes: re:"a (b|c)"`)
	}
	return t, nil
}

// quotedPattern reads an expression in quotes, in which backslashes are its own:
// only \" stands for a quote.
func (l *lexer) quotedPattern() (value, *SyntaxError) {
	v := value{at: l.at, quoted: true}
	var b strings.Builder
	for i := l.at + 1; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '"':
			v.text = b.String()
			l.at = i + 1
			return v, l.endOfQuoted(false)
		case c == '\\' && i+1 < len(l.src):
			i++
			if l.src[i] != '"' {
				b.WriteByte(c)
			}
			b.WriteByte(l.src[i])
		default:
			b.WriteByte(c)
		}
	}
	return v, l.fail(v.at, "a quote that is not closed", `end it with "; a quote inside is written \"`)
}

// quotePattern writes an expression as Parse reads it.
func quotePattern(expr string) string {
	if expr != "" && bareEnd(expr, `()"`) == len(expr) {
		return expr
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(expr); i++ {
		switch {
		case expr[i] == '\\' && i+1 < len(expr): // as it stands, with what it escapes
			if expr[i+1] != '"' {
				b.WriteByte('\\')
			}
			i++
			if expr[i] == '"' {
				b.WriteByte('\\')
			}
		case expr[i] == '"':
			b.WriteByte('\\')
		}
		b.WriteByte(expr[i])
	}
	b.WriteByte('"')
	return b.String()
}
