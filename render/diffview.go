package render

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hindcast/model/textdiff"
	"hindcast/render/syntax"
	"hindcast/render/text"
	"hindcast/render/theme"
)

const (
	diffContext = 3                  // common lines around a change
	sideBySide  = 120                // cells below which two texts do not fit beside each other
	pieceLimit  = textdiff.WordLimit // bytes that are drawn of one line
	wordPairs   = 2000               // pairs of lines of a diff that are compared word by word
	diffBlock   = textdiff.LineLimit // lines that are drawn of one block of new or gone lines
	scopeReach  = 500                // lines above a hunk in which the name of its function is looked for
	numberRoom  = 40                 // cells below which line numbers are left out
)

// TextDiff draws what changed between two texts of a file, line by line with
// the numbers of both; unchanged parts are folded. The path chooses the colours
// of the code. It aligns the texts, which may take long where they are large
// and share little.
func TextDiff(old, new, path string, width int) []Line {
	return diffLines(old, new, path, width, (*diffView).unified)
}

// SideBySide is TextDiff with the old text at the left of the new one, where
// the width allows it.
func SideBySide(old, new, path string, width int) []Line {
	if width < sideBySide {
		return TextDiff(old, new, path, width)
	}
	return diffLines(old, new, path, width, (*diffView).beside)
}

// diffView draws one script.
type diffView struct {
	textdiff.Script
	width  int
	digits int    // of a line number's column; 0: none
	code   []Line // of the text that is drawn in the colours of its language; nil: none
	alone  bool   // there is one text only, so that all of it is in these colours
	mixed  bool   // lines end in LF and in CRLF: the difference is shown
	pairs  int    // compared word by word so far
}

// diffRow is a line of either text or of both.
type diffRow struct {
	old, new int // line numbers; 0: not in that text
	body     Line
	open     bool // it has no line end
}

func diffLines(old, new, path string, width int, draw func(*diffView, []diffRow, []diffRow) []Line) []Line {
	s, err := textdiff.Lines(context.Background(), old, new)
	head := diffHead(s, path)
	var large *textdiff.TooLarge
	switch {
	case errors.As(err, &large):
		return clamp(append([]Line{head[:min(len(head), 1)]}, tooLarge(large, width)...), width)
	case len(s.Edits) == 0:
		return clamp([]Line{append(head, Span{"no change", theme.Dim})}, width)
	}
	v := &diffView{Script: s, width: width, alone: len(s.Old) == 0 || len(s.New) == 0, mixed: mixedEnds(s)}
	if width == 0 || width >= numberRoom {
		v.digits = len(strconv.Itoa(max(len(s.Old), len(s.New))))
	}
	if v.code = codeLines(path, new); len(s.New) == 0 {
		v.code = codeLines(path, old)
	}
	return clamp(append([]Line{head}, v.hunks(draw)...), width)
}

// diffHead names the file and counts the changed lines.
func diffHead(s textdiff.Script, path string) Line {
	var l Line
	if path != "" {
		l = Line{{clip(path), theme.Heading}, {"  ", theme.Plain}}
	}
	removed, added := s.Counts()
	if added > 0 {
		l = append(l, Span{"+" + text.Count(int64(added)) + " ", theme.Added})
	}
	if removed > 0 {
		l = append(l, Span{"-" + text.Count(int64(removed)), theme.Removed})
	}
	return l
}

func tooLarge(t *textdiff.TooLarge, width int) []Line {
	e := t.Edits[0]
	part := func(from, to, bytes int) string {
		return text.Plural(int64(to-from), "line") + ", " + text.Size(int64(bytes))
	}
	l := Line{
		{"too large to align: ", theme.Warn},
		{"from line " + text.Count(int64(e.OldFrom+1)) + " on, ", theme.Plain},
		{part(e.OldFrom, e.OldTo, t.OldBytes), theme.Removed}, {" became ", theme.Plain},
		{part(e.NewFrom, e.NewTo, t.NewBytes), theme.Added},
		{"; the limits are " + text.Count(textdiff.LineLimit) + " lines of either and " + text.Size(textdiff.ByteLimit) + " together", theme.Dim},
	}
	return Wrap(l, width, 2)
}

func mixedEnds(s textdiff.Script) bool {
	var lf, crlf bool
	for _, lines := range [][]string{s.Old, s.New} {
		for _, l := range lines {
			if strings.HasSuffix(l, "\r\n") {
				crlf = true
			} else if strings.HasSuffix(l, "\n") {
				lf = true
			}
		}
	}
	return lf && crlf
}

// codeLines is a text in the colours of its language, a Line for each of its
// lines; nil where there are none.
func codeLines(path, code string) []Line {
	if len(code) > codeLimit {
		return nil
	}
	return highlight(path, code, syntax.Budget)
}

func (v *diffView) hunks(draw func(*diffView, []diffRow, []diffRow) []Line) []Line {
	var lines []Line
	shown := 0
	for _, h := range v.Hunks(diffContext) {
		lines = append(lines, v.hunkHead(h, shown))
		at := h.Edit
		for _, e := range h.Edits {
			lines = append(lines, v.same(at.OldFrom, e.OldFrom, at.NewFrom, draw)...)
			lines = append(lines, v.edit(e, draw)...)
			at.OldFrom, at.NewFrom = e.OldTo, e.NewTo
		}
		lines = append(lines, v.same(at.OldFrom, h.OldTo, at.NewFrom, draw)...)
		shown = h.OldTo
	}
	if rest := len(v.Old) - shown; rest > 0 {
		lines = append(lines, folded(rest, "unchanged line"))
	}
	return lines
}

func folded(n int, what string) Line {
	return Line{{theme.Unicode.Folded + " " + text.Plural(int64(n), what), theme.Dim}}
}

// hunkHead says what is folded above a hunk, where the hunk stands, and in
// which function.
func (v *diffView) hunkHead(h textdiff.Hunk, shown int) Line {
	var l Line
	if n := h.OldFrom - shown; n > 0 {
		l = append(folded(n, "unchanged line"), Span{"  ", theme.Plain})
	}
	l = append(l, Span{h.Header(), theme.SessionMark})
	for i := h.OldFrom - 1; i >= max(h.OldFrom-scopeReach, 0); i-- {
		if c := v.Old[i][0] | 0x20; c >= 'a' && c <= 'z' || v.Old[i][0] == '_' || v.Old[i][0] == '$' {
			return append(l, Span{"  " + text.CleanCut(strings.TrimRight(v.Old[i], "\r\n"), 60), theme.Dim})
		}
	}
	return l
}

// isHunk tells the line above a hunk from the lines of texts.
func isHunk(l Line) bool {
	return slices.ContainsFunc(l, func(s Span) bool { return s.Role == theme.SessionMark && strings.HasPrefix(s.Text, "@@ ") })
}

// same draws common lines, from a line of the old text up to another.
func (v *diffView) same(from, to, fromNew int, draw func(*diffView, []diffRow, []diffRow) []Line) []Line {
	var rows []diffRow
	for i := from; i < to; i++ {
		n := fromNew + i - from
		rows = append(rows, diffRow{old: i + 1, new: n + 1, body: v.plain(v.New[n], n, theme.Plain, true)})
	}
	return draw(v, rows, rows)
}

// edit draws a changed block. The k-th line that is gone and the k-th that is
// new are compared word by word.
func (v *diffView) edit(e textdiff.Edit, draw func(*diffView, []diffRow, []diffRow) []Line) []Line {
	goneTo, comeTo := min(e.OldTo, e.OldFrom+diffBlock), min(e.NewTo, e.NewFrom+diffBlock)
	var gone, come []diffRow
	for i := e.OldFrom; i < goneTo; i++ {
		gone = append(gone, diffRow{old: i + 1, body: v.plain(v.Old[i], i, theme.Removed, v.alone), open: open(v.Old[i])})
	}
	for i := e.NewFrom; i < comeTo; i++ {
		come = append(come, diffRow{new: i + 1, body: v.plain(v.New[i], i, theme.Added, v.alone), open: open(v.New[i])})
	}
	for k := 0; k < min(len(gone), len(come)) && v.pairs < wordPairs; k++ {
		v.pairs++
		v.compare(&gone[k], &come[k])
	}
	lines := draw(v, gone, come)
	if rest := e.OldTo - goneTo; rest > 0 {
		lines = append(lines, folded(rest, "more removed line"))
	}
	if rest := e.NewTo - comeTo; rest > 0 {
		lines = append(lines, folded(rest, "more added line"))
	}
	return lines
}

func open(line string) bool { return !strings.HasSuffix(line, "\n") }

// plain is a line in one role, or in the colours of its language.
func (v *diffView) plain(line string, i int, role theme.Role, coloured bool) Line {
	line = strings.TrimSuffix(line, "\n")
	bare := strings.TrimSuffix(line, "\r")
	body := piece(bare, 0, role)
	if coloured && i < len(v.code) {
		body = v.code[i]
	}
	if v.mixed && bare != line {
		body = append(slices.Clip(body), Span{"␍", theme.Punct})
	}
	return body
}

// compare draws two versions of a line with the words that differ, and what
// else tells them apart.
func (v *diffView) compare(gone, come *diffRow) {
	a := strings.TrimSuffix(v.Old[gone.old-1], "\n")
	b := strings.TrimSuffix(v.New[come.new-1], "\n")
	if a == b { // the line end differs, and a note says so
		return
	}
	if max(len(a), len(b)) > pieceLimit {
		from := max(shared(a, b)-pieceLimit/4, 0)
		gone.body, come.body = piece(a, from, theme.Removed), piece(b, from, theme.Added)
		return
	}
	clean := text.CleanLine
	if Plain(gone.body) == Plain(come.body) { // blanks differ: show them
		clean = text.Clean
	} else if !v.mixed {
		a, b = strings.TrimSuffix(a, "\r"), strings.TrimSuffix(b, "\r")
	}
	a, b = clean(a), clean(b)
	removed, added, _ := textdiff.Words(a, b)
	gone.body, come.body = markWords(a, removed, theme.Removed), markWords(b, added, theme.Added)
}

// shared is the length of the common beginning of two texts.
func shared(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// piece is what is drawn of a long line: from a byte on, and how much follows.
func piece(line string, from int, role theme.Role) Line {
	switch {
	case line == "":
		return nil
	case len(line) <= pieceLimit:
		return Line{{text.CleanLine(line), role}}
	}
	from = boundary(line, min(from, len(line)))
	to := boundary(line, min(from+pieceLimit, len(line)))
	var l Line
	if from > 0 {
		l = append(l, Span{theme.Unicode.Ellipsis + text.Size(int64(from)) + theme.Unicode.Ellipsis + " ", theme.Dim})
	}
	l = append(l, Span{text.CleanLine(line[from:to]), role})
	if to < len(line) {
		l = append(l, Span{" " + theme.Unicode.Ellipsis + text.Size(int64(len(line)-to)) + theme.Unicode.Ellipsis, theme.Dim})
	}
	return l
}

// boundary moves an offset back to where a character begins.
func boundary(s string, at int) int {
	for back := 0; back < utf8.UTFMax && at-back > 0 && at < len(s); back++ {
		if utf8.RuneStart(s[at-back]) {
			return at - back
		}
	}
	return at
}

// markWords draws cleaned text with the marked parts in another role; what is
// drawn as a unit is marked as a unit.
func markWords(clean string, marks []textdiff.Span, role theme.Role) Line {
	var l Line
	at := 0
	text.Clusters(clean, func(cluster string, _ int) bool {
		for len(marks) > 0 && marks[0].To <= at {
			marks = marks[1:]
		}
		r := role
		if len(marks) > 0 && marks[0].From < at+len(cluster) {
			r = theme.Changed
		}
		if n := len(l); n > 0 && l[n-1].Role == r {
			l[n-1].Text += cluster
		} else {
			l = append(l, Span{cluster, r})
		}
		at += len(cluster)
		return true
	})
	return l
}

// unified draws rows below one another; common rows stand in both lists.
func (v *diffView) unified(gone, come []diffRow) []Line {
	rows := gone
	if len(gone) == 0 || gone[0].new == 0 {
		rows = append(slices.Clip(gone), come...)
	}
	var lines []Line
	for _, r := range rows {
		sign, role := signOf(r)
		gutter := Line{{sign + " ", role}}
		if v.digits > 0 {
			numbers := number(r.old, v.digits) + " " + number(r.new, v.digits) + " "
			gutter = Line{{numbers, theme.Gutter}, gutter[0]}
		}
		lines = append(lines, v.block(r, gutter, room(v.width, Width(gutter)))...)
	}
	return lines
}

// beside draws the k-th rows of both beside each other.
func (v *diffView) beside(gone, come []diffRow) []Line {
	middle := Span{" " + theme.Unicode.Vertical + " ", theme.Gutter}
	half := (v.width - text.Width(middle.Text)) / 2
	var lines []Line
	for k := range max(len(gone), len(come)) {
		left := v.half(gone, k, half, func(r diffRow) int { return r.old })
		right := v.half(come, k, half, func(r diffRow) int { return r.new })
		for i := range max(len(left), len(right)) {
			l := Line{{text.Spaces(half), theme.Plain}}
			if i < len(left) {
				l = Pad(left[i], half)
			}
			l = append(l, middle)
			if i < len(right) {
				l = append(l, right[i]...)
			}
			lines = append(lines, l)
		}
	}
	return lines
}

func (v *diffView) half(rows []diffRow, k, width int, line func(diffRow) int) []Line {
	if k >= len(rows) {
		return nil
	}
	sign, role := signOf(rows[k])
	gutter := Line{{number(line(rows[k]), v.digits) + " ", theme.Gutter}, {sign + " ", role}}
	return v.block(rows[k], gutter, max(width-Width(gutter), 1))
}

// block wraps a row's text beside its gutter.
func (v *diffView) block(r diffRow, gutter Line, room int) []Line {
	lines := hang(gutter, Line{{text.Spaces(Width(gutter)), theme.Plain}}, Wrap(r.body, room, 0))
	if r.open {
		lines = append(lines, Line{{text.Spaces(Width(gutter) - 2), theme.Plain}, {textdiff.NoNewline, theme.Dim}})
	}
	return lines
}

// hang sets a gutter before the first line and another before those below it.
func hang(gutter, below Line, lines []Line) []Line {
	for i, l := range lines {
		lines[i] = append(slices.Clip(gutter), l...)
		gutter = below
	}
	return lines
}

func signOf(r diffRow) (string, theme.Role) {
	switch {
	case r.old == 0:
		return "+", theme.Added
	case r.new == 0:
		return "-", theme.Removed
	}
	return " ", theme.Plain
}

func number(n, digits int) string {
	if n == 0 {
		return text.Spaces(digits)
	}
	return text.PadLeft(strconv.Itoa(n), digits)
}
