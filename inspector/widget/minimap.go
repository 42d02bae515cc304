package widget

import (
	"github.com/gdamore/tcell/v2"

	"hindcast/render"
	"hindcast/render/theme"
)

// Minimap is one row that stands for the whole of something longer: a bar for
// each stretch of it, signs over them, the part in view and the cursor.
type Minimap struct {
	Look     *Look
	Bars     []Cell
	From, To int // cells in view: To is the first behind them
	Cursor   int // cell; -1: nowhere
}

// Cell is one cell of a Minimap.
type Cell struct {
	Level int // 0 nothing, to 8 the whole height
	Role  theme.Role
	Sign  string // one cell, in place of the bar; empty: none
}

// Draw draws the map into its cells of a row, a bar each.
func (m *Minimap) Draw(screen tcell.Screen, x, y int) {
	for i, b := range m.Bars {
		span := render.Span{Text: " ", Role: b.Role}
		switch {
		case b.Sign != "":
			span.Text = b.Sign
		case i == m.Cursor:
			span.Text = m.Look.Glyphs.Vertical
		case b.Level > 0:
			span.Text = m.Look.Glyphs.Blocks[min(b.Level, len(m.Look.Glyphs.Blocks))-1]
		}
		base := theme.Plain
		switch {
		case i == m.Cursor:
			span.Role = theme.Match
		case i >= m.From && i < m.To:
			base = theme.SelectedDim
		}
		Draw(screen, x+i, y, 1, render.Line{span}, m.Look, base)
	}
}
