package render

import (
	"strconv"
	"time"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// StatsRow is a row of the summary: a line, and the event that it leads to.
type StatsRow struct {
	Line Line
	To   *answer.Ref // nil: a heading, or a line that leads nowhere
}

// StatsOptions say how a summary is drawn.
type StatsOptions struct {
	Width  int           // cells; below 1: no limit, and curves as wide as a page
	Glyphs *theme.Glyphs // nil: Unicode
	At     int64         // pos of the reader's place in the session of the curves; 0: none
}

// curveWidth is how wide curves are drawn where no width is given.
const curveWidth = 100

// StatsRows draws a summary: what went wrong, then what it took, then its curves,
// then what it is made of.
func StatsRows(s answer.Stats, o StatsOptions) []StatsRow {
	if o.Glyphs == nil {
		o.Glyphs = &theme.Unicode
	}
	home := homeOf(s)
	rows := trouble(s, home, o)
	for _, g := range []grid{
		errorClasses(s.Errors, home), toolCounts(s.Tools, home), agents(s.Agents), slowest(s.Slowest, home), costliest(s.Costliest, home),
		openCalls(s.Open, home), drops(s.Checkpoints, home),
	} {
		rows = append(rows, section(g, o.Width)...)
	}
	c := o
	if c.Width < 1 {
		c.Width = curveWidth
	}
	rows = append(rows, curves(s.Curves, c)...)
	rows = append(rows, section(counts("kind", s.Kinds), o.Width)...)
	rows = append(rows, section(counts("type", s.Types), o.Width)...)
	for i, r := range rows {
		rows[i].Line = Cut(r.Line, o.Width)
	}
	return rows
}

// homeOf is the session whose events are named by their seq alone; empty: all
// are of one.
func homeOf(s answer.Stats) string {
	if s.Curves == nil || len(s.Agents) < 2 {
		return ""
	}
	return s.Curves.Session
}

// Stats draws a summary for output: totals, the summary, and last how it ended.
func Stats(s answer.Stats, width int) []Line {
	lines := []Line{totals(s)}
	if s.Started != nil {
		l := Line{{clip(*s.Started), theme.Time}}
		if s.Ended != nil {
			l = append(l, Span{" to ", theme.Dim}, Span{clip(*s.Ended), theme.Time})
		}
		lines = append(lines, Cut(l, width))
	}
	if u := usage(s.Usage); u != nil {
		lines = append(lines, Wrap(u, width, 1)...)
	}
	for _, r := range StatsRows(s, StatsOptions{Width: width}) {
		lines = append(lines, r.Line)
	}
	return clamp(append(append(lines, nil), Wrap(Verdict(s.Verdict), width, 1)...), width)
}

func totals(s answer.Stats) Line {
	l := Line{{text.Plural(s.Events, "event"), theme.Strong}, {" in " + text.Plural(s.Sessions, "session"), theme.Plain}}
	if s.Failed > 0 {
		l = append(l, Span{"  X " + text.Count(s.Failed) + " failed", theme.Fail})
	}
	if s.Copies > 0 {
		l = append(l, Span{"  " + text.Count(s.Copies) + " copied", theme.Dim})
	}
	l = append(l, Span{"  " + text.Size(s.Bytes), theme.Plain})
	if s.Seconds != nil {
		l = append(l, Span{"  " + spanOf(*s.Seconds), theme.Time})
	}
	return l
}

// spanOf writes seconds as a duration; what no duration can hold is written as
// a number.
func spanOf(seconds float64) string {
	const limit = 9e9
	if !(seconds > -limit && seconds < limit) {
		return strconv.FormatFloat(seconds, 'g', 4, 64) + "s"
	}
	return text.Duration(time.Duration(seconds * float64(time.Second)))
}

func usage(u answer.Usage) Line {
	var l Line
	add := func(n *int64, name string) {
		if n != nil && (*n > 0 || name == "input" || name == "output") {
			l = append(l, Span{text.Short(*n), theme.Number}, Span{" " + name + "  ", theme.Dim})
		}
	}
	add(u.InputTokens, "input")
	add(u.OutputTokens, "output")
	add(u.CacheReadTokens, "cache read")
	add(u.CacheWriteTokens, "cache write")
	add(u.ReasoningTokens, "reasoning")
	if len(l) > 0 {
		l = append(Line{{"tokens  ", theme.Key}}, l...)
	}
	if c := cost(u); c != "" {
		l = append(l, Span{c, theme.Number})
	}
	return l
}

func cost(u answer.Usage) string {
	if u.CostUSD == nil {
		return ""
	}
	return dollars(*u.CostUSD)
}
