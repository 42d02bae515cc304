package inspector

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"hindcast/render/theme"
)

// TestShots draws screens as pictures, for people to look at: set
// HINDCAST_SHOTS to a folder.
func TestShots(t *testing.T) {
	dir := os.Getenv("HINDCAST_SHOTS")
	if dir == "" {
		t.Skip("HINDCAST_SHOTS is not set: no pictures are drawn")
	}
	for _, th := range []*theme.Theme{theme.Dark, theme.Light, theme.Basic} {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			d := drive(t, demo(t), size[0], size[1], Options{Theme: th, Source: "demo:", Demo: true})
			shot := func(name string) {
				d.rest(250 * time.Millisecond)
				path := filepath.Join(dir, fmt.Sprintf("%s-%dx%d-%s.svg", name, size[0], size[1], th.Name))
				if err := os.WriteFile(path, []byte(d.svg(th)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			d.see("row 1/", "K 2", "completed, claims", "payload")
			shot("open")
			d.press("E").see("failed").press("E").see("failed")
			d.press("Tab")
			shot("error")
			d.press("S-Tab", ":113", "Enter").see("113 of", "main.go").press("Tab")
			shot("state")
			d.press("d").see("[diff]", "+1").press("*", "healthz", "Enter").see("in view")
			shot("knew")
			d.press("Esc", "gf").see("package main").press("B").see("10 read_file")
			shot("file")
			d.press("q", "D").see("came back")
			shot("checkpoint")
			d.press("q", ":118", "Enter").see("118 of")
			d.press("/", "config").see("/config").press("Enter").see("/config ")
			shot("search")
			d.press("Esc", "f", "failed:true").see(" of ", " rows")
			shot("filter")
			d.press("Esc", "s").see("outcome")
			shot("sessions")
			d.press("q", "?").see("Cause and effect")
			shot("help")
		}
	}
}

const (
	cellW, cellH = 8.4, 18.0
)

// svg is the last frame as a picture: a run of cells of one style is one text.
func (d *driver) svg(th *theme.Theme) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	fore, back := "#d0d0d0", "#161616"
	if th == theme.Light {
		fore, back = "#202020", "#fcfcfc"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" font-family="DejaVu Sans Mono, monospace" font-size="14" xml:space="preserve">`+"\n", float64(d.w)*cellW, float64(d.h)*cellH)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", back)
	for y := range d.h {
		for x := 0; x < d.w; {
			start, style := x, d.frame[y*d.w+x].Style
			var run strings.Builder
			for x < d.w && d.frame[y*d.w+x].Style == style {
				run.WriteString(string(d.frame[y*d.w+x].Runes))
				x++
			}
			svgRun(&b, start, y, x-start, run.String(), style, fore, back)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func svgRun(b *strings.Builder, x, y, n int, s string, style tcell.Style, fore, back string) {
	fg, bg, attr := style.Decompose()
	ink, paper := hex(fg, fore), hex(bg, back)
	if attr&tcell.AttrReverse != 0 {
		ink, paper = paper, ink
	}
	if paper != back {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", float64(x)*cellW, float64(y)*cellH, float64(n)*cellW, cellH, paper)
	}
	if strings.TrimSpace(s) == "" {
		return
	}
	extra := ""
	if attr&tcell.AttrBold != 0 {
		extra += ` font-weight="bold"`
	}
	if attr&tcell.AttrItalic != 0 {
		extra += ` font-style="italic"`
	}
	if attr&tcell.AttrDim != 0 {
		extra += ` opacity="0.6"`
	}
	if attr&tcell.AttrUnderline != 0 || style.GetUnderlineStyle() != tcell.UnderlineStyleNone {
		extra += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f" xml:space="preserve">%s</text>`+"\n",
		float64(x)*cellW, float64(y)*cellH+14, ink, extra, float64(n)*cellW, html.EscapeString(s))
}

func hex(c tcell.Color, other string) string {
	if c == tcell.ColorDefault {
		return other
	}
	return fmt.Sprintf("#%06x", c.TrueColor().Hex())
}
