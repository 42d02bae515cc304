package render

import (
	"slices"
	"strconv"
	"time"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Installed draws the sessions that installed agents left, as of a moment, with
// the commands that open them, or where they were looked for.
func Installed(a answer.Installed, open []string, now time.Time, width int) []Line {
	if len(a.Sessions) == 0 {
		return clamp(nowhere(a.Places, width), width)
	}
	cols := []column{
		{head: "age", right: true}, {head: "size", right: true}, {head: "agent", max: 12}, {head: "X", right: true},
		{head: "outcome", max: 12}, {head: "title", flex: true}, {head: "ran in", flex: true}, {head: "open"},
	}
	var lines []Line
	if width > 0 { // a person can choose from the inspector's list
		cols = cols[:len(cols)-1]
		rows := make([][]cell, len(a.Sessions))
		for i, s := range a.Sessions {
			rows[i] = installedCells(s, now)
		}
		lines = table(cols, rows, width)
	} else {
		lines = installedOpen(cols, a.Sessions, open, now)
	}
	if a.More > 0 {
		lines = append(lines, Line{{text.Count(int64(a.More)) + " more; --limit 0 lists all", theme.Dim}})
	}
	for _, p := range a.Places {
		if p.Problem != nil {
			lines = append(lines, placeLines(p, width)...)
		}
	}
	return clamp(lines, width)
}

// openWidth is how wide lines with commands become on a pipe: where one is wider,
// commands stand on lines of their own, whole, so that they can be run.
const openWidth = 200

// installedOpen is the table with the commands; cols end in theirs.
func installedOpen(cols []column, sessions []answer.InstalledSession, open []string, now time.Time) []Line {
	const titleMost, ranMost = 60, 40
	rows, beside := make([][]cell, len(sessions)), make([][]cell, len(sessions))
	for i, s := range sessions {
		row := installedCells(s, now)
		row[5].text, row[6].text = text.Cut(row[5].text, titleMost), text.CutMiddle(row[6].text, ranMost)
		rows[i] = row
		beside[i] = append(row[:len(row):len(row)], cell{text.Clean(open[i]), theme.Dim})
	}
	lines := table(cols, beside, 0)
	if !slices.ContainsFunc(lines, func(l Line) bool { return Width(l) > openWidth }) {
		return lines
	}
	plain := table(cols[:len(cols)-1], rows, 0)
	lines = plain[:len(plain)-len(rows)]
	for i, l := range plain[len(plain)-len(rows):] {
		lines = append(lines[:len(lines):len(lines)], l, Line{{"    " + text.Clean(open[i]), theme.Dim}})
	}
	return lines
}

// InstalledHead is the head of the rows that InstalledRow draws.
func InstalledHead(width int) Line {
	names := []string{"age", "size", "agent", "X", "outcome", "title", "ran in"}
	cells := make([]cell, len(names))
	for i, n := range names {
		cells[i] = cell{n, theme.Dim}
	}
	return installedLine(cells, width)
}

// InstalledRow draws a session as a row of a list, as of a moment.
func InstalledRow(s answer.InstalledSession, now time.Time, width int) Line {
	return installedLine(installedCells(s, now), width)
}

// installedLine lays a row out in columns that do not depend on the others.
func installedLine(cells []cell, width int) Line {
	widths := []int{4, 7, 10, 4, 11}
	used := 0
	var l Line
	for i, w := range widths {
		c := cells[i]
		if i < 2 || i == 3 {
			c.text = text.PadLeft(text.Cut(c.text, w), w)
		} else {
			c.text = text.Pad(text.Cut(c.text, w), w)
		}
		l = append(l, Span{c.text + " ", c.role})
		used += w + 1
	}
	left := max(width-used, 8)
	ran := min(left/3, max(left/4, 16))
	title, where := cells[5], cells[6]
	l = append(l, Span{text.Pad(text.Cut(title.text, left-ran-1), left-ran-1) + " ", title.role})
	return Cut(append(l, Span{text.CutMiddle(where.text, ran), where.role}), max(width, 1))
}

// installedCells are the fields of a row: age, size, agent, failures, outcome,
// title, and where it ran.
func installedCells(s answer.InstalledSession, now time.Time) []cell {
	title := cell{text.CleanCut(deref(s.Title), 200), theme.Plain}
	switch {
	case s.Problem != nil:
		title = cell{text.CleanCut(*s.Problem, 200), theme.Warn}
	case title.text == "":
		title = cell{text.CleanCut(s.ID, 200), theme.Dim}
	}
	if s.Parent != nil {
		title.text = "└ " + title.text
	}
	ran := cell{text.CleanCut(deref(s.Cwd), 200), theme.Dim}
	if s.Here {
		ran.role = theme.Link
	}
	size := ""
	if s.Bytes != nil {
		size = text.Size(*s.Bytes)
	}
	return []cell{
		{age(s.Changed, now), theme.Time}, {size, theme.Number}, {text.CleanCut(s.Dialect, 40), theme.Plain}, {failures(s), theme.Fail},
		{text.CleanCut(deref(s.Outcome), 40), theme.Plain}, title, ran,
	}
}

// failures counts what failed; where only the ends of a session were read there
// may be more.
func failures(s answer.InstalledSession) string {
	if s.Failed == nil || *s.Failed == 0 {
		return ""
	}
	n := text.Short(*s.Failed)
	if s.Read == answer.ReadEnds {
		n += "+"
	}
	return n
}

// age is how long ago a time was, in one unit.
func age(t string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, t)
	if err != nil {
		return ""
	}
	d := now.Sub(at)
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{365 * 24 * time.Hour, "y"}, {7 * 24 * time.Hour, "w"}, {24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}} {
		if d >= unit.of {
			return strconv.Itoa(int(d/unit.of)) + unit.name
		}
	}
	return "now"
}

// nowhere says where sessions were looked for in vain, and what to do.
func nowhere(places []answer.InstalledPlace, width int) []Line {
	lines := []Line{{{"no sessions of installed agents; looked in:", theme.Plain}}}
	for _, p := range places {
		lines = append(lines, placeLines(p, width)...)
	}
	for _, l := range []Line{
		{{"hindcast DUMP", theme.Strong}, {"  opens a dump: a file, a folder, an archive, a database, - for standard input", theme.Plain}},
		{{"hindcast demo", theme.Strong}, {"  opens the embedded demo", theme.Plain}},
	} {
		lines = append(lines, Wrap(l, width, 15)...)
	}
	return lines
}

func placeLines(p answer.InstalledPlace, width int) []Line {
	l := Line{{" " + text.Pad(text.CleanCut(p.Dialect, 12), 11), theme.Key}, {clip(p.Path), theme.Plain}}
	if p.Problem != nil {
		l = append(l, Span{": " + clip(*p.Problem), theme.Warn})
	}
	return Wrap(l, width, 12)
}
