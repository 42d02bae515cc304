package index

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log whose beginning is gone starts from the state of the checkpoint that it
// begins with, wherever that stands; what it says of files is derived.
func TestALogWithoutItsBeginningStartsFromItsCheckpoint(t *testing.T) {
	state := fields{"files": fields{"a": "one\ntwo\n"}, "cwd": "/w", "status": "running", "context": []string{"s_3"},
		"tasks": []fields{{"id": "1", "title": "do", "status": "todo"}}, "vars": fields{"v": 1}}
	for _, inFile := range []bool{false, true} {
		s := &scribe{session: "s", seq: 40}
		payload := fields{"snapshot_id": "snap", "base_event_seq": 40}
		dir := t.TempDir()
		if inFile {
			writeBelow(t, filepath.Join(dir, "checkpoints", "s", "snap.json"), asJSON(t, fields{"snapshot_id": "snap", "session_id": "s", "base_event_seq": 40, "state": state}))
		} else {
			payload["state"] = state
		}
		s.log("Checkpoint", "", payload)
		s.edit("a", "two", "2")
		writeBelow(t, filepath.Join(dir, "events", "s", "0041.jsonl"), strings.Join(s.lines, ""))
		x := openAll(t, t.TempDir(), Options{}, dir)
		ctx := context.Background()
		for pos, want := range map[int64]string{1: "one\ntwo\n", 3: "one\n2\n"} {
			doc, err := x.State(ctx, pointOf(t, x, "s", pos), false)
			if err != nil {
				t.Fatal(err)
			}
			a := doc.Files["a"]
			if a.Content == nil || *a.Content != want || a.Certainty != "derived" || len(doc.Tasks) != 1 || string(doc.Vars["v"]) != "1" {
				t.Errorf("in a file %v: after %d: %s", inFile, pos, asJSON(t, doc))
			}
		}
		blame, err := x.BlameFile(ctx, pointOf(t, x, "s", 3), "a", 0)
		if err != nil {
			t.Fatal(err)
		}
		if by := blame.Lines[0].By; by == nil || by.Pos != 1 {
			t.Errorf("the line of the checkpoint is by %v", by)
		}
		for _, n := range naiveFolds(t, x) {
			checkStates(t, x, n)
		}
	}
}

func writeBelow(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, []byte(text))
}
