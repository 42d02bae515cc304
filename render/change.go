package render

import (
	"encoding/json"
	"strings"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/model/jsonscan"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// DiffKind says what a diff compares.
type DiffKind uint8

// The comparisons: two points, a state with what a restart would rebuild, the
// fold with what a checkpoint recorded.
const (
	DiffPoints DiffKind = iota
	DiffRestored
	DiffRecorded
)

// Stop is where a changed place begins among the lines of a diff, or a further
// hunk of its text.
type Stop struct {
	Line int
	Path string // the place
}

// Diff draws a change of the state, part by part, each with the event that made
// it.
func Diff(d answer.Diff, kind DiffKind, width int) []Line {
	lines, _ := DiffStops(d, kind, width)
	return lines
}

// DiffStops is Diff, and where in it the changes begin.
func DiffStops(d answer.Diff, kind DiffKind, width int) ([]Line, []Stop) {
	lines := []Line{diffHeading(d, kind)}
	if len(d.Changes) == 0 {
		return clamp(append(lines, Line{{" no difference", theme.Ok}}), width), nil
	}
	var stops []Stop
	for _, facet := range facets {
		var own []answer.Change
		for _, c := range d.Changes {
			if facetOf(c.Path) == facet {
				own = append(own, c)
			}
		}
		if len(own) > 0 {
			part, at := facetChanges(facet, own, d.Events, width)
			stops = append(stops, shifted(at, len(lines))...)
			lines = append(lines, part...)
		}
	}
	return clamp(lines, width), stops
}

// shifted are stops of a part that begins further down.
func shifted(stops []Stop, lines int) []Stop {
	for i := range stops {
		stops[i].Line += lines
	}
	return stops
}

func diffHeading(d answer.Diff, kind DiffKind) Line {
	l := Line{{"diff ", theme.Heading}}
	switch kind {
	case DiffRestored:
		l = append(l, Span{"- after ", theme.Removed}, seqSpan(d.A.Seq), Span{"  + what a restart there would rebuild", theme.Added})
	case DiffRecorded:
		l = append(l, Span{"- after ", theme.Removed}, seqSpan(d.A.Seq), Span{"  + as the checkpoint ", theme.Added}, seqSpan(d.B.Seq), Span{" recorded it", theme.Added})
	default:
		l = append(l, Span{"- after ", theme.Removed}, seqSpan(d.A.Seq), Span{"  + after ", theme.Added}, seqSpan(d.B.Seq))
	}
	return append(l, Span{"  " + text.Plural(changesTold(d.Changes), "change"), theme.Dim})
}

// changesTold counts changes as they are drawn: those of a file are one.
func changesTold(all []answer.Change) (n int64) {
	files := map[string]bool{}
	for _, c := range all {
		if facetOf(c.Path) == "files" {
			files[fileOf(c.Path)] = true
		} else {
			n++
		}
	}
	return n + int64(len(files))
}

func facetChanges(facet string, own []answer.Change, events map[int64]answer.Event, width int) ([]Line, []Stop) {
	lines := []Line{{{facet, theme.Heading}}}
	if facet == "files" {
		part, stops := fileChanges(own, events, width)
		return append(lines, part...), shifted(stops, len(lines))
	}
	var rows []alignedRow
	var stops []Stop
	next := len(lines)
	for i, c := range own {
		r := changeRow(c, events, width)
		if i > 0 && c.By != nil && own[i-1].By != nil && sameEvent(*c.By, *own[i-1].By) {
			r.right = writer(c.By, nil) // its title stands in the row above
		}
		rows = append(rows, r)
		stops = append(stops, Stop{next, c.Path})
		next += 1 + len(r.below)
	}
	return append(lines, align(rows, width)...), stops
}

// changeRow is a leaf that differs. Texts of several lines are told apart line
// by line below it, and values too long to stand beside one another under one
// another.
func changeRow(c answer.Change, events map[int64]answer.Event, width int) alignedRow {
	name := placeName(c.Path)
	if name == "" {
		name = facetOf(c.Path)
	}
	r := alignedRow{left: append(opSpan(c.Op), Span{text.CleanCut(name, leftMost), theme.Key}), right: writer(c.By, events)}
	was, is := cellLine(c.Path, c.Old), cellLine(c.Path, c.New)
	switch {
	case c.Op == model.OpAdd.String():
		r.mid = is
	case c.Op == model.OpRemove.String():
		r.mid = was
	case manyLines(c.Old) || manyLines(c.New):
		r.below = textChange(jsonscan.Str(c.Old), jsonscan.Str(c.New), name, width)
	case Width(was)+Width(is) > midMost/2:
		r.below = []Line{
			append(Line{{"    - ", theme.Removed}}, was...),
			append(Line{{"    + ", theme.Added}}, is...),
		}
	default:
		r.mid = fromTo(was, is)
	}
	return r
}

// manyLines tells a text of several lines.
func manyLines(raw json.RawMessage) bool {
	return len(raw) > 0 && raw[0] == '"' && strings.Contains(jsonscan.Str(raw), "\n")
}

func fromTo(was, is Line) Line {
	l := append(was[:len(was):len(was)], Span{" → ", theme.Punct})
	return append(l, is...)
}

func opSpan(op string) Line {
	switch op {
	case model.OpAdd.String():
		return Line{{" + ", theme.Added}}
	case model.OpRemove.String():
		return Line{{" - ", theme.Removed}}
	}
	return Line{{" ~ ", theme.Changed}}
}

// writer draws the event that made a change; nil where none did.
func writer(by *answer.Ref, events map[int64]answer.Event) func(int) Line {
	if by == nil {
		return nil
	}
	r := *by
	return byEvent(func(room int) Line { return named(r, events, room) })
}

// fileChanges draws what happened to each file: its text line by line, and what
// else is known of it now.
func fileChanges(own []answer.Change, events map[int64]answer.Event, width int) (lines []Line, stops []Stop) {
	for len(own) > 0 {
		n := 1
		for n < len(own) && fileOf(own[n].Path) == fileOf(own[0].Path) {
			n++
		}
		path := model.PathFiles + "/" + model.EscapePointer(fileOf(own[0].Path))
		stops = append(stops, Stop{len(lines), path})
		part := fileChange(own[:n], events, width)
		first := true
		for i, l := range part {
			if isHunk(l) && !first { // the first stands right below the name
				stops = append(stops, Stop{len(lines) + i, path})
			}
			first = first && !isHunk(l)
		}
		lines = append(lines, part...)
		own = own[n:]
	}
	return lines, stops
}

func fileOf(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, model.PathFiles+"/"), "/")
	return model.UnescapePointer(name)
}

// fileChange draws one file. It came, went, or some of its members changed; the
// event shown is the one that changed its text, if any did.
func fileChange(own []answer.Change, events map[int64]answer.Event, width int) []Line {
	name := fileOf(own[0].Path)
	head := alignedRow{right: writer(own[0].By, events)}
	op := model.OpReplace.String()
	var old, now *string
	var told Line
	for _, c := range own {
		_, leaf, deeper := strings.Cut(strings.TrimPrefix(c.Path, model.PathFiles+"/"), "/")
		switch {
		case !deeper:
			op, old, now = c.Op, contentOf(c.Old), contentOf(c.New)
			told = wholeFile(orElse(c.New, c.Old))
		case leaf == "content":
			old, now = textOf(c.Old), textOf(c.New)
			head.right = writer(c.By, events)
		case leaf == "certainty" || leaf == "lines":
			told = join("  ", told, append(Line{{leaf + " ", theme.Dim}}, fromTo(plainText(c.Old), plainText(c.New))...))
		}
	}
	if told == nil && old == nil && now == nil {
		told = rewritten(own[0])
	}
	head.left, head.mid = append(opSpan(op), Span{text.CleanCut(name, 2*leftMost), theme.Link}), told
	lines := align([]alignedRow{head}, width)
	if old == nil && now == nil {
		return lines
	}
	return append(lines, textChange(orEmpty(old), orEmpty(now), name, width)...)
}

// rewritten tells of a file of which an event changed nothing but who wrote it:
// whether its text differs is not known where the text is not, but what the
// event's record says of it is.
func rewritten(c answer.Change) Line {
	if !c.Blind {
		return Line{{"written again, the same text", theme.Dim}}
	}
	l := Line{{"written, its text is not known", theme.Warn}}
	if c.By == nil {
		return l
	}
	return append(l, Span{": show ", theme.Dim}, seqSpan(c.By.Seq))
}

// textChange draws the change of a text below the line that names it.
func textChange(old, now, name string, width int) []Line {
	const edge = 3
	return shift(TextDiff(old, now, name, room(width, edge)), edge)
}

// wholeFile tells a file that came or went in a few words; the event stands
// beside it.
func wholeFile(raw json.RawMessage) Line {
	var m member
	if json.Unmarshal(raw, &m) != nil {
		return short(raw)
	}
	return fileSize(m)
}

// contentOf is the text in a file as the state document shows it; nil where it
// is not known.
func contentOf(raw json.RawMessage) *string {
	var m member
	if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m.Content
}

func textOf(raw json.RawMessage) *string {
	if len(raw) == 0 || raw[0] != '"' {
		return nil
	}
	s := jsonscan.Str(raw)
	return &s
}

// plainText draws a word or a number without quotes.
func plainText(raw json.RawMessage) Line {
	if s := textOf(raw); s != nil {
		return Line{{text.CleanCut(*s, 20), certaintyRole(*s)}}
	}
	return short(raw)
}

func orElse(a, b json.RawMessage) json.RawMessage {
	if len(a) > 0 {
		return a
	}
	return b
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
