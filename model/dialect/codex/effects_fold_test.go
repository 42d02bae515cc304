package codex

import (
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// run is a read session.
type run struct{ *trial.Session }

func session(t *testing.T, im *trial.Imported, id string) *run {
	t.Helper()
	return &run{im.Session(t, id)}
}

// event finds the event of a seq.
func (r *run) event(t testing.TB, seq int64) *model.Event {
	t.Helper()
	for _, e := range r.Events {
		if e.Seq == seq {
			return e
		}
	}
	t.Fatalf("session %s has no event %d", r.ID, seq)
	return nil
}

// folded is a session with all that its records did.
type folded struct{ *trial.Session }

// request is what the provider got for the event at pos.
func (f *folded) request(pos int64) model.Conversation {
	e := f.Events[pos-1]
	first := e.Pos
	for _, l := range e.Links {
		if l.Reason == model.ReasonBatch && l.Resolved() {
			first = min(first, l.To.Pos)
		}
	}
	view := f.Viewed(first - 1)
	if c, ok := New().(model.Requester).Request(*e, view, f.Session); ok {
		return c
	}
	return New().(model.Teller).Messages(view, true)
}

// end is the last event's pos.
func (f *folded) end() int64 { return int64(len(f.Events)) }

// texts are the messages of a request, each with its role.
func texts(c model.Conversation) (out []string) {
	for _, m := range c.Messages {
		out = append(out, m.Role.String()+": "+m.Text)
	}
	return out
}

// pending are the calls that are open after the event at pos.
func (f *folded) pending(pos int64) (out []string) {
	for path := range f.Log.At(pos) {
		if name, ok := strings.CutPrefix(path, model.PathPending+"/"); ok {
			out = append(out, model.UnescapePointer(name))
		}
	}
	return out
}
