package widget

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

var look = &Look{Theme: theme.Dark, Glyphs: &theme.Unicode}

// row is what stands in a row of the screen.
func row(s tcell.SimulationScreen, y int) string {
	s.Show()
	cells, w, _ := s.GetContents()
	var b strings.Builder
	for x := 0; x < w; x++ {
		c := string(cells[y*w+x].Runes)
		if c == "" || c == "\x00" {
			c = " "
		}
		b.WriteString(c)
		if text.Width(c) == 2 {
			x++
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func TestDrawCuts(t *testing.T) {
	for _, tt := range []struct {
		x, width int
		text     string
		want     string
		used     int
	}{
		{0, 10, "hello", "hello", 5},
		{2, 3, "hello", "  hel", 3},
		{0, 3, "漢字", "漢", 2}, // half a wide character is not drawn
		{8, 10, "hello", "        he", 2},
		{10, 5, "gone", "", 0},
		{-1, 5, "gone", "", 0},
		{0, 10, "a\x1b[2Jb", "a␛[2Jb", 6},
		{0, 10, "a\nb", "a␊b", 3},
	} {
		s := simulation(t, 10, 1)
		used := Draw(s, tt.x, 0, tt.width, render.Line{{Text: tt.text}}, look, theme.Plain)
		if got := row(s, 0); got != tt.want || used != tt.used {
			t.Errorf("%q at %d in %d: %q using %d, want %q using %d", tt.text, tt.x, tt.width, got, used, tt.want, tt.used)
		}
	}
}

func TestSelectionCoversTheRow(t *testing.T) {
	for _, th := range []*theme.Theme{theme.Dark, theme.Light, theme.Basic, theme.Mono} {
		s := simulation(t, 10, 1)
		l := &Look{Theme: th, Glyphs: &theme.Unicode}
		Draw(s, 0, 0, 10, render.Line{{Text: "red", Role: theme.Fail}, {Text: "hit", Role: theme.Match}}, l, theme.Selected)
		s.Show()
		cells, _, _ := s.GetContents()
		_, bg, attr := th.Style(theme.Selected).Decompose()
		for _, x := range []int{0, 2, 7, 9} {
			_, got, a := cells[x].Style.Decompose()
			if got != bg || a&tcell.AttrReverse != attr&tcell.AttrReverse {
				t.Errorf("%s: cell %d has background %v attributes %v, want those of the selection", th.Name, x, got, a)
			}
		}
	}
}

// FuzzDraw: whatever the text, only harmless cells reach the screen, and never
// more of them than the width allows.
func FuzzDraw(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b]52;c;x\x07", "\u202e\u2066", "e\u0301\u0301", "漢字", "👩‍👩‍👧", "\xff\xc3", "z" + strings.Repeat("\u0300", 50)} {
		f.Add(s, 10)
	}
	s := tcell.NewSimulationScreen("UTF-8")
	if err := s.Init(); err != nil {
		f.Fatal(err)
	}
	s.SetSize(40, 2)
	f.Fuzz(func(t *testing.T, str string, width int) {
		width = min(max(width, 0), 30)
		s.Clear()
		used := Draw(s, 5, 0, width, render.Line{{Text: str}}, look, theme.Plain)
		if used > width {
			t.Fatalf("%q took %d of %d cells", str, used, width)
		}
		s.Show()
		cells, w, _ := s.GetContents()
		for i, c := range cells {
			inside := i/w == 0 && i%w >= 5 && i%w < 5+width
			for _, r := range c.Runes {
				if model.Deceptive(r) && !(r == 0x200d && len(c.Runes) > 1) {
					t.Fatalf("%q put %U on the screen", str, c.Runes)
				}
				if r != ' ' && !inside && r != utf8.RuneError {
					t.Fatalf("%q drew %U outside its place, in cell %d", str, r, i)
				}
			}
		}
	})
}

func BenchmarkDrawRow(b *testing.B) {
	s := simulation(b, 200, 1)
	line := render.Line{{Text: " 80+83    1.87  ", Role: theme.Seq}, {Text: "Bash   ", Role: theme.Tool}, {Text: strings.Repeat("node --test test/book.test.js ", 6)}}
	b.SetBytes(200)
	b.ReportAllocs()
	for b.Loop() {
		Draw(s, 0, 0, 200, line, look, theme.Selected)
	}
}
