package render

import (
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Check draws findings, then where every byte of the dump went.
func Check(c answer.Check, width int) []Line {
	count := map[string]int{}
	for _, f := range c.Findings {
		count[f.Severity]++
	}
	var lines []Line
	for _, f := range c.Findings {
		lines = append(lines, finding(f, c.Sessions > 1, width)...)
	}
	if len(c.Findings) == 0 {
		lines = append(lines, Line{{"no findings", theme.Ok}})
	} else {
		l := Line{{text.Plural(int64(len(c.Findings)), "finding"), theme.Strong}}
		for _, s := range []string{"error", "warning", "note"} {
			if count[s] > 0 {
				l = append(l, Span{"  " + text.Plural(int64(count[s]), s), severityRole(s)})
			}
		}
		lines = append(lines, l)
	}
	return clamp(append(lines, Accounting(c.Accounting, width)...), width)
}

func severityRole(s string) theme.Role {
	switch s {
	case "error":
		return theme.Fail
	case "warning":
		return theme.Warn
	}
	return theme.Dim
}

func finding(f answer.Finding, session bool, width int) []Line {
	sign := map[string]string{"error": theme.Unicode.Fail, "warning": theme.Unicode.Finding}[f.Severity]
	if sign == "" {
		sign = theme.Unicode.Bullet
	}
	l := Line{{sign + " " + text.CleanCut(f.Severity, 10), severityRole(f.Severity)}, {"  " + text.CleanCut(f.Rule, 40), theme.Key}}
	if session {
		l = append(l, Span{"  " + text.CleanCut(f.Session, 40), theme.Dim})
	}
	lines := []Line{append(l, Span{"  " + clip(f.Title), theme.Strong})}
	if f.Detail != "" {
		lines = append(lines, indented(Line{{clip(f.Detail), theme.Plain}}, width)...)
	}
	if len(f.Events) > 0 {
		lines = append(lines, append(Line{{"  events ", theme.Dim}}, seqsLine(f.Events, 12)...))
	}
	if f.Next != "" {
		lines = append(lines, indented(Line{{"next: ", theme.Dim}, {clip(f.Next), theme.Plain}}, width)...)
	}
	return lines
}

// indented wraps a line two cells in.
func indented(l Line, width int) []Line {
	lines := Wrap(l, room(width, 2), 2)
	for i, row := range lines {
		lines[i] = append(Line{{"  ", theme.Plain}}, row...)
	}
	return lines
}
