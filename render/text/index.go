package text

import (
	"sort"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Bytes is text in either of Go's forms.
type Bytes interface{ ~string | ~[]byte }

// Index finds the rows of a large untrusted text without laying it out: a row
// is a line, or a piece of a line that is wider than the width. It reads only
// what is asked for and remembers where every 64th row starts, so a row in the
// middle of ten megabytes on one line costs no more than any other once it has
// been passed. It is not safe for concurrent use, and the text must not change.
type Index[T Bytes] struct {
	src   T
	width int   // cells of a row; below 1: no limit
	marks []int // offset of rows 0, 64, 128, ...
	rows  int   // rows found so far
	next  int   // where row number rows starts
	done  bool
}

const (
	markEvery = 64
	// window bounds what is looked at to find one cluster, in bytes. Longer
	// clusters (thousands of combining marks) fall into several.
	window = 256
)

// NewIndex indexes src for rows of width cells.
func NewIndex[T Bytes](src T, width int) *Index[T] {
	return &Index[T]{src: src, width: width, done: len(src) == 0}
}

// Grow looks for rows until at least n are known, and returns how many are, and
// whether they are all.
func (x *Index[T]) Grow(n int) (rows int, all bool) {
	for !x.done && x.rows < n {
		if x.rows%markEvery == 0 {
			x.marks = append(x.marks, x.next)
		}
		_, x.next = x.row(x.next)
		x.rows++
		x.done = x.next >= len(x.src)
	}
	return x.rows, x.done
}

// Len is the number of rows; it reads the text to its end once.
func (x *Index[T]) Len() int {
	n, _ := x.Grow(int(^uint(0) >> 1))
	return n
}

// Rows returns up to n cleaned rows from row number from on. Nothing else of
// the text is cleaned.
func (x *Index[T]) Rows(from, n int) []string {
	from = max(from, 0)
	known, _ := x.Grow(from + max(n, 0))
	if from >= known || n < 1 {
		return nil
	}
	at := x.marks[from/markEvery]
	for i := 0; i < from%markEvery; i++ {
		_, at = x.row(at)
	}
	out := make([]string, 0, min(n, known-from))
	for i := from; i < min(from+n, known); i++ {
		end, next := x.row(at)
		row := CleanLine(string(x.src[at:end]))
		if x.width > 0 {
			row = Cut(row, x.width)
		}
		out = append(out, row)
		at = next
	}
	return out
}

// row finds where the row that starts at at ends, and where the next starts.
func (x *Index[T]) row(at int) (end, next int) {
	cells, space, easy := 0, -1, true
	i := at
	for limit := min(len(x.src), at+x.width); i < limit && x.src[i] >= 0x20 && x.src[i] < 0x7f; i++ {
		if x.src[i] == ' ' {
			space = i
		}
	}
	if i > at { // the last of them may carry a mark
		i--
		cells = i - at
	}
	for i < len(x.src) {
		b := x.src[i]
		switch {
		case b == '\n':
			return x.check(at, i, i+1, easy)
		case b == '\r' && i+1 < len(x.src) && x.src[i+1] == '\n':
			return x.check(at, i, i+2, easy)
		}
		n, w := 1, 1
		if b < 0x20 || b > 0x7e || i+1 < len(x.src) && x.src[i+1] >= 0x80 {
			var plain bool
			n, w, plain = x.cluster(i, cells)
			easy = easy && plain
		}
		if x.width > 0 && cells+w > x.width && i > at {
			end, next = x.wrap(at, i, space)
			return x.check(at, end, next, easy)
		}
		if b == ' ' {
			space = i
		}
		cells += w
		i += n
	}
	return x.check(at, len(x.src), len(x.src), easy)
}

// check shortens a row that is wider once cleaned than its clusters one by one,
// which can only be where clusters were not easy to tell.
func (x *Index[T]) check(at, end, next int, easy bool) (int, int) {
	if easy || x.width < 1 || fits(CleanLine(string(x.src[at:end])), x.width) {
		return end, next
	}
	runes := []rune(string(x.src[at:end]))
	n := sort.Search(len(runes), func(n int) bool {
		return n > 0 && !fits(CleanLine(string(x.src[at:at+x.skip(at, n)])), x.width)
	})
	end = at + x.skip(at, max(n-1, 1))
	return end, end
}

// skip is the length of the n characters from at on, in bytes.
func (x *Index[T]) skip(at, n int) (bytes int) {
	for ; n > 0 && at+bytes < len(x.src); n-- {
		_, size := utf8.DecodeRuneInString(string(x.src[at+bytes : min(at+bytes+utf8.UTFMax, len(x.src))]))
		bytes += size
	}
	return bytes
}

// wrap chooses between the edge and the last space before it.
func (x *Index[T]) wrap(at, edge, space int) (end, next int) {
	if x.src[edge] == ' ' {
		return edge, x.pastNewline(edge + 1)
	}
	if space > at && space-at >= (edge-at)/3 {
		return space, space + 1
	}
	return edge, edge
}

// pastNewline skips the end of a line whose last space did not fit, so that it
// leaves no empty row.
func (x *Index[T]) pastNewline(i int) int {
	if i < len(x.src) && x.src[i] == '\n' {
		return i + 1
	}
	return i
}

// cluster measures the grapheme cluster at i as it will be drawn: its bytes,
// and its cells when cells precede it in the row. easy says that it stands for
// itself whatever surrounds it.
func (x *Index[T]) cluster(i, cells int) (bytes, width int, easy bool) {
	if x.src[i] == '\t' {
		return 1, tabStop - cells%tabStop, true
	}
	s := string(x.src[i:min(i+2*utf8.UTFMax, len(x.src))])
	if n, w := alone(s); n > 0 {
		return n, w, true
	}
	if n, w := standIn(s); n > 0 {
		return n, w, true
	}
	end := min(i+window, len(x.src))
	for end < len(x.src) && end > i+1 && !utf8.RuneStart(x.src[end]) {
		end--
	}
	s = string(x.src[i:min(i+64, end)])
	c, rest, _, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	if rest == "" && i+64 < end {
		s = string(x.src[i:end])
		c, _, _, _ = uniseg.FirstGraphemeClusterInString(s, -1)
	}
	w := Width(Clean(c))
	if x.width > 0 && w > x.width {
		bytes, width = x.part(c)
		return bytes, width, false
	}
	return len(c), w, false
}

// part is as much of an overlong cluster (hidden text in tag characters) as a
// row can show.
func (x *Index[T]) part(c string) (bytes, width int) {
	runes := []rune(c[:min(len(c), utf8.UTFMax*(x.width+2*MarkLimit))])
	n := sort.Search(len(runes), func(n int) bool {
		return n > 0 && Width(Clean(string(runes[:n+1]))) > x.width
	})
	for range max(n, 1) {
		_, size := utf8.DecodeRuneInString(c[bytes:])
		bytes += size
	}
	return bytes, min(Width(Clean(c[:bytes])), x.width)
}

// standIn is the length of a character or byte that s starts with and that is
// drawn as something else, and the width of that; 0 for any other, and for tag
// characters, which are drawn together.
func standIn(s string) (bytes, width int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1, r < 0x20, r == 0x7f:
		return 1, 1
	case r >= 0xe0000 && r <= 0xe007f, Safe(r):
		return 0, 0
	}
	return n, len(number(r)) - len("‹›") + 2
}
