package model

import (
	"math"
	"strconv"
	"strings"
)

// spanUnit is a unit of a span of time.
type spanUnit struct {
	name  string
	nanos int64
}

// spanUnits, longest first, so that FormatElapsed is greedy.
var spanUnits = []spanUnit{
	{"w", 7 * 24 * 3600e9}, {"d", 24 * 3600e9}, {"h", 3600e9}, {"m", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1},
}

// ParseElapsed reads a span of time such as 90s, 1h30m, 2d or 1.5s, in
// nanoseconds. Units: w d h m s ms us ns, each with its number. It is never
// negative and never beyond int64.
func ParseElapsed(text string) (nanos int64, ok bool) {
	if text == "" {
		return 0, false
	}
	for text != "" {
		n := len(text) - len(strings.TrimLeft(text, digits+"."))
		unit, size := unitOf(text[n:])
		if n == 0 || size == 0 {
			return 0, false
		}
		v, ok := scaled(text[:n], unit)
		if !ok || nanos > math.MaxInt64-v {
			return 0, false
		}
		nanos += v
		text = text[n+size:]
	}
	return nanos, true
}

// unitOf finds the unit that stands first in text, the longer name before the
// shorter (ms is not m).
func unitOf(text string) (nanos int64, size int) {
	for _, u := range spanUnits {
		if strings.HasPrefix(text, u.name) && len(u.name) > size {
			nanos, size = u.nanos, len(u.name)
		}
	}
	return nanos, size
}

func scaled(number string, unit int64) (int64, bool) {
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return n * unit, n <= math.MaxInt64/unit
	}
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || x*float64(unit) >= math.MaxInt64 {
		return 0, false
	}
	return int64(math.Round(x * float64(unit))), true
}

// FormatElapsed writes a span so that ParseElapsed reads the same number of
// nanoseconds: 1h30m, 90ms, 0s. A negative span is written as its positive.
func FormatElapsed(nanos int64) string {
	if nanos == math.MinInt64 {
		nanos = math.MaxInt64
	}
	nanos = max(nanos, -nanos)
	if nanos == 0 {
		return "0s"
	}
	var b strings.Builder
	for _, u := range spanUnits {
		if n := nanos / u.nanos; n > 0 {
			b.WriteString(strconv.FormatInt(n, 10) + u.name)
			nanos -= n * u.nanos
		}
	}
	return b.String()
}
