package render

import (
	"strconv"
	"time"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Stats draws counts: a line of totals, usage, then kinds, types, tools and
// classes of errors as tables.
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
	lines = append(lines, section(counts("kind", s.Kinds), width)...)
	lines = append(lines, section(counts("type", s.Types), width)...)
	lines = append(lines, section(toolCounts(s.Tools), width)...)
	return clamp(append(lines, section(errorClasses(s.Errors), width)...), width)
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
	digits := 2
	if *u.CostUSD < 0.1 {
		digits = 4
	}
	return "$" + strconv.FormatFloat(*u.CostUSD, 'f', digits, 64)
}

// grid is a table that has not been laid out.
type grid struct {
	cols []column
	rows [][]cell
}

func section(g grid, width int) []Line {
	if len(g.rows) == 0 {
		return nil
	}
	return append([]Line{nil}, table(g.cols, g.rows, width)...)
}

func counts(name string, list []answer.Count) grid {
	g := grid{cols: []column{{head: name, flex: true}, {head: "events", right: true}, {head: "X", right: true}, {head: "size", right: true}}}
	for _, c := range list {
		g.rows = append(g.rows, []cell{
			{text.CleanCut(c.Name, 80), theme.Plain}, {text.Count(c.Events), theme.Number},
			{nonZero(c.Failed), theme.Fail}, {text.Size(c.Bytes), theme.Dim},
		})
	}
	return g
}

func toolCounts(list []answer.ToolCount) grid {
	g := grid{cols: []column{
		{head: "tool", flex: true}, {head: "calls", right: true}, {head: "X", right: true},
		{head: "open", right: true}, {head: "took", right: true}, {head: "a call", right: true},
	}}
	for _, t := range list {
		row := []cell{
			{text.CleanCut(t.Name, 80), theme.Tool}, {text.Count(t.Calls), theme.Number}, {nonZero(t.Failed), theme.Fail},
			{nonZero(t.Open), theme.Warn}, {"", theme.Time}, {"", theme.Time},
		}
		if returned := t.Calls - t.Open; t.Seconds > 0 && returned > 0 {
			row[4].text, row[5].text = spanOf(t.Seconds), spanOf(t.Seconds/float64(returned))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func errorClasses(list []answer.ErrorClass) grid {
	g := grid{cols: []column{
		{head: "times", right: true}, {head: "first", right: true}, {head: "last", right: true}, {head: "error", flex: true},
	}}
	for _, c := range list {
		last := ""
		if c.Count > 1 {
			last = seqSpan(c.Last.Seq).Text
		}
		g.rows = append(g.rows, []cell{
			{text.Count(c.Count), theme.Number}, {seqSpan(c.First.Seq).Text, theme.Link}, {last, theme.Link},
			{text.CleanCut(c.Text, 300), theme.Fail},
		})
	}
	return g
}
