package index

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDatabase(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "run.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	do := func(text string) {
		t.Helper()
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	do(`PRAGMA journal_mode=wal`)
	do(`CREATE TABLE log(id TEXT, msg TEXT)`)
	do(`INSERT INTO log VALUES('a','one'),('b','two')`)
	do(`CREATE TABLE other(n)`)
	do(`INSERT INTO other VALUES(1)`)
	events := func(x *Index) int64 { return x.Status().Events }

	x := openAll(t, cache, Options{}, path)
	if n := events(x); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
	sources, err := x.Sources(context.Background())
	if err != nil || !slices.Equal(sources, []string{"run.db/log", "run.db/other"}) {
		t.Errorf("sources %q, %v", sources, err)
	}
	var raw bytes.Buffer
	if err := x.CopySource(context.Background(), "run.db/log", &raw); err != nil {
		t.Fatal(err)
	}
	if want := `{"rowid":1,"id":"a","msg":"one"}` + "\n" + `{"rowid":2,"id":"b","msg":"two"}` + "\n"; raw.String() != want {
		t.Errorf("kept bytes %q, want %q", raw.String(), want)
	}
	x.Close()

	again := openAll(t, cache, Options{}, path)
	if again.im != nil {
		t.Error("a database that did not change is imported again")
	}
	again.Close()
	do(`UPDATE log SET msg='new' WHERE id='a'`)
	do(`INSERT INTO log VALUES('c','three')`)
	changed := openAll(t, cache, Options{}, path)
	if n := events(changed); n != 4 || changed.im == nil {
		t.Errorf("%d events after a commit, want 4", n)
	}
	changed.Close()
}

// TestTablesThatHoldNoEvents: the projections beside a log are counted, and their
// rows are read when somebody asks for them; a bundle keeps them.
func TestTablesThatHoldNoEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`CREATE TABLE session(id TEXT, directory TEXT, version TEXT, project_id TEXT); INSERT INTO session VALUES('ses_1','/w','1.18.33','p')`,
		`CREATE TABLE message(id TEXT, session_id TEXT, data TEXT); INSERT INTO message VALUES('msg_1','ses_1','{"role":"user"}')`,
		`CREATE TABLE part(id TEXT, message_id TEXT, session_id TEXT, data TEXT)`,
		`CREATE TABLE event(id TEXT, aggregate_id TEXT, seq INTEGER, type TEXT, data TEXT)`,
		`INSERT INTO event VALUES('evt_1','ses_1',0,'session.created.1','{"sessionID":"ses_1","info":{"id":"ses_1","directory":"/w","version":"1.18.33","time":{"created":1,"updated":1}}}')`,
	} {
		if _, err := db.Exec(text); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	const rows = `{"rowid":1,"id":"msg_1","session_id":"ses_1","data":"{\"role\":\"user\"}"}` + "\n"
	message := func(x *Index) (string, error) {
		var b bytes.Buffer
		err := x.CopySource(t.Context(), "opencode.db/message", &b)
		return b.String(), err
	}
	cache := t.TempDir()
	for range 2 { // built, and taken up again
		x := openAll(t, cache, Options{}, path)
		checkAccounting(t, x)
		if got, err := message(x); got != rows || err != nil {
			t.Errorf("rows %q, %v", got, err)
		}
		sources, err := x.st.Reader().Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sources {
			if s.Role != "events" && (s.Spooled || s.Name == "opencode.db/message" && s.EvidenceBytes != 25) {
				t.Errorf("%s, evidence: kept %v, %d bytes", s.Name, s.Spooled, s.EvidenceBytes)
			}
		}
		x.Close()
	}
	bundle := filepath.Join(t.TempDir(), "bundle.db")
	openAll(t, t.TempDir(), Options{Bundle: true, IndexPath: bundle}, path).Close()
	if got, err := message(openAll(t, t.TempDir(), Options{}, bundle)); got != rows || err != nil {
		t.Errorf("of a bundle: rows %q, %v", got, err)
	}
	plain := filepath.Join(t.TempDir(), "plain.db")
	openAll(t, t.TempDir(), Options{IndexPath: plain}, path).Close()
	if _, err := message(openAll(t, t.TempDir(), Options{}, plain)); err == nil || !strings.Contains(err.Error(), "name the dump itself") {
		t.Errorf("of an index without its dump: %v", err)
	}
}

// TestForeignLogIsLeftAlone: to look whether a file is an index must not make
// the shared memory that a reader of its log needs.
func TestForeignLogIsLeftAlone(t *testing.T) {
	live := filepath.Join(t.TempDir(), "run.db")
	db, err := sql.Open("sqlite", live)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`PRAGMA journal_mode=wal; CREATE TABLE t(x); INSERT INTO t VALUES(1)`); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, side := range []string{"", "-wal"} {
		data, err := os.ReadFile(live + side)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "run.db"+side), data)
	}
	x := openAll(t, t.TempDir(), Options{}, filepath.Join(dir, "run.db"))
	if n := x.Status().Events; n != 1 {
		t.Errorf("%d events, want 1", n)
	}
	x.Close()
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("the folder holds %v", left)
	}
}
