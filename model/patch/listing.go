package patch

import (
	"strconv"
	"strings"
)

// Listing takes the numbers off the lines of a listing, each of which begins
// with its number, perhaps behind blanks or zeros, and sep. text holds the lines
// with newlines between them; first is the number of the first one. ok is false
// where a line does not carry the number behind that of the line before.
func Listing(listing, sep string) (text string, first int, ok bool) {
	var b strings.Builder
	b.Grow(len(listing))
	for next := 0; ; next++ {
		line, rest, more := strings.Cut(listing, "\n")
		number, line, found := strings.Cut(line, sep)
		n, err := strconv.Atoi(strings.TrimLeft(number, " "))
		switch {
		case !found || err != nil || n < 0:
			return "", 0, false
		case next == 0:
			first, next = n, n
		case n != next:
			return "", 0, false
		default:
			b.WriteByte('\n')
		}
		b.WriteString(line)
		if !more {
			return b.String(), first, true
		}
		listing = rest
	}
}
