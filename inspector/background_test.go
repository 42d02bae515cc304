package inspector

import (
	"strings"
	"testing"
)

func TestBackgroundIn(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b]11;rgb:0000/0000/0000\x1b\\":       "dark",
		"\x1b]11;rgb:ffff/ffff/ffff\a":           "light",
		"jk\x1b]11;rgb:fd/f6/e3\x1b\\q":          "light",
		"\x1b]11;rgba:1e1e/1e1e/2e2e/ffff\x1b":   "dark",
		"\x1b]11;rgb:f/f/f\a":                    "light",
		"\x1b]11;rgb:0000/ffff/0000\a":           "light",
		"\x1b]11;rgb:0000/0000/ffff\a":           "dark",
		"\x1b]11;rgb:ffff/ffff/ff":               "",
		"\x1b]11;?\x1b\\":                        "",
		"\x1b]10;rgb:ffff/ffff/ffff\a":           "",
		"11;rgb:ffff/ffff/ffff":                  "",
		"\x1b]11;rgb:fffff/ffff/ffff\a":          "",
		strings.Repeat("x", 500) + "\x1b]11;rgb": "",
	} {
		got := ""
		if light, ok := backgroundIn([]byte(in)); ok {
			got = map[bool]string{true: "light", false: "dark"}[light]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestListenerHearsInParts: an answer may come cut anywhere, among keys.
func TestListenerHearsInParts(t *testing.T) {
	answer := "jj\x1b]11;rgb:ffff/ffff/ffff\x1b\\kk"
	for cut := range len(answer) {
		var l listener
		var heard []bool
		l.hear([]byte("before"))
		l.listen(func(light bool) { heard = append(heard, light) })
		l.hear([]byte(strings.Repeat("j", 10*tailLimit)))
		l.hear([]byte(answer[:cut]))
		l.hear([]byte(answer[cut:]))
		l.hear([]byte(answer))
		if len(heard) != 1 || !heard[0] || len(l.tail) > tailLimit {
			t.Fatalf("cut at %d: heard %v", cut, heard)
		}
		l.answered(answerPatience) // does not wait any more
	}
}
