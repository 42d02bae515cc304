package render

import (
	"strings"

	"hindcast/render/text"
	"hindcast/render/theme"
)

// Page draws a page of Markdown as text: headings, paragraphs, lists, tables
// and code, with what stands out within a line. It knows what the project's own
// pages use; anything else is shown as it is written.
func Page(markdown string, width int) []Line {
	p := pager{width: width}
	for line := range strings.Lines(markdown) {
		p.line(text.Clean(strings.TrimRight(line, "\r\n")))
	}
	p.end()
	return clamp(p.out, width)
}

// pager gathers lines of Markdown to blocks.
type pager struct {
	width int
	out   []Line
	block []string // of a paragraph or an item
	item  bool
	table [][]string
	code  bool
}

func (p *pager) line(s string) {
	trimmed := strings.TrimSpace(s)
	switch {
	case strings.HasPrefix(trimmed, "```"):
		p.end()
		p.code = !p.code
	case p.code:
		p.out = append(p.out, Line{{"  " + s, theme.StringLit}})
	case trimmed == "":
		p.end()
		p.space()
	case strings.HasPrefix(trimmed, "#"):
		p.end()
		p.out = append(p.out, Line{{Plain(spans(strings.TrimSpace(strings.TrimLeft(trimmed, "#")))), theme.Heading}})
	case strings.HasPrefix(trimmed, "|"):
		if p.block != nil {
			p.end()
		}
		p.row(trimmed)
	case strings.HasPrefix(trimmed, "- "):
		p.end()
		p.item, p.block = true, []string{trimmed[2:]}
	default:
		if p.table != nil {
			p.end()
		}
		p.block = append(p.block, trimmed)
	}
}

// space leaves one empty line, none at the beginning.
func (p *pager) space() {
	if n := len(p.out); n > 0 && len(p.out[n-1]) > 0 {
		p.out = append(p.out, nil)
	}
}

// end draws the block at hand.
func (p *pager) end() {
	switch {
	case p.table != nil:
		p.rows()
	case p.item:
		p.out = append(p.out, Wrap(append(Line{{"- ", theme.Dim}}, spans(strings.Join(p.block, " "))...), p.width, 2)...)
	case p.block != nil:
		p.out = append(p.out, Wrap(spans(strings.Join(p.block, " ")), p.width, 0)...)
	}
	p.table, p.block, p.item = nil, nil, false
}

// row takes a table's row apart. A bar within code or behind a backslash is
// text; the line below the heads is none.
func (p *pager) row(s string) {
	var cells []string
	var cell strings.Builder
	code := false
	s = strings.TrimPrefix(s, "|")
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '|':
			i++
			cell.WriteByte('|')
			continue
		case s[i] == '`':
			code = !code
		case s[i] == '|' && !code:
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
			continue
		}
		cell.WriteByte(s[i])
	}
	if strings.Trim(strings.Join(cells, ""), "-: ") != "" {
		p.table = append(p.table, cells)
	}
}

// rows draws a table: its cells side by side, each wrapped in its column.
func (p *pager) rows() {
	widths := p.columns()
	for n, cells := range p.table {
		var drawn [][]Line
		height := 0
		for i, w := range widths {
			var l Line
			if i < len(cells) {
				l = spans(cells[i])
			}
			if n == 0 {
				l = Line{{Plain(l), theme.Dim}}
			}
			lines := Wrap(l, w, 0)
			height = max(height, len(lines))
			drawn = append(drawn, lines)
		}
		for row := range height {
			var l Line
			for i, lines := range drawn {
				var c Line
				if row < len(lines) {
					c = lines[row]
				}
				if i < len(drawn)-1 {
					c = append(Pad(c, widths[i]), Span{"  ", theme.Plain})
				}
				l = append(l, c...)
			}
			p.out = append(p.out, l)
		}
	}
}

// columns are the widths of a table's columns: as wide as they are where there
// is room, else the wider ones share what the narrower leave.
func (p *pager) columns() []int {
	var widths []int
	for _, cells := range p.table {
		for i, c := range cells {
			if i == len(widths) {
				widths = append(widths, 1)
			}
			widths[i] = max(widths[i], Width(spans(c)))
		}
	}
	if p.width < 1 {
		return widths
	}
	for {
		total, widest := 2*(len(widths)-1), 0
		for i, w := range widths {
			total += w
			if w > widths[widest] {
				widest = i
			}
		}
		if total <= p.width || widths[widest] <= 1 {
			return widths
		}
		widths[widest]--
	}
}

// marks are what surrounds text within a line, and how that is drawn.
var marks = []struct {
	open, shut string
	role       theme.Role
}{{"`", "`", theme.StringLit}, {"**", "**", theme.Strong}, {"[", "](", theme.Link}}

// spans draws the inside of a line: code, what is strong, and the names of
// links, whose addresses are left out.
func spans(s string) Line {
	var l Line
	plain := 0
	for i := 0; i < len(s); {
		n, span := marked(s[i:])
		if n == 0 {
			i++
			continue
		}
		if plain < i {
			l = append(l, Span{s[plain:i], theme.Plain})
		}
		l = append(l, span)
		i += n
		plain = i
	}
	if plain < len(s) {
		l = append(l, Span{s[plain:], theme.Plain})
	}
	return l
}

// marked reads what is marked at the beginning of a text, and how long it is
// with its marks; 0 where nothing is.
func marked(s string) (n int, span Span) {
	for _, m := range marks {
		rest, ok := strings.CutPrefix(s, m.open)
		if !ok {
			continue
		}
		inner, after, ok := strings.Cut(rest, m.shut)
		if !ok || inner == "" {
			continue
		}
		n = len(s) - len(after)
		if m.role == theme.Link {
			end := strings.IndexByte(after, ')')
			if end < 0 {
				continue
			}
			n += end + 1
		}
		if m.role == theme.Strong {
			inner = strings.ReplaceAll(inner, "`", "")
		}
		return n, Span{inner, m.role}
	}
	return 0, Span{}
}
