package text

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"hindcast/model"
)

var cleanTests = []struct{ what, in, want string }{
	{"plain", "go test ./...", "go test ./..."},
	{"empty", "", ""},
	{"newline", "a\nb", "a␊b"},
	{"carriage return", "real text\rfake", "real text␍fake"},
	{"backspace", "AAAA\b\bB", "AAAA␈␈B"},
	{"escape", "\x1b[2J\x1b[31mFAKE", "␛[2J␛[31mFAKE"},
	{"osc 52", "\x1b]52;c;ZXZpbA==\x07", "␛]52;c;ZXZpbA==␇"},
	{"hyperlink", "\x1b]8;;http://e\x1b\\x\x1b]8;;\x1b\\", "␛]8;;http://e␛\\x␛]8;;␛\\"},
	{"nul and del", "a\x00b\x7f", "a␀b␡"},
	{"tab", "a\tb", "a→b"},
	{"c1", "\u009b31m\u009d", "‹009B›31m‹009D›"},
	{"raw c1 byte", "a\x9bb", "a\ufffdb"},
	{"next line", "a\u0085b", "a‹0085›b"},
	{"separators", "a\u2028b\u2029", "a‹2028›b‹2029›"},
	{"bidi", "\u202egnp.exe\u202c", "‹202E›gnp.exe‹202C›"},
	{"isolates", "\u2066x\u2069", "‹2066›x‹2069›"},
	{"zero width", "a\u200bb\u2060c\ufeff", "a‹200B›b‹2060›c‹FEFF›"},
	{"soft hyphen", "co\u00adop", "co‹00AD›op"},
	{"filler", "a\u3164b", "a‹3164›b"},
	{"tags", "ok\U000e0069\U000e0067\U000e006e\U000e007f.", "ok⟦tag: ign⟧."},
	{"lone tag end", "ok\U000e007f", "ok‹E007F›"},
	{"language tag", "\U000e0001\U000e0065", "‹E0001›⟦tag: e⟧"},
	{"variation of nothing", "a\ufe0fb", "a‹FE0F›b"},
	{"other variation", "漢\ufe00", "漢‹FE00›"},
	{"supplementary variation", "漢\U000e0100", "漢‹E0100›"},
	{"emoji variation", "☁\ufe0f", "☁\ufe0f"},
	{"two variations", "☁\ufe0f\ufe0f", "☁\ufe0f‹FE0F›"},
	{"keycap", "1\ufe0f\u20e3", "1\u20e3"},
	{"joined emoji", "👩\u200d👧", "👩‹200D›👧"},
	{"tag syntax", "[red]x[:::https://e]", "[red]x[:::https://e]"},
	{"marks", "e\u0301", "e\u0301"},
	{"many marks", "A" + strings.Repeat("\u0301", 5000) + "B", "A" + strings.Repeat("\u0301", 8) + "‹+4992 marks›B"},
	{"mark without base", "\u0301x", "\u00a0\u0301x"},
	{"mark after a stand-in", "\x1b\u0301", "␛\u00a0\u0301"},
	{"jamo run", "\u1100" + strings.Repeat("\u1161", 20), "\u1100" + strings.Repeat("\u1161", 8) + "‹+12 marks›"},
	{"invalid bytes", "a\xff\xfe\xc0\xafb", "a\ufffd\ufffd\ufffd\ufffdb"},
	{"cut rune", "a\xe2\x82", "a\ufffd\ufffd"},
	{"surrogate bytes", "\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
	{"shorthand control", "a\U0001bca0b", "a‹1BCA0›b"},
	{"right to left", "שלום", "שלום"},
}

func TestClean(t *testing.T) {
	for _, tt := range cleanTests {
		if got := Clean(tt.in); got != tt.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", tt.what, tt.in, got, tt.want)
		}
	}
}

func TestCleanOfSafeTextIsTheSame(t *testing.T) {
	s := "go test ./... && echo [ok] ~"
	if n := testing.AllocsPerRun(100, func() { Clean(s) }); n != 0 {
		t.Errorf("Clean of plain text allocates %v times", n)
	}
}

// checkSafe reports what of a cleaned line must not reach a terminal.
func checkSafe(t *testing.T, in, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("%q: invalid UTF-8 in %q", in, out)
	}
	for _, r := range out {
		if model.Deceptive(r) || !Safe(r) {
			t.Fatalf("%q: %U comes out in %q", in, r, out)
		}
	}
	for state, rest := -1, out; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if len(cluster) > 128 {
			t.Fatalf("%q: a cluster of %d bytes comes out", in, len(cluster))
		}
	}
}

// pieces are what random strings are made of: all that a terminal, a layout or
// a reader may trip over.
var pieces = []string{
	"\x1b", "[", "31m", "]52;c;", "\x07", "\x9b", "\u009b", "\r", "\n", "\t", "\b", "\x00", "\x7f", "\u202e", "\u2066",
	"\u200b", "\u200d", "\ufe0f", "\ufe0e", "\U000e0041", "\U000e007f", "\U000e0100", "\u0301", "\u0301\u0301\u0301\u0301\u0301",
	"\u1100", "\u1161", "\u11a8", "\ud7b0", "\ua960", "\uac00", "👩", "🏽", "🇩", "🇪", "1", "\u20e3", "☁", "漢", "क", "\u094d", "ष", "\u093f",
	"\u0600", "\u0d4e", "\U000111c2", "\ufdfd", "\uff9e", "a", "Z", " ", "é", "ש", "\xff", "\xe2\x82", "\xed\xa0\x80", "\U0010ffff", "\ue000",
	"\u0e33", "\u0eb3", "\U0001f3f4", "\u2028", "\ufff9", "\U0001d173", "\u17b4", "\u0903", "\u3164", "⟦", "‹",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		p := pieces[r.IntN(len(pieces))]
		for range 1 + r.IntN(3)*r.IntN(3) {
			b.WriteString(p)
		}
	}
	return b.String()
}

// TestGate puts a million random hostile strings through the gate.
func TestGate(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	for i := range n {
		s := randomText(r)
		out := Clean(s)
		checkSafe(t, s, out)
		if i%8 != 0 {
			continue
		}
		if again := Clean(out); again != out {
			t.Fatalf("%q: cleaned to %q, again to %q", s, out, again)
		}
	}
}

func TestLongRunsAreBounded(t *testing.T) {
	for _, p := range pieces {
		s := "a" + strings.Repeat(p, 300)
		checkSafe(t, p+" repeated", Clean(s))
		checkSafe(t, p+" repeated", CleanLine(s))
	}
}

func TestLines(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\n", []string{"a"}},
		{"a\r\nb\n\nc", []string{"a", "b", "", "c"}},
		{"\n", []string{""}},
		{"a\rb", []string{"a␍b"}},
		{"\tx\nab\ty\tz", []string{"    x", "ab  y   z"}},
		{"漢\tx", []string{"漢  x"}},
		{"abcd\tx", []string{"abcd    x"}},
		{"\x1b\tx", []string{"␛   x"}},
	}
	for _, tt := range tests {
		var got []string
		for l := range Lines(tt.in) {
			got = append(got, l)
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") || len(got) != len(tt.want) {
			t.Errorf("Lines(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, tt := range cleanTests {
		f.Add(tt.in)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkSafe(t, s, Clean(s))
		for l := range Lines(s) {
			checkSafe(t, s, l)
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("the quick brown fox ", 10),
		"ansi":  strings.Repeat("\x1b[31mred\x1b[0m text ", 10),
		"cjk":   strings.Repeat("日本語のテキスト", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Clean(s)
			}
		})
	}
}
