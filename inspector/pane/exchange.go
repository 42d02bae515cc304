package pane

import (
	"strings"

	"hindcast/model/answer"
)

// Seen is the model's view at a point: its messages, and the records of the
// state that stand in them, by pos.
type Seen struct {
	answer.Context
	Records map[int64]answer.StateMessage
}

// Exchange is what became of the model's view over an event: the records that
// left it, those that stayed, and those of the first whose content is in view
// again.
type Exchange struct {
	Dropped, Kept []Passed
	Back          []Returned
	Summary       *Said // that came in for what left
	User          *Said // the last that the user said before
	Exact         bool
}

// Said is a record of a view. Text and Chars are its own, not those of the
// message that it stands in with others; where the message does not tell them
// apart, Text is empty.
type Said struct {
	Event answer.Event
	Text  string
	Chars int64
	apart bool // Text is known

	role    string
	summary bool
	asked   string // what a result was asked for: its tool and its call's title
}

// Passed is a record of the view before.
type Passed struct {
	Said
	Pruned bool // the record stays, its text does not
}

// Returned is a dropped record whose content is in view again.
type Returned struct {
	Passed
	How string
	In  answer.Event // the record that holds it now
}

// Exchanged compares the views before and after an event, and one later: what
// came back until then.
func Exchanged(before, after, later Seen) Exchange {
	x := Exchange{Exact: before.Exact && after.Exact && later.Exact}
	old := map[int64]bool{}
	stays := map[int64]Said{}
	for _, s := range after.said() {
		stays[s.Event.Pos] = s
	}
	for _, s := range before.said() {
		old[s.Event.Pos] = true
		if s.role == "user" && !s.summary {
			x.User = &s
		}
		now, in := stays[s.Event.Pos]
		pruned := in && s.apart && now.apart && !strings.Contains(now.Text, s.Text)
		if p := (Passed{s, pruned}); in && !pruned {
			x.Kept = append(x.Kept, p)
		} else {
			x.Dropped = append(x.Dropped, p)
		}
	}
	var fresh []Said
	for _, s := range later.said() {
		known := old[s.Event.Pos]
		if s.summary && (x.Summary == nil || !known) {
			x.Summary = &s
		}
		if !known {
			fresh = append(fresh, s)
		}
	}
	x.Back = returned(x.Dropped, fresh)
	return x
}

// said lists the records of a view in order.
func (v Seen) said() []Said {
	asked := v.questions()
	var out []Said
	for i := range v.Messages {
		m := &v.Messages[i]
		texts := v.apart(m)
		for k, r := range m.Events {
			s := Said{Event: eventOf(v.Context, r), role: m.Role, summary: m.Summary}
			if texts != nil {
				s.Text, s.apart = texts[k], true
				s.Chars = int64(len([]rune(s.Text)))
			}
			if own, ok := v.Records[r.Pos]; ok {
				s.Chars, s.summary = own.Chars, own.Summary
			}
			if call := s.Event.Call; call != nil && s.Event.Kind != "action" && len(m.Results) > 0 {
				s.asked = asked[*call]
			}
			out = append(out, s)
		}
	}
	return out
}

// apart cuts a message into the texts of its records, which stand one below the
// other; nil where their lengths do not tell.
func (v Seen) apart(m *answer.Message) []string {
	if len(m.Events) == 1 {
		return []string{m.Text}
	}
	rest := []rune(m.Text)
	out := make([]string, len(m.Events))
	for i, r := range m.Events {
		n := int(v.Records[r.Pos].Chars)
		switch {
		case n == 0 || len(rest) == 0: // calls made together share the text of the first
			continue
		case len(rest) < n:
			return nil
		}
		out[i], rest = string(rest[:n]), rest[n:]
		if len(rest) > 0 {
			if rest[0] != '\n' {
				return nil
			}
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		return nil
	}
	return out
}

// questions are what results were asked for, by call: the tool and the call's
// title.
func (v Seen) questions() map[string]string {
	out := map[string]string{}
	for _, e := range v.Events {
		if e.Kind == "action" && e.Call != nil && e.Tool != nil && e.Title != "" {
			out[*e.Call] = *e.Tool + "\x00" + e.Title
		}
	}
	return out
}

func eventOf(c answer.Context, r answer.Ref) answer.Event {
	if e, ok := c.Events[r.Pos]; ok {
		return e
	}
	return answer.Event{Session: r.Session, Seq: r.Seq, Pos: r.Pos, ID: r.ID}
}
