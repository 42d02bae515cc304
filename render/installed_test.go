package render

import (
	"fmt"
	"testing"
	"time"

	"hindcast/model/answer"
)

// listed is when the list of installed sessions was asked for.
var listed = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

func installedAnswer() answer.Installed {
	text := func(s string) *string { return &s }
	number := func(n int64) *int64 { return &n }
	return answer.Installed{
		Sessions: []answer.InstalledSession{
			{ID: "3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04", Dialect: "claudecode", Dumps: []string{"/home/u/.claude/projects/-srv-shop/3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04.jsonl"},
				Title: text("Fix the tax rate of books, and let the tests tell it"), Cwd: text("/srv/shop"), Here: true, Changed: "2026-03-09T11:59:40Z",
				Bytes: number(5_300_000_000), Outcome: text("finished"), Failed: number(12), Read: answer.ReadEnds},
			{ID: "ses_4870006ffffe00000000000001", Dialect: "opencode", Dumps: []string{"/home/u/.local/share/opencode/opencode.db"},
				Title: text("Fix the rounding"), Cwd: text("/srv/app"), Changed: "2026-03-09T11:18:00Z", Outcome: text("running"), Failed: number(3), Read: answer.ReadIndex},
			{ID: "0195a000-0000-7000-8000-00000000000c", Dialect: "codex", Dumps: []string{"/home/u/.codex/a b.jsonl"}, Parent: text("0195a000-0000-7000-8000-00000000000a"),
				Title: text("Listen"), Cwd: text("/srv/demo/bell"), Changed: "2026-03-08T20:00:00Z", Bytes: number(2083), Outcome: text("idle"), Failed: number(0), Read: answer.ReadWhole},
			{ID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0", Dialect: "openhands", Dumps: []string{}, Changed: "2026-02-16T12:00:00Z", Bytes: number(12415), Read: answer.ReadNothing},
			{ID: "00000000-0000-4000-8000-000000000007", Dialect: "codex", Dumps: []string{}, Changed: "2024-12-24T12:00:00Z", Bytes: number(0), Read: answer.ReadNothing,
				Problem: text("permission denied")},
		},
		More:   17,
		Places: []answer.InstalledPlace{{Dialect: "codex", Path: "/home/u/.codex/sessions", Found: 3, Problem: text("2025: permission denied")}, {Dialect: "opencode", Path: "/home/u/.local/share/opencode", Found: 9}},
	}
}

func installedOpens(a answer.Installed) (open []string) {
	for _, s := range a.Sessions {
		open = append(open, "hindcast --session "+s.ID+" "+fmt.Sprint(s.Dumps))
	}
	return open
}

// installedNowhere is the answer where nothing was found.
func installedNowhere() answer.Installed {
	a := installedAnswer()
	a.Sessions, a.More = nil, 0
	return a
}

func installedRows(a answer.Installed, width int) []Line {
	lines := []Line{InstalledHead(width)}
	for _, s := range a.Sessions {
		lines = append(lines, InstalledRow(s, listed, width))
	}
	return lines
}

func TestAge(t *testing.T) {
	for at, want := range map[string]string{
		"2026-03-09T12:00:30Z": "now", "2026-03-09T11:59:01Z": "now", "2026-03-09T11:59:00Z": "1m", "2026-03-09T11:00:00Z": "1h",
		"2026-03-03T11:00:00Z": "6d", "2026-03-02T12:00:00Z": "1w", "2025-03-08T12:00:00Z": "1y", "": "",
	} {
		if got := age(at, listed); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}
