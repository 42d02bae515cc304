package model

import "time"

// Time is an event's time as far as the source tells it. It is for display and
// time addresses; replay order never depends on it.
type Time struct {
	Nanos  int64 // since 1970 UTC; of a naive clock, as if its reading were UTC
	Known  bool
	Naive  bool  // the source wrote no zone
	Digits uint8 // digits of the second's fraction that the source wrote, 0 to 9
}

// String writes the time as JSON shows it: RFC 3339 in UTC with the source's
// precision; without zone where the source had none; empty where unknown.
func (t Time) String() string {
	if !t.Known {
		return ""
	}
	layout := "2006-01-02T15:04:05"
	if t.Digits > 0 {
		layout += "." + "000000000"[:min(int(t.Digits), 9)]
	}
	if !t.Naive {
		layout += "Z"
	}
	return time.Unix(0, t.Nanos).UTC().Format(layout)
}

// Std is the time as a time.Time in UTC; the zero time where unknown.
func (t Time) Std() time.Time {
	if !t.Known {
		return time.Time{}
	}
	return time.Unix(0, t.Nanos).UTC()
}
