package travel

import (
	"testing"
	"time"
)

func TestSpeed(t *testing.T) {
	var s Speed
	for _, tt := range []struct {
		speed Speed
		gap   time.Duration
		want  time.Duration
		name  string
	}{
		{s, time.Second, time.Second, "1x"}, {s, time.Hour, longestWait, "1x"}, {s, 0, shortestWait, "1x"}, {s, -time.Hour, shortestWait, "1x"},
		{s.Faster(), time.Second, time.Second / 2, "2x"}, {s.Slower(), time.Second / 4, time.Second / 2, "1/2x"},
		{s.Slower().Slower(), time.Hour, longestWait, "1/4x"},
	} {
		if got := tt.speed.Wait(tt.gap); got != tt.want || tt.speed.String() != tt.name {
			t.Errorf("%s waits %v for %v, want %s and %v", tt.speed, got, tt.gap, tt.name, tt.want)
		}
	}
	for range 50 {
		s = s.Faster()
	}
	if s != fastest {
		t.Errorf("%v is faster than the fastest", s)
	}
	for range 50 {
		s = s.Slower()
	}
	if s != slowest {
		t.Errorf("%v is slower than the slowest", s)
	}
}
