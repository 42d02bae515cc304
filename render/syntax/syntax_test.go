package syntax

import (
	"strings"
	"testing"
	"time"
)

func joined(lines [][]Span) string {
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l {
			b.WriteString(s.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestHighlightKeepsTheText(t *testing.T) {
	tests := []struct {
		name, code, piece string
		class             Class
	}{
		{"main.go", "package main\n\n// hi\nfunc f() int { return 7 }\n", "package", Keyword},
		{"a/b.py", "def f():\n\treturn 'x'\n", "def", Keyword},
		{`C:\x\run.sh`, "echo \"hi\" # say\nexit 1\n", "# say", Comment},
		{"config.yaml", "server: 8080\n", "server", Key},
		{"change.diff", "--- a\n+++ b\n+new\n-old\n", "+new", Added},
	}
	for _, tt := range tests {
		lines, ok := Highlight(tt.name, tt.code, time.Minute)
		if !ok {
			t.Errorf("%s: refused", tt.name)
			continue
		}
		if got := joined(lines); got != tt.code {
			t.Errorf("%s: text changed to %q, want %q", tt.name, got, tt.code)
		}
		if !has(lines, tt.piece, tt.class) {
			t.Errorf("%s: %q is not drawn as %v: %v", tt.name, tt.piece, tt.class, lines)
		}
	}
}

func has(lines [][]Span, piece string, class Class) bool {
	for _, l := range lines {
		for _, s := range l {
			if s.Class == class && strings.Contains(s.Text, piece) {
				return true
			}
		}
	}
	return false
}

func TestHighlightRefuses(t *testing.T) {
	tests := []struct{ what, name, code string }{
		{"unknown language", "notes.xyz", "x"},
		{"no extension", "Makefile", "all:\n"},
		{"too large", "a.go", strings.Repeat("x\n", sizeLimit)},
		{"long line", "a.go", strings.Repeat("x", lineLimit+1)},
	}
	for _, tt := range tests {
		if _, ok := Highlight(tt.name, tt.code, time.Minute); ok {
			t.Errorf("%s: not refused", tt.what)
		}
	}
}

func TestHighlightRefusesWhatTheLexerChanges(t *testing.T) {
	if _, ok := Highlight("a.go", "x := 1", time.Minute); ok {
		t.Error("a text that the lexer rewrites was accepted")
	}
	if lines := classify("no such language", "x\n", time.Now().Add(time.Minute)); lines != nil {
		t.Error("an unknown lexer gives lines")
	}
	if lines := classify("go", strings.Repeat("x\n", 1000), time.Now()); lines != nil {
		t.Error("a deadline in the past gives lines")
	}
}

// TestHighlightIsBounded runs the inputs that make lexers quadratic. A single
// match may take the library's own limit of 250 ms beyond the budget; without
// it these take minutes.
func TestHighlightIsBounded(t *testing.T) {
	line := strings.Repeat("[", lineLimit) + "\n"
	for _, name := range []string{"a.cpp", "a.md", "a.html", "a.php", "a.rb", "a.ts"} {
		start := time.Now()
		Highlight(name, strings.Repeat(line, 100), Budget)
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

func TestCacheForgetsTheOldest(t *testing.T) {
	c := cache{limit: 10}
	made := 0
	ask := func(code string) {
		c.get("go", code, func() [][]Span {
			made++
			return [][]Span{{{code, Plain}}}
		})
	}
	ask("aaaaaa")
	ask("aaaaaa")
	if made != 1 {
		t.Fatalf("made %d times, want once", made)
	}
	ask("bbbbbb")
	ask("aaaaaa")
	if made != 3 || c.size > c.limit {
		t.Errorf("made %d times, %d bytes kept, want 3 and at most %d", made, c.size, c.limit)
	}
}

func TestCacheKeepsRefusals(t *testing.T) {
	c := cache{limit: 10}
	for range 2 {
		if _, ok := c.get("go", "x", func() [][]Span { return nil }); ok {
			t.Error("nil is an answer")
		}
	}
	if len(c.known) != 1 {
		t.Errorf("%d results kept, want 1", len(c.known))
	}
}

func BenchmarkHighlight(b *testing.B) {
	code := strings.Repeat("func f(a int) string { return \"x\" + g(a, 7) }\n", 80)
	b.SetBytes(int64(len(code)))
	b.ReportAllocs()
	for b.Loop() {
		if classify("go", code, time.Now().Add(time.Minute)) == nil {
			b.Fatal("refused")
		}
	}
}
