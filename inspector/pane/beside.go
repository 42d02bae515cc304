package pane

import (
	"strconv"
	"strings"
	"time"

	"hindcast/index"
	"hindcast/model"
	"hindcast/render"
	"hindcast/render/text"
	"hindcast/render/theme"
)

// What is worth a line of its own above a row.
const (
	hiddenMany = 8               // hidden records, and
	hiddenMore = 3               // as many times what usually is hidden between two rows
	gapLeast   = 5 * time.Second // without an event, and
	gapPaces   = 30              // as many times the session's pace
)

// Beside implements widget.Annotated: above a row stands what lies between it
// and the row before (another day, a long wait, hidden records), below it the
// sub-agents that it made.
func (t *Timeline) Beside(i, width int) (above, below []render.Line) {
	if t.View.Goes != nil { // a filter is tried: what is between rows says nothing
		return nil, nil
	}
	if line := t.between(i, width); line != nil {
		above = append(above, line)
	}
	if t.View.Agents == nil {
		return above, nil
	}
	row := t.rows[i]
	agents := t.View.Agents(row.Event.Pos)
	if row.Result != nil {
		agents = append(agents[:len(agents):len(agents)], t.View.Agents(row.Result.Pos)...)
	}
	for n, a := range agents {
		if n == agentLines {
			below = append(below, t.indented(render.Line{{Text: strconv.Itoa(len(agents)-n) + " more sub-agents: s lists them", Role: theme.Dim}}, width))
			break
		}
		below = append(below, t.agent(a, width))
	}
	return above, below
}

// agentLines bounds how many sub-agents of one row are shown.
const agentLines = 5

// between tells what lies between a row and the one before, in one line; nil
// where that is nothing much.
func (t *Timeline) between(i, width int) render.Line {
	row := t.rows[i]
	var parts []string
	day := false
	if i > 0 {
		before, now := t.before(i), row.Event
		if a, b := render.Day(before), render.Day(now); a != "" && b != "" && a != b {
			parts, day = append(parts, b), true
		}
		if a, b := before.Time, now.Time; a.Known && b.Known && a.Naive == b.Naive {
			gap := time.Duration(b.Nanos - a.Nanos)
			if gap >= gapLeast && t.View.Pace > 0 && gap >= gapPaces*t.View.Pace || day && gap >= gapLeast {
				parts = append(parts, text.Duration(gap)+" without an event")
			}
		}
	}
	if row.Hidden >= t.hiddenMany() {
		parts = append(parts, text.Count(row.Hidden)+" hidden, mostly "+text.CleanCut(row.HiddenType, 24)+" (a shows)")
	}
	if len(parts) == 0 {
		return nil
	}
	g := t.Look.Glyphs
	line := render.Line{{Text: strings.Join(parts, "  "+g.Bullet+"  "), Role: theme.Dim}}
	if day {
		line[0].Role = theme.Heading
	}
	return t.indented(append(render.Line{{Text: g.Bullet + " ", Role: theme.Dim}}, line...), width)
}

// reach is how many rows back the last event before a row is looked for: calls
// that run side by side end in any order.
const reach = 32

// before is the last event at hand that came before a row.
func (t *Timeline) before(i int) model.Event {
	e := last(t.rows[i-1])
	for k := i - 1; k >= max(i-reach, 0); k-- {
		if x := last(t.rows[k]); x.Pos < t.rows[i].Event.Pos && (x.Pos > e.Pos || e.Pos > t.rows[i].Event.Pos) {
			e = x
		}
	}
	return e
}

// hiddenMany is how many hidden records are worth a line.
func (t *Timeline) hiddenMany() int64 {
	if t.total <= 0 {
		return hiddenMany
	}
	return max(hiddenMany, hiddenMore*(t.View.LastPos-t.total)/t.total)
}

// agent is a sub-agent in one line: what went in and came out, its events,
// duration, cost and failures.
func (t *Timeline) agent(a index.Agent, width int) render.Line {
	g, s := t.Look.Glyphs, a.Session
	line := render.Line{{Text: g.BottomLeft + " ", Role: theme.Punct}, {Text: text.CleanCut(ownID(s), 16) + "  ", Role: theme.SessionMark}}
	line = append(line, render.Span{Text: text.Count(s.Events) + " ev  ", Role: theme.Dim})
	line = append(line, render.Span{Text: lasted(s) + "  ", Role: theme.Time})
	if s.Usage.Told.Has(model.ToldCost) {
		line = append(line, render.Span{Text: cost(s) + "  ", Role: theme.Dim})
	}
	if s.Failed > 0 {
		line = append(line, render.Span{Text: g.Fail + " " + text.Count(s.Failed) + "  ", Role: theme.Fail})
	}
	if a.Inferred {
		line = append(line, render.Span{Text: "inferred  ", Role: theme.Inferred})
	}
	line = append(line, render.Span{Text: text.CleanCut(s.Title, max(width/4, 12))})
	if a.Answer.Pos > 0 {
		line = append(append(line, render.Span{Text: " → ", Role: theme.Punct}), render.Title(a.Answer, true)...)
	}
	return t.indented(line, width)
}

// ownID is what tells a session from the one that made it.
func ownID(s model.Session) string {
	if rest := strings.TrimLeft(strings.TrimPrefix(s.ID, s.Parent), "/:#.-_"); s.Parent != "" && rest != "" {
		return rest
	}
	return s.ID
}

// indented puts a line below the column of who does it.
func (t *Timeline) indented(line render.Line, width int) render.Line {
	at := 1 + render.SeqWidth(t.View.LastSeq) + 1
	return render.Cut(append(render.Line{{Text: text.Spaces(at)}}, line...), max(width, 1))
}

// dollars is an amount of money for people.
func dollars(usd float64) string {
	if usd > 0 && usd < 0.01 {
		return "<$0.01"
	}
	return "$" + strconv.FormatFloat(usd, 'f', 2, 64)
}

// bracket is what joins a row to its neighbours where they are of one response
// of the model: the calls of it stand out.
func (t *Timeline) bracket(i int) string {
	g := t.Look.Glyphs
	mine := t.response(i)
	up, down := i > 0 && t.response(i-1) == mine, i+1 < len(t.rows) && t.response(i+1) == mine
	switch {
	case mine == 0 || !up && !down:
		return ""
	case !up:
		return g.TopLeft
	case !down:
		return g.BottomLeft
	case t.rows[i].Event.Kind == model.KindAction:
		return g.TeeLeft
	}
	return g.Vertical
}

// response is the pos of the record with which the response of a row begins; its
// own where no record tells another, and 0 where the row is no part of one.
func (t *Timeline) response(i int) int64 {
	e := t.rows[i].Event
	if e.Kind != model.KindAction && e.Kind != model.KindMessage {
		return 0
	}
	for _, l := range e.Links {
		if l.Reason == model.ReasonBatch && l.Resolved() && l.To.Session == e.Session {
			return l.To.Pos
		}
	}
	return e.Pos
}
