package text

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

func TestWidth(t *testing.T) {
	tests := []struct {
		s    string
		want int
	}{
		{"", 0}, {"abc", 3}, {"e\u0301", 1}, {"漢字", 4}, {"👩", 2}, {"🇩🇪", 2}, {"☁\ufe0f", 2}, {"☁", 1},
		{"1\u20e3", 1}, {"abc漢", 5}, {"aé", 2}, {"‹202E›", 6}, {"␛[2J", 4}, {"\ufdfd", 1}, {"\u00a0\u0301", 1},
	}
	for _, tt := range tests {
		if got := Width(tt.s); got != tt.want {
			t.Errorf("Width(%q) = %d, want %d", tt.s, got, tt.want)
		}
	}
}

var letterRuns = []string{"", "déjà vu", "日本語、テキスト。", "Привет, мир", "αβγ", "한국어", "ＦＵＬＬ", "がぎ", "\u0600a"}

// TestWidthIsTheSumOfClusters ties layout to drawing, with the fast paths of
// both against each other.
func TestWidthIsTheSumOfClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 20_000 {
		s := Clean(randomText(r) + letterRuns[r.IntN(len(letterRuns))] + randomText(r))
		sum, all := 0, ""
		Clusters(s, func(c string, w int) bool {
			sum += w
			all += c
			return true
		})
		if ref := uniseg.StringWidth(s); ref != sum {
			t.Fatalf("%q: clusters sum to %d, the segmenter says %d", s, sum, ref)
		}
		if sum != Width(s) || all != s {
			t.Fatalf("%q: clusters %q sum to %d, Width %d", s, all, sum, Width(s))
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		s     string
		cells int
		want  string
	}{
		{"hello", 5, "hello"}, {"hello", 4, "hel…"}, {"hello", 1, "…"}, {"hello", 0, ""}, {"hello", -1, ""}, {"", 3, ""},
		{"漢字漢", 6, "漢字漢"}, {"漢字漢", 5, "漢字…"}, {"漢字漢", 4, "漢…"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	}
	for _, tt := range tests {
		if got := Cut(tt.s, tt.cells); got != tt.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", tt.s, tt.cells, got, tt.want)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	tests := []struct {
		s     string
		cells int
		want  string
	}{
		{"src/a.go", 8, "src/a.go"}, {"/srv/demo/shop/test/book.test.js", 16, "/srv/…ok.test.js"},
		{"abc", 1, "…"}, {"abc", 0, ""}, {"漢字漢字漢字", 7, "漢…漢字"},
	}
	for _, tt := range tests {
		got := CutMiddle(tt.s, tt.cells)
		if got != tt.want {
			t.Errorf("CutMiddle(%q, %d) = %q, want %q", tt.s, tt.cells, got, tt.want)
		}
	}
}

func TestPad(t *testing.T) {
	if got := Pad("漢", 4) + "|" + PadLeft("7", 3) + "|" + Pad("toolong", 4); got != "漢  |  7|too…" {
		t.Errorf("got %q", got)
	}
	if got := len(Spaces(200)); got != 200 {
		t.Errorf("Spaces(200) has %d", got)
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		s     string
		cells int
		want  string
	}{
		{"", 5, ""}, {"one two three", 7, "one two|three"}, {"one two three", 0, "one two three"},
		{"abcdefghij", 4, "abcd|efgh|ij"}, {"ab cdefghijk", 6, "ab|cdefgh|ijk"}, {"漢字漢字", 3, "漢|字|漢|字"},
		{"漢", 1, "漢"}, {"    indented text", 10, "    indent|ed text"}, {"a b", 1, "a|b"},
	}
	for _, tt := range tests {
		if got := strings.Join(Wrap(tt.s, tt.cells), "|"); got != tt.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.s, tt.cells, got, tt.want)
		}
	}
}

func TestCuttingKeepsWithinCells(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20_000 {
		s := Clean(randomText(r))
		n := 1 + r.IntN(12)
		for what, got := range map[string]string{"Cut": Cut(s, n), "CutMiddle": CutMiddle(s, n), "CleanCut": CleanCut(s, n)} {
			if Width(got) > n {
				t.Fatalf("%s(%q, %d) = %q is %d wide", what, s, n, got, Width(got))
			}
		}
		if w := Width(Pad(s, n)); w != n {
			t.Fatalf("Pad(%q, %d) is %d wide", s, n, w)
		}
		var all strings.Builder
		for _, l := range Wrap(s, n) {
			all.WriteString(l)
			if Width(l) > n && clusters(l) > 1 {
				t.Fatalf("Wrap(%q, %d) has %q", s, n, l)
			}
		}
		if squeeze(all.String()) != squeeze(s) {
			t.Fatalf("Wrap(%q, %d) lost text: %q", s, n, all.String())
		}
	}
}

func clusters(s string) (n int) {
	Clusters(s, func(string, int) bool {
		n++
		return true
	})
	return n
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

func TestCleanCutIsBounded(t *testing.T) {
	long := strings.Repeat("x\x1b", 1<<20)
	if got, want := CleanCut(long, 6), "x␛x␛x…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 10 {
		CleanCut(long, 6)
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / 10; n > 64<<10 {
		t.Errorf("%d bytes for six cells", n)
	}
}

func BenchmarkWidth(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("the quick brown fox ", 10), "cjk": strings.Repeat("日本語のテキスト", 10),
		"accents": strings.Repeat("déjà vu — ça va ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Width(s)
			}
		})
	}
}
