package store

import (
	"context"
	"database/sql"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"hindcast/model"
)

// TestWritesView reads the packed writes with SQLite alone.
func TestWritesView(t *testing.T) {
	s, w := open(t)
	world := worldOf(4, 40)
	appendBatch(t, w, &Batch{Sessions: []SessionRow{sessionRow(1, "s1")}})
	appendWrites(t, w, FoldBatch{Session: 1, Events: world.events, Folded: world.last()})
	var got, want []string
	for _, wr := range world.writes("", 0, world.last()) {
		value := string(wr.New.JSON)
		for _, part := range []string{model.PathMessages, model.PathFiles, model.PathPending} {
			if strings.HasPrefix(wr.Path, part) {
				value = ""
			}
		}
		want = append(want, fmt.Sprintf("s1 %d %d %s %s %s", wr.Pos-7, wr.Pos, wr.Path, wr.Op(), value))
	}
	err := s.Reader().each(context.Background(), "view", "SELECT session, seq, pos, path, op, coalesce(new,'') FROM v_writes", nil, func(rows *sql.Rows) error {
		var session, path, op, value string
		var seq, pos int64
		if err := rows.Scan(&session, &seq, &pos, &path, &op, &value); err != nil {
			return err
		}
		if strings.HasPrefix(value, "{\"key") || strings.HasPrefix(value, `{"c`) {
			value = ""
		}
		got = append(got, fmt.Sprintf("%s %d %d %s %s %s", session, seq, pos, path, op, value))
		return nil
	})
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if shell, err := exec.LookPath("sqlite3"); err == nil {
		out, err := exec.Command(shell, "-readonly", s.Path(), "SELECT count(*) FROM v_writes WHERE path IS NOT NULL").CombinedOutput()
		if strings.TrimSpace(string(out)) != fmt.Sprint(len(want)) || err != nil {
			t.Errorf("shell: %s, %v; want %d", out, err, len(want))
		}
	}
}
