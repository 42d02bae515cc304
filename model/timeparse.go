package model

import "strings"

// maxSeconds is the distance from 1970 up to which a Time can hold every
// nanosecond of a second.
const maxSeconds = 1<<63/1_000_000_000 - 1

// ParseTime reads a date and time as programs write them: RFC 3339, with a
// blank for the T, with a comma before the fraction, with offsets such as
// +05:30, +0530 and +05, without a zone (Naive), without seconds, as a date
// only, or as the digits of an epoch time (see ParseTimeNumber). Second 60 is
// the next minute's first; of a fraction nine digits are kept. Anything else,
// and what lies outside the years 1678 to 2261, is not Known.
func ParseTime(text string) Time {
	s := strings.Trim(text, " \t\r\n")
	if len(s) >= len("2006-01-02") && s[4] == '-' && s[7] == '-' {
		t, ok := parseCivil(s)
		if !ok {
			return Time{}
		}
		return t
	}
	if len(s) == len("20060102") {
		return parseCompactDate(s)
	}
	return ParseTimeNumber(s)
}

// parseCivil reads YYYY-MM-DD and what may follow it.
func parseCivil(s string) (Time, bool) {
	days, ok := parseDate(s[0:4], s[5:7], s[8:10])
	if !ok {
		return Time{}, false
	}
	t := Time{Known: true, Naive: true}
	seconds, nanos := days*86400, int64(0)
	rest := s[10:]
	if rest != "" {
		if rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
			return Time{}, false
		}
		var clock int64
		clock, rest, ok = parseClock(rest[1:])
		if !ok {
			return Time{}, false
		}
		seconds += clock
		nanos, t.Digits, rest, ok = parseFraction(rest)
		if !ok {
			return Time{}, false
		}
		var offset int64
		offset, t.Naive, ok = parseZone(rest)
		if !ok {
			return Time{}, false
		}
		seconds -= offset
	}
	if seconds > maxSeconds || seconds < -maxSeconds {
		return Time{}, false
	}
	t.Nanos = seconds*1_000_000_000 + nanos
	return t, true
}

// parseCompactDate reads YYYYMMDD of this and the last century; as an epoch
// time these digits would lie in 1970.
func parseCompactDate(s string) Time {
	days, ok := parseDate(s[0:4], s[4:6], s[6:8])
	if !ok || s < "19000101" || s > "20991231" {
		return Time{}
	}
	return Time{Known: true, Naive: true, Nanos: days * 86400 * 1_000_000_000}
}

var monthDays = [...]int64{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// parseDate returns the days since 1970.
func parseDate(year, month, day string) (int64, bool) {
	y, okY := smallNumber(year)
	m, okM := smallNumber(month)
	d, okD := smallNumber(day)
	if !okY || !okM || !okD || m < 1 || m > 12 || d < 1 {
		return 0, false
	}
	limit := monthDays[m-1]
	leap := y%4 == 0 && (y%100 != 0 || y%400 == 0)
	if m == 2 && leap {
		limit++
	}
	if d > limit {
		return 0, false
	}
	return daysSince1970(y, m, d), true
}

// daysSince1970 counts in years that begin in March, so that the day that
// leap years add is the last of a year.
func daysSince1970(y, m, d int64) int64 {
	const daysTo1970 = 719468 // from 0000-03-01
	if m <= 2 {
		y--
		m += 12
	}
	dayOfYear := (153*(m-3)+2)/5 + d - 1
	century := y / 100
	if y < 0 {
		century = -1
	}
	return 365*y + floorDiv(y, 4) - century + floorDiv(y, 400) + dayOfYear - daysTo1970
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// parseClock reads HH:MM or HH:MM:SS and returns the seconds since midnight.
func parseClock(s string) (seconds int64, rest string, ok bool) {
	if len(s) < len("15:04") || s[2] != ':' {
		return 0, s, false
	}
	h, okH := smallNumber(s[0:2])
	m, okM := smallNumber(s[3:5])
	if !okH || !okM || h > 23 || m > 59 {
		return 0, s, false
	}
	seconds, rest = h*3600+m*60, s[5:]
	if len(rest) == 0 || rest[0] != ':' {
		return seconds, rest, true
	}
	if len(rest) < len(":05") {
		return 0, s, false
	}
	sec, okS := smallNumber(rest[1:3])
	return seconds + sec, rest[3:], okS && sec <= 60
}

// parseFraction reads the fraction of a second, where there is one.
func parseFraction(s string) (nanos int64, digits uint8, rest string, ok bool) {
	if s == "" || s[0] != '.' && s[0] != ',' {
		return 0, 0, s, true
	}
	i := 1
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if digits < 9 {
			nanos = nanos*10 + int64(s[i]-'0')
			digits++
		}
	}
	for n := digits; n < 9; n++ {
		nanos *= 10
	}
	return nanos, digits, s[i:], i > 1
}

// parseZone reads Z, an offset, UTC or GMT, with the name of a place in
// brackets behind it; naive says that there is none of them.
func parseZone(s string) (offset int64, naive, ok bool) {
	if n := strings.IndexByte(s, '['); n >= 0 && s[len(s)-1] == ']' {
		s = s[:n]
	}
	s = strings.TrimPrefix(s, " ")
	switch s {
	case "":
		return 0, true, true
	case "Z", "z", "UTC", "GMT":
		return 0, false, true
	}
	sign := int64(1)
	switch s[0] {
	case '-':
		sign = -1
	case '+':
	default:
		return 0, false, false
	}
	hours, minutes := s[1:], "00"
	switch {
	case len(hours) == len("05:30") && hours[2] == ':':
		hours, minutes = hours[:2], hours[3:]
	case len(hours) == len("0530"):
		hours, minutes = hours[:2], hours[2:]
	}
	h, okH := smallNumber(hours)
	m, okM := smallNumber(minutes)
	if !okH || !okM || len(hours) != 2 || h > 23 || m > 59 {
		return 0, false, false
	}
	return sign * (h*3600 + m*60), false, true
}

// smallNumber reads at most four decimal digits.
func smallNumber(s string) (int64, bool) {
	if s == "" || len(s) > 4 {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}
