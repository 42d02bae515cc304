package render

import (
	"strconv"
	"strings"
	"time"

	"hindcast/model"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// TimeColumn says what the time column of a row shows.
type TimeColumn uint8

// The time columns: seconds since RowOptions.Start, time since
// RowOptions.Before, the clock, or none.
const (
	TimeRelative TimeColumn = iota
	TimeDelta
	TimeClock
	TimeNone
)

// RowOptions shape the rows of one list. The zero value draws a row of any
// width without a beginning to count from.
type RowOptions struct {
	Width    int // cells in all; 0: unlimited, with the title last
	SeqWidth int // cells of the first column; 0: SeqWidth of the event itself
	WhoWidth int // cells of the third column; 0: 8
	Time     TimeColumn
	Start    model.Time    // the session's beginning
	Before   model.Time    // the row before
	Session  bool          // name the session, for rows of several
	Glyphs   *theme.Glyphs // nil: theme.Unicode
	Mark     string        // one cell before the seq: the cursor, a bookmark
	Bracket  string        // one cell before who, where rows belong together
	Cut      string        // of a checkpoint: what it took out of the model's view
	Role     theme.Role    // of the whole row where not Plain: the selection
	IDWidth  int           // cells of the session column; 0: 8
	Without  Columns       // these are left out
	Base     string        // the folder the session works in: titles of calls name files from there
}

// Columns is a set of columns of a row that has a width. The time column has its
// own way to be none.
type Columns uint8

// The columns that can be left out.
const (
	SeqColumn Columns = 1 << iota
	WhoColumn
	OutColumn
	TookColumn
)

func (o RowOptions) has(c Columns) bool { return o.Without&c == 0 }

const (
	defaultWho  = 8
	timeWidth   = 7
	clockWidth  = 12
	outWidth    = 2
	spanWidth   = 6
	whoLimit    = 60 // cells of a name, before a column cuts it
	narrowWidth = 44 // below it, the duration is left out
)

// SeqWidth is the number of cells that the first column needs for rows with
// seqs up to last: a folded row shows two.
func SeqWidth(last int64) int {
	n := len(strconv.FormatInt(last, 10))
	return max(min(2*n+1, 13), 5)
}

// EventRow draws an event as a row of the timeline: seq, time, who, title,
// outcome and duration. result is the result that is folded into a call's row,
// or nil.
func EventRow(e model.Event, result *model.Event, o RowOptions) Line {
	if o.Glyphs == nil {
		o.Glyphs = &theme.Unicode
	}
	seq := seqText(e, result)
	if o.SeqWidth == 0 {
		o.SeqWidth = max(len(seq), 5)
	}
	if o.WhoWidth == 0 {
		o.WhoWidth = defaultWho
	}
	if o.IDWidth == 0 {
		o.IDWidth = 8
	}
	var l Line
	if o.Width == 0 {
		l = wideRow(e, result, seq, o)
	} else {
		l = fixedRow(e, result, seq, o)
	}
	if o.Role != theme.Plain {
		l = Pad(l, o.Width)
		for i := range l {
			l[i].Role = o.Role
		}
	}
	return l
}

// wideRow has no edge to align to: outcome and duration stand before the title.
func wideRow(e model.Event, result *model.Event, seq string, o RowOptions) Line {
	l := leading(e, seq, o)
	out, role := outcome(e, result, o.Glyphs)
	l = append(l, Span{text.Pad(out, outWidth) + " " + text.PadLeft(took(e, result), spanWidth) + "  ", role})
	return append(l, title(e, result, 0, o.Base)...)
}

func fixedRow(e model.Event, result *model.Event, seq string, o RowOptions) Line {
	l := leading(e, seq, o)
	right := 0
	if o.has(OutColumn) {
		right += outWidth
	}
	if o.timed() {
		right += spanWidth
	}
	room := o.Width - Width(l) - right - 1
	if room < 1 {
		return Pad(l, o.Width)
	}
	if e.Kind == model.KindCheckpoint {
		return checkpointRow(l, e, room+right+1, o)
	}
	out, role := outcome(e, result, o.Glyphs)
	if right == 0 || out == "" && took(e, result) == "" { // nothing stands at the right: the title may
		return append(l, Pad(title(e, result, room+right+1, o.Base), room+right+1)...)
	}
	l = append(l, Pad(title(e, result, room, o.Base), room)...)
	if l = append(l, Span{" ", theme.Plain}); o.has(OutColumn) {
		l = append(l, Span{text.Pad(out, outWidth), role})
	}
	if o.timed() {
		l = append(l, Span{text.PadLeft(took(e, result), spanWidth), timeRole(role)})
	}
	return l
}

// timed reports whether a row shows how long its call took.
func (o RowOptions) timed() bool { return o.has(TookColumn) && o.Width >= narrowWidth }

// checkpointRow draws a rule through the row: what stands above it may be gone
// below.
func checkpointRow(l Line, e model.Event, room int, o RowOptions) Line {
	cut := ""
	if o.Cut != "" {
		cut = "  " + o.Cut
	}
	name := text.CleanCut(e.Title, max(room-4-text.Width(cut), 1))
	rule := strings.Repeat(o.Glyphs.Horizontal, max(room-text.Width(name+cut)-1, 0))
	return Cut(append(l, Span{text.Cut(name, room), theme.Checkpoint}, Span{cut + " ", theme.Warn}, Span{rule, theme.Checkpoint}), o.Width)
}

// leading is the row up to its title.
func leading(e model.Event, seq string, o RowOptions) Line {
	mark := text.Pad(o.Mark, 1)
	var l Line
	if o.Session {
		l = append(l, Span{text.Pad(text.CleanCut(e.Session, o.IDWidth), o.IDWidth) + " ", theme.Dim})
	}
	if !o.has(SeqColumn) {
		l = append(l, Span{mark, theme.Mark})
	} else if e.Kind == model.KindCheckpoint && o.Width > 0 {
		rule := strings.Repeat(o.Glyphs.Horizontal, max(o.SeqWidth-len(seq)-1, 0))
		l = append(l, Span{mark, theme.Mark}, Span{rule + seq + o.Glyphs.Horizontal, theme.Checkpoint})
	} else {
		l = append(l, Span{mark, theme.Mark}, Span{text.PadLeft(seq, o.SeqWidth), theme.Seq})
	}
	if o.Time != TimeNone {
		w := timeWidth
		if o.Time == TimeClock {
			w = clockWidth
		}
		l = append(l, Span{" " + text.PadLeft(timeText(e, o), w), theme.Time})
	}
	if !o.has(WhoColumn) {
		return append(l, Span{"  ", theme.Plain})
	}
	who, role := Who(e, o.Glyphs)
	return append(l, Span{" " + text.Pad(o.Bracket, 1), theme.Punct}, Span{text.Pad(who, o.WhoWidth) + " ", role})
}

func seqText(e model.Event, result *model.Event) string {
	s := strconv.FormatInt(e.Seq, 10)
	if result != nil {
		s += "+" + strconv.FormatInt(result.Seq, 10)
	}
	return s
}

// Day is the date that stands above rows whose clock is of that day; empty
// where the event has no time.
func Day(e model.Event) string {
	if !e.Time.Known {
		return ""
	}
	return e.Time.Std().Format(time.DateOnly)
}

func timeText(e model.Event, o RowOptions) string {
	from := o.Start
	switch o.Time {
	case TimeClock:
		if !e.Time.Known {
			return ""
		}
		return e.Time.Std().Format("15:04:05.000")
	case TimeDelta:
		from = o.Before
	}
	d, ok := between(from, e.Time)
	if !ok {
		return ""
	}
	if o.Time == TimeDelta {
		return text.Elapsed(d)
	}
	return seconds(d)
}

// seconds writes a time since the beginning: 1.87, 3:12.4, 4:05:09.
func seconds(d time.Duration) string {
	if d < 0 {
		return text.Duration(d)
	}
	switch {
	case d < time.Minute:
		return strconv.FormatFloat(d.Seconds(), 'f', 2, 64)
	case d < time.Hour:
		tenths := int64(d / (100 * time.Millisecond))
		return strconv.FormatInt(tenths/600, 10) + ":" + pad2(tenths/10%60) + "." + strconv.FormatInt(tenths%10, 10)
	case d < 100*time.Hour:
		s := int64(d / time.Second)
		return strconv.FormatInt(s/3600, 10) + ":" + pad2(s/60%60) + ":" + pad2(s%60)
	}
	return text.Duration(d)
}

func pad2(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

// between is the time from a to b where the two clocks can be compared.
func between(a, b model.Time) (time.Duration, bool) {
	if !a.Known || !b.Known || a.Naive != b.Naive {
		return 0, false
	}
	return time.Duration(b.Nanos - a.Nanos), true
}

// took is how long a call took, from its record to its result's.
func took(e model.Event, result *model.Event) string {
	if result == nil {
		return ""
	}
	if d, ok := between(e.Time, result.Time); ok && d >= 0 {
		return text.Duration(d)
	}
	return ""
}

func timeRole(out theme.Role) theme.Role {
	if out == theme.Fail {
		return theme.Fail
	}
	return theme.Time
}

// outcome is the sign and role of how a row ended.
func outcome(e model.Event, result *model.Event, g *theme.Glyphs) (string, theme.Role) {
	o := e.Outcome
	if result != nil {
		o = result.Outcome
	}
	switch {
	case o == model.OutcomeFailed:
		return g.Fail, theme.Fail
	case o == model.OutcomeUnknown && result == nil && e.Kind == model.KindAction && e.Call != "" && e.Mate == 0:
		return g.Open, theme.Warn
	case o == model.OutcomeOK && (result != nil || ends(e.Kind)):
		return "ok", theme.Ok
	}
	return "", theme.Dim
}

// ends reports kinds of which it is news that they went well; a message or a
// call by itself cannot but.
func ends(k model.Kind) bool { return k == model.KindObservation || k == model.KindHook }

// Who says in a word who or what an event is about, and in which role.
func Who(e model.Event, g *theme.Glyphs) (string, theme.Role) {
	name, role := whoRaw(e, g)
	if e.Noise && role != theme.Fail {
		role = theme.Dim
	}
	return text.CleanCut(name, whoLimit), role
}

func whoRaw(e model.Event, g *theme.Glyphs) (string, theme.Role) {
	switch e.Kind {
	case model.KindMessage:
		return speaker(e.Source)
	case model.KindAction, model.KindObservation:
		if e.Tool != "" {
			return e.Tool, theme.Tool
		}
		return e.Type, theme.Tool
	case model.KindError:
		return "ERROR", theme.Fail
	case model.KindCheckpoint:
		return g.Checkpoint, theme.Checkpoint
	case model.KindSession, model.KindState:
		return e.Kind.String(), theme.SessionMark
	case model.KindHook:
		return "hook", theme.Hook
	case model.KindDelta:
		return "delta", theme.Dim
	}
	return e.Type, theme.Dim
}

func speaker(source string) (string, theme.Role) {
	switch strings.ToLower(source) {
	case "user", "human":
		return "USER", theme.User
	case "":
		return "message", theme.Plain
	}
	if model.SpokenByModel(source) {
		return "model", theme.Agent
	}
	return source, theme.Dim
}

// title is what the row says, in at most room cells (0: any number), without a
// tool name that the row shows already. A failed call also says how, where
// there is room.
func title(e model.Event, result *model.Event, room int, base string) Line {
	l := Title(e, result != nil)
	if e.Kind != model.KindMessage { // what somebody said stays as it was said
		l[0].Text = Within(l[0].Text, base)
	}
	own := l[0].Text
	const gap = 3
	if result == nil || !result.Outcome.Failed() || result.Title == "" {
		return Cut(l, room)
	}
	how := Within(text.CleanCut(trimTool(result.Title, result.Tool), 4*model.TitleLimit), base)
	if room > 0 {
		left := room - min(text.Width(own), room*3/5) - gap
		if left < 20 {
			return Cut(l, room)
		}
		how = text.Cut(how, left)
		l = Cut(l, room-gap-text.Width(how))
	}
	return append(l, Span{" · ", theme.Punct}, Span{how, theme.Fail})
}

// Title is what an event says beside the name of who does it (Who), on one line
// without a limit in cells. told: its failure is told by another event.
func Title(e model.Event, told bool) Line {
	role := theme.Plain
	switch {
	case e.Kind == model.KindError || !told && e.Outcome.Failed():
		role = theme.Fail
	case e.Noise || e.Origin == model.OriginCopied:
		role = theme.Dim
	case e.Kind == model.KindCheckpoint:
		role = theme.Checkpoint
	case e.Kind == model.KindMessage && strings.EqualFold(e.Source, "user"):
		role = theme.Strong
	}
	said := trimTool(e.Title, e.Tool)
	switch {
	case e.Kind == model.KindMessage:
		said = trimSpeaker(said, e.Source)
	case e.Kind == model.KindError:
		said = trimTool(said, "error:")
	case e.Tool == "" && (e.Kind == model.KindAction || e.Kind == model.KindObservation):
		said = trimTool(said, e.Type) // which stands for the tool
	}
	if e.Outcome == model.OutcomeOK && ends(e.Kind) {
		said = trimTool(said, "ok:") // its column says so
		said = trimTool(said, "ok")
	}
	return Line{{text.CleanCut(said, 4*model.TitleLimit), role}}
}

// trimSpeaker drops the speaker's name, or another word for the same one, where
// it leads the title. Dialects write such words in lower case: a text may begin
// with one as well.
func trimSpeaker(title, source string) string {
	name, _, ok := strings.Cut(title, ":")
	if !ok || name != strings.ToLower(name) {
		return title
	}
	who, _ := speaker(source)
	if same, _ := speaker(name); name != source && same != who {
		return title
	}
	return trimTool(title, name+":")
}

// trimTool drops a leading name, of a tool or a speaker, with what separates it.
func trimTool(title, tool string) string {
	if tool == "" || !strings.HasPrefix(title, tool) {
		return title
	}
	rest := title[len(tool):]
	trimmed := strings.TrimLeft(rest, ": ")
	if trimmed == "" || len(trimmed) == len(rest) {
		return title
	}
	return trimmed
}
