package phrase_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hindcast/model"
	"hindcast/model/phrase"
)

func TestTellingLine(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"exit code first":  {"Exit code 1\n\n> shop@1.0.0 test\nAssertionError: 0.09 !== 0.07\n", "AssertionError: 0.09 !== 0.07"},
		"traceback":        {"ran\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    raise ValueError(x)\nValueError: bad x\n", "ValueError: bad x"},
		"a place":          {"building\nmain.go:27:9: x declared and not used\n", "main.go:27:9: x declared and not used"},
		"an address":       {"see http://example.com:80:x\nthen this\n", "see http://example.com:80:x"},
		"a test's report":  {"TAP version 13\nnot ok 1 - book rate\n  location: '/t/book.js:4:1'\n  failureType: 'testCodeFailure'\n  error: |-\n    Values should be equal:\n    \n    0.09 !== 0.07\n  code: 'E'\n", "Values should be equal: 0.09 !== 0.07"},
		"nothing telling":  {"\n  two words\nmore\n", "two words"},
		"only boilerplate": {"Exit code 2\n", "Exit code 2"},
		"empty":            {" \n", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := phrase.TellingLine(test.in); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestHeadCutsWholeRunes(t *testing.T) {
	long := `"` + strings.Repeat("ä", 40) + `\u00e9\n` + strings.Repeat("x", 100) + `"`
	for limit := 8; limit < len(long)+2; limit++ {
		got := phrase.Head([]byte(long), limit)
		if whole := phrase.Head([]byte(long), len(long)); !strings.HasPrefix(whole, got) {
			t.Fatalf("limit %d: %q is no beginning of the text", limit, got)
		}
	}
}

func TestSaid(t *testing.T) {
	for text, want := range map[string]string{
		"\n done\nmore": "done", "## Goal\n\nAdd a rate.\nMore": "Goal: Add a rate.", "# Only this\n": "Only this", "#1 is fixed\nso": "#1 is fixed", "": "",
		"# A\n## B\nc": "A: ## B",
	} {
		if got := phrase.Said(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := phrase.OneLine(" a\n\tb  c "); got != "a b c" {
		t.Errorf("got %q", got)
	}
	if got := phrase.OneLine(strings.Repeat("word ", 400)); len(got) > model.TitleLimit || !strings.HasSuffix(got, "…") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func TestContent(t *testing.T) {
	tests := map[string]string{
		`"text"`:                               "text",
		`{"type":"text","text":"block"}`:       "block",
		`[{"text":"a"},{"image":1},"b"]`:       "a\nb",
		`[]`:                                   "",
		`null`:                                 "",
		`[{"type":"text","text":"only this"}]`: "only this",
	}
	for in, want := range tests {
		if got := phrase.Content([]byte(in), phrase.TextLimit); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
		if got := phrase.ContentChars([]byte(in)); got != int64(utf8.RuneCountInString(want)) {
			t.Errorf("%s: %d characters, want those of %q", in, got, want)
		}
	}
}

func TestChange(t *testing.T) {
	if got := phrase.Change("a\nb\nc\n", "a\nx\ny\nc\n"); got != "+2 −1" {
		t.Errorf("got %q", got)
	}
}

func TestPlural(t *testing.T) {
	if got := phrase.Plural(1, "file") + ", " + phrase.Plural(0, "line"); got != "1 file, 0 lines" {
		t.Errorf("got %q", got)
	}
}

func TestAskedIsWhatAFramedPromptHolds(t *testing.T) {
	for s, want := range map[string]string{
		"\nFix it.\nNow.": "Fix it.",
		"We're currently solving the following issue within our repository. Here's the issue text:\nISSUE:\nSyntaxError: x\nmore":              "SyntaxError: x",
		"Please fix the following issue for the repository in /workspace.\nEnvironment.\n\n# Problem Statement\nDark mode\n":                   "Dark mode",
		"<uploaded_files>\n/testbed\n</uploaded_files>\nConsider the following PR description:\n\n<pr_description>\nBroken\n</pr_description>": "Broken",
		"We're currently solving the following issue. It has no text here.":                                                                    "We're currently solving the following issue. It has no text here.",
	} {
		if got := phrase.Asked(s); got != want {
			t.Errorf("%q asks %q, want %q", s, got, want)
		}
	}
}
