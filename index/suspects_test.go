package index

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model/answer"
)

// story writes an eventlog run. Events get the sequence numbers 1, 2, ...; an
// action and its result are two.
type story struct {
	t    *testing.T
	b    bytes.Buffer
	n    int
	last string
}

func (s *story) event(kind string, source string, payload map[string]any) string {
	s.t.Helper()
	s.n++
	id := fmt.Sprintf("e%d", s.n)
	record := map[string]any{"event_id": id, "event_type": kind, "session_id": "s", "sequence": s.n, "timestamp": 1772442000000 + s.n*1000, "payload": payload}
	if source != "" {
		record["source_event_id"] = source
	}
	line, err := json.Marshal(record)
	if err != nil {
		s.t.Fatal(err)
	}
	s.b.Write(append(line, '\n'))
	s.last = id
	return id
}

func (s *story) user(text string) { s.event("UserInput", "", map[string]any{"content": text}) }

// call is an action and what came of it.
func (s *story) call(action string, params, result map[string]any) {
	id := s.event("AgentAction", s.last, map[string]any{"action_type": action, "params": params})
	result["tool_name"] = action
	s.event("ToolResult", id, result)
}

func (s *story) write(path, content string) {
	s.call("write_file", map[string]any{"path": path, "content": content}, map[string]any{"status": "ok", "output": "ok"})
}

func (s *story) edit(path, old, now string) {
	s.call("edit_file", map[string]any{"path": path, "old_str": old, "new_str": now}, map[string]any{"status": "ok", "output": "ok"})
}

func (s *story) read(path, content string) {
	s.call("read_file", map[string]any{"path": path}, map[string]any{"status": "ok", "output": content})
}

func (s *story) run(command string, exit int, output string) {
	status := "ok"
	if exit != 0 {
		status = "error"
	}
	s.call("run_command", map[string]any{"command": command}, map[string]any{"status": status, "output": output, "exit_code": exit, "cwd": "/srv/app"})
}

func (s *story) fail(message string) {
	s.event("SystemError", s.last, map[string]any{"error_code": "x", "message": message})
}

func (s *story) open() *Index {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "run.jsonl")
	writeFile(s.t, path, s.b.Bytes())
	return openAll(s.t, s.t.TempDir(), Options{}, path)
}

// whyLast asks for the causes of the last event.
func (s *story) whyLast() answer.Why {
	s.t.Helper()
	x := s.open()
	e, err := x.Event(context.Background(), "s", int64(s.n))
	if err != nil {
		s.t.Fatal(err)
	}
	why, err := x.Why(context.Background(), e)
	if err != nil {
		s.t.Fatal(err)
	}
	return why
}

// accused writes suspects down: seq, place, because.
func accused(w answer.Why) []string {
	var out []string
	for i, s := range w.Suspects {
		if s.Rank != i+1 {
			out = append(out, fmt.Sprintf("rank %d at %d", s.Rank, i))
		}
		line := fmt.Sprint(s.Event.Seq)
		if s.Evidence.Path != nil {
			line += " " + *s.Evidence.Path
		}
		if s.Evidence.Line != nil {
			line += fmt.Sprintf(":%d", *s.Evidence.Line)
		}
		out = append(out, line+" "+s.Because)
	}
	return out
}

func wantAccused(t *testing.T, w answer.Why, want ...string) {
	t.Helper()
	got := accused(w)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("suspects of %d:\n%s\nwant:\n%s", w.From.Seq, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func rootSeqs(w answer.Why) (seqs []int64) {
	for _, r := range w.Roots {
		seqs = append(seqs, r.Seq)
	}
	return seqs
}

func newStory(t *testing.T) *story { return &story{t: t} }

func TestSuspectsOfACompileError(t *testing.T) {
	s := newStory(t)
	s.user("make it build")                                                            // 1
	s.write("x.go", "package x\n\nfunc a() {}\n\nfunc b() int { return 1 }\n")         // 2, 3
	s.edit("x.go", "return 1", "return one()")                                         // 4, 5
	s.edit("x.go", "func a() {}", "func a() { b() }")                                  // 6, 7
	s.run("go build ./...", 1, "# app\n./x.go:5:24: undefined: one\nFAIL app [1.2]\n") // 8, 9
	why := s.whyLast()
	wantAccused(t, why,
		`4 x.go:5 error names x.go:5; "one" first written here`,
		"6 x.go changed since the user's message 1")
	if got := rootSeqs(why); fmt.Sprint(got) != "[4]" {
		t.Errorf("roots %v", got)
	}
	if text := why.Suspects[0].Evidence.Text; text == nil || *text != "./x.go:5:24: undefined: one" {
		t.Errorf("the evidence is %v", text)
	}
	if len(why.Chain) != 8 || why.Chain[0].Event.Seq != 8 {
		t.Errorf("the chain is %d events long", len(why.Chain))
	}
}

// What a test runner prints of a failed assertion: the test expects one number,
// the code has another.
func TestSuspectsOfAFailedAssertion(t *testing.T) {
	s := newStory(t)
	s.user("Add a VAT rate for books.")                                                                  // 1
	s.read("/srv/shop/docs/rules.md", "Books are taxed at 9%.\n")                                        // 2, 3
	s.read("/srv/shop/src/tax.js", "// Tax helpers.\nexport const A = 1;\n")                             // 4, 5
	s.edit("/srv/shop/src/tax.js", "// Tax helpers.", "// Tax helpers.\nexport const BOOK_RATE = 0.09;") // 6, 7
	s.run("for i in $(seq 1 400); do echo \"line $i\"; done", 0, "line 1")                               // 8, 9
	s.write("/srv/shop/test/book.test.js", "import test from 'node:test';\nimport assert from 'node:assert/strict';\n"+
		"import { BOOK_RATE } from '../src/tax.js';\ntest('book rate', () => { assert.equal(BOOK_RATE, 0.07); });\n") // 10, 11
	s.run("node --test test/book.test.js", 1, "TAP version 13\n# Subtest: book rate\nnot ok 1 - book rate\n  ---\n  duration_ms: 3.073419\n"+
		"  location: '/srv/shop/test/book.test.js:4:1'\n  failureType: 'testCodeFailure'\n  error: |-\n    Expected values to be strictly equal:\n\n"+
		"    0.09 !== 0.07\n\n  code: 'ERR_ASSERTION'\n  name: 'AssertionError'\n  expected: 0.07\n  actual: 0.09\n  operator: 'strictEqual'\n  stack: |-\n"+
		"    TestContext.<anonymous> (file:///srv/shop/test/book.test.js:4:34)\n    Test.runInAsyncScope (node:async_hooks:206:9)\n"+
		"    Test.run (node:internal/test_runner/test:796:25)\n    node:internal/process/task_queues:140:7\n  ...\n1..1\n# duration_ms 144.792994") // 12, 13
	why := s.whyLast()
	wantAccused(t, why,
		`10 /srv/shop/test/book.test.js:4 error names /srv/shop/test/book.test.js:4; changed since the user's message 1; "0.07" first written here`,
		`6 /srv/shop/src/tax.js:2 "0.09" first written here; changed since the user's message 1`)
	if got := rootSeqs(why); fmt.Sprint(got) != "[10 6]" {
		t.Errorf("roots %v", got)
	}
}

func TestSuspectsOfATraceback(t *testing.T) {
	s := newStory(t)
	s.read("app/main.py", "import db\n\ndb.open()\n")          // 1, 2
	s.write("app/db.py", "def open():\n    return 1 / zero\n") // 3, 4
	s.write("app/conf.py", "zero = 0\n")                       // 5, 6
	s.edit("app/db.py", "1 / zero", "factor / zero * 0.25")    // 7, 8
	s.read("app/db.py", "def open():\n    return factor / zero * 0.25\n")
	s.run("python app/main.py", 1, "Traceback (most recent call last):\n  File \"/srv/app/main.py\", line 3, in <module>\n    db.open()\n"+
		"  File \"/srv/app/db.py\", line 2, in open\n    return factor / zero * 0.25\nNameError: name 'factor' is not defined\n")
	// What was only read was written by nobody that is recorded.
	wantAccused(t, s.whyLast(), `7 app/db.py:2 error names /srv/app/db.py:2; "factor" first written here`)
}

func TestSuspectsOfATestThatPassedBefore(t *testing.T) {
	s := newStory(t)
	s.user("go")
	s.write("a.txt", "one\n")               // 2, 3
	s.run("./check.sh", 0, "fine")          // 4, 5
	s.write("b.txt", "two\n")               // 6, 7
	s.run("ls", 0, "a.txt b.txt")           // 8, 9
	s.run("./check.sh", 0, "fine")          // 10, 11
	s.write("c.txt", "three\n")             // 12, 13
	s.read("d.txt", "four\n")               // 14, 15
	s.edit("a.txt", "one", "1")             // 16, 17
	s.run("sed -i s/two/2/ b.txt", 0, "")   // 18, 19
	s.run("./check.sh", 1, "it is not so!") // 20, 21
	s.fail("check failed")                  // 22
	const since = "changed since the command last succeeded at 11"
	wantAccused(t, s.whyLast(), "16 a.txt "+since, "12 c.txt "+since)
}

func TestSuspectsOfAnUnexplainedLine(t *testing.T) {
	s := newStory(t)
	s.write("a.sh", "one\ntwo\n")                        // 1, 2
	s.run("sed -i s/two/three/ a.sh", 0, "")             // 3, 4
	s.read("a.sh", "one\nthree\n")                       // 5, 6
	s.run("sh a.sh", 127, "a.sh: line 2: three: oh no.") // 7, 8
	wantAccused(t, s.whyLast(), "3 a.sh:2 error names a.sh:2, which this may have changed")
}

func TestSuspectsOfAProviderError(t *testing.T) {
	s := newStory(t)
	s.user("hello")
	s.event("AgentAction", "e1", map[string]any{"action_type": "run_command", "params": map[string]any{"command": "sleep 9"}}) // 2
	s.user("are you there?")
	s.fail("messages.1: `tool_use` ids were found without `tool_result` blocks: e2_none, snap_77")
	s.last = ""
	wantAccused(t, s.whyLast(), "2 error names messages.1 of its request")

	s = newStory(t)
	s.user("hello")
	s.event("AgentAction", "e1", map[string]any{"action_type": "respond", "params": map[string]any{"content": "hm"}})
	s.b.WriteString(`{"event_id":"toolu_01AbC","event_type":"AgentAction","session_id":"s","sequence":3,"payload":{"action_type":"run_command","params":{"command":"x"}}}` + "\n")
	s.n++
	s.user("and?")
	s.fail("400: `tool_use` without `tool_result`: toolu_01AbC")
	why := s.whyLast()
	wantAccused(t, why, "3 error names toolu_01AbC")
	if *why.Suspects[0].Evidence.Text != "toolu_01AbC" {
		t.Error("the id is not the evidence")
	}
}

func TestSuspectsOfAReportedFailure(t *testing.T) {
	s := newStory(t)
	s.write("bin/go.sh", "exit 3\n")         // 1, 2
	s.run("bin/go.sh", 3, "bin/go.sh died.") // 3, 4
	s.fail("a command failed")               // 5
	why := s.whyLast()
	wantAccused(t, why, "1 bin/go.sh error names bin/go.sh")
	if len(why.Chain) != 4 || why.Chain[0].Event.Seq != 4 {
		t.Errorf("the chain has changed: %+v", why.Chain)
	}
}

func TestSuspectsOfAGoneFile(t *testing.T) {
	s := newStory(t)
	s.write("conf.ini", "a=1\n")                                                                            // 1, 2
	s.call("delete_file", map[string]any{"path": "conf.ini"}, map[string]any{"status": "ok", "output": ""}) // 3, 4
	s.run("serve", 1, "open /srv/app/conf.ini: no such file")
	wantAccused(t, s.whyLast(), "3 conf.ini error names /srv/app/conf.ini, which is gone since")
}

func TestSuspectsByTheNamesOfFiles(t *testing.T) {
	for _, tt := range []struct{ tracked, named, want string }{
		{"/srv/app/x.go", "x.go:1: bad", "/srv/app/x.go:1"},
		{"/srv/app/x.go", "../app/x.go:1: bad", "/srv/app/x.go:1"},
		{"/tmp/x.go", "/private/tmp/x.go:1: bad", "/tmp/x.go:1"},
		{"app/x.go", "/srv/app/x.go:1: bad", "app/x.go:1"},
		{"./x.go", "x.go:1: bad", "./x.go:1"},
		{"a~b/.env", ".env:1: bad", "a~b/.env:1"},
		{`src\x.cs`, `src\x.cs(1,2): bad`, `src\x.cs:1`},
		{"x.go", "x.go:9: beyond its end", "x.go:9"},
		{"x.go", "yx.go:1: another", ""},
		{"/srv/app/x.go", "/x.go:1: another", ""},
	} {
		s := newStory(t)
		s.write(tt.tracked, "bad\n")
		s.run("build", 1, tt.named)
		got := ""
		if why := s.whyLast(); len(why.Suspects) > 0 {
			got = strings.Fields(accused(why)[0])[1]
		}
		if got != tt.want {
			t.Errorf("%q of %s leads to %q, want %q", tt.named, tt.tracked, got, tt.want)
		}
	}
}

// An edit that takes a text away did not bring it in.
func TestSuspectsOfALiteral(t *testing.T) {
	s := newStory(t)
	s.read("docs.md", "rate 0.0725\n")         // 1, 2
	s.edit("docs.md", "0.0725", "0.08")        // 3, 4
	s.write("rate.js", "const rate = 0.0725;") // 5, 6
	for range 30 {
		s.run("echo 4096", 0, "4096")
	}
	s.run("check", 1, "0.0725 !== 0.08 after 4096 rounds")
	wantAccused(t, s.whyLast(),
		`5 rate.js:1 "0.0725" first written here`,
		`3 docs.md:1 "0.08" first written here`)
}

func TestDemoSuspects(t *testing.T) {
	x := openAll(t, t.TempDir(), Options{Embedded: fixtures.Demo()}, "demo:")
	for _, e := range allEvents(t, x) {
		why, err := x.Why(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Outcome.Failed() && len(why.Suspects) > 0 {
			t.Errorf("%s@@%d is no error, yet it has suspects", e.Session, e.Seq)
		}
		switch e.Seq {
		case 118, 117, 108:
			if e.Session == "greeter" && (len(why.Suspects) == 0 || why.Suspects[0].Event.Seq != 92 || fmt.Sprint(rootSeqs(why)) != "[92]") {
				t.Errorf("suspects of %d: %q, roots %v; scripts/smoke.sh was written by 92", e.Seq, accused(why), rootSeqs(why))
			}
		}
	}
}

// Records of no known program have no state, but texts and ids.
func TestSuspectsOfAnUnknownFormat(t *testing.T) {
	lines := []string{
		`{"id":"r-1001","type":"tool_call","tool":"put","args":{"rate":"0.0725"}}`,
		`{"id":"r-1002","type":"tool_result","output":"stored"}`,
		`{"id":"r-1003","type":"note","text":"0.0725 again"}`,
		`{"id":"r-1004","type":"error","error":"rate 0.0725 refused, see r-1002"}`,
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, []byte(strings.Join(lines, "\n")+"\n"))
	x := openAll(t, t.TempDir(), Options{}, path)
	events := allEvents(t, x)
	why, err := x.Why(context.Background(), events[len(events)-1])
	if err != nil {
		t.Fatal(err)
	}
	wantAccused(t, why, "2 error names r-1002", `1 "0.0725" first used here`)
}

// What stands in the index is told even where the dump is gone.
func TestSuspectsWithoutTheSource(t *testing.T) {
	s := newStory(t)
	s.write("a.sh", "one\n")
	s.run("a.sh", 1, "./a.sh: line 1: one: command not found")
	path := filepath.Join(t.TempDir(), "run.jsonl")
	writeFile(t, path, s.b.Bytes())
	x := openAll(t, t.TempDir(), Options{}, path)
	events := allEvents(t, x)
	if err := os.WriteFile(path, bytes.Repeat([]byte("gone "), 400), 0o600); err != nil {
		t.Fatal(err)
	}
	why, err := x.Why(context.Background(), events[len(events)-1])
	if err != nil || len(why.Chain) == 0 {
		t.Errorf("%v, a chain of %d", err, len(why.Chain))
	}
	for _, s := range why.Suspects {
		if s.Event.Seq != 1 {
			t.Errorf("suspects %q", accused(why))
		}
	}
}

func TestWhyPath(t *testing.T) {
	x := openAll(t, t.TempDir(), Options{Embedded: fixtures.Demo()}, "demo:")
	at, err := x.Event(context.Background(), "greeter", 88)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path string
		from int64
	}{{"file:config/app.yaml", 59}, {"errors.count", 30}, {"/shell/command", 75}} {
		why, err := x.WhyPath(context.Background(), at, tt.path)
		if err != nil || why.From.Seq != tt.from || len(why.Chain) == 0 {
			t.Errorf("%s comes from %d, %v; want %d", tt.path, why.From.Seq, err, tt.from)
		}
	}
	first, err := x.Event(context.Background(), "greeter", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"file:none", "errors.count", "/vars/x"} {
		if _, err := x.WhyPath(context.Background(), first, path); err == nil {
			t.Errorf("%s was written by an event", path)
		}
	}
}

// A record that holds its output as an object within a string (a column of a
// database, a wrapped output) speaks by what that object tells, not by its ids.
func TestSuspectsReadTheObjectWithinAString(t *testing.T) {
	s := &story{t: t}
	s.user("Set the rate for call_0123456789abcdef.")
	s.write("src/rate.js", "export const rate = 0.0917\n")
	wrapped := `{"id":"call_0123456789abcdef","input":{"command":"check zeta.conf:3"},"output":"rate is 0.0917, which is not allowed"}`
	s.run("node check.js", 1, wrapped)
	for _, suspect := range s.whyLast().Suspects {
		if suspect.Event.Seq == 1 || strings.Contains(suspect.Because, "zeta") {
			t.Errorf("%d is a suspect since %s", suspect.Event.Seq, suspect.Because)
		}
		if suspect.Event.Seq == 2 {
			return
		}
	}
	t.Error("the writer of the literal is no suspect")
}
