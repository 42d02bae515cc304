package opencode

import (
	"testing"

	"hindcast/fixtures/trial"
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
