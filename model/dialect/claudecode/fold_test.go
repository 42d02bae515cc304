package claudecode

import (
	"bytes"
	"encoding/json"
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
	return *r.events[pos-1], bytes.Clone(r.raws[pos-1]), true
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
	for i, e := range r.events {
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
			c.Note, c.Usage = "", nil
			e = &c
		}
		effects := effector.Effects(e, bytes.Clone(r.raws[i]), view)
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

// ids names what is in view after the event at pos.
func (f *folded) viewIDs(pos int64) []string {
	ids := []string{}
	for _, x := range f.viewed(pos) {
		ids = append(ids, x.Event)
	}
	return ids
}

// request is what the provider got before the event at pos.
func (f *folded) request(pos int64) model.Conversation {
	view := f.viewed(pos - 1)
	if c, ok := New().(model.Requester).Request(*f.events[pos-1], view, f.run); ok {
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

// file is a tracked file after the event at pos.
func (f *folded) file(t testing.TB, pos int64, path string) (text *string, certainty string) {
	t.Helper()
	cell := model.PathFiles + "/" + model.EscapePointer(path)
	members, _ := f.cell(t, pos, cell).(map[string]any)
	certainty, _ = members["certainty"].(string)
	return f.log.At(pos)[cell].Text, certainty
}
