package render

import (
	"hindcast/render/text"
	"hindcast/render/theme"
)

// column describes a table's column.
type column struct {
	head  string
	right bool // numbers, times and sizes align at the right
	flex  bool // takes what is left of the width, and gives way first
	max   int  // cells at most; 0: no limit
}

// cell is one field of a table's row.
type cell struct {
	text string // cleaned
	role theme.Role
}

// table lays rows out under their headings: two cells between columns, columns
// as wide as their widest field. Where width is above 0 the flex columns are
// cut until the row fits. A column without any text is left out.
func table(cols []column, rows [][]cell, width int) []Line {
	widths := measure(cols, rows)
	fit(cols, widths, width)
	var lines []Line
	head := make([]cell, len(cols))
	for i, c := range cols {
		head[i] = cell{c.head, theme.Heading}
	}
	for _, row := range append([][]cell{head}, rows...) {
		lines = append(lines, tableRow(cols, widths, row, width))
	}
	return lines
}

func measure(cols []column, rows [][]cell) []int {
	widths := make([]int, len(cols))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], text.Width(c.text))
		}
	}
	for i, c := range cols {
		if widths[i] == 0 {
			continue
		}
		if c.max > 0 {
			widths[i] = min(widths[i], c.max)
		}
		widths[i] = max(widths[i], text.Width(c.head))
	}
	return widths
}

// fit narrows the flex columns, the widest first, until the sum is at most
// width; a flex column keeps at least 8 cells.
func fit(cols []column, widths []int, width int) {
	if width < 1 {
		return
	}
	total := 0
	for _, w := range widths {
		if w > 0 {
			total += w + 2
		}
	}
	for total -= 2; total > width; total-- {
		widest := -1
		for i, c := range cols {
			if c.flex && widths[i] > 8 && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		widths[widest]--
	}
}

func tableRow(cols []column, widths []int, row []cell, width int) Line {
	last := -1
	for i := range row {
		if widths[i] > 0 && row[i].text != "" {
			last = i
		}
	}
	var l Line
	for i, c := range row {
		if widths[i] == 0 || i > last {
			continue
		}
		if len(l) > 0 {
			l = append(l, Span{"  ", theme.Plain})
		}
		switch {
		case cols[i].right:
			c.text = text.PadLeft(c.text, widths[i])
		case i == last:
			c.text = text.Cut(c.text, widths[i])
		default:
			c.text = text.Pad(c.text, widths[i])
		}
		l = append(l, Span{c.text, c.role})
	}
	return Cut(l, width)
}

// field is a line "name  value" of a header block.
func field(name string, value Line, nameWidth int) Line {
	return append(Line{{" " + text.Pad(name, nameWidth) + " ", theme.Key}}, value...)
}
