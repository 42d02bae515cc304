package render

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"hindcast/docs"
	"hindcast/model"
	"hindcast/model/dialect"
)

const pageSource = "# codex: threads of the Codex CLI\n\nWhat is read, **what `becomes` of it**, and\nwhat [cannot](../told.md) be told. A lone ` and a [bracket] stay.\n\n" +
	"| input | becomes |\n|---|---|\n| `rollout-<time>.jsonl`, plain or `.zst`, alone or below `sessions/` | the session `<thread>`. Of a plain and a packed copy the plain one is read |\n" +
	"| `a|b` or c\\|d | refused |\n\n- A **fork** names a file and an ordinal\n  (`history_base`).\n- The next one.\n\n```console\n$ hindcast | cat\n  **as it is**\n```\n"

func TestPage(t *testing.T) {
	for _, width := range []int{80, 40, 0} {
		lines := Page(pageSource, width)
		within(t, lines, width)
		golden(t, fmt.Sprintf("page-%d.txt", width), lines)
	}
	for _, width := range []int{1, 2, 7, 20} {
		within(t, Page(pageSource, width), width)
	}
}

// TestDialectPages: every dialect has a page that is drawn without marks.
func TestDialectPages(t *testing.T) {
	for _, name := range dialect.All().Names() {
		page, ok := docs.Dialect(name)
		if !ok {
			t.Errorf("%s has no page", name)
			continue
		}
		for _, width := range []int{80, 120, 0} {
			lines := Page(page, width)
			within(t, lines, width)
			for _, l := range lines {
				s := Plain(l)
				if strings.Contains(s, "`") || strings.Contains(s, "**") || strings.HasPrefix(s, "|") || strings.HasPrefix(s, "#") {
					t.Errorf("%s: %q", name, s)
				}
			}
		}
	}
	if _, ok := docs.Dialect("../json"); ok {
		t.Error("a page outside of the folder is given")
	}
}

func FuzzPage(f *testing.F) {
	f.Add(pageSource, 40)
	f.Add("|\n|||\n- \n#\n```\n\x1b[31m", 1)
	f.Fuzz(func(t *testing.T, s string, width int) {
		width = max(width%200, 0)
		if len(s) > 4000 {
			s = s[:4000]
		}
		for _, l := range Page(s, width) {
			text := Plain(l)
			if width > 0 && Width(l) > width || !utf8.ValidString(text) || strings.ContainsFunc(text, model.Deceptive) {
				t.Fatalf("%q at %d", text, width)
			}
		}
	})
}
