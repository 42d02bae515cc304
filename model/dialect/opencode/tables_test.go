package opencode

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model/jsonscan"
)

// The objects that a log ends with are those of the tables, key for key, and so
// are those that the rows derived from an export end with.
func TestTheLogEndsWithTheTables(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(trial.DataFolder(t, name), "*", "opencode.db"))
	if err != nil || len(files) == 0 {
		t.Fatal("no databases")
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			d := trial.NewDump(tablesOf(t, file))
			log, tables := objectsOf(t, d, "event"), objectsOf(t, d, "message", "part")
			if len(log) == 0 {
				t.Skip("a database without a log")
			}
			same(t, log, tables)
			t.Logf("%d objects", len(tables))
		})
	}
}

// same compares objects by value.
func same(t *testing.T, a, b map[string]any) {
	t.Helper()
	for id, x := range a {
		if y, ok := b[id]; !ok {
			t.Errorf("%s is not in the tables", id)
		} else if !reflect.DeepEqual(x, y) {
			t.Errorf("%s:\n%v\n%v", id, x, y)
		}
	}
	for id := range b {
		if _, ok := a[id]; !ok {
			t.Errorf("%s is not in the log", id)
		}
	}
}

// objectsOf folds the rows of tables to the objects that stand in the end.
func objectsOf(t *testing.T, d *trial.Dump, tables ...string) map[string]any {
	t.Helper()
	out, holds := map[string]any{}, map[string]string{}
	for i, f := range d.Files() {
		for _, table := range tables {
			if !strings.HasSuffix(f.Name, "/"+table) {
				continue
			}
			for line := range bytes.Lines(d.Whole(i)) {
				fold(t, readRow(bytes.TrimSpace(line)), out, holds)
			}
		}
	}
	return out
}

func fold(t *testing.T, r row, out map[string]any, holds map[string]string) {
	t.Helper()
	switch r.op {
	case opMessage, opPart:
		var object map[string]any
		if err := json.Unmarshal(r.object, &object); err != nil {
			t.Fatal(err)
		}
		id := r.message
		if r.op == opPart {
			id, holds[r.part] = r.part, r.message
		}
		for _, key := range []string{"id", "sessionID", "messageID"} {
			delete(object, key)
		}
		out[id] = object
	case opPartGone:
		delete(out, r.part)
	case opMessageGone:
		delete(out, r.message)
		for part, message := range holds {
			if message == r.message {
				delete(out, part)
			}
		}
	}
}

// tablesOf reads a database with the program sqlite3: lines of rows, by table.
func tablesOf(t testing.TB, path string) map[string]string {
	t.Helper()
	tables := map[string]string{}
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no program sqlite3 to read databases with")
	}
	ask := func(query string) []byte {
		out, err := exec.Command(tool, "-json", "file:"+path+"?immutable=1", query).Output()
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return out
	}
	jsonscan.Elements(ask("select name from sqlite_master where type = 'table' order by name"), func(v []byte) bool {
		table := jsonscan.Str(jsonscan.Get(v, "name"))
		var lines []byte
		jsonscan.Elements(ask(`select * from "`+table+`" order by rowid`), func(row []byte) bool {
			lines = append(append(lines, row...), '\n')
			return true
		})
		tables["opencode.db/"+table] = string(lines)
		return true
	})
	return tables
}
