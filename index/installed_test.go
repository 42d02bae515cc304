package index

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
	"hindcast/model/answer"
)

// homeOfAll is the account of a person whose four programs left the fixtures.
func homeOfAll(t *testing.T) model.Account {
	t.Helper()
	home := t.TempDir()
	for from, to := range map[string]string{
		"claudecode/clean/projects": ".claude/projects", "codex/home": ".codex", "openhands/v1-clean": ".openhands/conversations", "opencode/late": ".local/share/opencode",
	} {
		sub, err := fs.Sub(fixtures.FS, from)
		if err == nil {
			err = os.CopyFS(filepath.Join(home, to), sub)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return model.Account{Home: home, Getenv: func(string) string { return "" }}
}

func installedIn(t *testing.T, a model.Account) *InstalledSessions {
	t.Helper()
	s, err := Installed(context.Background(), a, "/srv/shop", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// forks are the sessions that go on from another one, whose dump is opened with
// theirs.
var forks = map[string]bool{"0195a000-0000-7000-8000-00000000000d": true, "0195a000-0000-7000-8000-00000000000f": true, "0195a000-0000-7000-8000-00000000000a_0195a000-0000-7000-8000-00000000005e": true}

// TestInstalledAgreesWithImport: what a look at a session tells is what an
// import of it finds, and once it has been imported it is read from there.
func TestInstalledAgreesWithImport(t *testing.T) {
	ctx := context.Background()
	account := homeOfAll(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	rows := installedIn(t, account).Rows()
	if len(rows) != 8 {
		t.Fatalf("%d sessions", len(rows))
	}
	for i := range rows {
		looked := installedIn(t, account).Look(ctx, i)
		if looked.Read != answer.ReadWhole || looked.Problem != nil {
			t.Errorf("%s: read %s", looked.ID, looked.Read)
		}
		if entries, _ := os.ReadDir(cache); len(entries) != 0 {
			t.Fatalf("a look wrote %s", entries[0])
		}
		x := openAll(t, cache, Options{}, looked.Dumps...)
		s, _, err := x.Session(ctx, looked.ID)
		if err != nil || s.ID != looked.ID {
			t.Errorf("%s is opened as %q: %v", looked.ID, s.ID, err)
		}
		x.Close()
		known := installedIn(t, account).Look(ctx, i)
		if known.Read != answer.ReadIndex {
			t.Errorf("%s: read %s after its import", looked.ID, known.Read)
		}
		known.Read = looked.Read
		if forks[looked.ID] { // only its base tells more
			known.Title, known.Outcome = looked.Title, looked.Outcome
		}
		if forks[looked.ID] != (s.Base != "" && s.BasePos > 0) {
			t.Errorf("%s stands on %q up to %d", s.ID, s.Base, s.BasePos)
		}
		if a, b := asJSON(t, looked), asJSON(t, known); a != b {
			t.Errorf("looked %s\nknown  %s", a, b)
		}
		if err := os.RemoveAll(filepath.Join(cache, "hindcast")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInstalledIndexThatIsOld: an index of a session that has grown since is
// not asked.
func TestInstalledIndexThatIsOld(t *testing.T) {
	ctx := context.Background()
	account := homeOfAll(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	at := -1
	for i, s := range installedIn(t, account).Rows() {
		if s.Dialect == "claudecode" {
			at = i
		}
	}
	s := installedIn(t, account).Look(ctx, at)
	openAll(t, os.Getenv("XDG_CACHE_HOME"), Options{}, s.Dumps...).Close()
	f, err := os.OpenFile(s.Dumps[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"type":"custom-title","customTitle":"Another name","sessionId":"` + s.ID + `"}` + "\n")
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	for i, row := range installedIn(t, account).Rows() {
		if row.ID == s.ID {
			at = i
		}
	}
	if s := installedIn(t, account).Look(ctx, at); s.Read != answer.ReadWhole || s.Title == nil || !strings.Contains(*s.Title, "Another name") {
		t.Errorf("%s", asJSON(t, s))
	}
}
