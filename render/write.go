package render

import (
	"bufio"
	"io"

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
