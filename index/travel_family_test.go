package index

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/model"
)

// scribe writes the log of a session that works on files and lets others work.
type scribe struct {
	session string
	seq     int
	lines   []string
}

type fields = map[string]any

// log adds a record and returns its id.
func (s *scribe) log(typ, source string, payload fields) string {
	s.seq++
	id := fmt.Sprintf("%s_%d", s.session, s.seq)
	var cause any
	if source != "" {
		cause = source
	}
	line, _ := json.Marshal(fields{
		"event_id": id, "event_type": typ, "session_id": s.session, "sequence": s.seq,
		"timestamp": 1772442000000 + s.seq, "source_event_id": cause, "schema_version": 1, "payload": payload,
	})
	s.lines = append(s.lines, string(line)+"\n")
	return id
}

func (s *scribe) begin(parent, call string) {
	s.log("SessionEvent", call, fields{"state": "created", "parent_session_id": parent})
}

func (s *scribe) call(tool string, params fields) string {
	return s.log("AgentAction", "", fields{"action_type": tool, "params": params})
}

func (s *scribe) result(call, tool, output string) {
	s.log("ToolResult", call, fields{"tool_name": tool, "status": "ok", "output": output})
}

func (s *scribe) write(path, text string) {
	s.result(s.call("write_file", fields{"path": path, "content": text}), "write_file", "ok")
}

func (s *scribe) edit(path, old, now string) {
	s.result(s.call("edit_file", fields{"path": path, "old_str": old, "new_str": now}), "edit_file", "ok")
}

func (s *scribe) read(path, text string) {
	s.result(s.call("read_file", fields{"path": path}), "read_file", text)
}

// aFamily is a run that makes a sub-agent, which makes one itself. main knows
// all files before, and the deepest one's call gets no result.
func aFamily() map[string][]string {
	main, sub, deep := &scribe{session: "main"}, &scribe{session: "sub"}, &scribe{session: "deep"}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		main.write(name, "old "+name+"\n")
	}
	made := main.call("delegate", fields{"task": "work"})
	main.write("e", "written meanwhile\n")

	sub.begin("main", made)
	sub.edit("a", "old", "new") // a text that it does not know
	sub.write("a", "first\n")
	sub.write("a", "last\n")
	sub.read("b", "old b\n")
	sub.read("c", "not as main knows it\n")
	sub.write("f", "new\n")
	madeDeep := sub.call("delegate", fields{"task": "deeper"})
	deep.begin("sub", madeDeep)
	deep.write("d", "deep\n")

	main.result(made, "delegate", "done")
	main.edit("a", "last", "more")
	main.read("d", "deep\n")
	return map[string][]string{"a-main.jsonl": main.lines, "b-sub.jsonl": sub.lines, "c-deep.jsonl": deep.lines}
}

func writeFamily(t *testing.T, dir string, files map[string][]string) {
	t.Helper()
	for name, lines := range files {
		if len(lines) > 0 {
			writeFile(t, filepath.Join(dir, name), []byte(strings.Join(lines, "")))
		}
	}
}

// A sub-agent's files are doubtful to its ancestors from the call on that made
// it, and derived at that call's result.
func TestFilesOfSubAgents(t *testing.T) {
	dir := t.TempDir()
	writeFamily(t, dir, aFamily())
	x := openAll(t, t.TempDir(), Options{}, dir)
	folds := naiveFolds(t, x)
	if len(folds) != 3 {
		t.Fatalf("%d sessions", len(folds))
	}
	for _, n := range folds {
		checkStates(t, x, n)
		checkDiffs(t, x, n)
		checkBlame(t, x, n)
		checkFileBlame(t, x, n)
	}
	const call, result = 11, 14
	type file struct{ certainty, content string }
	for pos, want := range map[int64]map[string]file{
		call - 1: {"a": {"known", "old a\n"}, "b": {"known", "old b\n"}, "d": {"known", "old d\n"}},
		call:     {"a": {"unknown", "old a\n"}, "b": {"known", "old b\n"}, "c": {"unknown", "old c\n"}, "d": {"unknown", "old d\n"}, "e": {"known", "old e\n"}},
		result:   {"a": {"derived", "last\n"}, "b": {"known", "old b\n"}, "c": {"derived", "not as main knows it\n"}, "d": {"unknown", "old d\n"}, "f": {"derived", "new\n"}},
	} {
		doc, err := x.State(context.Background(), pointOf(t, x, "main", pos), false)
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range want {
			got := doc.Files[name]
			if got.Content == nil || (file{got.Certainty, *got.Content}) != f {
				t.Errorf("%s after %d is %s, want %+v", name, pos, asJSON(t, got), f)
			}
		}
	}
}

func pointOf(t *testing.T, x *Index, session string, pos int64) model.Event {
	t.Helper()
	e, err := x.Event(context.Background(), session, pos)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The states of a family are the same in whatever order its logs grew.
func TestSameStatesInWhateverOrderAFamilyGrows(t *testing.T) {
	whole := aFamily()
	dir := t.TempDir()
	writeFamily(t, dir, whole)
	want := written(t, openAll(t, t.TempDir(), Options{}, dir))
	names := []string{"a-main.jsonl", "b-sub.jsonl", "c-deep.jsonl"}
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 11))
		dir, cache := t.TempDir(), t.TempDir()
		grown := make(map[string][]string)
		for len(grown[names[0]])+len(grown[names[1]])+len(grown[names[2]]) < len(whole[names[0]])+len(whole[names[1]])+len(whole[names[2]]) {
			name := names[r.IntN(len(names))]
			n := min(len(grown[name])+1+r.IntN(6), len(whole[name]))
			grown[name] = whole[name][:n]
			writeFamily(t, dir, grown)
			openAll(t, cache, Options{batch: 4}, dir).Close()
		}
		sameContent(t, fmt.Sprintf("grown by seed %d", seed), want, written(t, openAll(t, cache, Options{}, dir)))
	}
}
