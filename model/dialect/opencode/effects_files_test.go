package opencode

import (
	"fmt"
	"testing"
)

// result is a call's state at its end.
func result(output, metadata string) string {
	return fmt.Sprintf(`"status":"completed","output":%q,"metadata":{%s},"time":{"start":1700000000000,"end":1700000000009}`, output, metadata)
}

const (
	newRead = "<path>/w/f</path>\n<type>file</type>\n<content>\n1: one\n2: two\n\n(End of file - total 2 lines)\n</content>"
	midRead = "<path>/w/f</path>\n<type>file</type>\n<content>1: one\n2: two\n3: \n\n(End of file - total 3 lines)\n</content>"
	oldRead = "<file>\n00001| one\n00002| two\n00003| \n</file>"
)

func TestFiles(t *testing.T) {
	write := func(s *script) {
		s.call("prt_1b5", "msg_1b", "write", `{"filePath":"f","content":"one\ntwo\n"}`, result("ok", ""))
	}
	call := func(tool, input, end string) func(*script) {
		return func(s *script) { s.call(fmt.Sprintf("prt_1b6%d", len(s.rows)), "msg_1b", tool, input, end) }
	}
	const edit = `{"filePath":"/w/f","oldString":"two","newString":"2"}`
	diff := func(from, to string) string {
		return fmt.Sprintf(`"filediff":{"file":"/w/f","patch":%q}`, "--- f\n+++ f\n@@ -1,2 +1,2 @@\n one\n-"+from+"\n+"+to+"\n")
	}
	tests := map[string]struct {
		steps     []func(*script)
		text      string // "-" none
		certainty string
	}{
		"read":              {steps: []func(*script){call("read", `{"filePath":"/w/f"}`, result(newRead, ""))}, text: "one\ntwo\n", certainty: "known"},
		"read in 1.1":       {steps: []func(*script){call("read", `{"filePath":"/w/f"}`, result(midRead, ""))}, text: "one\ntwo\n", certainty: "known"},
		"read in 0.5":       {steps: []func(*script){call("read", `{"filePath":"/w/f"}`, result(oldRead, ""))}, text: "one\ntwo\n", certainty: "known"},
		"read of a part":    {steps: []func(*script){call("read", `{"filePath":"/w/f","offset":1}`, result(newRead, ""))}, text: "-", certainty: "partial"},
		"read of a folder":  {steps: []func(*script){call("read", `{"filePath":"/w/f"}`, result("<path>/w/f</path>\n<type>directory</type>", ""))}},
		"write":             {steps: []func(*script){write}, text: "one\ntwo\n", certainty: "known"},
		"refused":           {steps: []func(*script){call("write", `{"filePath":"/w/f","content":"x"}`, `"status":"error","error":"no","time":{"start":1700000000000,"end":1700000000009}`)}},
		"edit":              {steps: []func(*script){write, call("edit", edit, result("ok", ""))}, text: "one\n2\n", certainty: "derived"},
		"edit elsewhere":    {steps: []func(*script){write, call("edit", `{"filePath":"/w/f","oldString":" two","newString":" 2"}`, result("ok", diff("two", "2")))}, text: "one\n2\n", certainty: "derived"},
		"edit of other":     {steps: []func(*script){write, call("edit", edit, result("ok", diff("deux", "2")))}, text: "one\n2\n", certainty: "unknown"},
		"edit in 1.3":       {steps: []func(*script){call("edit", edit, result("ok", `"filediff":{"file":"/w/f","before":"a two","after":"a 2"}`))}, text: "a 2", certainty: "known"},
		"edit of unknown":   {steps: []func(*script){call("edit", edit, result("ok", ""))}, text: "-", certainty: "unknown"},
		"new by edit":       {steps: []func(*script){call("edit", `{"filePath":"/w/f","oldString":"","newString":"all"}`, result("ok", ""))}, text: "all", certainty: "known"},
		"patch adds":        {steps: []func(*script){call("apply_patch", `{}`, result("ok", `"files":[{"filePath":"/w/f","type":"add","patch":"@@ -0,0 +1,1 @@\n+new\n"}]`))}, text: "new\n", certainty: "derived"},
		"patch of unknown":  {steps: []func(*script){write, call("bash", `{"command":"make f"}`, result("", `"exit":0`)), call("apply_patch", `{}`, result("ok", `"files":[{"filePath":"/w/f","type":"update","patch":"@@ -9 +9 @@\n-x\n+y\n"}]`))}, text: "one\ntwo\n", certainty: "unknown"},
		"patch deletes":     {steps: []func(*script){write, call("apply_patch", `{}`, result("ok", `"files":[{"filePath":"/w/f","type":"delete"}]`))}},
		"patch moves":       {steps: []func(*script){call("apply_patch", `{}`, result("ok", `"files":[{"filePath":"/w/g","type":"move","movePath":"/w/f","after":"moved"}]`))}, text: "moved", certainty: "known"},
		"changed by others": {steps: []func(*script){write, func(s *script) { s.part("prt_1b7", "msg_9b", `"type":"patch","hash":"h","files":["/w/f"]`) }}, text: "one\ntwo\n", certainty: "unknown"},
		"explained":         {steps: []func(*script){write, func(s *script) { s.part("prt_1b7", "msg_1b", `"type":"patch","hash":"h","files":["/w/f"]`) }}, text: "one\ntwo\n", certainty: "known"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := begin()
			s.turn("1")
			for _, step := range test.steps {
				step(s)
			}
			f := s.fold(t)
			text, certainty, ok := f.File(t, int64(len(f.Events)), "/w/f")
			switch {
			case !ok:
				if test.certainty != "" {
					t.Error("the file is not tracked")
				}
			case certainty != test.certainty, text == nil && test.text != "-", text != nil && *text != test.text:
				got := "-"
				if text != nil {
					got = *text
				}
				t.Errorf("got %s %q", certainty, got)
			}
		})
	}
}

// Old versions told that a call runs behind its end: that opens nothing again.
func TestRunningToldBehindTheEnd(t *testing.T) {
	s := begin()
	s.turn("1")
	s.call("prt_1b2", "msg_1b", "bash", `{"command":"ls"}`, result("", `"exit":0`))
	s.call("prt_1b2", "msg_1b", "bash", `{"command":"ls"}`, "")
	f := s.fold(t)
	if end := int64(len(s.rows)); f.Cell(t, end, "/shell/running") != false || f.Cell(t, end, "/pending/call_prt_1b2") != nil {
		t.Error("the call is open again")
	}
}

func TestShellAndTasks(t *testing.T) {
	s := begin()
	s.turn("1")
	s.call("prt_1b2", "msg_1b", "bash", `{"command":"cd x","workdir":"sub"}`, "")
	running := int64(len(s.rows))
	s.result("prt_1b2", "msg_1b", "bash", `{"command":"cd x","workdir":"sub"}`, result("", `"exit":3`))
	failed := int64(len(s.rows))
	s.call("prt_1b3", "msg_1b", "todowrite", `{}`, result("", `"todos":[{"content":"a","status":"completed"},{"content":"b","status":"pending","id":"x"}]`))
	f := s.fold(t)
	for _, w := range []struct {
		pos  int64
		path string
		want any
	}{
		{running, "/shell/running", true}, {running, "/shell/exit_code", nil}, {running, "/shell/cwd", "/w/sub"},
		{failed, "/shell/running", false}, {failed, "/shell/exit_code", 3.0}, {failed, "/shell/command", "cd x"},
	} {
		if got := f.Cell(t, w.pos, w.path); got != w.want {
			t.Errorf("%s after row %d: %v, want %v", w.path, w.pos, got, w.want)
		}
	}
	end := int64(len(f.Events))
	if a, b := f.Cell(t, end, "/tasks/1").(map[string]any), f.Cell(t, end, "/tasks/x").(map[string]any); a["status"] != "done" || b["status"] != "todo" {
		t.Errorf("tasks %v, %v", a, b)
	}
}

func TestUsageCountsOnce(t *testing.T) {
	tests := map[string]struct {
		tokens, version, provider string
		input, output             int64
	}{
		"now":               {`{"total":115,"input":10,"output":4,"reasoning":1,"cache":{"read":100,"write":0}}`, "1.18.34", "x", 10, 4},
		"total tells":       {`{"total":114,"input":10,"output":4,"reasoning":1,"cache":{"read":100,"write":0}}`, "1.2.27", "x", 10, 3},
		"0.9":               {`{"input":10,"output":4,"reasoning":1,"cache":{"read":100,"write":0}}`, "0.9.1", "x", 10, 3},
		"0.5":               {`{"input":110,"output":4,"reasoning":1,"cache":{"read":100,"write":0}}`, "0.5.29", "openai", 10, 3},
		"0.5 with its own":  {`{"input":110,"output":4,"reasoning":0,"cache":{"read":100,"write":0}}`, "0.5.29", "anthropic", 110, 4},
		"version not known": {`{"input":10,"output":4,"reasoning":1,"cache":{"read":100,"write":0}}`, "", "x", 10, 4},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			u := usageOf([]byte(test.tokens), nil)
			disjoint(u, test.version, test.provider)
			if u.Input != test.input || u.Output != test.output {
				t.Errorf("input %d, output %d", u.Input, u.Output)
			}
		})
	}
}
