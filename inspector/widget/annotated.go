package widget

import "hindcast/render"

// Annotated is Rows that may have lines of their own above and below a row: no
// cursor stands on them, and they scroll with the row.
type Annotated interface {
	Beside(i, width int) (above, below []render.Line)
}

func (l *List) beside(i int) (above, below []render.Line) {
	if a, ok := l.Rows.(Annotated); ok && i >= 0 && i < l.Rows.Len() {
		_, _, w, _ := l.GetInnerRect()
		return a.Beside(i, w)
	}
	return nil, nil
}

// rise is the number of lines that a row takes with those beside it.
func (l *List) rise(i int) int {
	above, below := l.beside(i)
	return 1 + len(above) + len(below)
}

// fill is the first row behind those that fit into h lines from row i on; at
// least one does.
func (l *List) fill(i, h int) int {
	n := l.Rows.Len()
	for end := i; ; end++ {
		if end >= n {
			return n
		}
		if h -= l.rise(end); h < 0 {
			return min(max(end, i+1), n)
		}
	}
}

// backfill is the row from which on those up to row i fill h lines.
func (l *List) backfill(i, h int) int {
	from := i
	for h -= l.rise(i); from > 0; from-- {
		if h -= l.rise(from - 1); h < 0 {
			break
		}
	}
	return from
}
