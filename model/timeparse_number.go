package model

import (
	"strconv"
	"strings"
)

// epochUnits are the units of an epoch time, told by its size: each starts
// where it means March 1973 and ends with the year 2262, so none can be taken
// for another, and no small number (a counter, seconds since a start, zero)
// for a time.
var epochUnits = [...]struct {
	least, most int64
	digits      uint8 // of a second's fraction that a whole number of the unit has
}{
	{1e8, 9_223_372_035, 0},
	{1e11, 9_223_372_035_999, 3},
	{1e14, 9_223_372_035_999_999, 6},
	{1e17, 9_223_372_035_999_999_999, 9},
}

// ParseTimeNumber reads an epoch time, the text of a JSON number. Its unit
// (s, ms, µs or ns) is told by its size; digits of a fraction are kept up to
// the nanosecond. Zero, negative numbers and those that fit no unit are not
// Known.
func ParseTimeNumber(text string) Time {
	whole, fraction, ok := decimal(text)
	if !ok {
		return Time{}
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return Time{}
	}
	for _, unit := range epochUnits {
		if n < unit.least || n > unit.most {
			continue
		}
		t := Time{Known: true, Nanos: n, Digits: unit.digits}
		kept := fraction[:min(len(fraction), int(9-unit.digits))]
		for i := range len(kept) {
			t.Nanos = t.Nanos*10 + int64(kept[i]-'0')
		}
		t.Digits += uint8(len(kept))
		for d := t.Digits; d < 9; d++ {
			t.Nanos *= 10
		}
		return t
	}
	return Time{}
}

// decimal takes a number apart into the digits before and behind its decimal
// point. An exponent moves the point; ok is false for what is no number, is
// negative, or has an exponent that no epoch time has.
func decimal(text string) (whole, fraction string, ok bool) {
	mantissa, exponent := text, 0
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		n, err := strconv.Atoi(text[e+1:])
		if err != nil || n < -20 || n > 20 {
			return "", "", false
		}
		mantissa, exponent = text[:e], n
	}
	whole, fraction, _ = strings.Cut(mantissa, ".")
	if whole == "" || !allDigits(whole) || !allDigits(fraction) {
		return "", "", false
	}
	for ; exponent > 0; exponent-- {
		next := "0"
		if fraction != "" {
			next, fraction = fraction[:1], fraction[1:]
		}
		whole += next
	}
	for ; exponent < 0 && whole != ""; exponent++ {
		whole, fraction = whole[:len(whole)-1], whole[len(whole)-1:]+fraction
	}
	if whole == "" {
		return "", "", false
	}
	return whole, fraction, true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return true
}
