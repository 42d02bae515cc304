package render

import (
	"math"
	"strings"

	"hindcast/render/theme"
)

// Plot draws values as columns of blocks, one cell wide each, from 0 at the
// bottom to the largest at the top; the highest row comes first. NaN is no
// value, and what is above 0 is seen however small it is.
func Plot(values []float64, rows int, g *theme.Glyphs) []string {
	most := 0.0
	for _, v := range values {
		if v > most { // not where it is NaN
			most = v
		}
	}
	steps := len(g.Blocks)
	out := make([]string, rows)
	for row := range rows {
		floor := (rows - 1 - row) * steps
		var b strings.Builder
		for _, v := range values {
			level := 0
			if most > 0 && v >= 0 {
				level = max(int(math.Round(v/most*float64(rows*steps))), 1)
			}
			switch {
			case level <= floor:
				b.WriteByte(' ')
			default:
				b.WriteString(g.Blocks[min(level-floor, steps)-1])
			}
		}
		out[row] = b.String()
	}
	return out
}
