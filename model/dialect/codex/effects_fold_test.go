package codex

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"hindcast/model"
	"hindcast/model/replay"
)

// Record and Find make a run what an effector reads earlier events from. The
// bytes that it gives out last until the next call only.
func (r *run) Record(pos int64) (model.Event, []byte, bool) {
	if pos < 1 || pos > int64(len(r.events)) {
		return model.Event{}, nil, false
	}
	e := r.events[pos-1]
	return *e, bytes.Clone(r.raw[e]), true
}

func (r *run) Find(id string) int64 { return r.ids[id] }

// folded is a session with all that its records did.
type folded struct {
	*run
	log     replay.Log
	effects [][]model.Effect // by pos-1
	views   [][]model.Entry  // after each event
	notes   []model.Note
}

// fold replays a session; with stops the effector is saved and loaded again
// before each event, and the notes of the import are gone.
func (r *run) fold(t testing.TB, stops bool) *folded {
	t.Helper()
	f := &folded{run: r}
	state := replay.New(replay.Options{Past: &f.log})
	view := state.View(r)
	effector := New().(model.Teller).NewEffector(r.stream, r.id)
	for _, e := range r.events {
		if stops {
			saved, err := effector.Save()
			if err != nil {
				t.Fatal(err)
			}
			effector = New().(model.Teller).NewEffector(r.stream, r.id)
			if err := effector.Load(saved); err != nil {
				t.Fatal(err)
			}
			c := *e
			c.Note = ""
			e = &c
		}
		effects := effector.Effects(e, bytes.Clone(r.raw[r.events[e.Pos-1]]), view)
		f.effects = append(f.effects, effects)
		f.log.Add(state.Apply(e, effects))
		f.views = append(f.views, append([]model.Entry(nil), view.Context()...))
		f.notes = append(f.notes, state.Notes()...)
	}
	return f
}

// viewed is what is in view after the event at pos, with the records.
func (f *folded) viewed(pos int64) []model.Viewed {
	if pos < 1 {
		return nil
	}
	var out []model.Viewed
	for _, x := range f.views[pos-1] {
		e, raw, _ := f.Record(x.Pos)
		out = append(out, model.Viewed{Entry: x, Record: e, Raw: raw})
	}
	return out
}

// request is what the provider got for the event at pos.
func (f *folded) request(pos int64) model.Conversation {
	e := f.events[pos-1]
	first := e.Pos
	for _, l := range e.Links {
		if l.Reason == model.ReasonBatch && l.Resolved() {
			first = min(first, l.To.Pos)
		}
	}
	view := f.viewed(first - 1)
	if c, ok := New().(model.Requester).Request(*e, view, f.run); ok {
		return c
	}
	return New().(model.Teller).Messages(view, true)
}

// cell decodes a cell's value after the event at pos; nil where it is absent
// or null.
func (f *folded) cell(t testing.TB, pos int64, path string) any {
	t.Helper()
	v, ok := f.log.At(pos)[path]
	if !ok || v.JSON == nil {
		return nil
	}
	var x any
	if err := json.Unmarshal(v.JSON, &x); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return x
}

// file is a file's text and certainty after the event at pos.
func (f *folded) file(t testing.TB, pos int64, path string) (text *string, certainty string) {
	t.Helper()
	at := model.PathFiles + "/" + model.EscapePointer(path)
	facts, _ := f.cell(t, pos, at).(map[string]any)
	certainty, _ = facts["certainty"].(string)
	return f.log.At(pos)[at].Text, certainty
}

// end is the last event's pos.
func (f *folded) end() int64 { return int64(len(f.events)) }

// texts are the messages of a request, each with its role.
func texts(c model.Conversation) (out []string) {
	for _, m := range c.Messages {
		out = append(out, m.Role.String()+": "+m.Text)
	}
	return out
}

// pending are the calls that are open after the event at pos.
func (f *folded) pending(pos int64) (out []string) {
	for path := range f.log.At(pos) {
		if name, ok := strings.CutPrefix(path, model.PathPending+"/"); ok {
			out = append(out, model.UnescapePointer(name))
		}
	}
	return out
}
