package inspector

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/inspector/config"
	"hindcast/render/theme"
)

// TestScreensInEveryLook holds screens with their styles: below each line that has any, a
// letter stands below each cell that is drawn in a style, and the letters are
// explained at the end.
func TestScreensInEveryLook(t *testing.T) {
	for _, look := range []struct {
		name   string
		theme  *theme.Theme
		glyphs *theme.Glyphs
	}{
		{"dark", theme.Dark, &theme.Unicode}, {"light", theme.Light, &theme.Unicode},
		{"stark", theme.HighContrast, &theme.Unicode}, {"stark-light", theme.HighContrastLight, &theme.Unicode},
		{"16", theme.Basic, &theme.Unicode}, {"none-ascii", theme.Mono, &theme.ASCII},
	} {
		t.Run(look.name, func(t *testing.T) {
			d := drive(t, story(), 80, 24, Options{Theme: look.theme, Glyphs: look.glyphs, Source: "run.jsonl"})
			d.see("row 1/", "2 failed calls").press("m", "a").see("mark a set").press("E").see("45 of 48").press("E").see("37 of 48", "exit 1")
			d.press("M", "see 5", "Enter").see("see 5").press("v").see("A 37").press("/", "rate", "Enter").see("39 of 48", "/rate 5/6").press("j").see("44 of 48")
			d.styledGolden("look-" + look.name)
		})
	}
}

// styledGolden compares cells and styles with a file of testdata.
func (d *driver) styledGolden(name string) {
	d.t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		d.rest(250 * time.Millisecond)
		if err := os.WriteFile(path, []byte(d.styled()), 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		d.t.Fatal(err)
	}
	d.until("looked like "+path, func(string) bool { return d.styled() == string(want) })
}

func (d *driver) styled() string {
	screen := strings.Split(d.text(), "\n")
	d.mu.Lock()
	defer d.mu.Unlock()
	var styles []string
	var b strings.Builder
	for y := range d.h {
		b.WriteString(screen[y] + "\n")
		var below strings.Builder
		for x := range d.w {
			style := describe(d.frame[y*d.w+x].Style)
			if style == "" {
				below.WriteByte(' ')
				continue
			}
			i := slices.Index(styles, style)
			if i < 0 {
				i = len(styles)
				styles = append(styles, style)
			}
			below.WriteByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[i%52])
		}
		if line := strings.TrimRight(below.String(), " "); line != "" {
			b.WriteString(line + "\n")
		}
	}
	for i, s := range styles {
		fmt.Fprintf(&b, "%c  %s\n", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[i%52], s)
	}
	return b.String()
}

// describe is a style in words; empty: the terminal's own.
func describe(s tcell.Style) string {
	fg, bg, attrs := s.Decompose()
	var out []string
	if fg != tcell.ColorDefault {
		out = append(out, fmt.Sprint("ink ", fg-tcell.ColorValid))
	}
	if bg != tcell.ColorDefault {
		out = append(out, fmt.Sprint("paper ", bg-tcell.ColorValid))
	}
	for _, a := range []struct {
		mask tcell.AttrMask
		name string
	}{{tcell.AttrBold, "bold"}, {tcell.AttrDim, "dim"}, {tcell.AttrItalic, "italic"}, {tcell.AttrUnderline, "underlined"}, {tcell.AttrReverse, "reverse"}} {
		if attrs&a.mask != 0 {
			out = append(out, a.name)
		}
	}
	return strings.Join(out, " ")
}

// TestEverySize draws something, or nothing, at every small size, in every look.
func TestEverySize(t *testing.T) {
	d := drive(t, story(), 80, 24, Options{Theme: theme.Mono, Glyphs: &theme.ASCII}).see("row 1/")
	for _, size := range [][2]int{{1, 1}, {1, 24}, {80, 1}, {2, 2}, {19, 5}, {20, 4}, {20, 5}, {39, 11}, {40, 12}, {109, 26}, {110, 25}, {110, 26}} {
		d.mu.Lock()
		before := d.frames
		d.mu.Unlock()
		d.sim.SetSize(size[0], size[1])
		d.sim.PostEvent(tcell.NewEventResize(size[0], size[1]))
		d.until(fmt.Sprintf("drew %dx%d", size[0], size[1]), func(string) bool {
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.frames > before && d.w == size[0] && d.h == size[1]
		})
		for _, key := range []string{"?", "q", "j", "d", "d", "Z", "Z", "*", "Esc"} {
			d.press(key)
		}
	}
	d.sim.SetSize(80, 24)
	d.sim.PostEvent(tcell.NewEventResize(80, 24))
	d.press("Esc", "Esc").see("of 48")
}

// TestScreensWithOtherColumns: what the settings say of the timeline holds.
func TestScreensWithOtherColumns(t *testing.T) {
	set := config.Default()
	set.Columns = []string{"who"}
	set.HideKinds, set.HideTypes = []string{"message"}, []string{"Cond*"}
	d := drive(t, story(), 80, 24, Options{Settings: &set}).see("row 1/", "docs/rules.md")
	if s := d.text(); strings.Contains(s, "1.46") || strings.Contains(s, " 2+4  ") || strings.Contains(s, "Reading the rules") || strings.Contains(s, " ok 1") {
		t.Errorf("what was hidden shows:\n%s", s)
	}
	d.press("E").see("provider: 529 overloaded").press("a").see("all 49 records", "The test fails").press("a").gone("The test fails")
	set.Columns = []string{"seq", "time", "took"}
	set.Clock = "wall"
	drive(t, story(), 120, 40, Options{Settings: &set}).see("clock  what", "   took", "06:13:").golden("columns")
}
