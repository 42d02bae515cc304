package render

import (
	"bufio"
	"io"
	"strings"

	"hindcast/render/theme"
)

// WriteLines writes lines with a newline each, with the theme's escape
// sequences, or without any where sgr is nil. It is the only writer of output
// for people.
func WriteLines(w io.Writer, lines []Line, sgr *theme.Theme) error {
	out := bufio.NewWriterSize(w, 32<<10)
	for _, l := range lines {
		writeLine(out, l, sgr)
	}
	return out.Flush()
}

func writeLine(out *bufio.Writer, l Line, sgr *theme.Theme) {
	l = trimRight(l)
	for i := 0; i < len(l); {
		on, off := sgr.SGR(l[i].Role)
		out.WriteString(on)
		role := l[i].Role
		for ; i < len(l) && l[i].Role == role; i++ {
			out.WriteString(l[i].Text)
		}
		out.WriteString(off)
	}
	out.WriteByte('\n')
}

// trimRight drops the spaces at a line's end, which only a screen needs.
func trimRight(l Line) Line {
	for len(l) > 0 {
		last := l[len(l)-1]
		t := strings.TrimRight(last.Text, " ")
		if t == last.Text {
			return l
		}
		l = l[: len(l)-1 : len(l)-1]
		if t != "" {
			return append(l, Span{t, last.Role})
		}
	}
	return l
}
