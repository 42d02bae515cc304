package text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func rowsOf(s string, width int) []string {
	x := NewIndex(s, width)
	return x.Rows(0, x.Len())
}

func TestIndex(t *testing.T) {
	tests := []struct {
		s     string
		width int
		want  string
	}{
		{"", 10, ""}, {"a\nb\r\n\nc", 10, "a|b||c"}, {"a\n", 10, "a"}, {"abcdefgh", 3, "abc|def|gh"},
		{"one two three", 8, "one two|three"}, {"one two\nthree", 7, "one two|three"}, {"one two ", 7, "one two"},
		{"one two \nthree", 7, "one two|three"}, {"漢字漢字", 5, "漢字|漢字"}, {"\tab", 5, "    a|b"},
		{"a\x1bb", 2, "a␛|b"}, {"a\u202eb", 6, "a|‹202E›|b"}, {"long line", 0, "long line"}, {"x\ry", 10, "x␍y"},
	}
	for _, tt := range tests {
		if got := strings.Join(rowsOf(tt.s, tt.width), "|"); got != tt.want {
			t.Errorf("%q at %d: %q, want %q", tt.s, tt.width, got, tt.want)
		}
	}
}

// TestIndexKeepsEverything checks random hostile text: rows are safe, within
// the width, the same from wherever they are read, and hold all of the text.
func TestIndexKeepsEverything(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 500 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(randomText(r))
		}
		s, width := b.String(), 12+r.IntN(30)
		all := rowsOf(s, width)
		whole := ""
		for _, row := range all {
			checkSafe(t, s, row)
			if Width(row) > width {
				t.Fatalf("%q at %d: row %q is %d wide", s, width, row, Width(row))
			}
			whole += row
		}
		if len(all) == 0 {
			continue
		}
		at := r.IntN(len(all))
		fresh := NewIndex([]byte(s), width)
		if got := fresh.Rows(at, 3); strings.Join(got, "|") != strings.Join(all[at:min(at+3, len(all))], "|") {
			t.Fatalf("%q at %d: rows from %d are %q, want %q", s, width, at, got, all[at:min(at+3, len(all))])
		}
		if n := letters(s); letters(whole) != n {
			t.Fatalf("%q at %d: %d letters of %d in %q", s, width, letters(whole), n, all)
		}
	}
}

// letters counts characters that no cleaning touches.
func letters(s string) int {
	return strings.Count(s, "漢") + strings.Count(s, "ש") + strings.Count(s, "\ue000")
}

func TestIndexIsLazy(t *testing.T) {
	x := NewIndex(strings.Repeat("abcdefgh", 1<<20), 80)
	x.Rows(0, 40)
	if n, all := x.Grow(0); n > 100 || all {
		t.Errorf("%d rows known, all %v, after the first screen", n, all)
	}
}

// TestIndexScrolls is the ten megabytes on one line: once the end has been seen,
// a screen costs the same anywhere and next to nothing.
func TestIndexScrolls(t *testing.T) {
	for name, unit := range map[string]string{"ascii": "the quick brown fox ", "solid": "xxxxxxxxxxxxxxxxxxxx", "cjk": "日本語テキスト"} {
		x := NewIndex(strings.Repeat(unit, 10<<20/len(unit)), 80)
		start := time.Now()
		n := x.Len()
		built := time.Since(start)
		var screens []time.Duration
		for i := range 200 {
			start := time.Now()
			x.Rows(n*i/200, 40)
			screens = append(screens, time.Since(start))
		}
		slices.Sort(screens)
		median := screens[len(screens)/2]
		t.Logf("%s: %d rows in %v, a screen in %v (worst %v)", name, n, built, median, screens[len(screens)-1])
		// Against the time for all of it, so that a busy machine does not matter.
		if median > built/20 {
			t.Errorf("%s: a screen takes %v, all rows %v", name, median, built)
		}
	}
}

func TestIndexOfMarksIsLinear(t *testing.T) {
	for _, unit := range []string{"\u0301", "\U000e0041", "\u1161", "\x1b", "\xff", "\u202e", "\t"} {
		start := time.Now()
		NewIndex("A"+strings.Repeat(unit, 1<<20/len(unit)), 80).Len()
		d := time.Since(start)
		t.Logf("%q: %v", unit, d)
		if d > time.Minute { // quadratic would be many
			t.Errorf("a megabyte of %q took %v", unit, d)
		}
	}
}

func FuzzIndex(f *testing.F) {
	for _, tt := range cleanTests {
		f.Add(tt.in, 12)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = width%200 + 1
		for _, row := range rowsOf(s, max(width, 1)) {
			checkSafe(t, s, row)
			if Width(row) > max(width, 1) {
				t.Fatalf("row %q is wider than %d", row, width)
			}
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	s := strings.Repeat("the quick brown fox ", 50_000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		NewIndex(s, 80).Len()
	}
}
