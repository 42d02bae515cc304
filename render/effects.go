package render

import (
	"strconv"
	"time"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Effects draws what followed from an event, nearest first, with what each and
// all below it come to.
func Effects(a answer.Effects, width int) []Line {
	return effects(a, width, make([]int, len(a.Effects)), nil)
}

// EffectsTree draws the same as a tree.
func EffectsTree(a answer.Effects, width int) []Line {
	order, indents := effectOrder(a.Effects)
	return effects(a, width, indents, order)
}

// effects draws in an order, nil: as they come; indents are those of the rows.
func effects(a answer.Effects, width int, indents, order []int) []Line {
	lines := []Line{append(Line{{"effects of ", theme.Heading}}, brief(answered(a.From), room(width, 11))...)}
	if len(a.Effects) == 0 {
		return clamp(append(lines, Line{{" nothing links to it", theme.Dim}}), width)
	}
	lines = append(lines, Line{{" " + SumOf(a.Total), theme.Strong}})
	columns := SumColumns(a.Total, width)
	lines = append(lines, append(append(columns.Head(), Span{"  ", theme.Plain}, arrow(false), Span{" recorded  ", theme.Dim}), arrow(true), Span{" inferred", theme.Dim}))
	for n := range a.Effects {
		e := a.Effects[n]
		if order != nil {
			e = a.Effects[order[n]]
		}
		l := append(columns.Row(e), Span{text.Spaces(2 + 2*min(indents[n], effectIndent)), theme.Plain})
		lines = append(lines, append(l, step(e.Event, e.Via, nil, a.From.Session, room(width, Width(l)))...))
	}
	return clamp(lines, width)
}

// effectIndent is how far a tree is indented at most; the depth is told beside it.
const effectIndent = 12

// effectOrder puts effects in the order of a tree. An event that led to one only
// has that right below it, not indented: a chain of any length stays legible.
func effectOrder(list []answer.Effect) (order, indents []int) {
	type place struct {
		session string
		pos     int64
	}
	kids := map[place][]int{}
	at := make(map[place]bool, len(list))
	for _, e := range list {
		at[place{e.Event.Session, e.Event.Pos}] = true
	}
	var open []int
	for i, e := range list {
		up := place{e.Parent.Session, e.Parent.Pos}
		if !at[up] {
			open = append(open, i)
			continue
		}
		kids[up] = append(kids[up], i)
	}
	indent := make([]int, len(list))
	reverse := func(l []int) []int {
		out := make([]int, len(l))
		for i, n := range l {
			out[len(l)-1-i] = n
		}
		return out
	}
	open = reverse(open)
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		order, indents = append(order, i), append(indents, indent[i])
		below := kids[place{list[i].Event.Session, list[i].Event.Pos}]
		for _, k := range reverse(below) {
			indent[k] = indent[i]
			if len(below) > 1 {
				indent[k]++
			}
			open = append(open, k)
		}
	}
	return order, indents
}

// SumOf tells what events come to in words: 37 events  2 failed  3m12s.
func SumOf(s answer.Sum) string {
	out := text.Plural(s.Events, "event")
	if s.Failed > 0 {
		out += "  " + text.Count(s.Failed) + " failed"
	}
	if s.Seconds != nil {
		out += "  " + text.Duration(time.Duration(*s.Seconds*float64(time.Second)))
	}
	if s.Tokens != nil {
		out += "  " + text.Short(*s.Tokens) + " tokens"
	}
	if s.CostUSD != nil {
		out += "  " + dollars(*s.CostUSD)
	}
	return out
}

// Sums are the columns that a list of effects has before its events.
type Sums struct{ failed, seconds, tokens, cost bool }

// SumColumns has the columns that say anything, by the sum of all, and that a
// width of cells has place for; 0 is without end.
func SumColumns(total answer.Sum, width int) Sums {
	wide := width == 0 || width >= 100
	return Sums{total.Failed > 0, total.Seconds != nil, total.Tokens != nil && wide, total.CostUSD != nil && (wide || width >= 72)}
}

// Head names the columns.
func (c Sums) Head() Line {
	return c.line("depth", "events", "X", "time", "tokens", "cost", theme.Dim, theme.Dim)
}

// Row fills them.
func (c Sums) Row(e answer.Effect) Line {
	duration := ""
	if e.Sum.Seconds != nil && e.Sum.Events > 1 {
		duration = text.Duration(time.Duration(*e.Sum.Seconds * float64(time.Second)))
	}
	used, cost := "", ""
	if e.Sum.Tokens != nil {
		used = text.Short(*e.Sum.Tokens)
	}
	if e.Sum.CostUSD != nil && *e.Sum.CostUSD != 0 {
		cost = dollars(*e.Sum.CostUSD)
	}
	return c.line(strconv.FormatInt(e.Depth, 10), text.Short(e.Sum.Events), nonZero(e.Sum.Failed), duration, used, cost, theme.Plain, theme.Fail)
}

func (c Sums) line(depth, events, failed, seconds, used, cost string, role, fail theme.Role) Line {
	l := Line{{text.PadLeft(depth, 6), theme.Dim}, {text.PadLeft(events, 7), role}}
	for _, f := range []struct {
		shown bool
		text  string
		cells int
		role  theme.Role
	}{{c.failed, failed, 4, fail}, {c.seconds, seconds, 7, theme.Time}, {c.tokens, used, 7, role}, {c.cost, cost, 9, role}} {
		if f.shown {
			l = append(l, Span{text.PadLeft(f.text, f.cells), f.role})
		}
	}
	return l
}
