package index

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model"
)

// fork begins a session that goes on from another one behind a sequence number.
func (s *scribe) fork(base string, seq int) {
	s.log("SessionEvent", "", fields{"state": "created", "base_session_id": base, "base_event_seq": seq})
}

// aFork is a run, two others that go on from it, and one that goes on from one
// of these; beside each of them stands a run that did all of that itself.
func aFork() (files map[string][]string, whole map[string][]string) {
	base := &scribe{session: "base"}
	base.log("UserInput", "", fields{"content": "go"})
	base.write("a", "one\ntwo\n")
	base.edit("a", "one", "1")
	open := base.call("run_command", fields{"command": "make"})
	shared := len(base.lines)
	base.log("UserInput", "", fields{"content": "not that"})
	base.write("a", "what no fork sees\n")

	left, right := &scribe{session: "left"}, &scribe{session: "right", seq: 40}
	left.fork("base", shared)
	left.log("UserInput", "", fields{"content": "left"})
	left.edit("a", "two", "2")
	left.log("Checkpoint", "", fields{"snapshot_id": "snap", "base_event_seq": 3})
	at := len(left.lines)
	left.write("b", "left\n")

	right.fork("base", shared)
	right.result(open, "run_command", "made")
	right.log("SessionEvent", "", fields{"state": "context_rebuilt", "kept_event_ids": []string{"base_1", "right_41"}})
	right.write("a", "other\n")

	deep := &scribe{session: "deep"}
	deep.fork("left", at)
	deep.edit("a", "2", "II")
	deep.result(deep.call("delete_file", fields{"path": "a"}), "delete_file", "ok")
	files = map[string][]string{"d.jsonl": base.lines, "c.jsonl": left.lines, "b.jsonl": right.lines, "a.jsonl": deep.lines}
	inherited := base.lines[:shared]
	whole = map[string][]string{
		"left":  append(append([]string{}, inherited...), left.lines...),
		"right": append(append([]string{}, inherited...), right.lines...),
		"deep":  append(append(append([]string{}, inherited...), left.lines[:at]...), deep.lines...),
	}
	return files, whole
}

// A session that goes on from another has at each of its events the state of
// one that did all of it itself, and the events of the base are its writers.
func TestForksReadThroughToTheirBase(t *testing.T) {
	files, whole := aFork()
	dir := t.TempDir()
	writeFamily(t, dir, files)
	x := openAll(t, t.TempDir(), Options{}, dir)
	ctx := context.Background()
	for name, lines := range whole {
		s, _, err := x.Session(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		if s.LastPos != int64(len(lines)) || s.Inherited+s.Events != s.LastPos || s.Inherited != s.BasePos || s.Inherited == 0 {
			t.Fatalf("%s: %+v, want %d events", name, s, len(lines))
		}
		for i, line := range lines {
			e := pointOf(t, x, name, int64(i+1))
			raw, err := x.Raw(ctx, e)
			if err != nil || string(raw)+"\n" != line || (e.Origin == model.OriginInherited) != (e.Pos <= s.BasePos) {
				t.Fatalf("%s at %d: %s, %v, %v", name, e.Pos, raw, e.Origin, err)
			}
		}
	}
	for _, n := range naiveFolds(t, x) {
		checkStates(t, x, n)
		checkDiffs(t, x, n)
	}
	for _, c := range []struct {
		at, path string
		pos      int64
		want     string
	}{
		{"left", "file:a", 13, "left 10"}, {"left", "file:a", 8, "base 5"}, {"deep", "/status/execution", 14, "left 7"},
		{"deep", "/context/messages/0000000001", 16, "base 1"}, {"right", "/pending/base_6", 7, "base 6"},
	} {
		b, err := x.Blame(ctx, pointOf(t, x, c.at, c.pos), c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.By.Session + " " + fmt.Sprint(b.By.Pos); got != c.want {
			t.Errorf("%s of %s after %d is by %s, want %s", c.path, c.at, c.pos, got, c.want)
		}
	}
	lines, err := x.BlameFile(ctx, pointOf(t, x, "left", 13), "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := lines.Lines[0].By, lines.Lines[1].By; a.Session != "base" || a.Pos != 5 || b.Session != "left" {
		t.Errorf("the lines are by %v and %v", a, b)
	}
}

// What a fork stands on is missed where the dump does not hold it, and only
// there.
func TestAForkWithoutItsBaseIsAFinding(t *testing.T) {
	files, _ := aFork()
	dir := t.TempDir()
	writeFamily(t, dir, files)
	whole := strings.Join(findingsOf(t, openAll(t, t.TempDir(), Options{}, dir)), "\n")
	if strings.Contains(whole, "missing-base") {
		t.Errorf("nothing is missing:\n%s", whole)
	}
	fork := filepath.Join(dir, "c.jsonl")
	var found []string
	for _, line := range findingsOf(t, openAll(t, t.TempDir(), Options{}, fork)) {
		if strings.HasPrefix(line, "missing-base ") {
			found = append(found, line)
		}
	}
	wantLines(t, found, "missing-base warning 1: it goes on from session base, which is not in the dump")
}
