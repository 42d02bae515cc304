package pane

import (
	"strings"

	"hindcast/model/answer"
)

// Seen is the model's view at a point: its messages, and what the state has in
// view of the records that stand in them, by pos. A record may hold several
// messages.
type Seen struct {
	answer.Context
	Records map[int64][]answer.StateMessage
}

// Exchange is what became of the model's view over an event: the records that
// left it, those that stayed, and those of the first whose content is in view
// again.
type Exchange struct {
	Dropped, Kept []Passed
	Back          []Returned
	Summary       *Said // that came in for what left; else the one in view
	User          *Said // the last that a person said before
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
	out   bool // it was in no view any more

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
		if s.person() {
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
		if !old[s.Event.Pos] {
			fresh = append(fresh, s)
		}
	}
	x.Summary = summaryOf(after.said(), old)
	if x.Summary == nil && len(x.Dropped) > 0 {
		x.Summary = summaryOf(fresh, old) // it may come behind the event that took out what it sums up
	}
	x.Back = returned(x.Dropped, fresh)
	return x
}

// summaryOf is the first summary that is new; where none is, the last.
func summaryOf(view []Said, old map[int64]bool) (found *Said) {
	for _, s := range view {
		if !s.summary {
			continue
		}
		if found = &s; !old[s.Event.Pos] {
			return found
		}
	}
	return found
}

// person reports that a person wrote it: no result, and nothing that the program
// put in on the user's side.
func (s *Said) person() bool { return s.role == "user" && !s.summary && byPerson(s.Event) }

// Unseen is a record that had left the view already.
func Unseen(e answer.Event) *Said { return &Said{Event: e, out: true} }

// byPerson reports that an event is what a person said.
func byPerson(e answer.Event) bool {
	return e.Kind == "message" && e.Source != nil && strings.EqualFold(*e.Source, "user")
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
			if own := v.Records[r.Pos]; len(own) == 1 { // else the message tells which of them it is
				s.Chars, s.summary = own[0].Chars, own[0].Summary
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
		own := v.Records[r.Pos]
		if len(own) > 1 {
			return nil
		}
		n := 0
		if len(own) == 1 {
			n = int(own[0].Chars)
		}
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
