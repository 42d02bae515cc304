package render

import (
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// grid is a table that has not been laid out, and where its rows lead.
type grid struct {
	cols []column
	rows [][]cell
	to   []*answer.Ref
	more int // rows that are left out
}

// sectionRows is how many rows of a table of a summary are drawn.
const sectionRows = 12

func section(g grid, width int) []StatsRow {
	if len(g.rows) == 0 {
		return nil
	}
	if n := len(g.rows); n > sectionRows+1 {
		g.rows, g.more = g.rows[:sectionRows], n-sectionRows
	}
	out := []StatsRow{{}}
	for i, l := range table(g.cols, g.rows, width) {
		row := StatsRow{Line: l}
		if i > 0 && i <= len(g.to) {
			row.To = g.to[i-1]
		}
		out = append(out, row)
	}
	if g.more > 0 {
		out = append(out, StatsRow{Line: Line{{"… " + text.Count(int64(g.more)) + " more with --json", theme.Dim}}})
	}
	return out
}

func (g *grid) add(to *answer.Ref, row ...cell) { g.rows, g.to = append(g.rows, row), append(g.to, to) }

// refCell names an event; with its session where that is not home.
func refCell(r answer.Ref, home string) cell {
	if home == "" {
		return cell{seqSpan(r.Seq).Text, theme.Link}
	}
	return cell{Address(text.CleanCut(r.Session, 12), r.Seq, text.CleanCut(home, 12)), theme.Link}
}

// trouble tells where it began to go wrong, and what was made of it.
func trouble(s answer.Stats, home string, o StatsOptions) []StatsRow {
	u := s.Unrecovered
	if u == nil {
		return nil
	}
	row := func(name string, to *answer.Ref, rest ...Span) StatsRow {
		l := Line{{text.Pad(name, 24), theme.Key}}
		if to != nil {
			c := refCell(*to, home)
			l = append(l, Span{text.PadLeft(c.text, 6) + "  ", c.role})
		}
		return StatsRow{Line: append(l, rest...), To: to}
	}
	out := []StatsRow{{}, row("never recovered, first", &u.First, Span{o.Glyphs.Fail + " " + clip(u.Title), theme.Fail})}
	for i := range u.Claims {
		c := &u.Claims[i]
		out = append(out, row("then claims success", &c.Event, Span{"“" + clip(c.Text) + "”", theme.Warn}))
	}
	if n := u.ClaimCount - int64(len(u.Claims)); n > 0 {
		out = append(out, row("", nil, Span{"… " + text.Count(n) + " more such claims", theme.Dim}))
	}
	if spent := usage(u.UsageAfter); spent != nil {
		out = append(out, row("spent after that", nil, spent...))
	}
	return out
}

func errorClasses(list []answer.ErrorClass, home string) grid {
	g := grid{cols: []column{
		{head: "recovered"}, {head: "times", right: true}, {head: "first", right: true}, {head: "last", right: true}, {head: "error", flex: true},
	}}
	for i := range list {
		c := &list[i]
		last, what := cell{}, c.Text
		if c.Count > 1 {
			last = refCell(c.Last, home)
		} else if c.Example != "" {
			what = c.Example
		}
		g.add(&c.First, recovery(c, home), cell{text.Count(c.Count), theme.Number}, refCell(c.First, home), last, cell{text.CleanCut(what, 300), theme.Fail})
	}
	return g
}

// recovery tells how many failures of a class were recovered, and by what the
// last of them.
func recovery(c *answer.ErrorClass, home string) cell {
	if c.Recovered == 0 {
		return cell{"never", theme.Fail}
	}
	out, role := "", theme.Inferred
	if c.Recovered < c.Count {
		out, role = text.Count(c.Recovered)+" of "+text.Count(c.Count), theme.Warn
	}
	if c.RecoveredBy == nil {
		return cell{out, role}
	}
	if out != "" {
		out += ", "
	}
	return cell{out + "by " + refCell(*c.RecoveredBy, home).text, role}
}

func toolCounts(list []answer.ToolCount, home string) grid {
	g := grid{cols: []column{
		{head: "tool", flex: true}, {head: "calls", right: true}, {head: "X", right: true},
		{head: "open", right: true}, {head: "took", right: true}, {head: "a call", right: true}, {head: "95% in", right: true}, {head: "slowest", right: true},
	}}
	for i := range list {
		t := &list[i]
		row := []cell{
			{text.CleanCut(t.Name, 80), theme.Tool}, {text.Count(t.Calls), theme.Number}, {nonZero(t.Failed), theme.Fail},
			{nonZero(t.Open), theme.Warn}, {"", theme.Time}, {"", theme.Time}, {"", theme.Time}, {},
		}
		if returned := t.Calls - t.Open; t.Seconds > 0 && returned > 0 {
			row[4].text, row[5].text = spanOf(t.Seconds), spanOf(t.Seconds/float64(returned))
		}
		if t.P95Seconds != nil {
			row[6].text = spanOf(*t.P95Seconds)
		}
		if t.Slowest != nil {
			row[7] = refCell(*t.Slowest, home)
		}
		g.add(t.Slowest, row...)
	}
	return g
}

// agents tells the sessions apart, where there are several.
func agents(list []answer.AgentCount) grid {
	g := grid{cols: []column{
		{head: "session", max: 12}, {head: "outcome"}, {head: "calls", right: true}, {head: "X", right: true}, {head: "never", right: true},
		{head: "open", right: true}, {head: "tokens", right: true}, {head: "cost", right: true}, {head: "took", right: true}, {head: "title", flex: true},
	}}
	if len(list) < 2 {
		return g
	}
	for i := range list {
		a := &list[i]
		to, took := &a.First, ""
		if a.FirstFailed != nil {
			to = a.FirstFailed
		}
		if a.Seconds != nil {
			took = spanOf(*a.Seconds)
		}
		g.add(to, cell{text.CleanCut(a.Session, 12), theme.Strong}, cell{text.CleanCut(deref(a.Outcome), 40), theme.SessionMark},
			cell{text.Count(a.Calls), theme.Number}, cell{nonZero(a.Failed), theme.Fail}, cell{nonZero(a.Unrecovered), theme.Fail},
			cell{nonZero(a.OpenCalls), theme.Warn}, cell{orDash(tokens(a.Usage)), theme.Number}, cell{orDash(cost(a.Usage)), theme.Number},
			cell{took, theme.Time}, cell{text.CleanCut(a.Title, 300), theme.Plain})
	}
	return g
}

func slowest(list []answer.Slow, home string) grid {
	g := grid{cols: []column{{head: "slowest", right: true}, {head: "at", right: true}, {head: "who", max: 16}, {head: "what", flex: true}}}
	for i := range list {
		s := &list[i]
		who := cell{"model", theme.Agent}
		if s.Tool != nil {
			who = cell{text.CleanCut(*s.Tool, 80), theme.Tool}
		}
		role := theme.Plain
		if s.Failed {
			role = theme.Fail
		}
		g.add(&s.Event, cell{spanOf(s.Seconds), theme.Time}, refCell(s.Event, home), who, cell{text.CleanCut(trimTool(s.Title, deref(s.Tool)), 300), role})
	}
	return g
}

func costliest(list []answer.Cost, home string) grid {
	g := grid{cols: []column{
		{head: "costliest", right: true}, {head: "in", right: true}, {head: "out", right: true}, {head: "at", right: true}, {head: "what", flex: true},
	}}
	for i := range list {
		c := &list[i]
		in := c.Usage
		in.OutputTokens, in.ReasoningTokens = nil, nil
		out := answer.Usage{OutputTokens: c.Usage.OutputTokens, ReasoningTokens: c.Usage.ReasoningTokens}
		g.add(&c.Event, cell{orDash(cost(c.Usage)), theme.Number}, cell{orDash(tokens(in)), theme.Number}, cell{orDash(tokens(out)), theme.Number},
			refCell(c.Event, home), cell{text.CleanCut(c.Title, 300), theme.Plain})
	}
	return g
}

func openCalls(list []answer.OpenCall, home string) grid {
	g := grid{cols: []column{{head: "open", right: true}, {head: "tool", max: 16}, {head: "call without result", flex: true}}}
	for i := range list {
		c := &list[i]
		g.add(&c.Event, refCell(c.Event, home), cell{text.CleanCut(c.Tool, 80), theme.Tool}, cell{text.CleanCut(trimTool(c.Title, c.Tool), 300), theme.Warn})
	}
	return g
}

func drops(list []answer.Drop, home string) grid {
	g := grid{cols: []column{{head: "checkpoint", right: true}, {head: "tokens before", right: true}, {head: "behind", right: true}, {head: "id", flex: true}}}
	for i := range list {
		d := &list[i]
		g.add(&d.Last, refCell(d.First, home), cell{shortOrDash(d.Before), theme.Number}, cell{shortOrDash(d.After), theme.Number},
			cell{text.CleanCut(deref(d.ID), 80), theme.Dim})
	}
	return g
}

func counts(name string, list []answer.Count) grid {
	g := grid{cols: []column{{head: name, flex: true}, {head: "events", right: true}, {head: "X", right: true}, {head: "size", right: true}}}
	for _, c := range list {
		g.add(nil, cell{text.CleanCut(c.Name, 80), theme.Plain}, cell{text.Count(c.Events), theme.Number},
			cell{nonZero(c.Failed), theme.Fail}, cell{text.Size(c.Bytes), theme.Dim})
	}
	return g
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func shortOrDash(n *int64) string {
	if n == nil {
		return "-"
	}
	return text.Short(*n)
}
