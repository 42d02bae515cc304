package widget

import (
	"github.com/gdamore/tcell/v2"

	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Rule is the line above a pane: its name or its tabs, and what stands at its
// right end.
type Rule struct {
	Look   *Look
	Names  []string // one name, or the tabs
	Active int      // of Names
	Focus  bool
	Note   render.Line // after the names
	Right  render.Line
	tabs   []int // the cell at which each name ends, as drawn
}

// Draw draws the rule into width cells of a row.
func (r *Rule) Draw(screen tcell.Screen, x, y, width int) {
	role := theme.Border
	if r.Focus {
		role = theme.BorderFocus
	}
	Fill(screen, x, y, width, r.Look.Glyphs.Horizontal, r.Look, role)
	line := r.line(role)
	used := Draw(screen, x+1, y, max(width-2, 0), line, r.Look, theme.Plain)
	rw := render.Width(r.Right)
	if rw > 0 && used+rw+6 <= width {
		right := append(append(render.Line{{Text: " "}}, r.Right...), render.Span{Text: " "})
		Draw(screen, x+width-rw-3, y, rw+2, right, r.Look, theme.Plain)
	}
}

func (r *Rule) line(role theme.Role) render.Line {
	line := render.Line{{Text: " "}}
	at := 1
	r.tabs = r.tabs[:0]
	for i, name := range r.Names {
		look := theme.Dim
		if i == r.Active {
			look = theme.Heading
			if r.Focus {
				look = theme.BorderFocus
			}
			if len(r.Names) > 1 {
				name = "[" + name + "]"
			}
		} else {
			name = " " + name + " "
		}
		line = append(line, render.Span{Text: name, Role: look})
		at += text.Width(name)
		r.tabs = append(r.tabs, at)
	}
	line = append(line, render.Span{Text: " "})
	if len(r.Note) > 0 {
		line = append(line, render.Span{Text: r.Look.Glyphs.Horizontal + " ", Role: role})
		line = append(line, r.Note...)
		line = append(line, render.Span{Text: " "})
	}
	return line
}

// TabAt is the index of the name drawn at a cell, counted from the rule's
// start; -1 where there is none.
func (r *Rule) TabAt(dx int) int {
	for i, end := range r.tabs {
		if dx >= 1 && dx <= end {
			return i
		}
	}
	return -1
}
