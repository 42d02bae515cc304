package render

import (
	"strings"
	"time"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Sessions draws the sessions of a dump as a table, sub-agents indented below
// the session that made them.
func Sessions(a answer.Sessions, width int) []Line {
	if len(a.Sessions) == 0 {
		return []Line{{{"no sessions", theme.Dim}}}
	}
	cols := []column{
		{head: "session", max: 24}, {head: "dialect", max: 14}, {head: "events", right: true},
		{head: "X", right: true}, {head: "open", right: true}, {head: "tokens", right: true}, {head: "cost", right: true},
		{head: "started", max: 16}, {head: "took", right: true}, {head: "outcome", max: 14}, {head: "title", flex: true},
	}
	narrow := width > 0 && width < 110
	switch {
	case narrow: // a person at 80 columns sees what tells sessions apart
		cols[0].max, cols[9].max = 14, 10
	case width == 0: // a pipe gets ids whole
		cols[0].max = 0
	}
	depths := sessionDepths(a.Sessions)
	var rows [][]cell
	for i, s := range a.Sessions {
		row := sessionRow(s, depths[i])
		if narrow {
			row[4].text, row[5].text, row[6].text, row[7].text = "", "", "", ""
		}
		rows = append(rows, row)
	}
	return table(cols, rows, width)
}

func sessionRow(s answer.Session, depth int) []cell {
	indent := strings.Repeat("  ", min(depth, 4))
	if depth > 0 {
		indent = indent[2:] + "└ "
	}
	failed := cell{nonZero(s.Failed), theme.Fail}
	return []cell{
		{indent + clip(s.ID), theme.Link},
		{text.CleanCut(s.Dialect, 40), theme.Plain},
		{text.Count(s.Events), theme.Number},
		failed,
		{nonZero(s.OpenCalls), theme.Warn},
		{tokens(s.UsageWithChildren), theme.Plain},
		{cost(s.UsageWithChildren), theme.Plain},
		{clock(deref(s.Started)), theme.Time},
		{lasted(s.Started, s.Ended), theme.Time},
		{text.CleanCut(deref(s.Outcome), 40), theme.Plain},
		{text.CleanCut(s.Title, 200), theme.Plain},
	}
}

// sessionDepths counts the ancestors of each session; a parent that is missing
// or part of a ring ends the count.
func sessionDepths(list []answer.Session) []int {
	parent := make(map[string]string, len(list))
	for _, s := range list {
		parent[s.ID] = deref(s.Parent)
	}
	depths := make([]int, len(list))
	for i, s := range list {
		for p := deref(s.Parent); p != "" && depths[i] < 8; depths[i]++ {
			next, ok := parent[p]
			if !ok {
				break
			}
			p = next
		}
	}
	return depths
}

func nonZero(n int64) string {
	if n == 0 {
		return ""
	}
	return text.Count(n)
}

func tokens(u answer.Usage) string {
	var n int64
	known := false
	for _, p := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens, u.ReasoningTokens} {
		if p != nil {
			n += *p
			known = true
		}
	}
	if !known {
		return ""
	}
	return text.Short(n)
}

// clock shortens an RFC 3339 time to minutes: 2026-03-01 09:05.
func clock(s string) string {
	if len(s) < 16 {
		return text.Clean(s)
	}
	return text.CleanCut(strings.Replace(s[:16], "T", " ", 1), 16)
}

func lasted(from, to *string) string {
	a, okA := parseTime(from)
	b, okB := parseTime(to)
	if !okA || !okB || b.Before(a) {
		return ""
	}
	return text.Duration(b.Sub(a))
}

func parseTime(s *string) (time.Time, bool) {
	if s == nil {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, *s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
