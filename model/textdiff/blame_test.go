package textdiff_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"hindcast/model/textdiff"
)

func add(t testing.TB, b *textdiff.Blame[int], text string, tag int, written bool) {
	t.Helper()
	if err := b.Add(t.Context(), textdiff.Change{Middle: text}, tag, written); err != nil {
		t.Fatal(err)
	}
}

// changed is what two texts do not share at their ends, byte by byte.
func changed(old, new string) (c textdiff.Change) {
	n := min(len(old), len(new))
	for c.Prefix < n && old[c.Prefix] == new[c.Prefix] {
		c.Prefix++
	}
	for c.Suffix < n-c.Prefix && old[len(old)-c.Suffix-1] == new[len(new)-c.Suffix-1] {
		c.Suffix++
	}
	c.Middle = new[c.Prefix : len(new)-c.Suffix]
	return c
}

// told writes a blame as text: the tag of a line, or the tags it lies between.
func told(b *textdiff.Blame[int]) string {
	var out strings.Builder
	for line, o := range b.Lines() {
		switch {
		case o.Written:
			fmt.Fprintf(&out, "%d", o.Tag)
		case o.HasAfter:
			fmt.Fprintf(&out, "%d..%d", o.After, o.Tag)
		default:
			fmt.Fprintf(&out, "..%d", o.Tag)
		}
		fmt.Fprintf(&out, " %q\n", line)
	}
	return out.String()
}

func TestBlame(t *testing.T) {
	var b textdiff.Blame[int]
	if told(&b) != "" {
		t.Error("no version has lines")
	}
	for _, step := range []struct {
		text    string
		tag     int
		written bool
		want    string
	}{
		{"a\nb\nc\n", 11, false, "..11 \"a\\n\"\n..11 \"b\\n\"\n..11 \"c\\n\"\n"},
		{"a\nB\nc\n", 63, true, "..11 \"a\\n\"\n63 \"B\\n\"\n..11 \"c\\n\"\n"},
		{"a\nB\nc\nd", 74, false, "..11 \"a\\n\"\n63 \"B\\n\"\n..11 \"c\\n\"\n63..74 \"d\"\n"},
		{"a\nB\nc\nd", 80, false, "..11 \"a\\n\"\n63 \"B\\n\"\n..11 \"c\\n\"\n63..74 \"d\"\n"},
		{"a\nB\nc\nd\n", 82, false, "..11 \"a\\n\"\n63 \"B\\n\"\n..11 \"c\\n\"\n80..82 \"d\\n\"\n"},
		{"", 90, true, ""},
		{"a\n", 91, true, "91 \"a\\n\"\n"},
	} {
		add(t, &b, step.text, step.tag, step.written)
		if got := told(&b); got != step.want {
			t.Errorf("after %d:\n%snot\n%s", step.tag, got, step.want)
		}
	}
}

// TestBlameByChanges: told as changes, versions give the same blame as told
// whole; and texts of few letters meet every way in which changes can touch the
// ends of lines.
func TestBlameByChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	letters := func() string {
		var out strings.Builder
		for range r.IntN(9) {
			out.WriteByte("ab\n\n"[r.IntN(4)])
		}
		return out.String()
	}
	for range 3000 {
		var whole, parts textdiff.Blame[int]
		text := letters()
		last := ""
		for v := range 8 {
			written := r.IntN(3) > 0
			add(t, &whole, text, v, written)
			if err := parts.Add(t.Context(), changed(last, text), v, written); err != nil {
				t.Fatal(err)
			}
			if got, want := told(&parts), told(&whole); got != want {
				t.Fatalf("%q to %q:\n%snot\n%s", last, text, got, want)
			}
			last = text
			if at := r.IntN(len(text) + 1); r.IntN(3) > 0 {
				text = text[:at] + letters() + text[min(at+r.IntN(3), len(text)):]
			} else {
				text = letters()
			}
			if r.IntN(8) == 0 {
				whole.Restart()
				parts.Restart()
			}
		}
	}
}

func TestBlameOfAnotherText(t *testing.T) {
	var b textdiff.Blame[int]
	add(t, &b, "a\nb\n", 1, true)
	for _, c := range []textdiff.Change{{Prefix: 5}, {Suffix: 5}, {Prefix: 3, Suffix: 2}, {Prefix: 4, Suffix: 4}, {Prefix: -1}} {
		if err := b.Add(t.Context(), c, 2, true); !errors.Is(err, textdiff.ErrMismatch) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	b.Restart()
	if got := told(&b); got != "" {
		t.Errorf("no version, but %s", got)
	}
	if err := b.Add(t.Context(), textdiff.Change{Prefix: 2, Suffix: 2, Middle: "c\n"}, 3, false); err != nil {
		t.Fatal(err)
	}
	if got := told(&b); got != "..3 \"a\\n\"\n..3 \"c\\n\"\n..3 \"b\\n\"\n" {
		t.Errorf("after the restart:\n%s", got)
	}
}

// TestBlameAgainstNaive replays every history from its start for every version,
// one line at a time.
func TestBlameAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 150 {
		var b textdiff.Blame[int]
		var texts []string
		var written []bool
		text := lines(r, r.IntN(30), 1+r.IntN(20))
		for v := range 1 + r.IntN(12) {
			texts, written = append(texts, text), append(written, r.IntN(3) > 0)
			add(t, &b, text, v, written[v])
			if got, want := told(&b), naive(t, texts, written); got != want {
				t.Fatalf("%q:\n%snot\n%s", texts, got, want)
			}
			text = edited(r, text, r.IntN(6))
		}
	}
}

// naive walks each line of the last text back through the versions, until one
// does not have it.
func naive(t *testing.T, texts []string, written []bool) string {
	var out strings.Builder
	last := len(texts) - 1
	for at, line := range textdiff.Split(texts[last]) {
		v := last
		for v > 0 {
			before, ok := back(align(t, texts[v-1], texts[v]), at)
			if !ok {
				break
			}
			v, at = v-1, before
		}
		_, fromNothing := back(align(t, "", texts[v]), at)
		switch {
		case fromNothing:
			t.Fatal("a line came from the empty text")
		case written[v]:
			fmt.Fprintf(&out, "%d", v)
		case v > 0:
			fmt.Fprintf(&out, "%d..%d", v-1, v)
		default:
			fmt.Fprintf(&out, "..%d", v)
		}
		fmt.Fprintf(&out, " %q\n", line)
	}
	return out.String()
}

// back is the line of the old text that a line of the new one was before.
func back(s textdiff.Script, at int) (int, bool) {
	shift := 0
	for _, e := range s.Edits {
		if at < e.NewFrom {
			break
		}
		if at < e.NewTo {
			return 0, false
		}
		shift = e.OldTo - e.NewTo
	}
	return at + shift, true
}

func TestBlameOfWhatCannotBeAligned(t *testing.T) {
	var b textdiff.Blame[int]
	many := numbered(1, textdiff.LineLimit+1)
	add(t, &b, "a\n"+many+"z\n", 1, true)
	add(t, &b, "a\n"+strings.ReplaceAll(many, "\n", "'\n")+"z\n", 2, true)
	if b.Coarse() != 1 {
		t.Errorf("%d versions were too large", b.Coarse())
	}
	counts := map[int]int{}
	for _, o := range b.Lines() {
		counts[o.Tag]++
	}
	if counts[1] != 2 || counts[2] != textdiff.LineLimit+1 {
		t.Errorf("lines by version: %v", counts)
	}
}

func TestBlameStaysAsItWasWhenCancelled(t *testing.T) {
	var b textdiff.Blame[int]
	add(t, &b, "a\nb\n", 1, true)
	before := told(&b)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Add(ctx, textdiff.Change{Middle: "b\na\n"}, 2, true); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := told(&b); got != before {
		t.Errorf("%s", got)
	}
	add(t, &b, "a\nb\nc\n", 3, false)
	if got := told(&b); !strings.Contains(got, "1..3 \"c") {
		t.Errorf("%s", got)
	}
}

func BenchmarkBlameAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 12))
	text, last := lines(r, 2400, 2000), ""
	var blame textdiff.Blame[int]
	v := 0
	for b.Loop() {
		b.StopTimer()
		c := changed(last, text)
		b.StartTimer()
		if err := blame.Add(b.Context(), c, v, true); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		last, text = text, edited(r, text, 5)
		v++
		b.StartTimer()
	}
}
