package patch_test

import (
	"testing"

	"hindcast/model/patch"
)

func TestUnified(t *testing.T) {
	const text = "one\ntwo\nthree\nfour\n"
	tests := map[string]struct {
		diff, want string
		refused    bool
	}{
		"context":         {diff: "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", want: "one\n2\nthree\nfour\n"},
		"no context":      {diff: "@@ -2 +2 @@\n-two\n+2\n+2b\n", want: "one\n2\n2b\nthree\nfour\n"},
		"insertion":       {diff: "@@ -4,0 +5,1 @@\n+five\n", want: "one\ntwo\nthree\nfour\nfive\n"},
		"two hunks":       {diff: "@@ -1 +1 @@\n-one\n+1\n@@ -4 +4 @@\n-four\n+4\n", want: "1\ntwo\nthree\n4\n"},
		"other text":      {diff: "@@ -2 +2 @@\n-zwei\n+2\n", refused: true},
		"behind the end":  {diff: "@@ -9 +9 @@\n-nine\n+9\n", refused: true},
		"hunks backwards": {diff: "@@ -4 +4 @@\n-four\n+4\n@@ -1 +1 @@\n-one\n+1\n", refused: true},
		"no diff":         {diff: "two words", refused: true},
		"newline taken":   {diff: "@@ -4 +4 @@\n-four\n+4\n\\ No newline at end of file\n", want: "one\ntwo\nthree\n4"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := patch.Unified(text, test.diff)
			if ok == test.refused || ok && got != test.want {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}

func TestUnifiedWithoutNewline(t *testing.T) {
	tests := map[string]struct{ text, diff, want string }{
		"given": {"a", "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n", "a\nb\n"},
		"stays": {"a\nb", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline at end of file\n", "c\nb"},
		"still": {"a", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", "b"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, ok := patch.Unified(test.text, test.diff); !ok || got != test.want {
				t.Errorf("got %q, %v", got, ok)
			}
		})
	}
}
