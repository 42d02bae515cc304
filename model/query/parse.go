package query

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// MaxDepth bounds how deep parentheses and negations may nest in a filter,
// MaxTerms how many terms it may hold.
const (
	MaxDepth = 100
	MaxTerms = 2000
)

// Parse reads a filter:
//
//	type:AgentAction tool:bash      both (a space joins with and)
//	kind:error,checkpoint           either value
//	a or b   -a   not a   ( ... )   any, negation, grouping
//	timeout   "read timeout"        the record's text holds it
//	re:exit\s[1-9]  re:"a (b|c)"    a regular expression matches in it, or in the title
//	title:disk  id:evt_1*  tool:b?sh  * and ? are wildcards in values
//	seq:80..95  seq:80..  pos:>90  bytes:>10k
//	time:2026-03-01  time:>2026-03-01T10:00  since:10m  until:2026-03-02
//	failed:true     true, false or null
//
// Letter case counts only where the value holds an upper-case letter; ids,
// calls and sessions always compare exactly. In quotes, \" \\ \* and \? stand
// for themselves. Empty text gives the nil Expr. Errors are *SyntaxError.
func Parse(text string) (Expr, error) {
	p := &parser{lexer: lexer{src: text}}
	p.skipSpace()
	if p.done() {
		return nil, nil
	}
	x, err := p.or(0)
	if err == nil && !p.done() {
		err = p.fail(p.at, "a ) that closes nothing", "remove it, or open a ( before")
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// ParseField reads the value of one field, as a flag gives it: ParseField
// ("type", "Agent*,Tool*") is Parse("type:Agent*,Tool*"), but white space and
// parentheses in value need no quotes.
func ParseField(field, text string) (Expr, error) {
	p := &parser{lexer: lexer{src: text}, flag: true}
	x, err := p.values(field, 0)
	if err == nil && !p.done() {
		err = p.fail(p.at, "text right behind a value", "join values with a comma")
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// All joins filters so that every one must match; nil ones are left out.
func All(list ...Expr) Expr { return group(list, true) }

type parser struct {
	lexer
	terms int
	flag  bool // reading one flag's value: white space and parentheses are text
}

func (p *parser) or(depth int) (Expr, *SyntaxError) {
	var list []Expr
	for {
		x, err := p.and(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		if !p.keyword("or") {
			return group(list, false), nil
		}
	}
}

func (p *parser) and(depth int) (Expr, *SyntaxError) {
	var list []Expr
	for {
		x, err := p.not(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		p.skipSpace()
		joined := p.keyword("and")
		if !joined && (p.done() || p.peek() == ')' || isWord(p.word(), "or")) {
			return group(list, true), nil
		}
	}
}

func (p *parser) not(depth int) (Expr, *SyntaxError) {
	p.skipSpace()
	at := p.at
	if depth > MaxDepth {
		return nil, p.fail(at, "nested too deep", "at most "+strconv.Itoa(MaxDepth)+" levels")
	}
	switch {
	case p.keyword("not"):
	case p.peek() == '-':
		p.at++
		if r := p.peek(); r == 0 || unicode.IsSpace(rune(r)) {
			return nil, p.fail(p.at, "nothing behind -", `write -term, or "-" in quotes for the text`)
		}
	default:
		return p.primary(depth)
	}
	x, err := p.not(depth + 1)
	if err != nil {
		return nil, err
	}
	return Not{X: x}, nil
}

func (p *parser) primary(depth int) (Expr, *SyntaxError) {
	if w := p.word(); p.done() || isWord(w, "or") || isWord(w, "and") || p.peek() == ')' {
		return nil, p.fail(p.at, "a term is missing", `write a term such as tool:bash or "some text"; keywords go in quotes`)
	}
	if p.peek() != '(' {
		return p.term()
	}
	open := p.at
	p.at++
	x, err := p.or(depth + 1)
	if err != nil {
		return nil, err
	}
	p.skipSpace()
	if p.peek() != ')' {
		return nil, p.fail(open, "a ( that is not closed", "add )")
	}
	p.at++
	return x, nil
}

// keyword consumes w, in lower or upper case, where it stands as a word.
func (p *parser) keyword(w string) bool {
	p.skipSpace()
	if !isWord(p.word(), w) {
		return false
	}
	p.at += len(w)
	return true
}

func isWord(s, w string) bool { return s == w || s == strings.ToUpper(w) }

// term reads field:values, or a bare text.
func (p *parser) term() (Expr, *SyntaxError) {
	start := p.at
	if name, ok := fieldPrefix(p.src[p.at:]); ok {
		p.at += len(name) + 1
		return p.values(name, start)
	}
	v, err := p.value(false)
	if err != nil {
		return nil, err
	}
	if err = p.count(start, v); err != nil {
		return nil, err
	}
	return readContains(FieldText)(p, v)
}

// fieldPrefix tells whether a word starts like field:value. A letter run
// before a colon is a field, but the scheme of an address is not.
func fieldPrefix(s string) (string, bool) {
	i := strings.IndexByte(s, ':')
	if i <= 0 || strings.HasPrefix(s[i:], "://") {
		return "", false
	}
	for _, c := range []byte(s[:i]) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_' {
			return "", false
		}
	}
	return s[:i], true
}

// values reads a comma list of a field's values; start is where the field's
// name stands.
func (p *parser) values(name string, start int) (Expr, *SyntaxError) {
	f, err := p.field(name, start)
	if err != nil {
		return nil, err
	}
	var list []Expr
	for {
		v, err := p.operand(f)
		if err != nil {
			return nil, err
		}
		if err = p.count(v.at, v); err != nil {
			return nil, err
		}
		x, err := f.read(p, v)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		if !f.list || p.peek() != ',' {
			return group(list, false), nil
		}
		p.at++
	}
}

func (p *parser) operand(f reader) (value, *SyntaxError) {
	switch {
	case f.own && p.peek() == '"':
		return p.quotedPattern()
	case !p.flag || p.peek() == '"':
		return p.value(f.list)
	}
	n := len(p.src) - p.at
	if i := strings.IndexByte(p.src[p.at:], ','); f.list && i >= 0 {
		n = i
	}
	v := value{text: p.src[p.at : p.at+n], at: p.at}
	v.wild = strings.ContainsAny(v.text, "*?")
	p.at += n
	return v, nil
}

// count refuses empty values and filters of too many terms.
func (p *parser) count(at int, v value) *SyntaxError {
	if v.text == "" && !v.quoted {
		return p.fail(v.at, "a value is missing", `"" is the empty value`)
	}
	if p.terms++; p.terms > MaxTerms {
		return p.fail(at, "too many terms", "at most "+strconv.Itoa(MaxTerms))
	}
	return nil
}

func (p *parser) field(name string, at int) (reader, *SyntaxError) {
	if f, ok := readers[name]; ok {
		return f, nil
	}
	hint := "fields: " + strings.Join(FieldNames(), " ")
	if near := strings.ToLower(name); near != name {
		if _, ok := readers[near]; ok {
			hint = "did you mean " + near + ":?"
		}
	}
	return reader{}, p.fail(at, "no field "+name, hint+"; quotes make it a text")
}

// FieldNames lists what may stand before a colon, sorted.
func FieldNames() []string {
	names := make([]string, 0, len(readers))
	for n := range readers {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// group joins expressions flat: a list of one is that one, an And in an And
// opens up.
func group(list []Expr, and bool) Expr {
	var flat []Expr
	for _, x := range list {
		switch y := x.(type) {
		case nil:
		case And:
			if and {
				flat = append(flat, y.List...)
				continue
			}
			flat = append(flat, x)
		case Or:
			if !and {
				flat = append(flat, y.List...)
				continue
			}
			flat = append(flat, x)
		default:
			flat = append(flat, x)
		}
	}
	switch {
	case len(flat) == 0:
		return nil
	case len(flat) == 1:
		return flat[0]
	case and:
		return And{List: flat}
	}
	return Or{List: flat}
}
