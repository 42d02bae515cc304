package pane

import (
	"sort"
	"time"

	"hindcast/index"
	"hindcast/inspector/travel"
	"hindcast/inspector/widget"
	"hindcast/model"
	"hindcast/model/query"
	"hindcast/render"
	"hindcast/render/theme"
)

// WindowLimit is how many rows the timeline keeps at hand; beyond it the rows
// farthest from the cursor are let go.
const WindowLimit = 2000

// View is what the timeline needs to know beyond its rows.
type View struct {
	At       travel.Place
	Clock    travel.Clock
	Start    model.Time // the session's first event
	LastSeq  int64      // the highest seq, for the width of its column
	LastPos  int64      // how many records the session has
	Mark     func(pos int64) rune
	Noted    func(pos int64) bool // the reader has a note on the event
	Hit      func(pos int64) bool // the event matches the search
	Goes     func(pos int64) bool // the row of the event would go by the filter that is typed
	Needle   query.Term           // the search's text, to light up in titles
	Finding  func(pos int64) bool // the event proves a finding
	Agents   func(pos int64) []index.Agent
	Cut      func(pos int64) string // what a checkpoint took out of the model's view, where known
	Pace     time.Duration          // what usually passes between two events; 0: not known
	Without  render.Columns         // columns that are left out
	Folder   func() string          // in which the session works; titles name files from there
	Timeless bool                   // the time column is
}

// Timeline is the list of a session's rows: a window of them, with the cursor.
type Timeline struct {
	*widget.List
	View  View
	Fetch func(back bool, from int64, limit int) // asks for rows beyond the window
	rows  []index.Row
	first bool
	last  bool
	base  int64 // rows before the window; -1 unknown
	total int64 // rows in all; -1 unknown
}

// NewTimeline makes a timeline without rows.
func NewTimeline(look *widget.Look) *Timeline {
	t := &Timeline{base: -1, total: -1}
	t.List = widget.NewList(look, t)
	return t
}

// Len implements widget.Rows.
func (t *Timeline) Len() int { return len(t.rows) }

// Ends implements widget.Rows.
func (t *Timeline) Ends() (first, last bool) { return t.first, t.last }

// More implements widget.Rows.
func (t *Timeline) More(back bool, n int) {
	if t.Fetch == nil || len(t.rows) == 0 {
		return
	}
	n = min(n, WindowLimit/2)
	if back {
		t.Fetch(true, t.rows[0].Event.Pos-1, n)
	} else {
		t.Fetch(false, t.rows[len(t.rows)-1].Event.Pos+1, n)
	}
}

// Line implements widget.Rows.
func (t *Timeline) Line(i, width int, selected bool) render.Line {
	row := t.rows[i]
	opt := render.RowOptions{
		Width: width, SeqWidth: render.SeqWidth(t.View.LastSeq), WhoWidth: whoWidth(width),
		Time: t.column(), Start: t.View.Start, Glyphs: t.Look.Glyphs, Mark: t.sign(row, selected), Without: t.View.Without,
	}
	opt.Bracket = t.bracket(i)
	if t.View.Folder != nil {
		opt.Base = t.View.Folder()
	}
	if e := row.Event; e.Kind == model.KindCheckpoint && t.View.Cut != nil {
		opt.Cut = t.View.Cut(e.Pos)
	}
	if i > 0 {
		opt.Before = last(t.rows[i-1]).Time
	}
	line := render.EventRow(row.Event, row.Result, opt)
	if t.View.Goes != nil && t.View.Goes(row.Event.Pos) {
		return dimmed(line)
	}
	return Highlight(line, t.View.Needle)
}

// dimmed is a line that is still there, but will not be.
func dimmed(line render.Line) render.Line {
	out := make(render.Line, len(line))
	for i, s := range line {
		out[i] = render.Span{Text: s.Text, Role: theme.Dim}
	}
	return out
}

// Span is the stretch of the session that the rows at hand stand for: the pos of
// the first and of the last.
func (t *Timeline) Span() (from, to int64) {
	if len(t.rows) == 0 {
		return 0, 0
	}
	return t.rows[0].Event.Pos, t.rows[len(t.rows)-1].Event.Pos
}

// sign is what stands before a row: a mark, the cursor, a note, a search hit.
func (t *Timeline) sign(row index.Row, selected bool) string {
	if t.View.Goes != nil && t.View.Goes(row.Event.Pos) && !selected {
		return "-"
	}
	positions := []int64{row.Last(), row.Event.Pos}
	for _, pos := range positions {
		if m := t.mark(pos); m != 0 {
			return string(m)
		}
	}
	if selected {
		return t.Look.Glyphs.Cursor
	}
	for _, pos := range positions {
		if t.View.Noted != nil && t.View.Noted(pos) {
			return t.Look.Glyphs.Note
		}
	}
	for _, pos := range positions {
		if t.View.Finding != nil && t.View.Finding(pos) {
			return t.Look.Glyphs.Finding
		}
	}
	for _, pos := range positions {
		if t.View.Hit != nil && t.View.Hit(pos) {
			return t.Look.Glyphs.Mark
		}
	}
	return ""
}

func (t *Timeline) mark(pos int64) rune {
	if t.View.Mark == nil {
		return 0
	}
	return t.View.Mark(pos)
}

func (t *Timeline) column() render.TimeColumn {
	switch c := t.View.Clock; {
	case t.View.Timeless:
		return render.TimeNone
	case c == travel.Delta:
		return render.TimeDelta
	case c == travel.Wall:
		return render.TimeClock
	}
	return render.TimeRelative
}

func whoWidth(width int) int {
	switch {
	case width < 60:
		return 7
	case width < 100:
		return 11
	}
	return 14
}

func last(r index.Row) model.Event {
	if r.Result != nil {
		return *r.Result
	}
	return r.Event
}

// Row is the selected row.
func (t *Timeline) Row() (index.Row, bool) {
	i := t.Cursor()
	if i < 0 {
		return index.Row{}, false
	}
	return t.rows[i], true
}

// Next is the row behind the selected one, where it is at hand; end tells that
// there is none.
func (t *Timeline) Next() (row index.Row, ok, end bool) {
	i := t.Cursor() + 1
	if i < len(t.rows) {
		return t.rows[i], true, false
	}
	return index.Row{}, false, t.last
}

// Holds reports whether a row shows the event at pos.
func Holds(r index.Row, pos int64) bool {
	return r.Event.Pos == pos || r.Result != nil && r.Result.Pos == pos
}

// Find looks for the row at hand that shows the event at pos: exact, or the
// nearest row before it. found is -1 where the window does not reach pos.
func (t *Timeline) Find(pos int64) (found int, exact bool) {
	n := sort.Search(len(t.rows), func(i int) bool { return t.rows[i].Event.Pos > pos })
	if n > 0 && t.rows[n-1].Event.Pos == pos {
		return n - 1, true
	}
	for i := n - 1; i >= 0; i-- {
		if Holds(t.rows[i], pos) {
			return i, true
		}
	}
	switch {
	case len(t.rows) == 0 || n == 0 && !t.first || n == len(t.rows) && !t.last:
		return -1, false
	}
	return max(n-1, 0), false
}

// Clear drops all rows: another session or filter is on its way.
func (t *Timeline) Clear() {
	t.rows, t.first, t.last, t.base, t.total = nil, false, false, -1, -1
}

// Replace shows other rows, with the cursor on the one that shows pos or the
// nearest before it. first and last tell whether they reach the ends.
func (t *Timeline) Replace(rows []index.Row, first, last bool, pos int64) (exact bool) {
	t.rows, t.first, t.last, t.base = rows, first, last, -1
	if first {
		t.base = 0
	}
	i, exact := t.Find(pos)
	t.Replaced(max(i, 0))
	return exact
}

// Extend adds rows that Fetch asked for. Answers that do not join the window
// are too late and are dropped.
func (t *Timeline) Extend(back bool, rows []index.Row, end bool) {
	if len(t.rows) == 0 {
		return
	}
	n := len(rows)
	stale := n > 0 && rows[0].Event.Pos <= t.rows[len(t.rows)-1].Event.Pos
	if back {
		stale = n > 0 && rows[n-1].Event.Pos >= t.rows[0].Event.Pos
	}
	switch {
	case stale:
		t.Loaded(0) // asks again where moves are still owed
	case back:
		t.first = t.first || end
		t.rows = append(rows[:n:n], t.rows...)
		if t.base >= 0 {
			t.base = max(t.base-int64(n), 0)
		}
		t.trim(false)
		t.Loaded(n)
	default:
		t.last = t.last || end
		t.rows = append(t.rows[:len(t.rows):len(t.rows)], rows...)
		t.Loaded(-t.trim(true))
	}
}

// trim lets go of rows at one end and returns how many went at the front.
func (t *Timeline) trim(front bool) int {
	over := len(t.rows) - WindowLimit
	if over <= 0 {
		return 0
	}
	if !front {
		t.rows, t.last = t.rows[:WindowLimit], false
		return 0
	}
	t.rows, t.first = append([]index.Row(nil), t.rows[over:]...), false
	if t.base >= 0 {
		t.base += int64(over)
	}
	return over
}

// Refresh takes fresh rows for the window, as the session has grown. The
// cursor stays on its event and its line on the screen does not move.
func (t *Timeline) Refresh(rows []index.Row, last bool) {
	if len(rows) == 0 {
		return
	}
	old, ok := t.Row()
	before := t.Cursor()
	t.rows, t.last = rows, last
	if !ok {
		t.Replaced(0)
		return
	}
	now, _ := t.Find(old.Event.Pos)
	if now < 0 {
		now = before
	}
	t.Loaded(now - before)
}

// Window tells which rows are at hand: the pos of the first, their number, and
// whether later records could change them (the end is in view, or a call waits
// for its result).
func (t *Timeline) Window() (from int64, n int, open bool) {
	if len(t.rows) == 0 {
		return 0, 0, true
	}
	open = t.last
	for i := len(t.rows) - 1; i >= 0 && !open; i-- {
		e := t.rows[i].Event
		open = e.Kind == model.KindAction && e.Call != "" && e.Mate == 0
	}
	return t.rows[0].Event.Pos, len(t.rows), open
}

// InView is the positions of the first and last rows on the screen; 0 where there
// are none.
func (t *Timeline) InView() (from, to int64) {
	i, end := t.Visible()
	if i >= end {
		return 0, 0
	}
	return t.rows[i].Event.Pos, t.rows[end-1].Last()
}

// Counted takes the answer of a count: total rows, and how many of them stand
// before the event at pos.
func (t *Timeline) Counted(total, before, pos int64) {
	t.total = total
	if i, exact := t.Find(pos); exact && t.rows[i].Event.Pos == pos {
		t.base = max(before-int64(i), 0)
	}
}

// Number is the selected row's number of 1, and how many there are; 0 where not
// known yet.
func (t *Timeline) Number() (k, n int64) {
	if i := t.Cursor(); i >= 0 && t.base >= 0 {
		k = t.base + int64(i) + 1
	}
	return k, max(t.total, 0)
}

// Heads are the column heads for a width.
func (t *Timeline) Heads(width int) render.Line {
	clock := map[travel.Clock]string{travel.Delta: "delta", travel.Wall: "clock"}[t.View.Clock]
	if clock == "" {
		clock = "time"
	}
	seq := render.SeqWidth(t.View.LastSeq)
	cells := 7
	if t.View.Clock == travel.Wall {
		cells = 12
	}
	left, right := " ", ""
	if t.has(render.SeqColumn) {
		left += padLeft("seq", seq)
	}
	if !t.View.Timeless {
		left += " " + padLeft(clock, cells)
	}
	if left += "  "; t.has(render.WhoColumn) {
		left += padRight("who", whoWidth(width)) + " "
	}
	left += "what"
	if t.has(render.OutColumn) {
		right = "out"
	}
	if t.has(render.TookColumn) {
		right += "   took"
	}
	gap := max(width-len(left)-len(right), 1)
	return render.Line{{Text: left + spaces(gap) + right, Role: theme.Dim}}
}

func (t *Timeline) has(c render.Columns) bool { return t.View.Without&c == 0 }
