package pane

import (
	"regexp"
	"slices"
	"strings"

	"hindcast/model/answer"
)

// Exchange is what became of the model's view over an event: the records that
// left it, those that stayed, and those of the first whose content is in view
// again.
type Exchange struct {
	Dropped, Kept []Passed
	Back          []Returned
	Summary       *answer.Message // that came in for what left
	User          *answer.Message // the last one that the user said before
	Exact         bool
}

// Passed is a record of a view with the message that it stood in.
type Passed struct {
	Event   answer.Event
	Message answer.Message
	Pruned  bool // the record stays, its text does not
}

// Returned is a dropped record whose content is in view again.
type Returned struct {
	Passed
	How string
	In  answer.Ref // the record that holds it now
}

// Exchanged compares the views before and after an event, and one later: what
// came back until then.
func Exchanged(before, after, later answer.Context) Exchange {
	x := Exchange{Exact: before.Exact && after.Exact && later.Exact}
	stays := texts(after)
	for i := range before.Messages {
		m := &before.Messages[i]
		if m.Role == "user" && !m.Summary {
			x.User = m
		}
		for _, r := range m.Events {
			p := Passed{Event: eventOf(before, r), Message: *m}
			now, in := stays[r.Pos]
			switch p.Pruned = in && len(m.Events) == 1 && !strings.Contains(now, m.Text); {
			case in && !p.Pruned:
				x.Kept = append(x.Kept, p)
			default:
				x.Dropped = append(x.Dropped, p)
			}
		}
	}
	for i := range later.Messages {
		if m := &later.Messages[i]; m.Summary && (x.Summary == nil || !holds(before, *m)) {
			x.Summary = m
		}
	}
	x.Back = returned(x.Dropped, before, later)
	return x
}

func eventOf(c answer.Context, r answer.Ref) answer.Event {
	if e, ok := c.Events[r.Pos]; ok {
		return e
	}
	return answer.Event{Session: r.Session, Seq: r.Seq, Pos: r.Pos, ID: r.ID}
}

// texts are the texts in which the records of a view stand, by pos.
func texts(c answer.Context) map[int64]string {
	out := map[int64]string{}
	for _, m := range c.Messages {
		for _, r := range m.Events {
			out[r.Pos] = m.Text
		}
	}
	return out
}

func holds(c answer.Context, m answer.Message) bool {
	return slices.ContainsFunc(c.Messages, func(o answer.Message) bool {
		return len(o.Events) > 0 && len(m.Events) > 0 && o.Events[0].Pos == m.Events[0].Pos
	})
}

// returned finds the dropped records whose content stands in messages that came
// in since.
func returned(dropped []Passed, before, later answer.Context) []Returned {
	old := texts(before)
	var fresh []answer.Message
	lines := map[string][]int{} // of fresh messages
	asked := map[string]int{}   // what fresh results were asked for
	for _, m := range later.Messages {
		if len(m.Events) == 0 || known(m, old) {
			continue
		}
		fresh = append(fresh, m)
		at := len(fresh) - 1
		for l := range telling(m.Text) {
			lines[l] = append(lines[l], at)
		}
		if q := question(m, later); q != "" {
			if _, ok := asked[q]; !ok {
				asked[q] = at
			}
		}
	}
	var out []Returned
	for _, d := range dropped {
		if r, ok := comeback(d, before, fresh, lines, asked); ok {
			out = append(out, r)
		}
	}
	return out
}

func known(m answer.Message, old map[int64]string) bool {
	return slices.ContainsFunc(m.Events, func(r answer.Ref) bool { _, ok := old[r.Pos]; return ok })
}

// comeback is where a dropped record's content stands now: asked for again by
// the same call, most of its lines, or quoted in the summary.
func comeback(d Passed, before answer.Context, fresh []answer.Message, lines map[string][]int, asked map[string]int) (Returned, bool) {
	own := telling(d.Message.Text)
	if size(own) < quoteLength+tellingLength { // "ok" and "task list updated" come back all the time
		return Returned{}, false
	}
	if q := question(d.Message, before); q != "" {
		if at, ok := asked[q]; ok {
			return Returned{d, "asked for again", fresh[at].Events[0]}, true
		}
	}
	hits := map[int]int{}
	for l := range own {
		for _, at := range lines[l] {
			hits[at]++
		}
	}
	best := -1
	for at, n := range hits {
		if best < 0 || n > hits[best] || n == hits[best] && at < best {
			best = at
		}
	}
	switch {
	case best < 0:
		return quoted(d, own, fresh)
	case fresh[best].Summary:
		return Returned{d, "quoted in the summary", fresh[best].Events[0]}, true
	case 2*hits[best] > len(own):
		return Returned{d, "its text stands there again", fresh[best].Events[0]}, true
	}
	return quoted(d, own, fresh)
}

func size(lines map[string]bool) int {
	n := 0
	for l := range lines {
		n += len(l)
	}
	return n
}

// quoted looks for a line of a record within a line of the summary.
func quoted(d Passed, own map[string]bool, fresh []answer.Message) (Returned, bool) {
	for _, m := range fresh {
		if !m.Summary {
			continue
		}
		for l := range own {
			if len(l) >= quoteLength && strings.Contains(m.Text, l) {
				return Returned{d, "quoted in the summary", m.Events[0]}, true
			}
		}
	}
	return Returned{}, false
}

// Lines shorter than tellingLength say nothing about where they are from
// (brackets, "ok"), and shorter ones than quoteLength may stand in a sentence by
// chance.
const (
	tellingLength = 8
	quoteLength   = 16
)

// numbered is the line number before a line, as tools that show files write it.
var numbered = regexp.MustCompile(`^\s*\d+\s*[\t→|:]`)

// telling are the lines of a text that tell it from others, without their
// numbers.
func telling(s string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(numbered.ReplaceAllString(line, ""))
		if len(line) >= tellingLength {
			out[line] = true
		}
	}
	return out
}

// question is what a result was asked for: its tool and its call's title. Empty
// where the message is no result, or nothing tells.
func question(m answer.Message, c answer.Context) string {
	if len(m.Results) == 0 || len(m.Events) == 0 {
		return ""
	}
	e := eventOf(c, m.Events[0])
	if e.Tool == nil || e.Call == nil {
		return ""
	}
	for _, call := range c.Events {
		if call.Kind == "action" && call.Call != nil && *call.Call == *e.Call && call.Title != "" {
			return *e.Tool + "\x00" + call.Title
		}
	}
	return ""
}
