package jsonscan

import (
	"testing"
	"unicode/utf8"
)

func TestCharsCountsWhatTheTextSays(t *testing.T) {
	for _, v := range []string{
		`""`, `"plain text that is longer than a word"`, `"é ü 漢字"`, `"tab\tand \"quotes\" \\"`, `"\u00e9"`, `"\ud83d\ude00 pair"`,
		`"\ud83d half"`, `"\ude00"`, ` "space around" `,
	} {
		if got, want := Chars([]byte(v)), int64(utf8.RuneCountInString(Str([]byte(v)))); got != want {
			t.Errorf("%s: %d, want %d", v, got, want)
		}
	}
	for _, v := range []string{"", "null", "12", "[]", `{"a":"b"}`} {
		if got := Chars([]byte(v)); got != 0 {
			t.Errorf("%s: %d, want 0", v, got)
		}
	}
}
