package widget

import (
	"strconv"
	"testing"

	"github.com/gdamore/tcell/v2"

	"hindcast/render"
)

// noted is rows of which every third has a line above and every fourth one
// below.
type noted int

func (n noted) Len() int                        { return int(n) }
func (noted) Ends() (a, b bool)                 { return true, true }
func (noted) More(bool, int)                    {}
func (noted) Line(i, _ int, _ bool) render.Line { return render.Line{{Text: "row " + strconv.Itoa(i)}} }
func (noted) Beside(i, _ int) (above, below []render.Line) {
	if i%3 == 2 {
		above = append(above, render.Line{{Text: "over " + strconv.Itoa(i)}})
	}
	if i%4 == 3 {
		below = append(below, render.Line{{Text: "under " + strconv.Itoa(i)}})
	}
	return above, below
}

// TestAnnotated: wherever the cursor goes its row is in view, and what is clicked is
// what is drawn there.
func TestAnnotated(t *testing.T) {
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	for h := 1; h <= 9; h++ {
		s.SetSize(12, h)
		l := NewList(look, noted(20))
		l.SetRect(0, 0, 12, h)
		for _, n := range []int{0, 1, 1, 1, 1, 1, 1, 7, 30, -1, -1, -5, 3, -30, 11} {
			l.Move(n)
			s.Clear()
			l.Draw(s)
			s.Show()
			found := false
			for y := range h {
				line := rowText(s, y)
				want := "row " + strconv.Itoa(l.Cursor())
				found = found || line == want
				if i := l.RowAt(1, y); len(line) > 3 && line[:3] == "row" && line != "row "+strconv.Itoa(i) {
					t.Fatalf("height %d, cursor %d, line %d: %q is of row %d", h, l.Cursor(), y, line, i)
				}
			}
			if from, to := l.Visible(); !found || l.Cursor() < from || l.Cursor() >= to {
				t.Fatalf("height %d: row %d is not in view (%d..%d)", h, l.Cursor(), from, to)
			}
		}
	}
}

func rowText(s tcell.SimulationScreen, y int) string {
	cells, w, _ := s.GetContents()
	out := ""
	for x := range w {
		if r := cells[y*w+x].Runes; len(r) > 0 {
			out += string(r)
		}
	}
	for len(out) > 0 && out[len(out)-1] == ' ' {
		out = out[:len(out)-1]
	}
	return out
}
