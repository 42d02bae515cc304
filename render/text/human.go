package text

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Size writes a number of bytes for people: 512 B, 1.2 KB, 34 MB. Units are
// powers of 1,000.
func Size(n int64) string {
	if n < 0 {
		return "?"
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " B"
	}
	return scaled(float64(n), []string{" KB", " MB", " GB", " TB", " PB", " EB"})
}

// Short writes a count in at most five characters: 950, 1.2k, 38k, 1.5M.
func Short(n int64) string {
	if n < 0 && n > math.MinInt64 {
		return "-" + Short(-n)
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return scaled(float64(n), []string{"k", "M", "G", "T", "P", "E"})
}

func scaled(x float64, units []string) string {
	i := -1
	for i < len(units)-1 && (x >= 999.5 || i < 0) {
		x /= 1000
		i++
	}
	if x < 9.95 {
		return strconv.FormatFloat(x, 'f', 1, 64) + units[i]
	}
	return strconv.FormatFloat(math.Round(x), 'f', 0, 64) + units[i]
}

// Count writes a number with its digits in groups of three: 1,234,567.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if len(s) <= 3 {
		return sign + s
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Plural writes a count with its noun: 1 event, 2 events.
func Plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

// Duration writes a span of time for people, in two units at most: 285ms,
// 2.15s, 3m12s, 4h05m, 2d03h.
func Duration(d time.Duration) string {
	if d < 0 {
		if d == math.MinInt64 {
			d++
		}
		return "-" + Duration(-d)
	}
	switch {
	case d == 0:
		return "0s"
	case d < time.Microsecond:
		return strconv.FormatInt(int64(d), 10) + "ns"
	case d < time.Millisecond:
		return strconv.FormatInt(int64(d/time.Microsecond), 10) + "µs"
	case d < 999500*time.Microsecond:
		return strconv.FormatInt(int64((d+500*time.Microsecond)/time.Millisecond), 10) + "ms"
	case d < 9995*time.Millisecond:
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64) + "s"
	case d < 59950*time.Millisecond:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	s := int64(d / time.Second)
	if d%time.Second >= 500*time.Millisecond {
		s++
	}
	switch {
	case s < 3600:
		return strconv.FormatInt(s/60, 10) + "m" + two(s%60) + "s"
	case s < 86400:
		return strconv.FormatInt(s/3600, 10) + "h" + two(s%3600/60) + "m"
	}
	return strconv.FormatInt(s/86400, 10) + "d" + two(s%86400/3600) + "h"
}

// Elapsed is Duration with its sign: +2.15s.
func Elapsed(d time.Duration) string {
	if d < 0 {
		return Duration(d)
	}
	return "+" + Duration(d)
}

func two(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
