package text

import (
	"math"
	"testing"
	"time"
)

func TestSizes(t *testing.T) {
	tests := []struct {
		n                  int64
		size, short, count string
	}{
		{0, "0 B", "0", "0"}, {999, "999 B", "999", "999"}, {1000, "1.0 KB", "1.0k", "1,000"}, {1250, "1.2 KB", "1.2k", "1,250"},
		{9949, "9.9 KB", "9.9k", "9,949"}, {9960, "10 KB", "10k", "9,960"}, {38_100, "38 KB", "38k", "38,100"},
		{999_499, "999 KB", "999k", "999,499"}, {999_500, "1.0 MB", "1.0M", "999,500"}, {1_234_567_890, "1.2 GB", "1.2G", "1,234,567,890"},
		{math.MaxInt64, "9.2 EB", "9.2E", "9,223,372,036,854,775,807"},
	}
	for _, tt := range tests {
		if a, b, c := Size(tt.n), Short(tt.n), Count(tt.n); a != tt.size || b != tt.short || c != tt.count {
			t.Errorf("%d: %q %q %q, want %q %q %q", tt.n, a, b, c, tt.size, tt.short, tt.count)
		}
	}
	if a, b, c := Size(-1), Short(-1500), Count(-1500); a != "?" || b != "-1.5k" || c != "-1,500" {
		t.Errorf("negative: %q %q %q", a, b, c)
	}
	if Plural(1, "event") != "1 event" || Plural(1200, "event") != "1,200 events" {
		t.Error("plural")
	}
}

func TestDuration(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"}, {5, "5ns"}, {1500, "1µs"}, {285 * time.Millisecond, "285ms"}, {999_400 * time.Microsecond, "999ms"},
		{999_600 * time.Microsecond, "1.00s"}, {2150 * time.Millisecond, "2.15s"}, {9996 * time.Millisecond, "10.0s"},
		{59_940 * time.Millisecond, "59.9s"}, {59_960 * time.Millisecond, "1m00s"}, {192 * time.Second, "3m12s"},
		{time.Hour - 1, "1h00m"}, {4*time.Hour + 5*time.Minute, "4h05m"}, {51 * time.Hour, "2d03h"}, {-285 * time.Millisecond, "-285ms"},
		{math.MinInt64, "-106751d23h"},
	}
	for _, tt := range tests {
		if got := Duration(tt.d); got != tt.want {
			t.Errorf("%d: %q, want %q", tt.d, got, tt.want)
		}
	}
	if Elapsed(2150*time.Millisecond) != "+2.15s" || Elapsed(-time.Second) != "-1.00s" {
		t.Error("elapsed")
	}
}
