package render

import (
	"strconv"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// changesShown is how many lines of a file's change stand in a history.
const changesShown = 12

// History draws every write of a path, the oldest first.
func History(h answer.History, width int) []Line {
	lines := []Line{{{"history ", theme.Heading}, {clip(h.Path), theme.Link}, {"  " + text.Plural(int64(len(h.Writes)), "write"), theme.Dim}}}
	if len(h.Writes) == 0 {
		lines = append(lines, Line{{" nothing has written it", theme.Dim}})
	}
	var rows []alignedRow
	for _, w := range h.Writes {
		by := answered(w.By)
		c := answer.Change{Path: h.Path, Op: w.Op, Old: w.Old, New: w.New}
		r := changeRow(c, nil, width)
		r.left = append(opSpan(w.Op), seqSpan(w.By.Seq))
		r.right = func(room int) Line { return about(by, room) }
		if old, now := contentOf(w.Old), contentOf(w.New); old != nil || now != nil {
			r.mid, r.below = cellLine(h.Path, orElse(w.New, w.Old)), nil
			if orEmpty(old) != orEmpty(now) {
				r.below = firstLines(textChange(orEmpty(old), orEmpty(now), fileOf(h.Path), width), changesShown)
			} else {
				r.mid = join("  ", r.mid, Line{{"the same text", theme.Dim}})
			}
		}
		rows = append(rows, r)
	}
	return clamp(append(lines, align(rows, width)...), width)
}

// firstLines keeps the first few lines and says how many it left out.
func firstLines(lines []Line, n int) []Line {
	if len(lines) <= n+1 {
		return lines
	}
	left := strconv.Itoa(len(lines) - n)
	return append(lines[:n:n], Line{{"    … " + left + " more lines; diff shows all", theme.Dim}})
}
