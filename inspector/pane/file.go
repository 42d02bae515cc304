package pane

import (
	"encoding/json"
	"strconv"
	"strings"

	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model/answer"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// FileData is a file after an event.
type FileData struct {
	At        travel.Place
	Certainty string
	Text      *string       // nil where it is not known
	Why       string        // why there is nothing to show; empty: there is
	Lines     []render.Line // the text in its colours
	Blame     []answer.BlameLine
	Events    map[int64]answer.Event // that Blame names
}

// FileValue reads a file as the state document has it.
func FileValue(raw json.RawMessage) (certainty string, content *string, err error) {
	var f answer.StateFile
	err = json.Unmarshal(raw, &f)
	return f.Certainty, f.Content, err
}

// CertaintySpan says how much is known of a file.
func CertaintySpan(c string) render.Span {
	return render.Span{Text: text.CleanCut(c, 20), Role: certainty(c)}
}

// File is a file's lines with a cursor, and beside them who wrote each where
// that is asked for.
type File struct {
	*widget.List
	data FileData
}

// NewFile makes an empty page.
func NewFile(look *widget.Look) *File {
	f := &File{}
	f.List = widget.NewList(look, f)
	f.Empty = render.Line{{Text: " …", Role: theme.Dim}}
	return f
}

// Data is what is shown.
func (f *File) Data() FileData { return f.data }

// Set shows a file. The cursor stays on the line of its number.
func (f *File) Set(d FileData) {
	f.data = d
	f.Empty = render.Line{{Text: " " + d.Why, Role: theme.Warn}}
	if d.Why == "" {
		f.Empty = render.Line{{Text: " empty", Role: theme.Dim}}
	}
	f.Replaced(max(f.Cursor(), 0))
}

// Number is the selected line's of 1; 0 where there is none.
func (f *File) Number() int64 { return int64(f.Cursor() + 1) }

// Selected is the selected line's text without the space around it.
func (f *File) Selected() string {
	i := f.Cursor()
	if i < 0 || f.data.Text == nil {
		return ""
	}
	for line := range strings.Lines(*f.data.Text) {
		if i--; i < 0 {
			return strings.TrimSpace(bounded(line))
		}
	}
	return ""
}

// Len implements widget.Rows.
func (f *File) Len() int { return len(f.data.Lines) }

// Ends implements widget.Rows.
func (f *File) Ends() (first, last bool) { return true, true }

// More implements widget.Rows: all is at hand.
func (f *File) More(bool, int) {}

// Line implements widget.Rows.
func (f *File) Line(i, width int, _ bool) render.Line {
	digits := max(len(strconv.Itoa(len(f.data.Lines))), 3)
	var l render.Line
	if f.data.Blame != nil {
		l = f.writer(i, between(width/3, 12, 44))
	}
	l = append(l, render.Span{Text: text.PadLeft(strconv.Itoa(i+1), digits) + " ", Role: theme.Gutter})
	return render.Cut(append(l, f.data.Lines[i]...), width)
}

// writer names the event that wrote a line; below it, lines of the same event
// say nothing.
func (f *File) writer(i, width int) render.Line {
	if i >= len(f.data.Blame) || i > 0 && sameWriter(f.data.Blame[i-1], f.data.Blame[i]) {
		return render.Line{{Text: spaces(width) + f.Look.Glyphs.Vertical, Role: theme.Gutter}}
	}
	b := f.data.Blame[i]
	l := render.Line{{Text: "not recorded", Role: theme.Dim}}
	switch {
	case b.By != nil:
		l = render.Line{{Text: strconv.FormatInt(b.By.Seq, 10), Role: theme.Seq}}
		if e, ok := f.data.Events[b.By.Pos]; ok {
			who, role := render.WhoOf(e, f.Look.Glyphs)
			l = append(l, render.Span{Text: " " + who, Role: role}, render.Span{Text: " " + text.CleanCut(shortTitle(e), 60), Role: theme.Dim})
		}
	case b.Between != nil:
		l = render.Line{{Text: f.Look.Glyphs.ArrowInferred + " between " + strconv.FormatInt(b.Between[0].Seq, 10) + " and " + strconv.FormatInt(b.Between[1].Seq, 10), Role: theme.Inferred}}
	}
	l = render.Pad(l, width)
	return append(l[:len(l):len(l)], render.Span{Text: f.Look.Glyphs.Vertical, Role: theme.Gutter})
}

func sameWriter(a, b answer.BlameLine) bool {
	switch {
	case a.By != nil && b.By != nil:
		return a.By.Pos == b.By.Pos && a.By.Session == b.By.Session
	case a.Between != nil && b.Between != nil && a.By == nil && b.By == nil:
		return a.Between[0].Pos == b.Between[0].Pos && a.Between[1].Pos == b.Between[1].Pos
	}
	return false
}
