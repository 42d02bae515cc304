package opencode

import (
	"encoding/json"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model/replay"
)

// importAll reads a dump, session by session.
func importAll(t testing.TB, d *trial.Dump) map[string]*trial.Session {
	t.Helper()
	im := trial.Read(t, New(), d)
	if len(im.Broken) > 0 {
		t.Errorf("unread: %q", im.Broken)
	}
	all := map[string]*trial.Session{}
	for _, s := range im.Sessions {
		all[s.ID] = s
	}
	return all
}

// folded is a session with all that its rows did.
type folded struct{ *trial.Session }

// file is what is told of a file after the event at pos.
func (f *folded) file(t testing.TB, pos int64, path string) (text *string, certainty string, ok bool) {
	t.Helper()
	v, ok := f.Log.At(pos)[replay.FilePath(path)]
	if !ok {
		return nil, "", false
	}
	var cell struct{ Certainty string }
	if err := json.Unmarshal(v.JSON, &cell); err != nil {
		t.Fatal(err)
	}
	return v.Text, cell.Certainty, true
}
