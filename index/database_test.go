package index

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
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
