package text

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Ellipsis marks where text was cut. It is one cell wide.
const Ellipsis = "…"

// Width is the number of terminal cells that cleaned text takes. It is the one
// measure for layout and for drawing.
func Width(s string) int {
	n := printable(s)
	if n == len(s) {
		return n
	}
	if n > 0 {
		n-- // the last ASCII character may carry a mark
	}
	w := n
	Clusters(s[n:], func(_ string, width int) bool {
		w += width
		return true
	})
	return w
}

// Clusters calls f with each grapheme cluster of cleaned text and its width in
// cells, until f returns false. Every cluster is drawn as a unit.
func Clusters(s string, f func(cluster string, width int) bool) {
	state := -1
	for len(s) > 0 {
		if n, w := alone(s); n > 0 && state < 0 {
			if !f(s[:n], w) {
				return
			}
			s = s[n:]
			continue
		}
		var cluster string
		var width int
		cluster, s, width, state = uniseg.FirstGraphemeClusterInString(s, state)
		if single(s) > 0 {
			state = -1
		}
		if !f(cluster, width) {
			return
		}
	}
}

// alone is the length of the character that s starts with and its width, if it
// makes a cluster by itself whatever stands before it: it is one of the common
// letters, and so is what follows. 0 leaves the question to the segmenter.
func alone(s string) (bytes, width int) {
	if s[0] >= 0x20 && s[0] < 0x7f {
		if len(s) == 1 || s[1] < 0x80 || single(s[1:]) > 0 {
			return 1, 1
		}
		return 0, 0
	}
	n := single(s)
	if n == 0 || len(s) > n && single(s[n:]) == 0 {
		return 0, 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	if r >= 0x3000 {
		return n, 2
	}
	return n, 1
}

// single is the length of the character that s starts with, if it neither
// extends what stands before it nor takes more than its own letter: ASCII,
// Latin, Greek, Cyrillic, kana, Han and Hangul syllables. Their widths are the
// same in every Unicode version.
func single(s string) int {
	if s == "" {
		return 0
	}
	if s[0] < 0x80 {
		return 1
	}
	if r, n := utf8.DecodeRuneInString(s); letter(r) {
		return n
	}
	return 0
}

func letter(r rune) bool {
	return r >= 0xc0 && r < 0x300 || r >= 0x370 && r < 0x483 || r >= 0x48a && r < 0x530 ||
		r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa || r == 0x3001 || r == 0x3002 ||
		r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || r >= 0xff01 && r <= 0xff5e
}

// prefix is the longest run of whole clusters from the start of s that fits
// into cells, in bytes, and its width.
func prefix(s string, cells int) (bytes, width int) {
	if len(s) <= cells && printable(s) == len(s) {
		return len(s), len(s)
	}
	Clusters(s, func(c string, w int) bool {
		if width+w > cells {
			return false
		}
		bytes += len(c)
		width += w
		return true
	})
	return bytes, width
}

// fits reports whether s is at most cells wide, without measuring all of it.
func fits(s string, cells int) bool {
	n, _ := prefix(s, cells)
	return n == len(s)
}

// Cut shortens cleaned text to at most cells, with an ellipsis at its end.
func Cut(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	if fits(s, cells) {
		return s
	}
	n, _ := prefix(s, cells-1)
	return s[:n] + Ellipsis
}

// CutMiddle shortens cleaned text to at most cells, with the ellipsis in its
// middle: of a path, the end tells more than the middle.
func CutMiddle(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	if fits(s, cells) {
		return s
	}
	head, _ := prefix(s, (cells-1)/3)
	rest, room := s[head:], cells-1-Width(s[:head])
	drop := Width(rest) - room
	from := 0
	Clusters(rest, func(c string, w int) bool {
		if drop <= 0 {
			return false
		}
		drop -= w
		from += len(c)
		return true
	})
	return s[:head] + Ellipsis + rest[from:]
}

// Pad makes cleaned text exactly cells wide: cut, or filled with spaces at its
// right.
func Pad(s string, cells int) string {
	s = Cut(s, cells)
	return s + Spaces(cells-Width(s))
}

// PadLeft is Pad with the spaces at the left.
func PadLeft(s string, cells int) string {
	s = Cut(s, cells)
	return Spaces(cells-Width(s)) + s
}

// Spaces is a string of n spaces, empty for n below 1.
func Spaces(n int) string {
	const some = "                                                                "
	if n <= 0 {
		return ""
	}
	if n <= len(some) {
		return some[:n]
	}
	return strings.Repeat(" ", n)
}

// Wrap breaks cleaned text into lines of at most cells, at spaces where it can
// and within words where it must. It gives at least one line. Cells below 1
// mean no limit.
func Wrap(s string, cells int) []string {
	if cells < 1 || fits(s, cells) {
		return []string{s}
	}
	var lines []string
	for !fits(s, cells) {
		n := softBreak(s, cells)
		lines = append(lines, strings.TrimRight(s[:n], " "))
		if s = strings.TrimLeft(s[n:], " "); s == "" {
			return lines
		}
	}
	return append(lines, s)
}

// softBreak is where a line of s that is wider than cells ends, in bytes: after
// the last space within reach if that is not in the first third, else at the
// edge. It is above 0 whatever the width of the first cluster.
func softBreak(s string, cells int) int {
	n, _ := prefix(s, cells)
	if n == 0 {
		Clusters(s, func(c string, _ int) bool {
			n = len(c)
			return false
		})
		return n
	}
	if n < len(s) && s[n] == ' ' {
		return n
	}
	if i := strings.LastIndexByte(s[:n], ' '); i >= n/3 && strings.TrimLeft(s[:i], " ") != "" {
		return i + 1
	}
	return n
}

// CleanCut is Cut of Clean, at a cost that depends on cells and not on the
// length of s: an id may be a megabyte long.
func CleanCut(s string, cells int) string {
	limit := 16*max(cells, 0) + 256
	if len(s) <= limit {
		return Cut(Clean(s), cells)
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) && limit > 16*cells {
		limit--
	}
	return Cut(Clean(s[:limit])+Spaces(cells+1), cells)
}
