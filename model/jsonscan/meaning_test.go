package jsonscan_test

import (
	"testing"

	"hindcast/model/jsonscan"
)

func TestTruthy(t *testing.T) {
	for v, want := range map[string]bool{
		``: false, `null`: false, `false`: false, `""`: false, `0`: false, `0.0`: false, `{}`: false, `[]`: false,
		`true`: true, `"x"`: true, `7`: true, `0.5`: true, `{"a":null}`: true, `[null]`: true,
	} {
		if got := jsonscan.Truthy([]byte(v)); got != want {
			t.Errorf("%s: %v", v, got)
		}
	}
}

func TestUnpacked(t *testing.T) {
	for v, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, `" [1] "`: `[1]`, `"words"`: ``, `7`: `7`,
	} {
		if got := string(jsonscan.Unpacked([]byte(v))); got != want {
			t.Errorf("%s: %q, want %q", v, got, want)
		}
	}
}

func TestTime(t *testing.T) {
	for v, want := range map[string]string{
		`"2026-03-01T10:00:00Z"`: "2026-03-01T10:00:00Z", `1772359200`: "2026-03-01T10:00:00Z", `null`: "", `true`: "", `{}`: "",
	} {
		if got := jsonscan.Time([]byte(v)).String(); got != want {
			t.Errorf("%s: %q, want %q", v, got, want)
		}
	}
}
