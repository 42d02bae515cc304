package textdiff_test

import (
	"strings"
	"testing"

	"hindcast/model/textdiff"
)

// checkWords holds the marks of two lines against what marks must be, and
// returns the lines with their marks in braces.
func checkWords(t *testing.T, old, new string) (string, string, bool) {
	t.Helper()
	removed, added, ok := textdiff.Words(old, new)
	if !ok && (removed != nil || added != nil) {
		t.Fatalf("%q and %q: marks on lines that are not alike", old, new)
	}
	a, restA := marked(t, old, removed)
	b, restB := marked(t, new, added)
	if ok && strings.Join(strings.Fields(restA), "") != strings.Join(strings.Fields(restB), "") {
		t.Fatalf("%q and %q: without marks %q and %q", old, new, restA, restB)
	}
	return a, b, ok
}

func marked(t *testing.T, line string, spans []textdiff.Span) (with, rest string) {
	t.Helper()
	at := 0
	for _, s := range spans {
		if s.From < at || s.To <= s.From || s.To > len(line) {
			t.Fatalf("%q: spans %v", line, spans)
		}
		with += line[at:s.From] + "{" + line[s.From:s.To] + "}"
		rest += line[at:s.From]
		at = s.To
	}
	return with + line[at:], rest + line[at:]
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ old, new, wantOld, wantNew string }{
		{"const RATE = 7;", "const RATE = 9; // books", "const RATE = {7};", "const RATE = {9};{ // books}"},
		{"\tif a && b {", "\t\tif a || b {", "{\t}if a {&&} b {", "{\t\t}if a {||} b {"},
		{"return sum(one two, x, y)", "return sum(three four, x, y)", "return sum({one two}, x, y)", "return sum({three four}, x, y)"},
		{"a \xff b c d", "a \xfe b c d", "a {\xff} b c d", "a {\xfe} b c d"},
		{"価格 の 税率 は 七", "価格 の 税率 は 九", "価格 の 税率 は {七}", "価格 の 税率 は {九}"},
		{"cafe\u0301 noir, please", "cafe noir, please", "{cafe\u0301} noir, please", "{cafe} noir, please"},
		{"same", "same", "same", "same"},
		{"  ", "    ", "{  }", "{    }"},
		{"", "", "", ""},
	} {
		a, b, ok := checkWords(t, c.old, c.new)
		if !ok || a != c.wantOld || b != c.wantNew {
			t.Errorf("%q and %q: %v %q %q", c.old, c.new, ok, a, b)
		}
	}
}

func TestLinesThatAreNotAlike(t *testing.T) {
	long := strings.Repeat("word ", textdiff.WordLimit/5+1)
	for _, c := range [][2]string{
		{"const RATE = 7;", "import fs from 'node:fs'"},
		{"x", "y"},
		{"", "something"},
		{"    }", "    return"},
		{"total", "total of everything that was bought"},
		{long, long},
	} {
		if a, b, ok := checkWords(t, c[0], c[1]); ok {
			t.Errorf("%q and %q count as versions of one line", a, b)
		}
	}
}
