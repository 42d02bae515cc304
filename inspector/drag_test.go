package inspector

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

// edges finds the column between the panes (-1: none) and the row of the lower
// pane's rule.
func edges(screen string) (column, row int) {
	column = -1
	for y, line := range strings.Split(screen, "\n") {
		if before, _, ok := strings.Cut(line, "┬"); ok {
			column = len([]rune(before))
		}
		if strings.Contains(line, "[detail]") {
			row = y
		}
	}
	return column, row
}

func (d *driver) dragged(fromX, fromY, toX, toY int) {
	d.sim.InjectMouse(fromX, fromY, tcell.Button1, tcell.ModNone)
	d.sim.InjectMouse((fromX+toX)/2, (fromY+toY)/2, tcell.Button1, tcell.ModNone)
	d.sim.InjectMouse(toX, toY, tcell.Button1, tcell.ModNone)
	d.sim.InjectMouse(toX, toY, tcell.ButtonNone, tcell.ModNone)
}

// TestLinesAreDragged: the lines between panes go where the mouse puts them, as
// far as the panes can give way, and stay there.
func TestLinesAreDragged(t *testing.T) {
	s := storeOf(t)
	d := keeping(t, s, Options{}).see("row 1/23", "[detail]")
	at := func(column, row int) {
		t.Helper()
		d.until("had its lines there", func(screen string) bool {
			c, r := edges(screen)
			return c == column && r == row
		})
	}
	column, row := edges(d.text())
	d.dragged(column, 10, column-12, 12)
	at(column-12, row)
	d.dragged(60, row, 60, row-6)
	at(column-12, row-6)
	d.dragged(60, row-6, 60, 0)
	d.press("Ctrl-W", "-", "Ctrl-W", "+")
	d.dragged(column-12, 8, 0, 8)
	d.until("kept both panes", func(screen string) bool {
		c, r := edges(screen)
		return c == 40 && r >= 12
	})
	d.press("Ctrl-W", "=")
	at(column, row)
	d.dragged(column, 10, column+5, 10)
	at(column+5, row)
	quit(t, d)
	column += 5
	d = keeping(t, s, Options{}).see("row 1/23", "[detail]")
	at(column, row)

	d = drive(t, story(), 80, 24, Options{}).see("row 1/23", "[detail]")
	_, row = edges(d.text())
	d.dragged(70, row, 70, row+3)
	at(-1, row+3)
}
