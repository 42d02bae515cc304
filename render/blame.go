package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

const (
	blameTime     = 8  // cells of a clock
	blameDate     = 11 // cells of a date with the hour
	blameWho      = 40 // cells of an event's title at most
	blameSuspects = 3  // suspects that are named
)

// BlameFile draws a file with the event that wrote each line at its left; lines
// of one event say so once. Above lines that no record explains stands between
// which sightings they came in, and which commands ran there.
func BlameFile(b answer.BlameFile, width int) []Line {
	lines := []Line{blameHead(b)}
	if textUnknown(b) {
		lines = append(lines,
			Line{{" its text is not known: no record holds it whole", theme.Warn}},
			Line{{" its history lists who wrote it; show has an edit as its record tells it", theme.Dim}})
	}
	v := newBlameView(b, width)
	code := blameCode(b)
	for i, l := range b.Lines {
		fresh := i == 0 || !sameOrigin(b.Lines[i-1], l)
		if fresh && l.Between != nil {
			lines = append(lines, v.between(l)...)
		}
		body := piece(strings.TrimRight(l.Text, "\r\n"), 0, theme.Plain)
		if code != nil {
			body = code[i]
		}
		gutter := v.gutter(l, fresh)
		below := v.gutter(answer.BlameLine{By: l.By, Between: l.Between}, false)
		lines = append(lines, hang(gutter, below, Wrap(body, room(width, Width(gutter)), 0))...)
	}
	return clamp(lines, width)
}

func blameHead(b answer.BlameFile) Line {
	role := theme.Dim
	if b.Certainty == "unknown" || b.Certainty == "partial" {
		role = theme.Warn
	}
	said := text.Plural(int64(len(b.Lines)), "line")
	if len(b.Lines) == 1 && b.Lines[0].N > 1 {
		said = "line " + text.Count(b.Lines[0].N)
	}
	head := Line{{clip(b.Path), theme.Heading}, {"  " + clip(b.Certainty), role}}
	if textUnknown(b) {
		return head
	}
	return append(head, Span{", " + said, theme.Dim})
}

// textUnknown tells a file of whose text nothing is known from an empty one.
func textUnknown(b answer.BlameFile) bool { return len(b.Lines) == 0 && b.Certainty != "known" }

// blameCode is the file in the colours of its language; nil where there are none.
func blameCode(b answer.BlameFile) []Line {
	var all strings.Builder
	for _, l := range b.Lines {
		all.WriteString(strings.TrimRight(l.Text, "\r\n"))
		all.WriteByte('\n')
	}
	if code := codeLines(b.Path, all.String()); len(code) == len(b.Lines) {
		return code
	}
	return nil
}

func sameOrigin(a, b answer.BlameLine) bool {
	switch {
	case a.By != nil && b.By != nil:
		return sameEvent(*a.By, *b.By)
	case a.Between != nil && b.Between != nil:
		return a.By == nil && b.By == nil && sameEvent(a.Between[0], b.Between[0]) && sameEvent(a.Between[1], b.Between[1])
	}
	return a.By == nil && b.By == nil && a.Between == nil && b.Between == nil
}

func sameEvent(a, b answer.Ref) bool { return a.Session == b.Session && a.Pos == b.Pos }

// blameView draws the columns at the left of a file. A column is 0 cells wide
// where there is no room for it.
type blameView struct {
	answer.BlameFile
	width                  int
	seq, time, who, digits int  // cells
	dates                  bool // the events are of several days
}

func newBlameView(b answer.BlameFile, width int) *blameView {
	v := &blameView{BlameFile: b, width: width}
	day := ""
	for _, l := range b.Lines {
		v.digits = max(v.digits, len(strconv.FormatInt(l.N, 10)))
		if l.By == nil {
			continue
		}
		v.seq = max(v.seq, len(seqSpan(l.By.Seq).Text))
		if at, ok := v.clock(*l.By); ok {
			v.time = blameTime
			v.dates = v.dates || day != "" && day != at.Format(time.DateOnly)
			day = at.Format(time.DateOnly)
		}
		v.who = min(max(v.who, Width(v.event(*l.By))), blameWho)
	}
	v.seq = max(v.seq, 1)
	if v.dates {
		v.time = blameDate
	}
	v.fit()
	return v
}

// fit gives the code at least three fifths of the width.
func (v *blameView) fit() {
	if v.width == 0 {
		return
	}
	left := v.width*2/5 - v.seq - v.digits
	if left < v.time+2 {
		v.time = 0
	} else if v.time > 0 {
		left -= v.time + 2
	}
	if v.who = min(v.who, left-2); v.who < 8 {
		v.who = 0
	}
	if v.width < numberRoom {
		v.digits = 0
	}
}

// clock is when an event happened; ok is false where nothing tells.
func (v *blameView) clock(r answer.Ref) (time.Time, bool) {
	e, ok := v.known(r)
	if !ok || e.Time == nil {
		return time.Time{}, false
	}
	const naive = "2006-01-02T15:04:05.999999999"
	for _, layout := range []string{time.RFC3339Nano, naive} {
		if at, err := time.Parse(layout, *e.Time); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// known is what the answer tells of an event. Its events are of one session.
func (v *blameView) known(r answer.Ref) (answer.Event, bool) {
	e, ok := v.Events[r.Pos]
	return e, ok && e.Session == r.Session
}

// event says who wrote, and what.
func (v *blameView) event(r answer.Ref) Line {
	e, ok := v.known(r)
	if !ok {
		return Line{{"session " + text.CleanCut(r.Session, blameWho), theme.Dim}}
	}
	who, role := WhoOf(e, &theme.Unicode)
	return append(Line{{who + " ", role}}, title(answered(e), nil, blameWho, "")...)
}

// gutter is what stands left of a line's code: of the first line of an event
// all, of the others the line number, and no number of what is wrapped.
func (v *blameView) gutter(l answer.BlameLine, fresh bool) Line {
	var g Line
	switch {
	case l.By == nil && l.Between != nil:
		g = Line{{theme.Unicode.ArrowInferred, theme.Inferred}}
	case l.By == nil && fresh:
		g = Line{{"not recorded", theme.Dim}}
	case l.By != nil && fresh:
		g = v.by(*l.By)
	}
	cells := v.seq
	for _, w := range []int{v.time, v.who} {
		if w > 0 {
			cells += w + 2
		}
	}
	g = append(Pad(g, cells), Span{" " + theme.Unicode.Vertical, theme.Gutter})
	if v.digits > 0 {
		g = append(g, Span{number(int(l.N), v.digits), theme.Gutter})
	}
	return append(g, Span{" ", theme.Plain})
}

func (v *blameView) by(r answer.Ref) Line {
	l := Pad(Line{seqSpan(r.Seq)}, v.seq)
	if v.time > 0 {
		l = append(l, Span{"  " + text.Pad(v.when(r), v.time), theme.Time})
	}
	if v.who > 0 {
		l = append(append(l, Span{"  ", theme.Plain}), Cut(v.event(r), v.who)...)
	}
	return l
}

func (v *blameView) when(r answer.Ref) string {
	at, ok := v.clock(r)
	switch {
	case !ok:
		return ""
	case v.dates:
		return at.Format("01-02 15:04")
	}
	return at.Format(time.TimeOnly)
}

// between says what is known of lines that no record explains.
func (v *blameView) between(l answer.BlameLine) []Line {
	row := Line{
		{theme.Unicode.ArrowInferred + " between ", theme.Inferred}, seqSpan(l.Between[0].Seq),
		{" and ", theme.Inferred}, seqSpan(l.Between[1].Seq),
	}
	switch n := len(l.Suspects); {
	case n == 0:
		row = append(row, Span{", no command is known to have run there", theme.Dim})
	case n == 1:
		row = append(row, Span{", suspect ", theme.Inferred})
	default:
		row = append(row, Span{", suspects ", theme.Inferred})
	}
	for i, r := range l.Suspects {
		if i == blameSuspects {
			row = append(row, Span{" and " + text.Count(int64(len(l.Suspects)-i)) + " more", theme.Dim})
			break
		}
		if i > 0 {
			row = append(row, Span{", ", theme.Plain})
		}
		row = append(row, seqSpan(r.Seq))
		if e, ok := v.known(r); ok {
			said := Plain(title(answered(e), nil, blameWho, ""))
			row = append(row, Span{" `" + said + "`", theme.Plain})
		}
	}
	return Wrap(slices.Clip(row), v.width, 2)
}
