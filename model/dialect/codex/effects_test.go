package codex

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// foldLines folds a thread that is given by its lines, and again with a stop
// before each: both must tell the same.
func foldLines(t *testing.T, lines ...string) *folded {
	t.Helper()
	text := strings.Join(lines, "\n") + "\n"
	d := trial.NewDump(map[string]string{"rollout-2026-04-06T09-00-00-0199c1d2-5a00-7000-8000-000000000001.jsonl": text})
	im := trial.Read(t, New(), d)
	if len(im.Sessions) != 1 || len(im.Broken) > 0 || len(im.Sessions[0].Events) != len(lines) {
		t.Fatalf("%d sessions, broken %v", len(im.Sessions), im.Broken)
	}
	f := &folded{im.Sessions[0].Fold(t, false)}
	if again := im.Sessions[0].Fold(t, true); !reflect.DeepEqual(f.Effects, again.Effects) {
		t.Error("a fold with stops gives other effects")
	}
	return f
}

const threadLine = `{"timestamp":"2026-04-06T09:00:00.000Z","type":"session_meta","payload":{"id":"0199c1d2-5a00-7000-8000-000000000001","cwd":"/srv/mill","cli_version":"0.98.0","base_instructions":{"text":"You help."}}}`

func itemLine(second int, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-04-06T09:00:%02d.000Z","type":"response_item","payload":%s}`, second, payload)
}

func eventLine(second int, payload string) string {
	return fmt.Sprintf(`{"timestamp":"2026-04-06T09:00:%02d.000Z","type":"event_msg","payload":%s}`, second, payload)
}

func said(second int, role, text string) string {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return itemLine(second, fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, kind, text))
}

func called(second int, id, name, args string) string {
	return itemLine(second, fmt.Sprintf(`{"type":"function_call","name":%q,"arguments":%q,"call_id":%q}`, name, args, id))
}

func returned(second int, id, output string) string {
	return itemLine(second, fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, id, output))
}

func (f *folded) checkFile(t *testing.T, path, want, certainty string) {
	t.Helper()
	text, got, _ := f.File(t, f.end(), path)
	if got != certainty || want != "" && (text == nil || *text != want) || want == "" && text != nil {
		t.Errorf("%s: %v %s, want %q %s", path, text, got, want, certainty)
	}
}

func TestPatchesWithoutItems(t *testing.T) {
	const head = "*** Begin Patch\n"
	f := foldLines(t, threadLine,
		called(1, "a", "apply_patch", `{"input":"*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** Add File: b.txt\n+bee\n*** End Patch"}`),
		returned(1, "a", `{"output":"Success. Updated the following files:\nA a.txt\n","metadata":{"exit_code":0}}`),
		itemLine(2, `{"type":"custom_tool_call","call_id":"b","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.txt\n*** Move to: sub/c.txt\n@@\n-two\n+2\n*** Delete File: b.txt\n*** End Patch"}`),
		itemLine(2, `{"type":"custom_tool_call_output","call_id":"b","output":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM sub/c.txt\n"}`),
		called(3, "c", "shell", `{"command":["bash","-lc","cd sub && apply_patch <<'EOF'\n`+strings.ReplaceAll(head, "\n", `\n`)+`*** Update File: c.txt\n@@\n-one\n+1\n*** End Patch\nEOF"],"workdir":"/srv/mill"}`),
		returned(3, "c", "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM sub/c.txt\n"),
		called(4, "d", "apply_patch", `{"input":"*** Begin Patch\n*** Update File: sub/c.txt\n@@\n-none\n+some\n*** End Patch"}`),
		returned(4, "d", "apply_patch verification failed: Failed to find expected lines in /srv/mill/sub/c.txt:\nnone"),
		called(5, "e", "apply_patch", `{"input":"*** Begin Patch\n*** Update File: unseen.txt\n@@\n-x\n+y\n*** End Patch"}`),
		returned(5, "e", `{"output":"Success. Updated the following files:\nM unseen.txt\n","metadata":{"exit_code":0}}`),
	)
	f.checkFile(t, "/srv/mill/sub/c.txt", "1\n2\n", "derived")
	f.checkFile(t, "/srv/mill/unseen.txt", "", "partial")
	for _, path := range []string{"/srv/mill/a.txt", "/srv/mill/b.txt"} {
		if _, certainty, _ := f.File(t, f.end(), path); certainty != "" {
			t.Errorf("%s is still there", path)
		}
	}
	if got := f.pending(f.end()); got != nil {
		t.Errorf("open calls %v", got)
	}
	if got := f.Cell(t, 7, "/shell/exit_code"); got != 0.0 {
		t.Errorf("exit code %v", got)
	}
}

func TestPatchItems(t *testing.T) {
	f := foldLines(t, threadLine,
		itemLine(1, `{"type":"custom_tool_call","call_id":"a","name":"apply_patch","input":"*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch"}`),
		eventLine(1, `{"type":"patch_apply_end","call_id":"a","success":true,"changes":{"/srv/mill/a.txt":{"add":{"content":"one\n"}}}}`),
		itemLine(1, `{"type":"custom_tool_call_output","call_id":"a","output":"Exit code: 0\nOutput:\nSuccess."}`),
		eventLine(2, `{"type":"item_completed","item":{"type":"FileChange","id":"b","status":"completed","changes":{"/srv/mill/a.txt":{"type":"update","unified_diff":"@@ -1 +1,2 @@\n one\n+two\n","move_path":"/srv/mill/b.txt"},"/srv/mill/gone.txt":{"type":"delete","content":"was\n"}}}}`),
		eventLine(3, `{"type":"item_completed","item":{"type":"FileChange","id":"c","status":"failed","changes":{"/srv/mill/b.txt":{"type":"add","content":"no\n"}}}}`),
		eventLine(4, `{"type":"item_completed","item":{"type":"FileChange","id":"d","status":"completed","changes":{"/srv/mill/b.txt":{"type":"update","unified_diff":"@@ -1 +1 @@\n-other\n+text\n"}}}}`),
	)
	for pos, want := range map[int64]string{3: "known", 4: "known"} {
		if text, certainty, _ := f.File(t, pos, "/srv/mill/a.txt"); certainty != want || *text != "one\n" {
			t.Errorf("a.txt at %d: %s", pos, certainty)
		}
	}
	if text, certainty, _ := f.File(t, 6, "/srv/mill/b.txt"); certainty != "derived" || *text != "one\ntwo\n" {
		t.Errorf("b.txt: %v %s", text, certainty)
	}
	f.checkFile(t, "/srv/mill/b.txt", "", "partial") // the diff fits no text that was known
	if len(f.Notes) != 1 || f.Notes[0].Kind != model.NoteNoMatch {
		t.Errorf("notes %v", f.Notes)
	}
}

func TestCommands(t *testing.T) {
	f := foldLines(t, threadLine,
		called(1, "a", "shell_command", `{"command":"make","workdir":"sub"}`),
		returned(1, "a", "Exit code: 2\nWall time: 0 seconds\nOutput:\nno rule"),
		called(2, "b", "exec_command", `{"cmd":"sleep 9"}`),
		returned(2, "b", "Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n"),
		called(3, "c", "write_stdin", `{"session_id":7,"chars":""}`),
		returned(3, "c", "Chunk ID: 2\nWall time: 1 seconds\nProcess exited with code 0\nOutput:\n"),
		called(4, "d", "nothing_like_it", `{}`),
		returned(4, "d", "unsupported call: nothing_like_it"),
		itemLine(5, `{"type":"local_shell_call","call_id":"e","status":"completed","action":{"type":"exec","command":["bash","-lc","ls"],"working_directory":"/srv"}}`),
		returned(5, "e", `{"output":"mill\n","metadata":{"exit_code":0,"duration_seconds":0.0}}`),
		eventLine(6, `{"type":"item_completed","item":{"type":"CommandExecution","id":"f","command":["/bin/bash","-lc","cat a%20b.txt"],"cwd":"file:///srv/a%20b","status":"completed","exit_code":0,"parsed_cmd":[{"type":"read","path":"a b.txt"}]}}`),
	)
	type shell struct {
		cwd, command any
		exit         any
		running      any
	}
	for pos, want := range map[int64]shell{
		3:  {"/srv/mill/sub", "make", 2.0, false},
		5:  {"/srv/mill", "sleep 9", nil, true},
		7:  {"/srv/mill", "sleep 9", 0.0, false},
		9:  {"/srv/mill", "sleep 9", 0.0, false},
		11: {"/srv", "ls", 0.0, false},
		12: {"/srv/a b", "cat a%20b.txt", 0.0, false},
	} {
		got := shell{f.Cell(t, pos, "/shell/cwd"), f.Cell(t, pos, "/shell/command"), f.Cell(t, pos, "/shell/exit_code"), f.Cell(t, pos, "/shell/running")}
		if got != want {
			t.Errorf("at %d: %v, want %v", pos, got, want)
		}
	}
	f.checkFile(t, "/srv/a b/a b.txt", "", "partial")
}

func TestTasksTurnsAndUsage(t *testing.T) {
	f := foldLines(t, threadLine,
		eventLine(1, `{"type":"task_started","turn_id":"t"}`),
		called(1, "a", "update_plan", `{"plan":[{"step":"Read","status":"completed"},{"step":"Write","status":"in_progress"},{"step":"Test","status":"pending"}]}`),
		returned(1, "a", "Plan updated"),
		called(2, "b", "update_plan", `{"plan":[]}`),
		returned(2, "b", "unsupported call: update_plan"),
		eventLine(2, `{"type":"token_count","info":{"total_token_usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":20,"reasoning_output_tokens":5}}}`),
		eventLine(3, `{"type":"token_count","info":null}`),
		eventLine(4, `{"type":"task_complete","turn_id":"t","error":{"message":"the provider is gone","codex_error_info":{"http":{"status":500}}}}`),
	)
	var tasks []any
	for _, id := range []string{"1", "2", "3"} {
		task, _ := f.Cell(t, f.end(), "/tasks/"+id).(map[string]any)
		tasks = append(tasks, task["title"], task["status"])
	}
	if want := []any{"Read", "done", "Write", "in_progress", "Test", "todo"}; !slices.Equal(tasks, want) {
		t.Errorf("tasks %v, want %v", tasks, want)
	}
	for name, want := range map[string]any{"input": 60.0, "cache_read": 40.0, "output": 15.0, "reasoning": 5.0, "cache_write": nil} {
		if got := f.Cell(t, f.end(), "/usage/"+name+"_tokens"); got != want {
			t.Errorf("%s tokens: %v, want %v", name, got, want)
		}
	}
	if got := f.Cell(t, 2, "/status/execution"); got != "running" {
		t.Errorf("status %v", got)
	}
	if got := f.Cell(t, f.end(), "/status/execution"); got != "error" || f.Cell(t, f.end(), "/status/reason") != "the provider is gone" {
		t.Errorf("status %v", got)
	}
}

// TestThreadsOfTheFixtures folds all of them, with stops and without; printed
// lines tell which files changed, not how.
func TestThreadsOfTheFixtures(t *testing.T) {
	for _, name := range []string{"home", "legacy.jsonl", "flat.jsonl", "printed.jsonl", "broken.jsonl"} {
		for _, s := range trial.Read(t, New(), fixture(t, name)).Sessions {
			f := &folded{s.Fold(t, false)}
			if again := s.Fold(t, true); !reflect.DeepEqual(f.Effects, again.Effects) {
				t.Errorf("%s: a fold with stops gives other effects", s.ID)
			}
			for path, v := range f.Log.At(f.end()) {
				if name == "printed.jsonl" && strings.HasPrefix(path, model.PathFiles) && v.Text != nil {
					t.Errorf("%s has a text", path)
				}
			}
		}
	}
}

// TestErasAgree: all versions ran the same small script.
func TestErasAgree(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(trial.DataFolder(t, "codex"), "version-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			if strings.HasSuffix(dir, "subagent") {
				t.Skip("another script")
			}
			for _, s := range trial.Read(t, New(), trial.Open(t, filepath.Join(dir, "input"))).Sessions {
				f := &folded{s.Fold(t, false)}
				want := "derived"
				if strings.Contains(s.ID, "_") {
					want = "unknown" // what was taken back may have changed it
				}
				text, certainty, _ := f.File(t, f.end(), "/srv/demo/proj/calc.py")
				if text == nil || *text != "def add(a, b):\n    return a + b\n" || certainty != want {
					t.Errorf("%s: %v %s", s.ID, text, certainty)
				}
				if again := s.Fold(t, true); !reflect.DeepEqual(f.Effects, again.Effects) {
					t.Errorf("%s: a fold with stops gives other effects", s.ID)
				}
				if got := f.pending(f.end()); got != nil {
					t.Errorf("%s: open calls %v", s.ID, got)
				}
			}
		})
	}
}

// BenchmarkEffects folds what makes rollouts large: outputs, the items of their
// calls, and compactions that hold the whole history again.
func BenchmarkEffects(b *testing.B) {
	text := strings.Repeat(`ledger line 7: \"amount\" 12 cents\n`, 600)
	lines := []string{threadLine}
	var history []string
	for i := range 40 {
		id := fmt.Sprintf("c%d", i)
		prompt := message("u"+id, "user", "Grind "+id+strings.Repeat(" and grind", 200))
		history = append(history, prompt)
		lines = append(lines, itemLine(i, prompt), called(i, id, "exec_command", `{"cmd":"cat x"}`),
			itemLine(i, `{"type":"function_call_output","call_id":"`+id+`","output":"Process exited with code 0\nOutput:\n`+text+`"}`),
			eventLine(i, `{"type":"item_completed","item":{"type":"CommandExecution","id":"`+id+`","command":["bash","-lc","cat x"],"cwd":"file:///srv","status":"completed","aggregated_output":"`+text+`","exit_code":0}}`),
			`{"type":"compacted","payload":{"message":"s","replacement_history":[`+strings.Join(history, ",")+`]}}`)
	}
	all := strings.Join(lines, "\n")
	s := trial.Read(b, New(), trial.NewDump(map[string]string{"rollout-2026-04-06T09-00-00-0199c1d2-5a00-7000-8000-000000000001.jsonl": all})).Sessions[0]
	b.SetBytes(int64(len(all)))
	b.ReportAllocs()
	for b.Loop() {
		s.Fold(b, false)
	}
}

func TestAMoveIsToldAsOne(t *testing.T) {
	f := foldLines(t, threadLine, eventLine(1, `{"type":"item_completed","item":{"type":"FileChange","id":"a","status":"completed","changes":{"/srv/mill/gone":{"type":"delete","content":"x\n"},"/srv/mill/a":{"type":"add","content":"y\n"}}}}`),
		eventLine(2, `{"type":"item_completed","item":{"type":"FileChange","id":"b","status":"completed","changes":{"/srv/mill/a":{"type":"update","unified_diff":"@@ -1 +1 @@\n-y\n+z\n","move_path":"/srv/mill/b"}}}}`))
	if got, want := f.Events[len(f.Events)-1].Title, "moved 1 file: /srv/mill/a to /srv/mill/b +1 −1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
