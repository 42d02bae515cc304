package query

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"hindcast/model"
)

// reader turns one operand of a field into a condition.
type reader struct {
	list bool // a comma separates values
	own  bool // backslashes in quotes are the value's own
	read func(p *parser, v value) (Expr, *SyntaxError)
}

// readers holds what may stand before a colon.
var readers = map[string]reader{
	"text":    {false, false, readContains(FieldText)},
	"re":      {false, true, readPattern},
	"title":   {false, false, readTitle},
	"type":    {true, false, readMatch(FieldType)},
	"tool":    {true, false, readMatch(FieldTool)},
	"source":  {true, false, readMatch(FieldSource)},
	"session": {true, false, readMatch(FieldSession)},
	"id":      {true, false, readMatch(FieldID)},
	"call":    {true, false, readMatch(FieldCall)},
	"kind":    {true, false, readWord(FieldKind, kindWords())},
	"origin":  {true, false, readWord(FieldOrigin, []string{"recorded", "derived", "inherited", "copied"})},
	"failed":  {true, false, readWord(FieldFailed, []string{"true", "false", "null"})},
	"seq":     {true, false, readRange(FieldSeq, parseCount)},
	"pos":     {true, false, readRange(FieldPos, parseCount)},
	"bytes":   {true, false, readRange(FieldBytes, parseSize)},
	"time":    {true, false, readRange(FieldTime, parseWhen)},
	"since":   {false, false, readSince},
	"until":   {false, false, readUntil},
}

func kindWords() []string {
	var words []string
	for _, k := range model.Kinds() {
		words = append(words, k.String())
	}
	return words
}

// foldable is smart case: a text without upper case ignores case.
func foldable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) })
}

// folds tells whether smart case applies to a field. Ids do not fold: two that
// differ in case are two.
func folds(f Field) bool { return f != FieldID && f != FieldCall && f != FieldSession }

func readContains(f Field) func(*parser, value) (Expr, *SyntaxError) {
	return func(_ *parser, v value) (Expr, *SyntaxError) {
		return Term{Field: f, Op: OpContains, Text: v.text, Fold: foldable(v.text)}, nil
	}
}

// readTitle: a title is long, so a plain value is looked for inside it.
func readTitle(p *parser, v value) (Expr, *SyntaxError) {
	if v.wild {
		return readMatch(FieldTitle)(p, v)
	}
	return readContains(FieldTitle)(p, v)
}

func readMatch(f Field) func(*parser, value) (Expr, *SyntaxError) {
	return func(p *parser, v value) (Expr, *SyntaxError) {
		t := Term{Field: f, Op: OpIs, Text: v.text, Fold: folds(f) && foldable(v.text)}
		if v.wild && v.plain {
			return nil, p.fail(v.at, "a wildcard beside an escaped * or ?", "use ? in its place: it matches any one character")
		}
		if v.wild {
			t.Op = OpMatch
		}
		return t, nil
	}
}

func readWord(f Field, words []string) func(*parser, value) (Expr, *SyntaxError) {
	return func(p *parser, v value) (Expr, *SyntaxError) {
		for _, w := range words {
			if v.text == w {
				return Term{Field: f, Op: OpIs, Text: w}, nil
			}
		}
		return nil, p.fail(v.at, "no such value: "+strconv.Quote(v.text), "one of "+strings.Join(words, " "))
	}
}

// bound is what one end of a range may be: the first and last value that its
// text covers (a day covers many instants, a number itself).
type bound func(text string) (lo, hi int64, accepts string, ok bool)

func readRange(f Field, parse bound) func(*parser, value) (Expr, *SyntaxError) {
	return func(p *parser, v value) (Expr, *SyntaxError) {
		t := Term{Field: f, Op: OpBetween, Lo: math.MinInt64, Hi: math.MaxInt64}
		end := func(text string, at int) (lo, hi int64, err *SyntaxError) {
			lo, hi, accepts, ok := parse(text)
			if !ok {
				if v.quoted {
					at = v.at
				}
				return 0, 0, p.fail(at, "no such value: "+strconv.Quote(text), accepts)
			}
			return lo, hi, nil
		}
		var err *SyntaxError
		if i := strings.Index(v.text, ".."); i >= 0 {
			if from := v.text[:i]; from != "" {
				if t.Lo, _, err = end(from, v.at); err != nil {
					return nil, err
				}
			}
			if to := v.text[i+2:]; to != "" {
				if _, t.Hi, err = end(to, v.at+i+2); err != nil {
					return nil, err
				}
			}
			return t, nil
		}
		op := v.text[:len(v.text)-len(strings.TrimLeft(v.text, "<>="))]
		lo, hi, err := end(v.text[len(op):], v.at+len(op))
		if err != nil {
			return nil, err
		}
		return compared(p, t, v, op, lo, hi)
	}
}

// compared applies < <= = >= > to a range's operand. A comparison is with the
// first instant that the text covers, as people mean time:>2026-03-01; no
// operator, or =, is the whole of it.
func compared(p *parser, t Term, v value, op string, lo, hi int64) (Expr, *SyntaxError) {
	switch op {
	case "", "=":
		t.Lo, t.Hi = lo, hi
	case ">=":
		t.Lo = lo
	case "<=":
		t.Hi = lo
	case ">":
		if lo == math.MaxInt64 {
			return nil, p.fail(v.at, "nothing is greater", "a smaller value")
		}
		t.Lo = lo + 1
	case "<":
		if lo == math.MinInt64 || lo == 0 && t.Field == FieldBytes {
			return nil, p.fail(v.at, "nothing is less", "a greater value")
		}
		t.Hi = lo - 1
	default:
		return nil, p.fail(v.at, "no comparison "+op, "one of < <= = >= >, or a range a..b")
	}
	return t, nil
}

func parseCount(text string) (lo, hi int64, accepts string, ok bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, n, "an integer, 80..95, 80.., ..95, >90", err == nil
}

// parseSize reads bytes: 512, 10k, 1.5M; k, m and g are decimal, ki, mi and gi
// binary, b may follow.
func parseSize(text string) (lo, hi int64, accepts string, ok bool) {
	accepts = "bytes such as 512, 10k, 1.5m, 4ki, with > or as a range"
	digits := strings.TrimRight(text, "kKmMgGiIbB")
	unit := strings.TrimSuffix(strings.ToLower(text[len(digits):]), "b")
	scale, ok := map[string]float64{"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30}[unit]
	if !ok || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return 0, 0, accepts, false
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n <= math.MaxInt64/int64(scale) {
		return n * int64(scale), n * int64(scale), accepts, true
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || x*scale > 1e18 {
		return 0, 0, accepts, false
	}
	n := int64(x * scale)
	return n, n, accepts, true
}

func readSince(p *parser, v value) (Expr, *SyntaxError) {
	if back, ok := model.ParseElapsed(v.text); ok {
		return Term{Field: FieldTime, Op: OpSince, Back: back}, nil
	}
	lo, _, _, ok := parseWhen(v.text)
	if !ok {
		return nil, p.fail(v.at, "no such time: "+strconv.Quote(v.text), "10m, 1h30m, 2d (back from the last event), or a date or time")
	}
	return Term{Field: FieldTime, Op: OpBetween, Lo: lo, Hi: math.MaxInt64}, nil
}

func readUntil(p *parser, v value) (Expr, *SyntaxError) {
	if back, ok := model.ParseElapsed(v.text); ok {
		return Term{Field: FieldTime, Op: OpUntil, Back: back}, nil
	}
	_, hi, _, ok := parseWhen(v.text)
	if !ok {
		return nil, p.fail(v.at, "no such time: "+strconv.Quote(v.text), "10m, 1h30m, 2d (back from the last event), or a date or time")
	}
	return Term{Field: FieldTime, Op: OpBetween, Lo: math.MinInt64, Hi: hi}, nil
}
