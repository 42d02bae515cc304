package widget

import (
	"strconv"
	"testing"

	"github.com/gdamore/tcell/v2"

	"hindcast/render"
	"hindcast/render/theme"
)

// numbers is a window [from, to) of the numbers below end.
type numbers struct {
	from, to, end int
	asked         []int // what More was asked for, negative for back
}

func (n *numbers) Len() int                 { return n.to - n.from }
func (n *numbers) Ends() (first, last bool) { return n.from == 0, n.to == n.end }
func (n *numbers) More(back bool, count int) {
	if back {
		count = -count
	}
	n.asked = append(n.asked, count)
}

func (n *numbers) Line(i, _ int, _ bool) render.Line {
	return render.Line{{Text: strconv.Itoa(n.from + i)}}
}

// serve answers what was asked for, as an owner would.
func (n *numbers) serve(l *List) {
	for len(n.asked) > 0 {
		ask := n.asked[0]
		n.asked = n.asked[1:]
		if ask > 0 {
			n.to = min(n.to+ask, n.end)
			l.Loaded(0)
			continue
		}
		before := n.from
		n.from = max(n.from+ask, 0)
		l.Loaded(before - n.from)
	}
}

func testList(n *numbers, h int) *List {
	l := NewList(&Look{Theme: theme.Dark, Glyphs: &theme.Unicode}, n)
	l.SetRect(0, 0, 20, h)
	return l
}

func TestListMoves(t *testing.T) {
	for _, tt := range []struct {
		name  string
		from  numbers
		moves []int
		want  int
	}{
		{"within", numbers{0, 50, 50, nil}, []int{3, 4, -2}, 5},
		{"stops at the first", numbers{0, 50, 50, nil}, []int{3, -9}, 0},
		{"stops at the last", numbers{0, 50, 50, nil}, []int{1000}, 49},
		{"beyond the window", numbers{0, 50, 5000, nil}, []int{1234}, 1234},
		{"beyond the end", numbers{0, 50, 500, nil}, []int{1234}, 499},
		{"before the window", numbers{3000, 3050, 5000, nil}, []int{-1000}, 2000},
		{"before the start", numbers{300, 350, 5000, nil}, []int{-1000}, 0},
		{"there and back", numbers{0, 50, 5000, nil}, []int{1234, -1000, 20}, 254},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := tt.from
			l := testList(&n, 10)
			for _, m := range tt.moves {
				l.Move(m)
				n.serve(l)
			}
			if got := n.from + l.Cursor(); got != tt.want || l.Owed() != 0 {
				t.Errorf("at %d owing %d, want %d owing none", got, l.Owed(), tt.want)
			}
		})
	}
}

func TestListOwesMovesUntilRowsCome(t *testing.T) {
	n := &numbers{0, 50, 500, nil}
	l := testList(n, 10)
	for range 100 {
		l.Move(1) // a held key, no answer yet
	}
	if l.Cursor() != 49 || l.Owed() != 51 {
		t.Fatalf("at %d owing %d, want 49 owing 51", l.Cursor(), l.Owed())
	}
	n.serve(l)
	if l.Cursor() != 100 {
		t.Errorf("at %d after rows came, want 100", l.Cursor())
	}
}

// TestListKeepsItsPlace: rows that come before the window do not move the
// cursor's row on the screen.
func TestListKeepsItsPlace(t *testing.T) {
	n := &numbers{1000, 1100, 5000, nil}
	l := testList(n, 10)
	l.Select(50)
	y := l.cursor - l.top
	n.from = 900
	l.Loaded(100)
	if got := n.from + l.Cursor(); got != 1050 || l.cursor-l.top != y {
		t.Errorf("row %d on line %d, want 1050 on line %d", got, l.cursor-l.top, y)
	}
}

func TestListScrollAndPlace(t *testing.T) {
	n := &numbers{0, 100, 100, nil}
	l := testList(n, 10)
	moved := 0
	l.Moved = func() { moved++ }
	l.Scroll(5)
	if l.top != 5 || l.Cursor() != 5 || moved != 1 {
		t.Errorf("scroll 5: top %d cursor %d moved %d", l.top, l.Cursor(), moved)
	}
	l.Select(50)
	for where, top := range map[int]int{-1: 50, 0: 45, 1: 41} {
		if l.Place(where); l.top != top {
			t.Errorf("place %d: top %d, want %d", where, l.top, top)
		}
	}
	if i := l.RowAt(3, 4); i != l.top+4 {
		t.Errorf("row at line 4: %d, want %d", i, l.top+4)
	}
	for _, at := range [][2]int{{-1, 0}, {20, 0}, {0, 10}, {0, -1}} {
		if i := l.RowAt(at[0], at[1]); i != -1 {
			t.Errorf("row at %v: %d, want none", at, i)
		}
	}
}

func TestListOfNothing(t *testing.T) {
	n := &numbers{}
	l := testList(n, 10)
	l.Move(3)
	l.Scroll(-3)
	l.Last()
	l.Loaded(0)
	l.Draw(simulation(t, 20, 10))
	if l.Cursor() != -1 {
		t.Errorf("cursor %d in an empty list, want -1", l.Cursor())
	}
}

func simulation(t testing.TB, w, h int) tcell.SimulationScreen {
	t.Helper()
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Fini)
	s.SetSize(w, h)
	return s
}
