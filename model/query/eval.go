package query

import (
	"math"
	"strings"
	"unicode/utf8"

	"hindcast/model"
)

// Bind replaces what counts back from the last event (since:10m) by bounds. If
// the last event's time is not known, nothing is since or until.
func Bind(x Expr, last model.Time) Expr {
	switch x := x.(type) {
	case And:
		return And{List: bindAll(x.List, last)}
	case Or:
		return Or{List: bindAll(x.List, last)}
	case Not:
		return Not{X: Bind(x.X, last)}
	case Term:
		return bindTerm(x, last)
	}
	return x
}

func bindAll(list []Expr, last model.Time) []Expr {
	out := make([]Expr, len(list))
	for i, x := range list {
		out[i] = Bind(x, last)
	}
	return out
}

func bindTerm(t Term, last model.Time) Expr {
	if t.Op != OpSince && t.Op != OpUntil {
		return t
	}
	out := Term{Field: t.Field, Op: OpBetween, Lo: math.MinInt64, Hi: math.MaxInt64}
	edge := last.Nanos - t.Back
	if last.Nanos < math.MinInt64+t.Back {
		edge = math.MinInt64
	}
	switch {
	case !last.Known:
		out.Lo = math.MaxInt64
	case t.Op == OpSince:
		out.Lo = edge
	default:
		out.Hi = edge
	}
	return out
}

// Relative reports whether the expression counts back from the last event, so
// that it must be bound before it is evaluated.
func Relative(x Expr) bool {
	return anyTerm(x, func(t Term) bool { return t.Op == OpSince || t.Op == OpUntil })
}

// Uses reports whether a term looks at a field.
func Uses(x Expr, f Field) bool { return anyTerm(x, func(t Term) bool { return t.Field == f }) }

// NeedsText reports whether the expression looks at records' text, which costs
// reading their bytes.
func NeedsText(x Expr) bool {
	return anyTerm(x, func(t Term) bool { return t.Field == FieldText })
}

func anyTerm(x Expr, f func(Term) bool) bool {
	switch x := x.(type) {
	case And:
		return anyIn(x.List, f)
	case Or:
		return anyIn(x.List, f)
	case Not:
		return anyTerm(x.X, f)
	case Term:
		return f(x)
	}
	return false
}

func anyIn(list []Expr, f func(Term) bool) bool {
	for _, x := range list {
		if anyTerm(x, f) {
			return true
		}
	}
	return false
}

// Eval reports whether an event matches. The expression must be bound; a term
// that is not matches nothing. The nil Expr matches everything.
func Eval(x Expr, s Subject) bool {
	switch x := x.(type) {
	case And:
		for _, y := range x.List {
			if !Eval(y, s) {
				return false
			}
		}
		return true
	case Or:
		for _, y := range x.List {
			if Eval(y, s) {
				return true
			}
		}
		return false
	case Not:
		return !Eval(x.X, s)
	case Term:
		return evalTerm(x, s)
	}
	return true
}

func evalTerm(t Term, s Subject) bool {
	return evalOne(t, s) || s.Also != nil && evalOne(t, *s.Also)
}

func evalOne(t Term, s Subject) bool {
	if t.Op == OpBetween {
		n, ok := number(t.Field, s.Event)
		return ok && t.Lo <= n && n <= t.Hi
	}
	switch t.Field {
	case FieldText:
		if t.Op == OpPattern && t.holds(s.Event.Title) {
			return true
		}
		if s.Raw != nil && t.absent(s.Raw()) {
			return false
		}
		return s.Text != nil && t.holds(s.Text())
	case FieldID:
		if t.holds(s.Event.ID) {
			return true
		}
		for _, a := range s.Event.Aliases {
			if t.holds(a) {
				return true
			}
		}
		return false
	}
	return t.holds(word(t.Field, s.Event))
}

func number(f Field, e *model.Event) (int64, bool) {
	switch f {
	case FieldSeq:
		return e.Seq, true
	case FieldPos:
		return e.Pos, true
	case FieldBytes:
		return e.Span.Length, true
	case FieldTime:
		return e.Time.Nanos, e.Time.Known
	}
	return 0, false
}

func word(f Field, e *model.Event) string {
	switch f {
	case FieldTitle:
		return e.Title
	case FieldType:
		return e.Type
	case FieldKind:
		return e.Kind.String()
	case FieldTool:
		return e.Tool
	case FieldSource:
		return e.Source
	case FieldOrigin:
		return e.Origin.String()
	case FieldSession:
		return e.Session
	case FieldCall:
		return e.Call
	case FieldFailed:
		return outcomeWord(e.Outcome)
	}
	return ""
}

func outcomeWord(o model.Outcome) string {
	switch o {
	case model.OutcomeOK:
		return "false"
	case model.OutcomeFailed:
		return "true"
	}
	return "null"
}

func (t Term) holds(s string) bool {
	switch t.Op {
	case OpContains:
		return contains(s, t.Text, t.Fold)
	case OpIs:
		if t.Fold {
			return len(s) == len(t.Text) && hasFoldPrefix(s, t.Text) || lower(s) == lower(t.Text)
		}
		return s == t.Text
	case OpPattern:
		return t.re != nil && t.re.MatchString(s)
	case OpMatch:
		if t.Fold {
			return Glob(lower(t.Text), lower(s))
		}
		return Glob(t.Text, s)
	}
	return false
}

// contains is strings.Contains, with case ignored where fold is set. Case of
// an ASCII text is ASCII case, so that the common search allocates nothing.
func contains(s, sub string, fold bool) bool {
	if !fold {
		return strings.Contains(s, sub)
	}
	if !ascii(sub) {
		return strings.Contains(lower(s), lower(sub))
	}
	if sub == "" {
		return true
	}
	lo, up := sub[0], upperByte(sub[0])
	for len(s) >= len(sub) {
		i := indexEither(s[:len(s)-len(sub)+1], lo, up)
		if i < 0 {
			return false
		}
		if hasFoldPrefix(s[i:], sub) {
			return true
		}
		s = s[i+1:]
	}
	return false
}

func indexEither(s string, a, b byte) int {
	i := strings.IndexByte(s, a)
	if a == b || i == 0 {
		return i
	}
	if i > 0 {
		s = s[:i]
	}
	if j := strings.IndexByte(s, b); j >= 0 {
		return j
	}
	return i
}

// hasFoldPrefix compares ASCII letters without case; sub is in lower case.
func hasFoldPrefix(s, sub string) bool {
	if len(s) < len(sub) {
		return false
	}
	for i := range len(sub) {
		if c := s[i]; c != sub[i] && (c < 'A' || c > 'Z' || c+'a'-'A' != sub[i]) {
			return false
		}
	}
	return true
}

func upperByte(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lower folds case without touching invalid bytes, which strings.ToLower would
// replace and so make different ids alike.
func lower(s string) string {
	if utf8.ValidString(s) {
		return strings.ToLower(s)
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c - 'A' + 'a'
		}
	}
	return string(b)
}

// Glob reports whether the whole of s matches pattern: * is any run of
// characters, ? any one character, anything else itself. It takes time
// proportional to the product of the lengths, and no memory.
func Glob(pattern, s string) bool {
	p, i := 0, 0
	star, mark := -1, 0
	for i < len(s) {
		_, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, i
			p++
			continue
		case p < len(pattern) && pattern[p] == '?':
			p++
			i += n
			continue
		case p < len(pattern) && pattern[p] == s[i]:
			p++
			i++
			continue
		case star >= 0:
			_, n = utf8.DecodeRuneInString(s[mark:])
			mark += n
			p, i = star+1, mark
			continue
		}
		return false
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
