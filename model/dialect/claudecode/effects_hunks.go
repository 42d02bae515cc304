package claudecode

import (
	"strings"

	"hindcast/model/jsonscan"
)

// hunk is one change of a file as the client shows it: lines with a mark before
// each. Leading tabs are shown as two spaces each, so that a line is known only
// by what it was made from.
type hunk struct {
	oldStart, oldLines, newStart, newLines int64
	lines                                  []string
}

func readHunks(v []byte) (all []hunk) {
	jsonscan.Elements(v, func(v []byte) bool {
		var h hunk
		jsonscan.Fields(v, func(key string, v []byte) bool {
			n, _ := jsonscan.Int(v)
			switch key {
			case "oldStart":
				h.oldStart = n
			case "oldLines":
				h.oldLines = n
			case "newStart":
				h.newStart = n
			case "newLines":
				h.newLines = n
			case "lines":
				jsonscan.Elements(v, func(v []byte) bool {
					h.lines = append(h.lines, jsonscan.Str(v))
					return true
				})
			}
			return true
		})
		all = append(all, h)
		return true
	})
	return all
}

// applyHunks applies the changes of one file to its text, which is empty for
// one that was made. ok is false where one does not fit or was cut, and where
// spaces may stand for tabs.
func applyHunks(text string, hunks []byte) (string, bool) {
	all := readHunks(hunks)
	if len(all) == 0 || strings.ContainsAny(text, "\t\r") || text != "" && !strings.HasSuffix(text, "\n") {
		return "", false
	}
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1] // behind the last newline nothing stands
	var made strings.Builder
	at := 0
	for _, h := range all {
		from := int(h.oldStart) - 1
		if h.oldLines == 0 && text != "" {
			from++ // an insertion goes behind that line
		}
		if from < at || from > len(lines) || !h.showsIndents() {
			return "", false
		}
		for ; at < from; at++ {
			made.WriteString(lines[at])
		}
		n, ok := h.apply(&made, lines[at:])
		if !ok {
			return "", false
		}
		at += n
	}
	for ; at < len(lines); at++ {
		made.WriteString(lines[at])
	}
	return made.String(), true
}

// apply writes what a hunk makes of the lines that it begins at, and tells how
// many of them it took.
func (h *hunk) apply(made *strings.Builder, lines []string) (taken int, ok bool) {
	added := int64(0)
	for _, line := range h.lines {
		if line == "" || strings.IndexByte(" +-", line[0]) < 0 {
			return 0, false // so is a note that the file ends without newline
		}
		if line[0] != '+' {
			if taken >= len(lines) || lines[taken] != line[1:]+"\n" {
				return 0, false
			}
			taken++
		}
		if line[0] != '-' {
			made.WriteString(line[1:])
			made.WriteByte('\n')
			added++
		}
	}
	return taken, int64(taken) == h.oldLines && added == h.newLines
}

// showsIndents reports whether the spaces that new lines begin with are sure to
// be spaces: as many stand before an old line, and no line seems to come for
// itself.
func (h *hunk) showsIndents() bool {
	known, gone := map[int]bool{0: true, 1: true}, map[string]bool{}
	for _, line := range h.lines {
		if line != "" && line[0] != '+' {
			known[indent(line[1:])] = true
			gone[line[1:]] = line[0] == '-'
		}
	}
	for _, line := range h.lines {
		if line != "" && line[0] == '+' && (!known[indent(line[1:])] || gone[line[1:]]) {
			return false
		}
	}
	return true
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// fits reports whether a text is what the client's patch made of another: it has
// as many lines more, and those that the patch shows stand where it says.
func fits(before, after string, patch []byte) bool {
	lines := strings.Split(after, "\n")
	all := readHunks(patch)
	more := int64(0)
	for _, h := range all {
		more += h.newLines - h.oldLines
		at := int(h.newStart) - 1
		for _, line := range h.lines {
			if line == "" || line[0] == '-' || line[0] == '\\' {
				continue
			}
			if at < 0 || at >= len(lines) || spaced(lines[at]) != line[1:] {
				return false
			}
			at++
		}
	}
	return len(all) > 0 && int64(strings.Count(after, "\n")-strings.Count(before, "\n")) == more
}

// spaced is a line as the client shows it.
func spaced(line string) string {
	rest := strings.TrimLeft(line, "\t")
	return strings.Repeat("  ", len(line)-len(rest)) + rest
}
