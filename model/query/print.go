package query

import (
	"math"
	"strconv"
	"strings"
	"time"

	"hindcast/model"
)

// Print writes an expression as text that Parse reads back to the same tree.
// The nil Expr prints as empty text. The text is not neutralised.
func Print(x Expr) string {
	var b strings.Builder
	printExpr(&b, x, 0)
	return b.String()
}

// The binding strengths: an expression in a stronger place than its own goes
// in parentheses.
const (
	bindOr = iota
	bindAnd
	bindNot
)

func printExpr(b *strings.Builder, x Expr, place int) {
	switch x := x.(type) {
	case And:
		printList(b, x.List, " ", bindAnd, place)
	case Or:
		printList(b, x.List, " or ", bindOr, place)
	case Not:
		b.WriteByte('-')
		printExpr(b, x.X, bindNot)
	case Term:
		printTerm(b, x)
	}
}

func printList(b *strings.Builder, list []Expr, sep string, own, place int) {
	if place > own {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	for i, x := range list {
		if i > 0 {
			b.WriteString(sep)
		}
		printExpr(b, x, own+1)
	}
}

func printTerm(b *strings.Builder, t Term) {
	switch {
	case t.Op == OpSince:
		b.WriteString("since:" + model.FormatElapsed(t.Back))
		return
	case t.Op == OpUntil:
		b.WriteString("until:" + model.FormatElapsed(t.Back))
		return
	case t.Op == OpPattern:
		b.WriteString("re:" + quotePattern(t.Text))
		return
	case t.Field == FieldText && t.Op == OpContains:
		b.WriteString(quoteText(t.Text))
		return
	}
	b.WriteString(fieldName(t.Field) + ":")
	switch t.Op {
	case OpBetween:
		b.WriteString(printRange(t))
	case OpMatch:
		b.WriteString(quoteGlob(t.Text))
	case OpContains:
		b.WriteString(quoteContained(t.Text))
	default:
		b.WriteString(quoteWhole(t.Text))
	}
}

func fieldName(f Field) string {
	for name, g := range Fields {
		if f == g {
			return name
		}
	}
	return "text"
}

func printRange(t Term) string {
	end := func(n int64) string { return strconv.FormatInt(n, 10) }
	if t.Field == FieldTime {
		end = func(n int64) string { return time.Unix(0, n).UTC().Format("2006-01-02T15:04:05.000000000Z") }
	} else if t.Lo == t.Hi {
		return end(t.Lo)
	}
	var lo, hi string
	if t.Lo != math.MinInt64 {
		lo = end(t.Lo)
	}
	if t.Hi != math.MaxInt64 {
		hi = end(t.Hi)
	}
	return lo + ".." + hi
}

var escapeText = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
var escapeWhole = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `*`, `\*`, `?`, `\?`)

// quoteText writes a text term. As a bare word it must not read as anything
// else: a keyword, a negation, a field.
func quoteText(s string) string {
	_, field := fieldPrefix(s)
	if field || s == "" || s[0] == '-' || strings.ContainsAny(s, `"`) || bareEnd(s, "()") < len(s) ||
		isWord(s, "or") || isWord(s, "and") || isWord(s, "not") {
		return `"` + escapeText.Replace(s) + `"`
	}
	return s
}

// quoteContained writes the value of title: where it is looked for inside.
func quoteContained(s string) string {
	if s == "" || strings.ContainsAny(s, "*?") || strings.ContainsAny(s, `"`) || bareEnd(s, "()") < len(s) {
		return `"` + escapeWhole.Replace(s) + `"`
	}
	return s
}

// quoteWhole writes a value that is compared whole, quoteGlob one with wildcards.
func quoteWhole(s string) string {
	if s == "" || strings.ContainsAny(s, "*?") || bareEnd(s, `(),"`) < len(s) {
		return `"` + escapeWhole.Replace(s) + `"`
	}
	return s
}

func quoteGlob(s string) string {
	if bareEnd(s, `(),"`) < len(s) {
		return `"` + escapeText.Replace(s) + `"`
	}
	return s
}
