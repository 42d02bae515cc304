// Package widget holds primitives for the terminal without any word of the
// domain: a virtual list, a viewport over lines, a rule with tabs, bars and a
// prompt. They draw through one function, Draw, which is the only way from text
// to the screen; they never ask an index for anything while drawing.
package widget

import (
	"github.com/gdamore/tcell/v2"

	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Look is what widgets need to know to draw: both are shared by all of them.
type Look struct {
	Theme  *theme.Theme
	Glyphs *theme.Glyphs
}

// Draw puts a line into width cells of row y, starting at x, and returns how
// many cells the text took. What does not fit is cut off. The text is cleaned
// here whatever its origin: this is the last gate before the terminal. A base
// other than Plain lies over the whole width (a selection) and keeps what the
// spans say where it says nothing itself.
func Draw(screen tcell.Screen, x, y, width int, line render.Line, look *Look, base theme.Role) int {
	if sw, sh := screen.Size(); y < 0 || y >= sh || x < 0 || x >= sw {
		return 0
	} else if x+width > sw {
		width = sw - x
	}
	used := 0
	for _, span := range line {
		style := over(look.Theme.Style(span.Role), look.Theme, base)
		text.Clusters(text.Clean(span.Text), func(cluster string, cells int) bool {
			if used+cells > width {
				return false
			}
			screen.Put(x+used, y, look.Glyphs.Fold(cluster), style)
			used += cells
			return true
		})
		if used >= width {
			break
		}
	}
	if base != theme.Plain {
		style := look.Theme.Style(base)
		for i := used; i < width; i++ {
			screen.Put(x+i, y, " ", style)
		}
	}
	return used
}

// over lays a role over a style: its colours and attributes where it has any.
func over(style tcell.Style, th *theme.Theme, base theme.Role) tcell.Style {
	if base == theme.Plain {
		return style
	}
	bfg, bbg, battr := th.Style(base).Decompose()
	_, bg, attr := style.Decompose()
	if bg != tcell.ColorDefault { // it stands out by itself: a search hit
		return style
	}
	if bbg == tcell.ColorDefault && battr&tcell.AttrReverse != 0 {
		style = style.Foreground(tcell.ColorDefault) // reversed, each colour would be a patch of its own
	}
	if bfg != tcell.ColorDefault {
		style = style.Foreground(bfg)
	}
	if bbg != tcell.ColorDefault {
		style = style.Background(bbg)
	}
	all := attr | battr
	if battr&tcell.AttrReverse != 0 {
		all &^= tcell.AttrDim // faint on reverse is unreadable
	}
	style = style.Attributes(all &^ tcell.AttrUnderline)
	if battr&tcell.AttrUnderline != 0 {
		style = style.Underline(true)
	}
	return style
}

// Fill draws one glyph along a row.
func Fill(screen tcell.Screen, x, y, width int, glyph string, look *Look, role theme.Role) {
	for i := range max(width, 0) {
		Draw(screen, x+i, y, 1, render.Line{{Text: glyph, Role: role}}, look, theme.Plain)
	}
}

// Column draws one glyph down a column.
func Column(screen tcell.Screen, x, y, height int, glyph string, look *Look, role theme.Role) {
	for i := range max(height, 0) {
		Draw(screen, x, y+i, 1, render.Line{{Text: glyph, Role: role}}, look, theme.Plain)
	}
}

// Bar draws a row with something at its left and something at its right; where
// both do not fit, the right one gives way.
func Bar(screen tcell.Screen, x, y, width int, left, right render.Line, look *Look) {
	lw, rw := render.Width(left), render.Width(right)
	if lw+1+rw > width {
		Draw(screen, x, y, width, render.Cut(left, max(width, 1)), look, theme.Plain)
		return
	}
	Draw(screen, x, y, lw, left, look, theme.Plain)
	Draw(screen, x+width-rw, y, rw, right, look, theme.Plain)
}
