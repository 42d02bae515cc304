package render

import (
	"math"
	"strconv"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// plotRows is how high a curve is drawn.
const plotRows = 4

// curves draws what requests took along a session, one above the other, with the
// checkpoints and the reader's place (a pos; 0: none) below each.
func curves(c *answer.Curves, o StatsOptions) []StatsRow {
	if c == nil {
		return nil
	}
	var out []StatsRow
	for _, d := range []struct {
		name  string
		curve *answer.Curve
		level bool // it stays until the next request
		spell func(float64) string
	}{
		{"tokens in context", c.Context, true, func(v float64) string { return text.Short(int64(v)) }},
		{"cost", c.Cost, false, dollars},
		{"latency", c.Latency, false, spanOf},
	} {
		if d.curve == nil {
			continue
		}
		to := d.curve.MaxAt
		out = append(out, StatsRow{}, StatsRow{Line: curveHead(d.name, c, d.curve, d.level, d.spell, o), To: &to})
		cells := max(o.Width, 1)
		for _, row := range Plot(columns(c, d.curve, cells, d.level), plotRows, o.Glyphs) {
			out = append(out, StatsRow{Line: Line{{row, theme.Number}}})
		}
		out = append(out, StatsRow{Line: foot(c, cells, o)})
	}
	return out
}

// curveHead names a curve with its extremes, and its value at the reader's
// place, else at the end.
func curveHead(name string, c *answer.Curves, v *answer.Curve, level bool, spell func(float64) string, o StatsOptions) Line {
	l := Line{{name, theme.Heading}, {"  max ", theme.Dim}, {spell(v.Max), theme.Number}, {" at ", theme.Dim}, seqSpan(v.MaxAt.Seq),
		{"  min ", theme.Dim}, {spell(v.Min), theme.Number}}
	if !level {
		l = append(l, Span{"  sum ", theme.Dim}, Span{spell(v.Sum), theme.Number})
	}
	if o.At <= 0 {
		return append(l, Span{"  last ", theme.Dim}, Span{spell(v.Points[len(v.Points)-1].Last), theme.Number})
	}
	now := "-"
	for _, p := range v.Points {
		if p.Bucket > bucketOf(c, o.At) {
			break
		}
		now = spell(p.Last)
	}
	return append(l, Span{"  now ", theme.Dim}, Span{now, theme.Number})
}

// bucketOf is the stretch in which an event stands.
func bucketOf(c *answer.Curves, pos int64) int {
	return int((pos - 1) * int64(c.Buckets) / max(c.Last, 1))
}

// columns spreads a curve over cells: the largest value in each. A level goes on
// where nothing is told.
func columns(c *answer.Curves, v *answer.Curve, cells int, level bool) []float64 {
	out := make([]float64, cells)
	for i := range out {
		out[i] = math.NaN()
	}
	last := make([]float64, cells)
	for _, p := range v.Points {
		i := min(p.Bucket*cells/max(c.Buckets, 1), cells-1)
		if !(out[i] >= p.Max) {
			out[i] = p.Max
		}
		last[i] = p.Last
	}
	now := math.NaN()
	for i := range out {
		if !math.IsNaN(out[i]) {
			now = last[i]
		} else if level {
			out[i] = now
		}
	}
	return out
}

// foot marks the checkpoints below a curve, and the reader's place.
func foot(c *answer.Curves, cells int, o StatsOptions) Line {
	marks := make([]string, cells)
	roles := make([]theme.Role, cells)
	set := func(pos int64, sign string, role theme.Role) {
		i := min(max(int((pos-1)*int64(cells)/max(c.Last, 1)), 0), cells-1)
		marks[i], roles[i] = sign, role
	}
	for _, pos := range c.Drops {
		set(pos, o.Glyphs.Checkpoint, theme.Checkpoint)
	}
	if o.At > 0 {
		set(o.At, "^", theme.Match)
	}
	var l Line
	for i, m := range marks {
		if m == "" {
			m = o.Glyphs.Horizontal
			roles[i] = theme.Punct
		}
		if n := len(l) - 1; n >= 0 && l[n].Role == roles[i] {
			l[n].Text += m
		} else {
			l = append(l, Span{m, roles[i]})
		}
	}
	return l
}

// dollars writes money; less than ten cents with four digits.
func dollars(usd float64) string {
	digits := 2
	if usd < 0.1 {
		digits = 4
	}
	return "$" + strconv.FormatFloat(usd, 'f', digits, 64)
}
