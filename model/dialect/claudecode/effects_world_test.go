package claudecode

import (
	"fmt"
	"testing"

	"hindcast/model"
)

func TestEditsOfKnownFiles(t *testing.T) {
	edit := func(original, old, new, more string) *folded {
		used := `{"filePath":"/shop/a","oldString":` + quote(old) + `,"newString":` + quote(new) + `,"originalFile":` + quote(original) + more + `}`
		return newScript().calls("a1", "m1", "c1", "Edit", `{"file_path":"a"}`).returns("r1", "c1", "ok", used).fold(t)
	}
	edit("one\ntwo\none\n", "one", "1", "").wantFile(t, "/shop/a", "1\ntwo\none\n", "known")
	edit("one\ntwo\none\n", "one", "1", `,"replaceAll":true`).wantFile(t, "/shop/a", "1\ntwo\n1\n", "known")
	patch := func(lines string, old, now int) string {
		return fmt.Sprintf(`,"structuredPatch":[{"oldStart":1,"oldLines":%d,"newStart":1,"newLines":%d,"lines":[%s]}]`, old, now, lines)
	}
	edit("one\ntwo\n", "one", "", "").wantFile(t, "/shop/a", "", "unknown")
	edit("one\ntwo\n", "one", "", patch(`"-one"," two"`, 2, 1)).wantFile(t, "/shop/a", "two\n", "known")
	edit("one\ntwo\n", "one", "", patch(`"-one","+"," two"`, 2, 2)).wantFile(t, "/shop/a", "\ntwo\n", "known")
	edit("one\ntwo\n", "two", "", patch(`" one","-two","+"`, 2, 2)).wantFile(t, "/shop/a", "one\n\n", "known")
	edit("one\ntwo\n", "ne\n", "", "").wantFile(t, "/shop/a", "otwo\n", "known")
	edit("", "", "new\n", "").wantFile(t, "/shop/a", "new\n", "known")
	edit("one\n", "two", "2", "").wantFile(t, "/shop/a", "", "unknown")
	edit("\tone\n", "one", "1", `,"userModified":true,"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-  one","+  1"]}]`).
		wantFile(t, "/shop/a", "\t1\n", "known")
	edit("one\n", "one", "1", `,"userModified":true,"structuredPatch":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":1,"lines":["-one","+eins"]}]`).
		wantFile(t, "/shop/a", "", "unknown")
}

func TestOutsideChangeShowsInTheOriginal(t *testing.T) {
	f := newScript().
		calls("a1", "m1", "c1", "Write", `{"file_path":"/shop/a","content":"one\n"}`).
		returns("r1", "c1", "ok", `{"type":"create","filePath":"/shop/a","content":"one\n","originalFile":null}`).
		calls("a2", "m2", "c2", "Edit", `{"file_path":"/shop/a"}`).
		returns("r2", "c2", "ok", `{"filePath":"/shop/a","oldString":"eins","newString":"1","originalFile":"eins\n"}`).fold(t)
	f.wantFile(t, "/shop/a", "1\n", "known")
	if len(f.Notes) != 1 || f.Notes[0].Kind != model.NoteOutside {
		t.Errorf("notes: %v", f.Notes)
	}
}

func TestSubAgentsShowWhatTheyAskedFor(t *testing.T) {
	f := newScript().
		calls("a1", "m1", "c1", "Read", `{"file_path":"/shop/seen"}`).returns("r1", "c1", "1\tone", "").
		calls("a2", "m2", "c2", "Write", `{"file_path":"b","content":"one\n"}`).returns("r2", "c2", "ok", "").
		calls("a3", "m3", "c3", "Edit", `{"file_path":"/shop/b","old_string":"one","new_string":"1"}`).returns("r3", "c3", "ok", "").
		calls("a4", "m4", "c4", "Edit", `{"file_path":"/shop/c","old_string":"one","new_string":"1"}`).returns("r4", "c4", "ok", "").
		calls("a5", "m5", "c5", "Write", `{"file_path":"/shop/d","content":"x"}`).fails("r5", "c5", "<tool_use_error>File has not been read yet.</tool_use_error>").
		fold(t)
	f.wantFile(t, "/shop/seen", "", "partial")
	f.wantFile(t, "/shop/b", "1\n", "derived")
	f.wantFile(t, "/shop/c", "", "unknown")
	f.wantFile(t, "/shop/d", "", "")
	f = newScript().
		calls("a1", "m1", "c1", "Write", `{"file_path":"/shop/b","content":"one\ntwo\n"}`).returns("r1", "c1", "ok", "").
		calls("a2", "m2", "c2", "Edit", `{"file_path":"/shop/b","old_string":"one","new_string":""}`).returns("r2", "c2", "ok", "").fold(t)
	f.wantFile(t, "/shop/b", "", "unknown")
}

func TestReadsAreWholeByTheirLines(t *testing.T) {
	read := func(file string) *folded {
		return newScript().calls("a1", "m1", "c1", "Read", `{"file_path":"/shop/a"}`).returns("r1", "c1", "1\tone", `{"type":"text","file":`+file+`}`).fold(t)
	}
	read(`{"filePath":"/shop/a","content":"one\n","numLines":2,"startLine":1,"totalLines":2}`).wantFile(t, "/shop/a", "one\n", "known")
	read(`{"filePath":"/shop/a","content":"one\n","numLines":2,"startLine":1,"totalLines":9}`).wantFile(t, "/shop/a", "", "partial")
	read(`{"filePath":"/shop/a","content":"one\n","numLines":2,"startLine":8,"totalLines":9}`).wantFile(t, "/shop/a", "", "partial")
	read(`{"filePath":"/shop/a","base64":"AAAA"}`).wantFile(t, "/shop/a", "", "")
}

func TestMultiEditAppliesInOrder(t *testing.T) {
	call := `{"file_path":"/shop/a","edits":[{"old_string":"one","new_string":"two"},{"old_string":"two","new_string":"2","replace_all":true}]}`
	used := func(edits string) string {
		return `{"filePath":"/shop/a","originalFileContents":"one two\n","edits":` + edits + `}`
	}
	f := newScript().calls("a1", "m1", "c1", "MultiEdit", call).
		returns("r1", "c1", "ok", used(`[{"old_string":"one","new_string":"two"},{"old_string":"two","new_string":"2","replace_all":true}]`)).fold(t)
	f.wantFile(t, "/shop/a", "2 2\n", "known")
	f = newScript().calls("a1", "m1", "c1", "MultiEdit", call).
		returns("r1", "c1", "ok", used(`[{"old_string":"absent","new_string":"two"}]`)).fold(t)
	f.wantFile(t, "/shop/a", "", "unknown")
}

func TestCommandsTellHowTheyEnded(t *testing.T) {
	run := func(end func(s *script) *script) *folded {
		return end(newScript().calls("a1", "m1", "c1", "Bash", `{"command":"npm test"}`)).fold(t)
	}
	f := run(func(s *script) *script {
		s.cwd = "/shop/src"
		return s.returns("r1", "c1", "ok", `{"stdout":"ok","interrupted":false}`)
	})
	f.wantCell(t, "/shell/exit_code", 0)
	f.wantCell(t, "/shell/cwd", "/shop/src")
	f.wantCell(t, "/shell/command", "npm test")
	run(func(s *script) *script { return s.fails("r1", "c1", "Exit code 4\nbroken") }).wantCell(t, "/shell/exit_code", 4)
	run(func(s *script) *script { return s.fails("r1", "c1", "broken") }).wantCell(t, "/shell/exit_code", nil)
	run(func(s *script) *script { return s.returns("r1", "c1", "", `{"interrupted":true}`) }).wantCell(t, "/shell/exit_code", nil)
	f = run(func(s *script) *script {
		return s.returns("r1", "c1", "Command running in background", `{"stdout":"","backgroundTaskId":"b1"}`)
	})
	f.wantCell(t, "/shell/running", true)
	f.wantCell(t, "/shell/exit_code", nil)
	f = run(func(s *script) *script {
		return s.returns("r1", "c1", "Command running in background", `{"stdout":"","backgroundTaskId":"b1"}`).
			user("n", "<task-notification><tool-use-id>c1</tool-use-id><status>failed</status><summary>Background command \"npm test\" failed with exit code 2</summary></task-notification>")
	})
	f.wantCell(t, "/shell/running", false)
	f.wantCell(t, "/shell/exit_code", 2)
}

func TestCommandsThatDidNotRunDoubtNothing(t *testing.T) {
	s := func(answer string) *folded {
		return newScript().
			calls("a1", "m1", "c1", "Write", `{}`).returns("r1", "c1", "ok", `{"filePath":"/shop/a","content":"one\n"}`).
			calls("a2", "m2", "c2", "Bash", `{"command":"sed -i s/one/1/ a"}`).fails("r2", "c2", answer).fold(t)
	}
	s("The user doesn't want to proceed with this tool use.").wantFile(t, "/shop/a", "one\n", "known")
	s("Exit code 1\nno").wantFile(t, "/shop/a", "one\n", "unknown")
}

func TestShownChangesOfACommandAreApplied(t *testing.T) {
	change := func(before, path, hunks string) *folded {
		return newScript().
			calls("a1", "m1", "c1", "Write", `{}`).returns("r1", "c1", "ok", `{"filePath":"/shop/a","content":`+quote(before)+`}`).
			calls("a2", "m2", "c2", "Bash", `{"command":"make"}`).
			returns("r2", "c2", "", `{"stdout":"","bashEditDiff":{"files":[{"filePath":"`+path+`",`+hunks+`}],"moreFiles":0,"changedFiles":["`+path+`","/shop/other"]}}`).fold(t)
	}
	one := `"hunks":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":["-one","+1"," two"]}]`
	change("one\ntwo\nthree\n", "/shop/a", one).wantFile(t, "/shop/a", "1\ntwo\nthree\n", "derived")
	change("one\nother\n", "/shop/a", one).wantFile(t, "/shop/a", "one\nother\n", "unknown")
	change("one\ntwo\n\tthree\n", "/shop/a", one).wantFile(t, "/shop/a", "one\ntwo\n\tthree\n", "unknown")
	change("one\n", "/shop/b", `"created":true,"hunks":[{"oldStart":1,"oldLines":0,"newStart":1,"newLines":1,"lines":["+new"]}]`).
		wantFile(t, "/shop/b", "new\n", "derived")
	change("one\n", "/shop/b", `"created":true,"hunks":[{"oldStart":1,"oldLines":0,"newStart":1,"newLines":1,"lines":["+  new"]}]`).
		wantFile(t, "/shop/b", "", "")
	change("a:\n    b\n", "/shop/a", `"hunks":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":[" a:","-    b","+  b"]}]`).
		wantFile(t, "/shop/a", "a:\n    b\n", "unknown")
	change("one\ntwo\n", "/shop/a", `"hunks":[{"oldStart":1,"oldLines":1,"newStart":1,"newLines":2,"lines":[" one","+half"]}]`).
		wantFile(t, "/shop/a", "one\nhalf\ntwo\n", "derived")
}

func TestTextAttachedAgain(t *testing.T) {
	s := func(snippet string) *folded {
		return newScript().calls("a1", "m1", "c1", "Write", `{}`).returns("r1", "c1", "ok", `{"filePath":"/shop/a","content":"one\ntwo\n"}`).
			add("attachment", "x1", `"attachment":{"type":"edited_text_file","filename":"/shop/a","snippet":`+quote(snippet)+`}`).fold(t)
	}
	s("1\tone\n2\ttwo").wantFile(t, "/shop/a", "one\ntwo\n", "known")
	s("2\tzwei").wantFile(t, "/shop/a", "one\ntwo\n", "unknown")
}

func TestGoingBackDoubtsFilesThatAreBackedUp(t *testing.T) {
	back := func(backup string) *folded {
		s := newScript().user("u1", "go").says("a1", "m1", "ready").user("u2", "write")
		if backup != "" {
			s.side(backup)
		}
		return s.calls("a2", "m2", "c1", "Write", `{}`).returns("r1", "c1", "ok", `{"filePath":"/shop/a","content":"one\n"}`).
			under("a1").user("u3", "no").fold(t)
	}
	back("").wantFile(t, "/shop/a", "one\n", "known")
	back(`{"type":"file-history-snapshot","messageId":"u2","snapshot":{"trackedFileBackups":{}}}`).wantFile(t, "/shop/a", "one\n", "unknown")
}

func TestTaskTools(t *testing.T) {
	f := newScript().
		calls("a1", "m1", "c1", "TodoWrite", `{"todos":[{"content":"one","status":"in_progress"},{"content":"two","status":"pending"}]}`).returns("r1", "c1", "ok", "").fold(t)
	f.wantCell(t, "/tasks/1", map[string]any{"id": "1", "title": "one", "status": "in_progress"})
	f.wantCell(t, "/tasks/2", map[string]any{"id": "2", "title": "two", "status": "todo"})
	s := newScript().
		calls("a1", "m1", "c1", "TaskCreate", `{"subject":"one"}`).returns("r1", "c1", "ok", `{"task":{"id":"7","subject":"one"}}`).
		calls("a2", "m2", "c2", "TaskUpdate", `{"taskId":"7","status":"completed"}`).returns("r2", "c2", "ok", `{"success":true,"taskId":"7"}`).
		calls("a3", "m3", "c3", "TaskList", `{}`).returns("r3", "c3", "ok", `{"tasks":[{"id":"7","subject":"one","status":"pending"},{"id":"8","subject":"two","status":"pending"}]}`)
	f = s.fold(t)
	f.wantCell(t, "/tasks/7", map[string]any{"id": "7", "title": "one", "status": "done"})
	f.wantCell(t, "/tasks/8", map[string]any{"id": "8", "title": "two", "status": "todo"})
	f = s.calls("a4", "m4", "c4", "TaskUpdate", `{"taskId":"7","status":"deleted"}`).returns("r4", "c4", "ok", `{"success":true}`).fold(t)
	f.wantCell(t, "/tasks/7", nil)
}

func TestUsageCountsEachMessageOnce(t *testing.T) {
	usage := func(out int) string {
		return `,"usage":{"input_tokens":10,"cache_read_input_tokens":100,"output_tokens":` + quote(out) + `,"output_tokens_details":{"thinking_tokens":2}}`
	}
	f := newScript().user("u1", "go").
		block("a1", "m1", `{"type":"text","text":"a"}`, usage(3)).
		returns("r1", "none", "between", "").
		block("a2", "m1", `{"type":"text","text":"b"}`, usage(8)).
		block("a3", "m2", `{"type":"text","text":"c"}`, usage(4)).
		side(`{"type":"cost-state","sessionId":"s","totalCostUSD":0.25}`).
		side(`{"type":"cost-state","sessionId":"s","totalCostUSD":0.75}`).fold(t)
	f.wantCell(t, "/usage/input_tokens", 20)
	f.wantCell(t, "/usage/cache_read_tokens", 200)
	f.wantCell(t, "/usage/output_tokens", 8)
	f.wantCell(t, "/usage/reasoning_tokens", 4)
	f.wantCell(t, "/usage/cost_usd", 0.75)
}

func TestStateOfTheRun(t *testing.T) {
	s := newScript().user("u1", "go").calls("a1", "m1", "c1", "Bash", `{"command":"pwd"}`)
	s.fold(t).wantCell(t, "/status/execution", "running")
	s.returns("r1", "c1", "/shop", "").says("a2", "m2", "done").fold(t).wantCell(t, "/status/execution", "finished")
	s.user("u2", "[Request interrupted by user]").fold(t).wantCell(t, "/status/execution", "interrupted")
	f := s.side(`{"type":"permission-mode","sessionId":"s","permissionMode":"plan"}`).fold(t)
	f.wantCell(t, "/vars/permission-mode", "plan")
}

// TestTitlesOfResults: the lines of a file are those of its text, and where the
// shell was taken back to is told.
func TestTitlesOfResults(t *testing.T) {
	for _, c := range []struct{ text, used, title string }{
		{"1\tone", `{"type":"text","file":{"filePath":"/shop/a","content":"one\ntwo\n","numLines":3,"startLine":1,"totalLines":3}}`, "ok, /shop/a, 2 lines"},
		{"1\tone", `{"type":"text","file":{"filePath":"/shop/a","content":"one\ntwo","numLines":2,"startLine":1,"totalLines":2}}`, "ok, /shop/a, 2 lines"},
		{"1\tone", `{"type":"text","file":{"filePath":"/shop/a","content":"one\\n","numLines":1,"startLine":1,"totalLines":1}}`, "ok, /shop/a, 1 line"},
		{"1\tone", `{"type":"text","file":{"filePath":"/shop/a","content":"one\n","numLines":2,"startLine":1,"totalLines":9}}`, "ok, /shop/a, 2 lines of 9"},
		{"out\nShell cwd was reset to /shop", `{"stdout":"out","stderr":"\nShell cwd was reset to /shop","interrupted":false}`, "ok, cwd reset to /shop, out"},
		{"Shell cwd was reset to /shop", `{"stdout":"","stderr":"Shell cwd was reset to /shop","interrupted":false}`, "ok, cwd reset to /shop, Shell cwd was reset to /shop"},
		{"out", `{"stdout":"out","stderr":"no Shell cwd was reset to /shop","interrupted":false}`, "ok, out"},
	} {
		f := newScript().calls("a1", "m1", "c1", "T", `{}`).returns("r1", "c1", c.text, c.used).fold(t)
		if got := f.Events[len(f.Events)-1].Title; got != "T: "+c.title {
			t.Errorf("%q, want %q", got, "T: "+c.title)
		}
	}
}
