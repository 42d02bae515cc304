package source

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sqlite makes or changes a database, in a handle of its own.
func sqlite(t testing.TB, path string, statements ...string) {
	t.Helper()
	db := writing(t, path, statements...)
	must(t, db.Close())
}

// writing is sqlite with the handle left open, as a live program has it.
func writing(t testing.TB, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return db
}

// otherProcess is writing in a process of its own, since handles of one process
// share what they know of a log. It holds the database open until it is stopped.
func otherProcess(t testing.TB, path string, statements ...string) (stop func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestOtherProcess$")
	cmd.Env = append(os.Environ(), "HINDCAST_TEST_DB="+path, "HINDCAST_TEST_SQL="+strings.Join(statements, ";"))
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the other process: %q, %v", line, err)
	}
	return sync.OnceFunc(func() {
		in.Close()
		must(t, cmd.Wait())
	})
}

func TestOtherProcess(t *testing.T) {
	path := os.Getenv("HINDCAST_TEST_DB")
	if path == "" {
		t.Skip("the other process of other tests")
	}
	db := writing(t, path, os.Getenv("HINDCAST_TEST_SQL"))
	os.Stdout.WriteString("ready\n")
	io.Copy(io.Discard, os.Stdin)
	must(t, db.Close())
}

// laid is a database in a folder of its own.
func laid(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.db")
	sqlite(t, path, statements...)
	return path
}

// rows gives a table as it is offered.
func rows(t testing.TB, d *Dump, name string) string {
	t.Helper()
	got, err := slurp(d, find(t, d, name), 0)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(got)
}

func TestDatabaseIsJSONLines(t *testing.T) {
	path := laid(t,
		`CREATE TABLE event(id TEXT PRIMARY KEY, n INTEGER, at DATETIME, ok BOOLEAN, data JSON, cost REAL, body BLOB)`,
		`INSERT INTO event VALUES('b', 1, '2026-03-01 10:00:00', 1, '{"a": 1}', 1.0, x'00ff')`,
		`INSERT INTO event VALUES('a', -9223372036854775808, NULL, 0, 'x'||char(10)||'"\'||char(0)||'é', 9e999, x'')`,
		`INSERT INTO event VALUES('c', 'text', 12, 2, CAST(x'c3' AS TEXT), 1e-7, 0.5)`,
		`CREATE TABLE whole(k INTEGER PRIMARY KEY, v)`, `INSERT INTO whole VALUES(7,'x'),(3,'y')`,
		`CREATE TABLE down(k INTEGER PRIMARY KEY DESC, v)`, `INSERT INTO down VALUES(7,'x')`,
		`CREATE TABLE pair(a, b, v, PRIMARY KEY(b,a)) WITHOUT ROWID`, `INSERT INTO pair VALUES(1,2,'z'),(2,1,'y')`,
		`CREATE TABLE clash(rowid TEXT, v)`, `INSERT INTO clash VALUES('mine',1)`,
		`CREATE TABLE "odd ""name"""("a b" INT, "c""d" INT, sum INT AS ("a b"+1))`, `INSERT INTO "odd ""name""" VALUES(1,2)`,
		`CREATE TABLE none(x)`,
		`CREATE VIEW seen AS SELECT * FROM event`,
		`CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)`, `INSERT INTO counted DEFAULT VALUES`,
		`CREATE VIRTUAL TABLE text USING fts5(body)`,
		`CREATE INDEX covering ON whole(v,k)`,
	)
	d := opened(t, Options{}, path)
	want := []string{"run.db/clash", "run.db/counted", "run.db/down", "run.db/event", "run.db/none", `run.db/odd "name"`, "run.db/pair", "run.db/whole"}
	if got := names(d); !slices.Equal(got, want) {
		t.Errorf("tables are %q, want %q", got, want)
	}
	for name, want := range map[string]string{
		"event": `{"rowid":1,"id":"b","n":1,"at":"2026-03-01 10:00:00","ok":1,"data":"{\"a\": 1}","cost":1.0,"body":{"$base64":"AP8="}}
{"rowid":2,"id":"a","n":-9223372036854775808,"at":null,"ok":0,"data":"x\n\"\\\u0000é","cost":9.0e+999,"body":{"$base64":""}}
{"rowid":3,"id":"c","n":"text","at":12,"ok":2,"data":{"$base64":"ww=="},"cost":1e-07,"body":0.5}
`,
		"whole":      `{"k":3,"v":"y"}` + "\n" + `{"k":7,"v":"x"}` + "\n",
		"down":       `{"rowid":1,"k":7,"v":"x"}` + "\n",
		"pair":       `{"a":2,"b":1,"v":"y"}` + "\n" + `{"a":1,"b":2,"v":"z"}` + "\n",
		"clash":      `{"rowid":"mine","v":1}` + "\n",
		`odd "name"`: `{"rowid":1,"a b":1,"c\"d":2,"sum":2}` + "\n",
		"none":       "",
		"counted":    `{"id":1}` + "\n",
	} {
		if got := rows(t, d, "run.db/"+name); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
	for name, want := range map[string]int64{"event": 86, "whole": 4, "pair": 6, `odd "name"`: 3, "none": 0} {
		if got, err := d.Weigh(t.Context(), find(t, d, "run.db/"+name)); got != want || err != nil {
			t.Errorf("the values of %s weigh %d, %v, want %d", name, got, err, want)
		}
	}
	if got := reason(d, "run.db/text"); !strings.Contains(got, "virtual") {
		t.Errorf("the virtual table: %q", got)
	}
	for _, f := range d.Files() {
		if f.Size != -1 || f.Database != "run.db" {
			t.Errorf("%+v", f)
		}
	}
	i := find(t, d, "run.db/event")
	if e := d.Entry(i); e.Addressable || !e.Database || e.Path != d.roots[0].path || e.Compressed != "sqlite" {
		t.Errorf("Entry = %+v", e)
	}
	if got := d.Head(i, 20); string(got) != `{"rowid":1,"id":"b",` {
		t.Errorf("Head = %q", got)
	}
	whole := rows(t, d, "run.db/event")
	if got, err := slurp(d, i, 30); err != nil || string(got) != whole[30:] {
		t.Errorf("from byte 30: %q, %v", got, err)
	}
}

func TestDatabaseWherever(t *testing.T) {
	data, err := os.ReadFile(laid(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES(1)`))
	must(t, err)
	row := `{"rowid":1,"x":1}` + "\n"
	dir := lay(t, pair{"a/run.db", data}, pair{"b.jsonl", lines}, pair{"run.db.gz", gz(t, data)}, pair{"z.zip", zipOf(t, pair{"in/run.sqlite", data}, pair{"c.jsonl", lines})})
	for name, args := range map[string][]string{
		"a/run.db/t":            {dir},
		"run.db/t":              {dir},
		"z.zip/in/run.sqlite/t": {dir},
		"in/run.sqlite/t":       {filepath.Join(dir, "z.zip")},
		"stdin/t":               {"-"},
	} {
		d := opened(t, Options{Stdin: bytes.NewReader(data)}, args...)
		if got := rows(t, d, name); got != row {
			t.Errorf("%s: %q", name, got)
		}
		if f := d.Files()[find(t, d, name)]; f.Database+"/t" != name {
			t.Errorf("%s is of database %q", name, f.Database)
		}
	}
	tgz := put(t, t.TempDir(), "x.tgz", gz(t, tarOf(t, pair{"run.db", data}, pair{"run.db-wal", nil})))
	if d := opened(t, Options{}, tgz); rows(t, d, "run.db/t") != row || len(names(d)) != 1 {
		t.Errorf("in a packed tar: %q", names(d))
	}
}

// TestDatabaseWithLog: what stands only in the log is read, and nothing beside
// the database changes (opened checks it), whatever of it is there.
func TestDatabaseWithLog(t *testing.T) {
	path := laid(t, `PRAGMA journal_mode=wal`, `CREATE TABLE t(x)`)
	stop := otherProcess(t, path, `PRAGMA wal_autocheckpoint=0`, `INSERT INTO t VALUES(1)`, `INSERT INTO t VALUES(2)`)
	want := `{"rowid":1,"x":1}` + "\n" + `{"rowid":2,"x":2}` + "\n"
	read := func(t *testing.T, dir string) *Dump {
		d := opened(t, Options{}, dir)
		if got := rows(t, d, "run.db/t"); got != want || len(names(d)) != 1 {
			t.Errorf("%q: %q", names(d), got)
		}
		return d
	}
	t.Run("live", func(t *testing.T) { read(t, filepath.Dir(path)) })
	copied := func(t *testing.T, sides ...string) string {
		dir := t.TempDir()
		for _, side := range append(sides, "") {
			data, err := os.ReadFile(path + side)
			must(t, err)
			put(t, dir, "run.db"+side, data)
		}
		return dir
	}
	t.Run("left behind", func(t *testing.T) { read(t, copied(t, "-wal", "-shm")) })
	t.Run("without shared memory", func(t *testing.T) {
		d := read(t, copied(t, "-wal"))
		if got := reason(d, "run.db-wal"); !strings.Contains(got, "private copy") {
			t.Errorf("the log: %q", got)
		}
	})
	t.Run("in an archive", func(t *testing.T) {
		base, err := os.ReadFile(path)
		must(t, err)
		log, err := os.ReadFile(path + "-wal")
		must(t, err)
		read(t, put(t, t.TempDir(), "a.zip", zipOf(t, pair{"run.db", base}, pair{"run.db-wal", log})))
	})
	stop()
	t.Run("folded back", func(t *testing.T) { read(t, filepath.Dir(path)) })
}

func TestDatabaseWithHotJournal(t *testing.T) {
	path := laid(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES('kept')`)
	db := writing(t, path, `PRAGMA cache_size=1`, `BEGIN`, `UPDATE t SET x='torn'`,
		`CREATE TABLE fat AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200) SELECT randomblob(4000) b FROM n`)
	dir := t.TempDir()
	for _, side := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + side)
		must(t, err)
		put(t, dir, "run.db"+side, data)
	}
	must(t, db.Close())
	d := opened(t, Options{}, filepath.Join(dir, "run.db"))
	if got := rows(t, d, "run.db/t"); got != `{"rowid":1,"x":"kept"}`+"\n" || len(names(d)) != 1 {
		t.Errorf("%q: %q", names(d), got)
	}
}

func TestDatabaseThatCannotBeRead(t *testing.T) {
	whole, err := os.ReadFile(laid(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES(1)`))
	must(t, err)
	noise := bytes.Repeat([]byte("\x8f\x01\x00\xc3\x17"), 1000)
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"empty":        {nil, "not a database yet"},
		"noise":        {noise, "encrypted"},
		"header only":  {whole[:100], "damaged"},
		"a cut page":   {whole[:3000], "damaged"},
		"other inside": {append(bytes.Clone(whole[:100]), noise...), "damaged"},
	} {
		path := put(t, t.TempDir(), "run.db", c.data)
		_, err := open(t, Options{}, path)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Reason, c.says) || e.Path != path {
			t.Errorf("%s: %v", name, err)
		}
		d := opened(t, Options{}, lay(t, pair{"run.db", c.data}, pair{"a.jsonl", lines}))
		if got := reason(d, "run.db"); !strings.Contains(got, c.says) {
			t.Errorf("%s in a folder: %q", name, got)
		}
	}
	if d := opened(t, Options{}, put(t, t.TempDir(), "run.db", lines)); len(names(d)) != 1 {
		t.Errorf("lines under a database's name: %q", names(d))
	}
}

// TestDamagedTable: what can be read of a table comes before the error, and
// the tables beside it are whole.
func TestDamagedTable(t *testing.T) {
	path := laid(t, `PRAGMA page_size=1024`, `CREATE TABLE a(x)`, `CREATE TABLE b(x)`,
		`INSERT INTO b VALUES('fine')`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<500) INSERT INTO a SELECT printf('%0500d',i) FROM n`)
	data, err := os.ReadFile(path)
	must(t, err)
	for i := range 4096 {
		data[len(data)/2+i] = 0xa5
	}
	for what, data := range map[string][]byte{"overwritten": data, "cut": data[:len(data)/2]} {
		d := opened(t, Options{}, put(t, t.TempDir(), "run.db", data))
		got, err := slurp(d, find(t, d, "run.db/a"), 0)
		var read *ReadError
		if !errors.As(err, &read) || !errors.Is(err, ErrDamaged) || read.Name != "run.db/a" || len(got) == 0 {
			t.Errorf("%s: %d bytes, %v", what, len(got), err)
		}
		if got := rows(t, d, "run.db/b"); got != `{"rowid":1,"x":"fine"}`+"\n" {
			t.Errorf("%s: the other table: %q", what, got)
		}
	}
}

func TestDatabaseIsOneMoment(t *testing.T) {
	path := laid(t, `PRAGMA journal_mode=wal`, `CREATE TABLE a(x)`, `CREATE TABLE b(x)`)
	live := writing(t, path, `INSERT INTO a VALUES(1)`)
	defer live.Close()
	d := watched(t, path)
	if got := rows(t, d, "run.db/a"); got != `{"rowid":1,"x":1}`+"\n" {
		t.Errorf("a: %q", got)
	}
	must(t, second(live.Exec(`INSERT INTO b VALUES(1)`)))
	if got := rows(t, d, "run.db/b"); got != "" {
		t.Errorf("b holds what came later: %q", got)
	}
	d.LetGo()
	var busy, pages, done int
	must(t, live.QueryRow(`PRAGMA wal_checkpoint(truncate)`).Scan(&busy, &pages, &done))
	if busy != 0 {
		t.Error("the log cannot be folded back after LetGo")
	}
	refresh(t, d, true)
	if got := rows(t, d, "run.db/b"); got != `{"rowid":1,"x":1}`+"\n" {
		t.Errorf("b afterwards: %q", got)
	}
}

func TestRefreshDatabase(t *testing.T) {
	path := laid(t, `PRAGMA journal_mode=wal`, `CREATE TABLE a(x)`, `CREATE TABLE b(x)`)
	for _, arg := range []string{path, filepath.Dir(path)} {
		sqlite(t, path, `DROP TABLE IF EXISTS c`, `CREATE TABLE IF NOT EXISTS a(x)`)
		d := watched(t, arg)
		i := find(t, d, "run.db/a")
		head, tail, err := d.Fingerprint(i, 0)
		must(t, err)
		refresh(t, d, false)
		live := writing(t, path, `INSERT INTO a VALUES(1)`)
		refresh(t, d, true)
		refresh(t, d, false)
		if h, l, err := d.Fingerprint(i, 0); err != nil || h == head && l == tail {
			t.Errorf("the fingerprint stays: %v", err)
		}
		must(t, second(live.Exec(`CREATE TABLE c(x)`)))
		must(t, second(live.Exec(`DROP TABLE a`)))
		refresh(t, d, true)
		if got := names(d); !slices.Equal(got, []string{"run.db/a", "run.db/b", "run.db/c"}) {
			t.Errorf("%q", got)
		}
		if !d.Entry(i).Gone {
			t.Error("a dropped table is not gone")
		}
		_, err = slurp(d, i, 0)
		wantError(t, err, ErrGone)
		d.LetGo() // a log is folded back when nobody reads it
		must(t, live.Close())
		refresh(t, d, true)
		refresh(t, d, false)
	}
}

// TestDatabaseChangesUnderneath: a database without a log is read without
// locks, so that nobody has to wait; that it was written meanwhile is noticed.
func TestDatabaseChangesUnderneath(t *testing.T) {
	path := laid(t, `CREATE TABLE t(x)`, `INSERT INTO t VALUES(1)`)
	d := watched(t, path)
	r, err := d.Reader(context.Background(), 0, 0)
	must(t, err)
	defer r.Close()
	must(t, second(r.Read(make([]byte, 1))))
	sqlite(t, path, `INSERT INTO t VALUES(2)`)
	var b bytes.Buffer
	_, err = b.ReadFrom(r)
	wantError(t, err, ErrChanged)
}

func TestIndexIsNoDatabaseDump(t *testing.T) {
	path := laid(t, `PRAGMA application_id=1752065123`, `CREATE TABLE t(x)`)
	_, err := open(t, Options{}, path)
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.Reason, "index of hindcast") {
		t.Errorf("%v", err)
	}
}

// FuzzRow: a row is one line of valid JSON, and what SQLite held can be had
// back from it.
func FuzzRow(f *testing.F) {
	f.Add("a", "text", []byte{0, 255}, int64(1)<<62+1, 1e300)
	f.Add("\"\\\x00\x7f", "\xff\u2028</script>\n", []byte{}, int64(-1), math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, name, text string, blob []byte, n int64, real float64) {
		keys := rowKeys([]string{name, name, "n", "r", "z"})
		line := appendRow(nil, keys, []any{text, blob, n, real, nil})
		if !json.Valid(line) || bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("not a line of JSON: %q", line)
		}
		var back struct {
			N json.Number
			R json.Number
			Z any
		}
		line = appendRow(nil, rowKeys([]string{"n", "r", "z"}), []any{n, real, nil})
		must(t, json.Unmarshal(line, &back))
		if back.N.String() != itoa(int(n)) || back.Z != nil {
			t.Errorf("%d and null are %s", n, line)
		}
		if got, err := back.R.Float64(); err == nil && got != real {
			t.Errorf("%v is %s", real, line)
		}
		var s string
		if cell := appendCell(nil, text); cell[0] == '"' {
			must(t, json.Unmarshal(cell, &s))
		} else {
			s = unpackCell(t, cell)
		}
		if s != text {
			t.Errorf("%q is read back as %q", text, s)
		}
		if got := unpackCell(t, appendCell(nil, blob)); got != string(blob) {
			t.Errorf("%x is read back as %x", blob, got)
		}
	})
}

func unpackCell(t testing.TB, cell []byte) string {
	t.Helper()
	var b struct {
		Base64 []byte `json:"$base64"`
	}
	must(t, json.Unmarshal(cell, &b))
	return string(b.Base64)
}

// TestRows: some rows of a table, the latest first, also while a program writes
// to it, which is not held up; rows that are too large are passed over.
func TestRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	sqlite(t, path, `CREATE TABLE part(id TEXT PRIMARY KEY, session TEXT, at INTEGER, data TEXT)`,
		`INSERT INTO part VALUES('a','s',3,'{}'),('b','other',9,'{}'),('c','s',1,'{"k":1}'),('d','s',2,hex(zeroblob(5000)))`)
	live := writing(t, path, `PRAGMA journal_mode=wal`, `INSERT INTO part VALUES('e','s',0,'new')`)
	d, err := Open(context.Background(), []string{path}, Options{NoCopy: true})
	must(t, err)
	defer d.Close()
	for _, c := range []struct {
		pick Pick
		want string
	}{
		{Pick{Columns: []string{"id", "at", "missing"}, Order: "at", Limit: 2}, `{"id":"b","at":9}` + "\n" + `{"id":"a","at":3}` + "\n"},
		{Pick{Columns: []string{"id"}, Where: "session", Equal: "s", Limit: 9}, `{"id":"e"}` + "\n" + `{"id":"d"}` + "\n" + `{"id":"c"}` + "\n" + `{"id":"a"}` + "\n"},
		{Pick{Where: "session", Equal: "s", Limit: 2, Cell: 1000}, `{"id":"e","session":"s","at":0,"data":"new"}` + "\n" + `{"id":"c","session":"s","at":1,"data":"{\"k\":1}"}` + "\n"},
		{Pick{Columns: []string{"id"}, Where: "session", Equal: "' OR 1=1", Limit: 9}, ""},
	} {
		got, err := d.Rows(context.Background(), 0, c.pick)
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: %s %v, want %s", c.pick, got, err, c.want)
		}
	}
	if _, err := live.Exec(`INSERT INTO part VALUES('f','s',4,'while it is read')`); err != nil {
		t.Errorf("the writer is held up: %v", err)
	}
	if _, err := d.Rows(context.Background(), 0, Pick{Columns: []string{"missing"}, Limit: 1}); err == nil {
		t.Error("a table without the columns gives rows")
	}
}

// TestNoCopy: a database that was not closed in order is not copied where that
// is not wanted.
func TestNoCopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.db")
	sqlite(t, path, `CREATE TABLE a(x)`)
	must(t, os.WriteFile(path+"-journal", []byte("what a commit had overwritten"), 0o600))
	if _, err := Open(context.Background(), []string{path}, Options{NoCopy: true}); err == nil || !strings.Contains(err.Error(), "not closed in order") {
		t.Errorf("%v", err)
	}
	d, err := Open(context.Background(), []string{path}, Options{})
	must(t, err)
	must(t, d.Close())
}
