package render

import (
	"strconv"
	"strings"

	"hindcast/model/answer"
	"hindcast/render/theme"
)

// Pulse draws a path's history over the events 1 to last, in so many cells: of
// a number how high it stood, of anything else how often it was written.
func Pulse(writes []answer.HistoryWrite, last int64, cells int, g *theme.Glyphs) string {
	levels := make([]float64, cells)
	wrote := make([]bool, cells)
	numbers := len(writes) > 0
	for _, w := range writes {
		_, err := strconv.ParseFloat(string(w.New), 64)
		numbers = numbers && (err == nil || len(w.New) == 0 || string(w.New) == "null")
	}
	for _, w := range writes {
		i := min(int((w.By.Pos-1)*int64(cells)/max(last, 1)), cells-1)
		if !numbers {
			levels[i]++
			continue
		}
		levels[i], _ = strconv.ParseFloat(string(w.New), 64) // null stands as nothing
		wrote[i] = true
	}
	most := 0.0
	for i := range levels {
		if numbers && !wrote[i] && i > 0 {
			levels[i] = levels[i-1]
		}
		most = max(most, levels[i])
	}
	var b strings.Builder
	for _, n := range levels {
		step := 0
		if n > 0 {
			step = max(int(n/most*float64(len(g.Blocks)-1)), 1)
		}
		b.WriteString(g.Blocks[step])
	}
	return b.String()
}
