package textdiff_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hindcast/model/textdiff"
)

func align(t testing.TB, old, new string) textdiff.Script {
	t.Helper()
	s, err := textdiff.Lines(t.Context(), old, new)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// awkward holds texts that break line tools.
var awkward = []string{
	"", "\n", "a", "a\n", "\n\n\n", "a\r\nb\r\n", "a\nb", "a\nb\n", "a\r\nb", "\r\n", "\r", "a\rb\r", "\xff\xfe\n\x00\n", "\xed\xa0\x80\n\xed\xb0\x80\n",
	"\ufffd\n\xff\n", "x\n\nx\n\nx\n", "\U0010ffff\n", "-\n+\n \n@@\n", "\\ No newline at end of file\n",
}

// check holds a script against what every script must do.
func check(t *testing.T, old, new string) textdiff.Script {
	t.Helper()
	s := align(t, old, new)
	if got, err := s.Apply(old); err != nil || got != new {
		t.Fatalf("%q to %q: applied, it gives %q, %v", old, new, got, err)
	}
	if got, err := s.Inverse().Apply(new); err != nil || got != old {
		t.Fatalf("%q to %q: the inverse gives %q, %v", old, new, got, err)
	}
	lastOld, lastNew := -1, -1
	for _, e := range s.Edits {
		if e.OldFrom <= lastOld || e.NewFrom <= lastNew || e.OldFrom-lastOld != e.NewFrom-lastNew && lastOld >= 0 || e.OldFrom == e.OldTo && e.NewFrom == e.NewTo {
			t.Fatalf("%q to %q: edits %v", old, new, s.Edits)
		}
		lastOld, lastNew = e.OldTo, e.NewTo
	}
	if got := rebuilt(s, 3); got != new {
		t.Fatalf("%q to %q: the hunks give %q", old, new, got)
	}
	return s
}

// rebuilt makes the new text from the old one and the hunks.
func rebuilt(s textdiff.Script, context int) string {
	var out strings.Builder
	at := 0
	for _, h := range s.Hunks(context) {
		out.WriteString(strings.Join(s.Old[at:h.OldFrom], ""))
		out.WriteString(strings.Join(s.New[h.NewFrom:h.NewTo], ""))
		at = h.OldTo
	}
	out.WriteString(strings.Join(s.Old[at:], ""))
	return out.String()
}

func TestAwkwardTexts(t *testing.T) {
	for _, old := range awkward {
		if got := strings.Join(textdiff.Split(old), ""); got != old {
			t.Errorf("%q splits into %q", old, got)
		}
		for _, new := range awkward {
			s := check(t, old, new)
			if removed, added := s.Counts(); (old == new) != (removed+added == 0) {
				t.Errorf("%q to %q: %d removed, %d added", old, new, removed, added)
			}
		}
	}
}

// lines is a text of n lines out of an alphabet.
func lines(r *rand.Rand, n, alphabet int) string {
	var out strings.Builder
	for range n {
		if k := r.IntN(alphabet); k > 0 {
			fmt.Fprintf(&out, "line %d", k)
		}
		out.WriteByte('\n')
	}
	text := out.String()
	if n > 0 && r.IntN(4) == 0 {
		text = text[:len(text)-1]
	}
	return text
}

// edited is a text with some lines changed.
func edited(r *rand.Rand, text string, edits int) string {
	all := textdiff.Split(text)
	for range edits {
		at := r.IntN(len(all) + 1)
		switch r.IntN(3) {
		case 0:
			all = append(all[:at:at], append([]string{fmt.Sprintf("new %d\n", r.IntN(9))}, all[at:]...)...)
		case 1:
			if at < len(all) {
				all = append(all[:at:at], all[at+1:]...)
			}
		case 2:
			if at < len(all) {
				all[at] = all[r.IntN(len(all))]
			}
		}
	}
	return strings.Join(all, "")
}

// longest is the length of the longest common subsequence, by the textbook.
func longest(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestScriptsAreExactAndShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		old := lines(r, r.IntN(40), 1+r.IntN(12))
		new := lines(r, r.IntN(40), 1+r.IntN(12))
		if i%2 == 0 {
			new = edited(r, old, r.IntN(8))
		}
		s := check(t, old, new)
		removed, _ := s.Counts()
		if kept, most := len(s.Old)-removed, longest(s.Old, s.New); kept != most {
			t.Fatalf("%q to %q: keeps %d lines of %d", old, new, kept, most)
		}
	}
}

func TestApplyRefusesAnotherText(t *testing.T) {
	s := align(t, "a\nb\nc\n", "a\nx\nc\n")
	for _, other := range []string{"", "a\nc\nc\n", "a\nb\n", "a\nb\nc\nd\n"} {
		if got, err := s.Apply(other); !errors.Is(err, textdiff.ErrMismatch) {
			t.Errorf("%q became %q, %v", other, got, err)
		}
	}
}

// TestBlocksStandWherePeopleExpectThem compares the lines that count as new.
func TestBlocksStandWherePeopleExpectThem(t *testing.T) {
	for name, c := range map[string]struct{ old, new, added string }{
		"function between":  {"func a() {\n}\n\nfunc c() {\n}\n", "func a() {\n}\n\nfunc b() {\n}\n\nfunc c() {\n}\n", "func b() {\n}\n\n"},
		"function appended": {"func a() {\n}\n", "func a() {\n}\n\nfunc b() {\n}\n", "\nfunc b() {\n}\n"},
		"line doubled":      {"a\nb\n", "a\na\nb\n", "a\n"},
		"block first":       {"\nfunc b() {\n}\n", "\nfunc a() {\n}\n\nfunc b() {\n}\n", "func a() {\n}\n\n"},
	} {
		for _, side := range []string{"added", "removed"} {
			s := align(t, c.old, c.new)
			if side == "removed" {
				s = align(t, c.new, c.old).Inverse()
			}
			if len(s.Edits) != 1 {
				t.Fatalf("%s: %v", name, s.Edits)
			}
			if got := strings.Join(s.New[s.Edits[0].NewFrom:s.Edits[0].NewTo], ""); got != c.added {
				t.Errorf("%s, %s: %q, not %q", name, side, got, c.added)
			}
		}
	}
}

func TestHunks(t *testing.T) {
	old := numbered(1, 40)
	new := strings.Replace(strings.Replace(strings.Replace(old, "5\n", "five\n", 1), "12\n", "twelve\n", 1), "30\n", "", 1)
	s := align(t, old, new)
	var got []string
	for _, h := range s.Hunks(3) {
		got = append(got, fmt.Sprint(h.Header(), len(h.Edits)))
	}
	want := []string{"@@ -2,14 +2,14 @@2", "@@ -27,7 +27,6 @@1"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, not %v", got, want)
	}
	if n := len(s.Hunks(0)); n != 3 {
		t.Errorf("%d hunks without context", n)
	}
}

func numbered(from, to int) string {
	var out strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintln(&out, i)
	}
	return out.String()
}

func TestUnified(t *testing.T) {
	got := align(t, "a\nb\nc", "a\nB\nc\n").Unified("old name", "dir/\"new\"\t\xff", 1)
	want := "--- old name\t\n+++ \"dir/\\\"new\\\"\\011\\377\"\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n\\ No newline at end of file\n+B\n+c\n"
	if got != want {
		t.Errorf("%q\nnot\n%q", got, want)
	}
	if got := align(t, "a", "a").Unified("a", "b", 3); got != "" {
		t.Errorf("no change is %q", got)
	}
}

// TestGitAppliesOurPatches asks a program that many others agree with.
func TestGitAppliesOurPatches(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git here")
	}
	r := rand.New(rand.NewPCG(3, 4))
	pairs := [][2]string{{"", "a\n"}, {"a\nb", "a\nb\n"}, {"a\r\nb\r\n", "a\nb\r\n"}, {"\xff\n\n", "\xfe\n\n"}, {"a", "b"}}
	for range 20 {
		old := lines(r, 5+r.IntN(60), 30)
		pairs = append(pairs, [2]string{old, edited(r, old, 1+r.IntN(6))})
	}
	for _, p := range pairs {
		patch := align(t, p[0], p[1]).Unified("a/f", "b/f", 3)
		if patch == "" || p[1] == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte(p[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), git, "apply", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = filepath.Dir(file), strings.NewReader(patch)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(cmd.Dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%s", err, out, patch)
		}
		if got, _ := os.ReadFile(file); string(got) != p[1] {
			t.Fatalf("git made %q of\n%s", got, patch)
		}
	}
}

func TestTooLarge(t *testing.T) {
	many := numbered(1, textdiff.LineLimit+1)
	million := numbered(1, 1_200_000)
	long := strings.Repeat("x", textdiff.ByteLimit/2) + "\n"
	for name, c := range map[string]struct{ old, new string }{
		"lines":   {"a\n" + many + "z\n", "a\nx\nz\n"},
		"million": {million, strings.ReplaceAll(million, "\n", "'\n")},
		"bytes":   {long, "y" + long},
	} {
		_, err := textdiff.Lines(t.Context(), c.old, c.new)
		var large *textdiff.TooLarge
		if !errors.As(err, &large) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := large.Apply(c.old); err != nil || got != c.new {
			t.Errorf("%s: its one edit does not make the new text of the old", name)
		}
		if name == "lines" && (large.Edits[0].OldFrom != 1 || large.OldBytes != len(many) || large.NewBytes != 2) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check(t, million, strings.Replace(million, "\n600000\n", "\nx\n", 1))
	check(t, numbered(1, textdiff.LineLimit), "x\n")
	check(t, "", million)
	check(t, "1\n", million)
	check(t, long[1:], long[2:])
}

func TestNothingSharedIsQuick(t *testing.T) {
	old := numbered(1, textdiff.LineLimit)
	if s := check(t, old, strings.ReplaceAll(old, "\n", "'\n")); len(s.Edits) != 1 {
		t.Errorf("%d edits", len(s.Edits))
	}
	check(t, old, strings.ReplaceAll(old, "5\n", "five\n"))
}

func TestCancel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	old, new := lines(r, 9000, 200), lines(r, 9000, 200)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := textdiff.Lines(ctx, old, new)
	if took := time.Since(begun); err == nil || !errors.Is(err, context.DeadlineExceeded) || took > 500*time.Millisecond {
		t.Errorf("%v after %v", err, took)
	}
	if _, err := textdiff.Lines(ctx, "a\nb\n", "b\na\n"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an ended context gives %v", err)
	}
}

func FuzzLines(f *testing.F) {
	for i, s := range awkward {
		f.Add(s, awkward[len(awkward)-1-i])
	}
	f.Fuzz(func(t *testing.T, old, new string) {
		s := check(t, old, new)
		s.Unified(old, new, 3)
		for i := range min(len(s.Old), len(s.New)) {
			checkWords(t, s.Old[i], s.New[i])
		}
	})
}

func BenchmarkLines(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	usual := lines(r, 2400, 2000)
	shuffled := lines(r, 4000, 200)
	for name, c := range map[string][2]string{
		"usual":     {usual, edited(r, usual, 20)},
		"unrelated": {usual, lines(r, 2400, 1<<30)},
		"large":     {numbered(1, 20000), strings.ReplaceAll(numbered(1, 20000), "7\n", "seven\n")},
		"shuffled":  {shuffled, lines(r, 4000, 200)},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				align(b, c[0], c[1])
			}
		})
	}
}
