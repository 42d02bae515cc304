package render

import (
	"slices"
	"strconv"

	"hindcast/model"
	"hindcast/model/answer"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// Events draws events as a table of timeline rows: the answer of query and of
// tail. Where they belong to several sessions, each row names its own.
func Events(events []model.Event, width int) []Line {
	if len(events) == 0 {
		return []Line{{{"no events match", theme.Dim}}}
	}
	o := EventsOptions(events, width)
	lines := make([]Line, 0, len(events))
	for _, e := range events {
		lines = append(lines, EventRow(e, nil, o))
	}
	return lines
}

// EventsOptions are the row options that suit a list of events: columns as wide
// as its largest seq and longest name of who, times as the clock shows them.
func EventsOptions(events []model.Event, width int) RowOptions {
	o := RowOptions{Width: width, Time: TimeClock, SeqWidth: 5, WhoWidth: 6, IDWidth: 8}
	var sessions []string
	for i, e := range events {
		if i == 0 || e.Session != events[i-1].Session {
			sessions = append(sessions, e.Session)
		}
		o.SeqWidth = max(o.SeqWidth, len(strconv.FormatInt(e.Seq, 10)))
		who, _ := Who(e, &theme.Unicode)
		o.WhoWidth = max(o.WhoWidth, min(text.Width(who), 16))
		o.Session = o.Session || i > 0 && e.Session != events[0].Session
	}
	o.IDWidth = SessionWidth(sessions)
	if width > 0 && width < 60 {
		o.Time = TimeNone
	}
	return o
}

// SessionWidth is how many cells tell sessions apart: 8 at least, 40 at most.
func SessionWidth(ids []string) int {
	const least, most = 8, 40
	sorted := slices.Compact(slices.Sorted(slices.Values(ids)))
	width, longest := least, 0
	for i, id := range sorted {
		longest = max(longest, text.Width(text.Clean(id)))
		if i == 0 {
			continue
		}
		same := 0
		for same < min(len(id), len(sorted[i-1])) && id[same] == sorted[i-1][same] {
			same++
		}
		width = max(width, same+2) // the letter that differs, and the sign of a cut
	}
	return min(width, max(longest, least), most)
}

// answered is the row form of an event that an answer holds: what a row shows
// and no more.
func answered(a answer.Event) model.Event {
	e := model.Event{
		Session: a.Session, Seq: a.Seq, Pos: a.Pos, ID: deref(a.ID), Type: a.Type,
		Source: deref(a.Source), Tool: deref(a.Tool), Call: deref(a.Call), Title: a.Title,
	}
	e.Kind, _ = model.ParseKind(a.Kind)
	e.Origin, _ = model.ParseOrigin(a.Origin)
	if a.Failed != nil {
		e.Outcome = model.OutcomeOK
		if *a.Failed {
			e.Outcome = model.OutcomeFailed
		}
	}
	e.Mate = e.Pos // an answer does not tell; do not claim that a call is open
	return e
}

// WhoOf is Who for an event that an answer holds.
func WhoOf(a answer.Event, g *theme.Glyphs) (string, theme.Role) { return Who(answered(a), g) }

// brief draws an event in one line without columns: 83 Bash  title  X.
func brief(e model.Event, width int) Line {
	l := Line{seqSpan(e.Seq), {" ", theme.Plain}}
	return Cut(append(l, about(e, room(width, Width(l)))...), width)
}

// briefOf is brief of an event that an answer about session home holds: one of
// another session is named by its whole address.
func briefOf(a answer.Event, home string, width int) Line {
	l := Line{{Address(a.Session, a.Seq, home), theme.Link}, {" ", theme.Plain}}
	return Cut(append(l, about(answered(a), room(width, Width(l)))...), width)
}

// Address is what names an event to somebody who looks at session home: its
// seq, with its session where that is another.
func Address(session string, seq int64, home string) string {
	n := strconv.FormatInt(seq, 10)
	if session == home || session == "" {
		return n
	}
	return text.Clean(session) + "@@" + n
}

// about is brief without the event's number.
func about(e model.Event, width int) Line {
	g := &theme.Unicode
	who, role := Who(e, g)
	l := Line{{text.Cut(who, 16), role}, {"  ", theme.Plain}}
	tail := Line{}
	if e.Outcome.Failed() {
		tail = Line{{"  " + g.Fail, theme.Fail}}
	}
	if width == 0 {
		return append(append(l, title(e, nil, 0, "")...), tail...)
	}
	left := max(width-Width(l)-Width(tail), 4)
	return Cut(append(append(l, title(e, nil, left, "")...), tail...), width)
}

// seqSpan names an event as it is typed: by its seq, bare. Behind a # a number
// counts events.
func seqSpan(seq int64) Span { return Span{strconv.FormatInt(seq, 10), theme.Link} }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
