package text

import (
	"iter"
	"strings"
)

const tabStop = 4

// Lines splits untrusted text at its newlines (LF, CRLF) and yields each line
// cleaned, with tabs filled up to stops of four columns. A trailing newline
// makes no empty last line.
func Lines(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			line, rest, _ := strings.Cut(s, "\n")
			if !yield(CleanLine(strings.TrimSuffix(line, "\r"))) {
				return
			}
			s = rest
		}
	}
}

// CleanLine is Clean for a line of multi-line text: tabs are filled up to stops
// of four columns.
func CleanLine(s string) string {
	n := printable(s)
	if n == len(s) {
		return s
	}
	c := cleaner{stops: true}
	c.out.Grow(len(s) + 16)
	c.out.WriteString(s[:n])
	if n > 0 {
		c.prev = rune(s[n-1])
	}
	c.run(s[n:])
	return c.out.String()
}
