//go:build unix

package docs_test

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"
)

// The picture's measures, in pixels: a cell of 14-pixel monospace, the window's
// margin and its title bar.
const (
	cellW, cellH = 8.4, 18.0
	baseline     = 13.5
	margin       = 14.0
	bar          = 34.0
)

// The window's colours; cells without a colour of their own take ink and paper.
const (
	ink, paper  = "#d4d4d4", "#16181d"
	barFill     = "#22252c"
	barInk      = "#9aa0aa"
	windowFrame = "#3a3f4a"
)

// The bits of a cell's attributes.
const (
	attrBold = 1 << iota
	attrFaint
	attrItalic
	_
	_
	attrReverse
)

// look is how a run of cells is drawn; runs of one look are one text.
type look struct {
	fore, back               string
	bold, faint, italic, sub bool
}

// svg draws the screen in a plain window. The same cells give the same bytes.
func (s *screen) svg(title string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, h := float64(s.w)*cellW+2*margin, float64(s.h)*cellH+margin+bar+4
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`+"\n", w, h, w, h, title)
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%.0f" height="%.0f" rx="8" fill="%s" stroke="%s"/>`+"\n", w-1, h-1, paper, windowFrame)
	fmt.Fprintf(&b, `<path d="M1 %.0f V8.5 a7.5 7.5 0 0 1 7.5 -7.5 H%.1f a7.5 7.5 0 0 1 7.5 7.5 V%.0f Z" fill="%s"/>`+"\n", bar-8, w-8.5, bar-8, barFill)
	b.WriteString(`<g font-family="ui-monospace, 'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace" font-size="14" xml:space="preserve">` + "\n")
	fmt.Fprintf(&b, `<text x="%.0f" y="18" fill="%s" font-size="12" text-anchor="middle">%s</text>`+"\n", w/2, barInk, title)
	for y := range s.h {
		s.row(&b, y)
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// row draws one line of cells: grounds first, then texts, so that no ground
// cuts a glyph that leans over.
func (s *screen) row(b *strings.Builder, y int) {
	var texts strings.Builder
	for x := 0; x < s.w; {
		start, style, run := x, s.look(x, y), strings.Builder{}
		for x < s.w && s.look(x, y) == style {
			content, width := " ", 1
			if c := s.em.CellAt(x, y); c != nil && c.Content != "" {
				content, width = c.Content, max(c.Width, 1)
			}
			run.WriteString(content)
			x += width
		}
		left, top, n := margin+float64(start)*cellW, bar+float64(y)*cellH, float64(x-start)*cellW
		if style.back != paper {
			fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%.0f" fill="%s"/>`+"\n", left, top, n, cellH, style.back)
		}
		style.text(&texts, run.String(), left, top)
	}
	b.WriteString(texts.String())
}

// text draws a run without the spaces around it, with its exact length.
func (l look) text(b *strings.Builder, run string, left, top float64) {
	body := strings.TrimLeft(run, " ")
	left += float64(len(run)-len(body)) * cellW
	body = strings.TrimRight(body, " ")
	if body == "" {
		return
	}
	attrs := ""
	if l.bold {
		attrs += ` font-weight="bold"`
	}
	if l.italic {
		attrs += ` font-style="italic"`
	}
	if l.faint {
		attrs += ` opacity="0.65"`
	}
	if l.sub {
		attrs += ` text-decoration="underline"`
	}
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(body)) // a builder does not fail
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"%s textLength="%.1f">%s</text>`+"\n",
		left, top+baseline, l.fore, attrs, float64(cells(body))*cellW, escaped.String())
}

// cells counts the columns of a run: in the demo every character has one.
func cells(s string) int { return len([]rune(s)) }

func (s *screen) look(x, y int) look {
	c := s.em.CellAt(x, y)
	if c == nil {
		return look{fore: ink, back: paper}
	}
	l := look{
		fore: rgb(c.Style.Fg, ink), back: rgb(c.Style.Bg, paper),
		bold: c.Style.Attrs&attrBold != 0, faint: c.Style.Attrs&attrFaint != 0, italic: c.Style.Attrs&attrItalic != 0,
		sub: c.Style.Underline != 0,
	}
	if c.Style.Attrs&attrReverse != 0 {
		l.fore, l.back = l.back, l.fore
	}
	return l
}

func rgb(c color.Color, otherwise string) string {
	if c == nil {
		return otherwise
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
