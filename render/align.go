package render

import "hindcast/render/theme"

// alignedRow is a row of three fields, the last of which is drawn for the room
// that is left (0: any), and lines that stand below it.
type alignedRow struct {
	left, mid Line
	right     func(room int) Line
	below     []Line
}

// Cells that the first two fields of aligned rows take at most.
const (
	leftMost = 40
	midMost  = 60
)

// align sets rows under one another, two cells between their fields.
func align(rows []alignedRow, width int) []Line {
	left, mid := 0, 0
	for _, r := range rows {
		left, mid = max(left, Width(r.left)), max(mid, Width(r.mid))
	}
	left, mid = min(left, leftMost), min(mid, midMost)
	if width > 0 {
		left = min(left, width/2)
		mid = min(mid, max((width-left)*3/5-2, 1))
	}
	var out []Line
	for _, r := range rows {
		out = append(out, r.line(left, mid, width))
		out = append(out, r.below...)
	}
	return out
}

func (r *alignedRow) line(left, mid, width int) Line {
	gap := Span{"  ", theme.Plain}
	l := pad(r.left, left, width)
	if r.right == nil {
		return Cut(append(append(l, gap), r.mid...), width)
	}
	if mid > 0 {
		l = append(append(l, gap), pad(r.mid, mid, width)...)
	}
	l = append(l, gap)
	return Cut(append(l, r.right(room(width, Width(l)))...), width)
}

// pad fills a field up to its cells; where the width is not limited, a longer
// one stays whole.
func pad(l Line, cells, width int) Line {
	if width == 0 && Width(l) > cells {
		return l[:len(l):len(l)]
	}
	l = Pad(l, cells)
	return l[:len(l):len(l)]
}

// byEvent draws in what room is left who made a change.
func byEvent(l func(room int) Line) func(int) Line {
	return func(left int) Line {
		return append(Line{{"by ", theme.Dim}}, l(room(left, 3))...)
	}
}
