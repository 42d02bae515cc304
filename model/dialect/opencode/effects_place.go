package opencode

import (
	"sort"
	"strconv"
	"strings"

	"hindcast/model"
)

// Where a record stands in the context its key says: a letter, the place of its
// message, the step within that, its side (what was said, then what the calls
// gave), its part. A compaction's question and summary stand before all else
// that is in view.
const (
	letterFront = 'c'
	letterPlain = 'm'
	// upper is taken off a letter where the rows do not tell the context for sure.
	upper = 'a' - 'A'

	sideSaid  = ".a."
	sideGiven = ".t."

	roundAsked  = ".0"
	roundSummed = ".1"
)

// seen is what is kept of a message.
type seen struct {
	ID     string
	Place  string // in the order of messages
	Parent string `json:",omitempty"`
	Cwd    string `json:",omitempty"`
	// Provider is who answered.
	Provider string `json:",omitempty"`
	// Steps are the ids of the parts that begin its steps, in order.
	Steps []string `json:",omitempty"`
	// Parts are the parts of a message of the coming model, in order.
	Parts   []string `json:",omitempty"`
	User    bool     `json:",omitempty"`
	Summary bool     `json:",omitempty"`
	Told    bool     `json:",omitempty"` // by a row of its own
	Failed  bool     `json:",omitempty"` // and so is no part of any request
}

// recentLimit bounds how many messages are kept; older ones are read again.
const recentLimit = 64

// recall finds the message of a row; known is false where this row is its first.
// What it gives holds until the next call.
func (f *effector) recall(e *model.Event, id string, view model.View) (s *seen, known bool) {
	for i := len(f.state.Recent) - 1; i >= 0; i-- {
		if f.state.Recent[i].ID == id {
			return &f.state.Recent[i], true
		}
	}
	made, known := readAgain(e, id, view)
	return f.remember(made), known
}

// readAgain reads a message that is not kept. One without a row of its own
// stands where its first part does.
func readAgain(e *model.Event, id string, view model.View) (s seen, known bool) {
	s = seen{ID: id, Place: placeOf(model.Time{Nanos: e.Pos * int64(1e6)}, id)}
	pos := view.Find(id)
	if pos <= 0 || pos >= e.Pos {
		return s, false
	}
	if _, raw, ok := view.Record(pos); ok {
		if r := readRow(raw); r.op == opMessage {
			m := r.asMessage
			s.take(&m)
			known = true
		}
	}
	s.Steps = stepsIn(view.Context(), s.Place)
	return s, known
}

func (f *effector) remember(s seen) *seen {
	if len(f.state.Recent) >= recentLimit {
		f.state.Recent = append(f.state.Recent[:0], f.state.Recent[recentLimit/4:]...)
	}
	f.state.Recent = append(f.state.Recent, s)
	return &f.state.Recent[len(f.state.Recent)-1]
}

// take fills in what a message's row says.
func (s *seen) take(m *message) {
	if m.created.Known {
		s.Place = placeOf(m.created, s.ID)
	}
	s.Told = true
	s.Parent, s.User, s.Summary = m.parentID, m.role == "user", m.summary
	s.Cwd, s.Provider = m.cwd(), m.provider
}

// placeOf is a message's place: messages are in the order of their times, those
// of one time in that of their ids.
func placeOf(t model.Time, id string) string {
	const digits = 13
	ms := strconv.FormatInt(max(t.Nanos/1e6, 0), 10)
	return strings.Repeat("0", max(digits-len(ms), 0)) + ms + "." + id
}

// stepsIn reads the steps of a message off the keys of what is in view.
func stepsIn(view []model.Entry, place string) (steps []string) {
	for _, x := range view {
		rest, ok := strings.CutPrefix(placeIn(x.Key), place+".")
		if !ok {
			continue
		}
		step, _, _ := strings.Cut(rest, ".")
		if step != "" && (len(steps) == 0 || steps[len(steps)-1] != step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// placeIn is a key without its letter.
func placeIn(key string) string {
	if key == "" {
		return ""
	}
	return key[1:]
}

// step is the step of a message that a part belongs to.
func (s *seen) step(part string) string {
	i := sort.SearchStrings(s.Steps, part)
	if i < len(s.Steps) && s.Steps[i] == part {
		return part
	}
	if i == 0 {
		return ""
	}
	return s.Steps[i-1]
}

func (s *seen) begin(step string) {
	i := sort.SearchStrings(s.Steps, step)
	if i == len(s.Steps) || s.Steps[i] != step {
		s.Steps = append(s.Steps[:i], append([]string{step}, s.Steps[i:]...)...)
	}
}

// key is the place of a part in the context.
func (f *effector) key(s *seen, side, part string) string {
	if c := &f.state.Compaction; c.Place != "" && (s.ID == c.Message || s.Summary && s.Parent == c.Message) {
		round := roundAsked
		if s.Summary {
			round = roundSummed
		}
		return f.letter(letterFront) + c.Place + round + side + part
	}
	return f.letter(letterPlain) + s.Place + "." + s.step(part) + side + part
}

func (f *effector) letter(c byte) string {
	if !f.state.Exact {
		c -= upper
	}
	return string(c)
}

// response names the provider message that a part belongs to: its message, of
// several steps in one message the step.
func (s *seen) response(part string) string {
	if step := s.step(part); len(s.Steps) > 0 && step != s.Steps[0] {
		return step
	}
	return s.ID
}

// standing finds the key under which a part is in view; it may have come in
// before its message was forgotten and read again.
func standing(view model.View, side, part string) string {
	if part == "" {
		return ""
	}
	for _, x := range view.Context() {
		if strings.HasSuffix(x.Key, side+part) {
			return x.Key
		}
	}
	return ""
}

// keysOf lists the keys of a message's parts that are in view.
func keysOf(view model.View, s *seen) (keys []string) {
	for _, x := range view.Context() {
		if strings.HasPrefix(placeIn(x.Key), s.Place+".") || x.Response == s.ID {
			keys = append(keys, x.Key)
		}
	}
	return keys
}
