package render

import (
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// changesShown is how many lines of a file's change stand in a history.
const changesShown = 12

// History draws every write of a path, the oldest first.
func History(h answer.History, width int) []Line {
	head := append(historyOf(h.Path), Span{"  " + text.Plural(int64(len(h.Writes)), "write"), theme.Dim})
	lines := clamp([]Line{head}, width)
	if len(h.Writes) == 0 {
		return append(lines, clamp([]Line{{{" nothing has written it", theme.Dim}}}, width)...)
	}
	return append(lines, HistoryWrites(h, width)...)
}

// HistoryHead begins a history whose end is not known yet.
func HistoryHead(path string, width int) []Line { return clamp([]Line{historyOf(path)}, width) }

// HistoryEnd ends one by the number of its writes.
func HistoryEnd(path string, count, width int) []Line {
	return clamp([]Line{append(historyOf(path), Span{"  " + text.Plural(int64(count), "write") + " in all", theme.Dim})}, width)
}

func historyOf(path string) Line {
	return Line{{"history ", theme.Heading}, {clip(path), theme.Link}}
}

// HistoryWrites draws some writes of a path, in columns of their own.
func HistoryWrites(h answer.History, width int) []Line {
	var rows []alignedRow
	for _, w := range h.Writes {
		by := answered(w.By)
		c := answer.Change{Path: h.Path, Op: w.Op, Old: w.Old, New: w.New}
		r := changeRow(c, nil, width)
		r.left = append(opSpan(w.Op), seqSpan(w.By.Seq))
		r.right = func(room int) Line { return about(by, room) }
		old, now := contentOf(w.Old), contentOf(w.New)
		switch {
		case old != nil || now != nil:
			r.mid, r.below = historyCell(h.Path, w), nil
			if orEmpty(old) != orEmpty(now) {
				r.below = firstLines(textChange(orEmpty(old), orEmpty(now), fileOf(h.Path), width), changesShown)
			} else {
				r.mid = join("  ", r.mid, Line{{"the same text", theme.Dim}})
			}
		case len(w.New) > 0 && isFile(h.Path):
			r.mid, r.below = join(": ", wholeFile(w.New), Line{{"show ", theme.Dim}, seqSpan(w.By.Seq)}), nil
		}
		rows = append(rows, r)
	}
	return clamp(align(rows, width), width)
}

// isFile tells the path of a whole file.
func isFile(path string) bool {
	name, ok := strings.CutPrefix(path, model.PathFiles+"/")
	return ok && !strings.Contains(name, "/")
}

// historyCell draws what a write left, or took away: then the event that had
// written it is left out, since the row is of another.
func historyCell(path string, w answer.HistoryWrite) Line {
	var m member
	if w.New == nil && json.Unmarshal(w.Old, &m) == nil {
		return fileSize(m)
	}
	return cellLine(path, orElse(w.New, w.Old))
}

// firstLines keeps the first few lines and says how many it left out.
func firstLines(lines []Line, n int) []Line {
	if len(lines) <= n+1 {
		return lines
	}
	left := strconv.Itoa(len(lines) - n)
	return append(lines[:n:n], Line{{"    … " + left + " more lines; diff shows all", theme.Dim}})
}
