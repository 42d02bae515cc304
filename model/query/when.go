package query

import (
	"math"
	"strings"
	"time"
)

// whenForm is a way to write a time, and how long the span is that it names.
type whenForm struct {
	layout string
	span   time.Duration
}

// whenForms are tried in order. Go's parser takes a fraction behind the
// seconds of any of them.
var whenForms = []whenForm{
	{"2006-01-02", 24 * time.Hour},
	{"2006-01-02T15", time.Hour},
	{"2006-01-02T15:04", time.Minute},
	{"2006-01-02T15:04:05", time.Second},
	{"2006-01-02T15:04Z07:00", time.Minute},
	{"2006-01-02T15:04:05Z07:00", time.Second},
}

// parseWhen reads a date or a time and gives the first and last nanosecond
// that it covers. A time without zone is read as UTC, as the clocks of naive
// sources are.
func parseWhen(text string) (lo, hi int64, accepts string, ok bool) {
	accepts = "a time such as 2026-03-01, 2026-03-01T10:00 or 2026-03-01T10:00:00Z, with > or as a range"
	text = strings.Replace(text, " ", "T", 1)
	for _, f := range whenForms {
		t, err := time.Parse(f.layout, text)
		if err != nil {
			continue
		}
		if t.Before(time.Unix(0, math.MinInt64)) || t.After(time.Unix(0, math.MaxInt64)) {
			return 0, 0, "a year from 1678 to 2262", false
		}
		lo = t.UnixNano()
		hi = lo + int64(precision(text, f.span)) - 1
		if hi < lo {
			hi = math.MaxInt64
		}
		return lo, hi, accepts, true
	}
	return 0, 0, accepts, false
}

// precision is the span that a time covers: a written fraction makes it
// smaller than the layout's.
func precision(text string, span time.Duration) time.Duration {
	i := strings.IndexAny(text, ".,")
	if i < 0 || span != time.Second {
		return span
	}
	for _, c := range text[i+1:] {
		if c < '0' || c > '9' {
			break
		}
		span /= 10
	}
	return max(span, 1)
}
