package render

import (
	"sort"
	"strings"
	"time"

	"hindcast/render/syntax"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Doc is a document of rows that is laid out only as far as it is looked at. It
// is not safe for concurrent use; the bytes that it was made from must not
// change.
type Doc struct {
	items  []item // never changed once made: Colour reads them beside a drawing
	laid   []laid // one for each item
	width  int    // that laid and starts are for
	starts []int  // first row of each item laid out so far, then the row after the last of them
	ready  bool   // starts is valid
}

// item is a logical line, or a block of text below one.
type item struct {
	indent int // cells
	line   Line
	flow   []Line // pieces that stand on one line or several, unbroken
	body   body
}

// body is a block of untrusted text: indexed rows, or lines that were coloured
// before.
type body struct {
	text  string
	raw   []byte
	role  theme.Role
	bare  bool   // without the bar at its left
	name  string // of the file that the text is from, where the record tells
	lines []Line // of code, coloured; nil before Colour
}

// laid is what the layout of an item at one width has found so far.
type laid struct {
	set   []Line // of code: its rows
	index rows   // of any other body
}

// codeLimit bounds the text of a file that is laid out at once, so that it may
// be coloured, in bytes.
const codeLimit = 256 << 10

// rows is an index over a text of either form.
type rows interface {
	Grow(n int) (int, bool)
	Rows(from, n int) []string
}

const bar = "│ "

// Len is the number of rows at a width (0: unlimited). It lays out the whole
// document; see Rows.
func (d *Doc) Len(width int) int {
	n, _ := d.Rows(width, int(^uint(0)>>1))
	return n
}

// Rows lays out the document until at least want rows are known, and returns
// how many are known and whether they are all.
func (d *Doc) Rows(width, want int) (n int, all bool) {
	if !d.ready || d.width != width {
		d.width, d.ready = width, true
		d.starts = append(d.starts[:0], 0)
		d.laid = make([]laid, len(d.items))
	}
	for len(d.starts) <= len(d.items) {
		at := d.starts[len(d.starts)-1]
		if at >= want {
			return at, false
		}
		i := len(d.starts) - 1
		rows, whole := d.items[i].rows(&d.laid[i], width, want-at)
		if !whole {
			return at + rows, false
		}
		d.starts = append(d.starts, at+rows)
	}
	return d.starts[len(d.items)], true
}

// Lines returns up to n rows from row number from on, at a width (0:
// unlimited).
func (d *Doc) Lines(from, n, width int) []Line {
	from = max(from, 0)
	if n < 1 {
		return nil
	}
	want := from + n
	if want < from {
		want = int(^uint(0) >> 1)
	}
	known, _ := d.Rows(width, want)
	var out []Line
	i := sort.SearchInts(d.starts, from+1) - 1
	for ; i < len(d.items) && from < min(known, want); i++ {
		got := d.items[i].draw(&d.laid[i], from-d.starts[i], min(want, known)-from, width)
		out = append(out, got...)
		from += len(got)
		if i+1 >= len(d.starts) {
			break
		}
	}
	return out
}

// Colour returns the document with the code in it highlighted. It may take some
// 50 ms for each piece of code the first time, and is meant for a worker: d
// itself stays as it is and may be drawn meanwhile.
func (d *Doc) Colour() *Doc { return d.colour(syntax.Budget) }

func (d *Doc) colour(budget time.Duration) *Doc {
	out := &Doc{items: make([]item, len(d.items))}
	for i, it := range d.items {
		if it.isCode() {
			if lines := highlight(it.body.name, it.body.text, budget); lines != nil {
				it.body.lines = lines
			}
		}
		out.items[i] = it
	}
	return out
}

// isCode reports whether the body may be coloured. Such a body is laid out in
// the same way whether it is or not: colours come when they are ready and must
// not move the text.
func (it *item) isCode() bool {
	return it.body.name != "" && len(it.body.text) <= codeLimit
}

func highlight(name, code string, budget time.Duration) []Line {
	var b strings.Builder
	for line := range text.Lines(code) {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	lines, ok := syntax.Highlight(name, b.String(), budget)
	if !ok {
		return nil
	}
	out := make([]Line, len(lines))
	for i, l := range lines {
		for _, s := range l {
			out[i] = append(out[i], Span{s.Text, codeRoles[s.Class]})
		}
	}
	return out
}

var codeRoles = map[syntax.Class]theme.Role{
	syntax.Keyword: theme.CodeKeyword, syntax.Name: theme.CodeName, syntax.Comment: theme.CodeComment,
	syntax.Key: theme.Key, syntax.String: theme.StringLit, syntax.Number: theme.Number, syntax.Literal: theme.Literal,
	syntax.Added: theme.Added, syntax.Removed: theme.Removed, syntax.Heading: theme.Heading,
}

// edge is the indentation that a width allows: what lies deeper stays at it.
func (it *item) edge(width int) int {
	if width > 0 {
		return min(it.indent, width/3)
	}
	return it.indent
}

// barred reports whether the body has a bar at its left; there is no room for
// one on a very narrow screen.
func (it *item) barred(width int) bool { return !it.body.bare && (width < 1 || width >= 12) }

func (it *item) hasBody() bool { return it.body.text != "" || it.body.raw != nil }

// rows counts the item's rows, up to want where that saves work.
func (it *item) rows(at *laid, width, want int) (n int, whole bool) {
	if !it.hasBody() {
		return len(it.wrapped(width)), true
	}
	if it.isCode() {
		return len(it.code(at, width)), true
	}
	return it.reader(at, width).Grow(want)
}

// draw returns up to n of the item's rows from its row number from on.
func (it *item) draw(at *laid, from, n, width int) []Line {
	if !it.hasBody() {
		return part(it.wrapped(width), from, n)
	}
	if it.isCode() {
		return part(it.code(at, width), from, n)
	}
	margin := it.margin(width)
	var out []Line
	for _, row := range it.reader(at, width).Rows(from, n) {
		out = append(out, append(margin[:len(margin):len(margin)], Span{row, it.body.role}))
	}
	return out
}

func part(lines []Line, from, n int) []Line {
	from = min(from, len(lines))
	return lines[from:min(len(lines), from+min(n, len(lines)))]
}

func (it *item) wrapped(width int) []Line {
	if it.flow != nil {
		return flow(it.flow, width)
	}
	edge := it.edge(width)
	if edge == 0 {
		return Wrap(it.line, width, 2)
	}
	lines := Wrap(it.line, max(width-edge, min(width, 1)), 2)
	for i, l := range lines {
		lines[i] = append(Line{{text.Spaces(edge), theme.Plain}}, l...)
	}
	return lines
}

// flow sets pieces behind one another, two cells apart, and starts a new line
// where one does not fit.
func flow(pieces []Line, width int) []Line {
	var out []Line
	var l Line
	used := 0
	for _, p := range pieces {
		w := Width(p)
		if len(l) > 0 && width > 0 && used+2+w > width {
			out = append(out, l)
			l, used = nil, 0
		}
		if w > width && width > 0 {
			out = append(out, Wrap(p, width, 2)...)
			continue
		}
		if len(l) > 0 {
			used += 2
		}
		l = join("  ", l, p)
		used += w
	}
	if len(l) > 0 {
		out = append(out, l)
	}
	return out
}

// code is the rows of a body that is code.
func (it *item) code(at *laid, width int) []Line {
	if at.set != nil {
		return at.set
	}
	lines := it.body.lines
	if lines == nil {
		for line := range text.Lines(it.body.text) {
			lines = append(lines, Line{{line, it.body.role}})
		}
	}
	margin := it.margin(width)
	var out []Line
	for _, l := range lines {
		for _, row := range Wrap(l, it.room(width), 0) {
			out = append(out, append(margin[:len(margin):len(margin)], row...))
		}
	}
	at.set = out
	return out
}

func (it *item) margin(width int) Line {
	var l Line
	if edge := it.edge(width); edge > 0 {
		l = Line{{text.Spaces(edge), theme.Plain}}
	}
	if it.barred(width) {
		l = append(l, Span{bar, theme.Gutter})
	}
	return l
}

// room is the width that is left for the body's text.
func (it *item) room(width int) int {
	if width < 1 {
		return 0
	}
	used := it.edge(width)
	if it.barred(width) {
		used += text.Width(bar)
	}
	return max(width-used, 1)
}

func (it *item) reader(at *laid, width int) rows {
	if at.index == nil {
		if it.body.raw != nil {
			at.index = text.NewIndex(it.body.raw, it.room(width))
		} else {
			at.index = text.NewIndex(it.body.text, it.room(width))
		}
	}
	return at.index
}
