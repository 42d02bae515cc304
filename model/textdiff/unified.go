package textdiff

import (
	"strconv"
	"strings"
)

// NoNewline is what stands in a patch below a last line without a line end.
const NoNewline = `\ No newline at end of file`

// Unified writes the script as a patch that git and patch apply, byte for byte;
// the empty text where nothing differs. The names are those of the header; one
// that could be mistaken is quoted as git does it.
func (s Script) Unified(oldName, newName string, context int) string {
	if len(s.Edits) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("--- " + headerName(oldName) + "\n+++ " + headerName(newName) + "\n")
	for _, h := range s.Hunks(context) {
		out.WriteString(h.Header() + "\n")
		at := h.OldFrom
		for _, e := range h.Edits {
			patch(&out, ' ', s.Old[at:e.OldFrom])
			patch(&out, '-', s.Old[e.OldFrom:e.OldTo])
			patch(&out, '+', s.New[e.NewFrom:e.NewTo])
			at = e.OldTo
		}
		patch(&out, ' ', s.Old[at:h.OldTo])
	}
	return out.String()
}

func patch(out *strings.Builder, sign byte, lines []string) {
	for _, l := range lines {
		out.WriteByte(sign)
		out.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			out.WriteString("\n" + NoNewline + "\n")
		}
	}
}

// Header is the hunk's place as a patch writes it: @@ -1,3 +1,4 @@.
func (h Hunk) Header() string {
	return "@@ -" + span(h.OldFrom, h.OldTo) + " +" + span(h.NewFrom, h.NewTo) + " @@"
}

// span names lines from 1 on; an empty range is named by the line before it.
func span(from, to int) string {
	switch to - from {
	case 0:
		return strconv.Itoa(from) + ",0"
	case 1:
		return strconv.Itoa(from + 1)
	}
	return strconv.Itoa(from+1) + "," + strconv.Itoa(to-from)
}

func headerName(name string) string {
	if quoted := quote(name); len(quoted) != len(name)+2 {
		return quoted
	}
	if strings.Contains(name, " ") {
		return name + "\t" // the tab ends the name
	}
	return name
}

// quote writes a name as a C string with octal escapes.
func quote(name string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			out.WriteByte('\\')
			out.WriteByte('0' + c>>6)
			out.WriteByte('0' + c>>3&7)
			out.WriteByte('0' + c&7)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}
