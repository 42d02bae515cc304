package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/gen/stream"
	"hindcast/model/replay"
)

// A restart from a right checkpoint rebuilds the state, wherever it happens.
func TestARestartRebuildsTheState(t *testing.T) {
	var b bytes.Buffer
	if _, err := stream.Write(&b, stream.Options{Events: 260, Seed: 4, Size: 300, Checkpoints: 40}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, b.Bytes())
	x := openAll(t, t.TempDir(), Options{}, path)
	ctx := context.Background()
	for pos := int64(1); pos <= 260; pos += 13 {
		at := seqOf(t, x, "s1", pos)
		want, err := x.State(ctx, at, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.State(ctx, at, true)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(want)
		if b, _ := json.Marshal(got); !bytes.Equal(a, b) {
			t.Fatalf("at %d\n got %.2000s\nwant %.2000s", pos, b, a)
		}
		d, err := x.DiffRestored(ctx, at, "")
		if err != nil || len(d.Changes) > 0 || d.A.Pos != pos || d.B.Pos != pos {
			t.Errorf("at %d: %v %v", pos, err, changesOf(d))
		}
	}
}

// line is an event of session s.
func line(seq int, kind, payload string) string {
	return fmt.Sprintf(`{"event_id":"e%d","event_type":%q,"session_id":"s","sequence":%d,"payload":%s}`+"\n", seq, kind, seq, payload)
}

func write(path, content string) string {
	return fmt.Sprintf(`{"action_type":"write_file","params":{"path":%q,"content":%q}}`, path, content)
}

// openLines imports lines.
func openLines(t *testing.T, lines ...string) *Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, []byte(strings.Join(lines, "")))
	return openAll(t, t.TempDir(), Options{}, path)
}

// Old events were taken away behind a checkpoint: it is where the log begins,
// and the checkpoints after it are held against what it holds.
func TestALogThatBeginsWithACheckpoint(t *testing.T) {
	rest := []string{
		line(42, "UserInput", `{"content":"go on"}`),
		line(43, "AgentAction", write("b", "2\n")),
		strings.Replace(line(44, "ToolResult", `{"status":"ok"}`), `"sequence"`, `"source_event_id":"e43","sequence"`, 1),
		line(45, "Checkpoint", `{"snapshot_id":"second","base_event_seq":44,"state":{"files":{"a":"1\n","b":"2\n"},"cwd":"/w"}}`),
	}
	first := func(base int) string {
		return line(41, "Checkpoint", fmt.Sprintf(`{"snapshot_id":"first","base_event_seq":%d,"state":{"files":{"a":"1\n"},"cwd":"/w","context":["e7"]}}`, base))
	}
	x := openLines(t, append([]string{first(40)}, rest...)...)
	wantLines(t, findingsOf(t, x), "broken-chain note 41: the log begins at 41; first holds the state of what came before")
	x = openLines(t, append([]string{first(30)}, rest...)...)
	wantLines(t, findingsOf(t, x), "broken-chain warning 41: the log begins at 41, and its first checkpoint first holds only what came up to 30")
	x = openLines(t, append([]string{line(41, "Checkpoint", `{"snapshot_id":"first","base_event_seq":40}`)}, rest...)...)
	got := findingsOf(t, x)
	if want := "broken-chain error 41: first stands on events up to 40, which are gone: the log begins at 41"; len(got) == 0 || got[0] != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	at, err := x.Event(context.Background(), "s", 4)
	if err != nil || at.Seq != 44 {
		t.Fatalf("%v: %+v", err, at)
	}
	restored, err := openLines(t, append([]string{first(40)}, rest...)...).restored(context.Background(), at)
	if err != nil || restored[replay.FilePath("a")].Text == nil || restored[replay.FilePath("b")].Text == nil {
		t.Errorf("%v: %v", err, restored)
	}
}

// A record that sees a file is no proof that it changed it: the checkpoint may
// be right about a change that nobody recorded.
func TestWhatACheckpointKnowsFirst(t *testing.T) {
	result := func(seq, call int, payload string) string {
		return strings.Replace(line(seq, "ToolResult", payload), `"sequence"`, fmt.Sprintf(`"source_event_id":"e%d","sequence"`, call), 1)
	}
	x := openLines(t,
		line(1, "AgentAction", write("a", "1\n")), result(2, 1, `{"status":"ok"}`),
		line(3, "AgentAction", `{"action_type":"bash","params":{"command":"make all"}}`), result(4, 3, `{"status":"ok","exit_code":0}`),
		line(5, "Checkpoint", `{"snapshot_id":"c","base_event_seq":4,"state":{"files":{"a":"2\n"}}}`),
		line(6, "AgentAction", `{"action_type":"read_file","params":{"path":"a"}}`), result(7, 6, `{"status":"ok","output":"2\n"}`),
	)
	wantLines(t, findingsOf(t, x),
		"drift warning 5,4,2,7: c differs from the events up to 4: file a",
		"outside-change warning 7,2: a changed without an event that did it")
}

func TestWhatAContextRecordsBesideTheLog(t *testing.T) {
	x := openLines(t,
		line(1, "UserInput", `{"content":"a"}`), line(2, "UserInput", `{"content":"b"}`), line(3, "SessionEvent", `{"state":"running"}`),
		line(4, "Checkpoint", `{"snapshot_id":"c","base_event_seq":3,"state":{"context":["e2","e1","e3"]}}`),
		line(5, "Checkpoint", `{"snapshot_id":"d","base_event_seq":3,"state":{"context":["e1","e2","x/y"]}}`),
	)
	ctx := context.Background()
	d, err := x.DiffRecorded(ctx, seqOf(t, x, "s", 4), "/context")
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, changesOf(d), "replace /context/messages by nobody", "add /context/messages/0000000003 by nobody")
	if string(d.Changes[0].Old) != `["e1","e2"]` || string(d.Changes[0].New) != `["e2","e1"]` {
		t.Errorf("%s -> %s", d.Changes[0].Old, d.Changes[0].New)
	}
	if d, err = x.DiffRecorded(ctx, seqOf(t, x, "s", 5), ""); err != nil {
		t.Fatal(err)
	}
	wantLines(t, changesOf(d), "add /context/messages/x~1y by nobody")
	wantLines(t, findingsOf(t, x),
		"drift error 4,3: c differ from the events up to 3: the order of the context, 1 message of the context",
		"broken-chain error 5,3: events that d stands on are missing")
}

func TestACheckpointWithoutAState(t *testing.T) {
	x := openLines(t, line(1, "UserInput", `{"content":"a"}`), line(2, "Checkpoint", `{"snapshot_id":"c","base_event_seq":1}`))
	var none *AddressError
	for _, seq := range []int64{1, 2} {
		if _, err := x.DiffRecorded(context.Background(), seqOf(t, x, "s", seq), ""); !errors.As(err, &none) || ExitCode(err) != 2 {
			t.Errorf("at %d: %v", seq, err)
		}
	}
	wantLines(t, findingsOf(t, x))
}

// A checkpoint file is found in any packing, and by the session that it is of.
func TestCheckpointFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"d/events/s/0.jsonl":         line(1, "SessionEvent", `{"state":"running"}`) + line(2, "Checkpoint", `{"snapshot_id":"c","base_event_seq":1}`),
		"d/checkpoints/s/c.json":     `{"snapshot_id":"c","session_id":"s","base_event_seq":0,"state":{"status":"running"}}`,
		"d/checkpoints/other/c.json": `{"snapshot_id":"c","session_id":"other","base_event_seq":1,"state":{"status":"paused"}}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, []byte(text))
	}
	x := openAll(t, t.TempDir(), Options{}, filepath.Join(dir, "d"))
	wantLines(t, findingsOf(t, x),
		"drift warning 2,1: the file of c names base 0, its record 1",
		"not-compared note : checkpoints/other/c.json belongs to no checkpoint of the log")
}

// A state that an OpenHands server publishes names no base: no restart stands
// on it, so what is wrong with it is a warning, and it is a checkpoint to
// restore as well as to compare.
func TestAPublishedState(t *testing.T) {
	clean, err := fixtures.FS.ReadFile("openhands/v1-clean.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const at = 20
	lines := bytes.SplitAfter(clean, []byte("\n"))
	published := func(status string) *Index {
		state := fmt.Sprintf(`{"id":"7a1c0de5-0000-4000-8000-0000000000ff","timestamp":"2026-02-11T14:00:58.900000","source":"environment","key":"full_state",`+
			`"value":{"agent":{},"execution_status":%q},"kind":"ConversationStateUpdateEvent"}`+"\n", status)
		path := filepath.Join(t.TempDir(), "v1.jsonl")
		writeFile(t, path, bytes.Join(slices.Insert(slices.Clone(lines), at, []byte(state)), nil))
		return openAll(t, t.TempDir(), Options{}, path)
	}
	outside := "outside-change warning 14,8: /workspace/slug.py changed without an event that did it"
	wantLines(t, findingsOf(t, published("running")), outside)
	wantLines(t, findingsOf(t, published("paused")), outside, "drift warning 21,20,2: the checkpoint at 21 differs from the events up to 20: the status")
	x := published("finished")
	wantLines(t, findingsOf(t, x), outside, "ghost warning 21,20,24: the checkpoint at 21 is ahead of its base 20: the status")
	sessions, err := x.Sessions(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for pos, want := range map[int64]string{20: "running", 21: "finished", 23: "finished"} {
		doc, err := x.State(context.Background(), seqOf(t, x, sessions[0].ID, pos), true)
		if err != nil || doc.Status.Execution == nil || *doc.Status.Execution != want || len(doc.Context.Messages) == 0 || len(doc.Files) == 0 {
			t.Errorf("at %d: %v %+v", pos, err, doc)
		}
	}
}

// What a sub-agent wrote comes to a restart as it came to the run.
func TestARestartGetsTheFilesOfSubAgents(t *testing.T) {
	files := fixtures.Demo()
	lines := bytes.SplitAfter(files["greeter.jsonl"], []byte("\n"))
	lines[35] = []byte(`{"event_id":"early","event_type":"Checkpoint","session_id":"greeter","sequence":36,"payload":{"snapshot_id":"early","base_event_seq":35,"state":{"vars":{}}}}` + "\n")
	files["greeter.jsonl"] = bytes.Join(lines, nil)
	x := openAll(t, t.TempDir(), Options{Embedded: files}, "demo:")
	for _, seq := range []int64{41, 49, 50, 70} {
		at := seqOf(t, x, "greeter", seq)
		d, err := x.DiffRestored(context.Background(), at, "")
		if err != nil || len(d.Changes) > 0 {
			t.Errorf("at %d: %v %v", seq, err, changesOf(d))
		}
		cells, err := x.restored(context.Background(), at)
		if _, stands := cells[replay.FilePath("docs/api.md")]; err != nil || stands != (seq > 41) {
			t.Errorf("at %d: %v, docs/api.md stands there: %v", seq, err, stands)
		}
	}
}

// Events that are applied again upon the state before them lead to the state
// after them, whatever branches, compactions and sub-agents come.
func TestApplyingAgainChangesNothing(t *testing.T) {
	root := filepath.Join(sharedData(t), "openhands")
	dirs, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, d := range dirs {
		for _, input := range truthInputs(t, filepath.Join(root, d.Name())) {
			x := openAll(t, t.TempDir(), Options{}, input)
			rows, err := x.st.Reader().SessionRows(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				want, err := x.cells(ctx, row.Key, row.LastPos, replay.Place{})
				if err != nil {
					t.Fatal(err)
				}
				for _, base := range []int64{0, row.LastPos / 3, row.LastPos * 2 / 3, row.LastPos - 1} {
					if base < 0 {
						continue
					}
					r := &restart{base: base, writer: make(map[string]int64)}
					if r.cells, err = x.cells(ctx, row.Key, base, replay.Place{}); err != nil {
						t.Fatal(err)
					}
					if err := x.refold(ctx, row, r, maps.Clone(r.cells), row.LastPos); err != nil {
						t.Fatal(err)
					}
					for _, c := range replay.Contradictions(want, r.cells) {
						if strings.HasPrefix(c.Path, "/usage/") && d.Name() == "sdk-v1.11-terminal-finish" {
							continue // it stands in a file beside the log
						}
						t.Errorf("%s %s from %d: %s %.200s -> %.200s", d.Name(), row.ID, base, c.Path, c.Old, c.New)
					}
				}
			}
		}
	}
}
