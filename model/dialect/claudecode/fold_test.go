package claudecode

import (
	"hindcast/fixtures/trial"
	"hindcast/model"
)

// folded is a session with all that its records did.
type folded struct{ *trial.Session }

// viewIDs names what is in view after the event at pos.
func (f *folded) viewIDs(pos int64) []string {
	ids := []string{}
	for _, x := range f.Viewed(pos) {
		ids = append(ids, x.Event)
	}
	return ids
}

// request is what the provider got before the event at pos.
func (f *folded) request(pos int64) model.Conversation {
	if c, ok := f.Request(pos); ok {
		return c
	}
	return f.Talk(pos - 1)
}
