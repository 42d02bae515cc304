package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"hindcast/model/textdiff"
	"hindcast/render/theme"
)

const taxOld = `// 税率 of what the shop sells.
import { round } from "./round.js";

const RATES = { food: 7, drink: 19 };

export function rate(kind) {
	if (kind in RATES) {
		return RATES[kind];
	}
	return 19;
}

export function net(price, kind) {
	// The price that the customer sees holds the tax already, whatever the kind is.
	return round(price / (1 + rate(kind) / 100));
}

export function gross(price, kind) {
	return round(price * (1 + rate(kind) / 100));
}

export function label(kind) {
    return kind + ": " + rate(kind) + " %";
}

export default { rate, net, gross, label };`

func taxNew() string {
	return strings.NewReplacer(
		"food: 7, drink: 19", "food: 7, book: 9, drink: 19",
		"in RATES) {", "in RATES && kind !== \"all\") {",
		"export function label", "export function known(kind) {\n\treturn kind in RATES;\n}\n\nexport function label",
		"    return kind + \": \"", "\treturn kind + \": \"",
		"gross, label };", "gross, known, label };\n",
	).Replace(taxOld)
}

func taxDiffs(width int) map[string][]Line {
	return map[string][]Line{
		"diff": TextDiff(taxOld, taxNew(), "src/tax.js", width), "beside": SideBySide(taxOld, taxNew(), "src/tax.js", width),
		"diff-new": TextDiff("", taxNew(), "src/tax.js", width), "diff-gone": SideBySide(taxOld, "", "src/tax.js", width),
	}
}

// inDark is lines as the dark theme writes them, with the escapes visible.
func inDark(t *testing.T, lines []Line) []Line {
	t.Helper()
	var b bytes.Buffer
	if err := WriteLines(&b, lines, theme.Dark); err != nil {
		t.Fatal(err)
	}
	var out []Line
	for line := range strings.Lines(b.String()) {
		out = append(out, Line{{strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\x1b", "␛"), theme.Plain}})
	}
	return out
}

func TestDiffGolden(t *testing.T) {
	for _, width := range []int{80, 140} {
		for name, lines := range taxDiffs(width) {
			within(t, lines, width)
			if name == "beside" && width < sideBySide { // that is diff
				continue
			}
			golden(t, fmt.Sprintf("%s-%d.txt", name, width), lines)
		}
		golden(t, fmt.Sprintf("diff-dark-%d.txt", width), inDark(t, SideBySide(taxOld, taxNew(), "src/tax.js", width)))
	}
}

func TestNarrowDiffsAreStillWithin(t *testing.T) {
	for _, width := range []int{1, 2, 5, 12, 20, 39, 40, 119, 120, 121} {
		for name, lines := range taxDiffs(width) {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) { within(t, lines, width) })
		}
	}
}

// roles is lines with the text of one role in braces.
func roles(lines []Line, role theme.Role) string {
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l {
			if s.Role == role {
				b.WriteString("{" + s.Text + "}")
			} else {
				b.WriteString(s.Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestDiffs(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"words":          {"the rate is 7\n", "the rate is 9\n", "+1 -1\n@@ -1 +1 @@\n1   - the rate is {7}\n  1 + the rate is {9}\n"},
		"unlike":         {"one\n", "something else\n", "+1 -1\n@@ -1 +1 @@\n1   - one\n  1 + something else\n"},
		"tabs":           {"\treturn\n", "    return\n", "+1 -1\n@@ -1 +1 @@\n1   - {→}return\n  1 + {    }return\n"},
		"tabs alone":     {"\ta\n", "    a\n", "+1 -1\n@@ -1 +1 @@\n1   - →a\n  1 +     a\n"},
		"line ends":      {"a b\r\nb\r\n", "a b\nb\r\n", "+1 -1\n@@ -1,2 +1,2 @@\n1   - a b{␍}\n  1 + a b\n2 2   b␍\n"},
		"all CRLF":       {"a\r\nb 1 c\r\n", "a\r\nb 2 c\r\n", "+1 -1\n@@ -1,2 +1,2 @@\n1 1   a\n2   - b {1} c\n  2 + b {2} c\n"},
		"no newline":     {"a", "a\n", "+1 -1\n@@ -1 +1 @@\n1   - a\n    \\ No newline at end of file\n  1 + a\n"},
		"grapheme":       {"flag \U0001f1e9\U0001f1ea now\n", "flag \U0001f1e9\U0001f1f0 now\n", "+1 -1\n@@ -1 +1 @@\n1   - flag {\U0001f1e9\U0001f1ea} now\n  1 + flag {\U0001f1e9\U0001f1f0} now\n"},
		"nothing":        {"a\n", "a\n", "no change\n"},
		"nothing at all": {"", "", "no change\n"},
	} {
		if got := roles(TextDiff(c.old, c.new, "", 0), theme.Changed); got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", name, got, c.want)
		}
	}
}

func TestLongLinesShowTheirChange(t *testing.T) {
	old := strings.Repeat("é", 50_000) + "7" + strings.Repeat("x", 9000)
	got := plain(TextDiff(old, strings.Replace(old, "7", "9", 1), "a.js", 80))
	if !strings.Contains(got, "7xxx") || !strings.Contains(got, "9xxx") || strings.Contains(got, "\ufffd") || len(got) > 20_000 {
		t.Errorf("%d bytes:\n%.2000s", len(got), got)
	}
	if !strings.Contains(got, "…99 KB…") || !strings.Contains(got, "KB…\n") {
		t.Errorf("it does not say what it leaves out:\n%.300s", got)
	}
}

func TestDiffLimitsAreSaid(t *testing.T) {
	many := strings.Repeat("x\n", textdiff.LineLimit+1)
	got := plain(TextDiff("a\n"+strings.ReplaceAll(many, "x", "y"), "a\n"+many, "a.txt", 100))
	if !strings.Contains(got, "too large to align: from line 2 on, 20,001 lines, 40 KB became 20,001 lines, 40 KB") {
		t.Error(got)
	}
	if got = plain(TextDiff("", many, "a.txt", 100)); !strings.HasSuffix(got, "\n▸ 1 more added line\n") {
		t.Error(got[len(got)-200:])
	}
	if got = plain(TextDiff(many, "", "a.txt", 100)); !strings.HasSuffix(got, "\n▸ 1 more removed line\n") {
		t.Error(got[len(got)-200:])
	}
}

func TestHostileTextInDiffs(t *testing.T) {
	for name, s := range hostile {
		for _, width := range []int{140, 80, 30, 0} {
			for what, lines := range map[string][]Line{
				"changed": SideBySide("a\n"+s+" one two three\nb\n", "a\n"+s+" one two four\nb\n", s, width),
				"context": TextDiff("1\n"+s+"\n", "2\n"+s+"\n", "x.go", width),
				"scope":   TextDiff("func "+s+"\n1\n2\n3\n4\n", "func "+s+"\n1\n2\n3\n4\n"+s, "x.py", width),
				"new":     SideBySide("", s, "x.js", width),
				"long":    TextDiff(s+strings.Repeat(s, 1+5000/len(s)), s+"y"+strings.Repeat(s, 1+5000/len(s)), "x.js", width),
			} {
				checkLines(t, name+" in "+what, lines, width)
			}
		}
	}
}

func TestDiffIsQuick(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "\tvalue[%d] = compute(%d, %q)\n", i, i*7, "text")
	}
	old := b.String()
	begun := time.Now()
	lines := SideBySide(old, strings.ReplaceAll(old, "7, ", "8, "), "x.go", 140)
	if took := time.Since(begun); took > 3*time.Second || len(lines) < 2000 {
		t.Errorf("%d lines took %v", len(lines), took)
	}
}

func FuzzTextDiff(f *testing.F) {
	f.Add(taxOld, taxNew())
	f.Add("a\tb\r\n\x00", "a b\n\x1b[2J")
	f.Fuzz(func(t *testing.T, old, new string) {
		for _, width := range []int{140, 41, 3, 0} {
			checkLines(t, "fuzz", SideBySide(old, new, "x.go", width), width)
		}
	})
}
