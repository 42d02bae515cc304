package geminicli_test

import (
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/geminicli"
)

func TestFixture(t *testing.T) {
	im := trial.Import(t, geminicli.New(), trial.Fixture(t, "geminicli"))
	s := im.Session(t, "g-1")
	want := `session session main
state history set anew: 1 message
message user: Write tax.js and test it
delta set lastUpdated
message gemini: I write it.
observation write_file /shop/tax.js → ok, tax.js +1 −0
delta results for the model: Successfully created and wrote to new file: /shop/tax.js.
action run_shell_command node tax.js
observation run_shell_command: exit 1, ReferenceError: rate is not defined
delta results for the model: Output: ReferenceError: rate is not defined
checkpoint rewind to m4
message user: Leave it
other poem: a type that no version names
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 9 {
		t.Errorf("failed: %v", got)
	}
	if u := s.Linker.Summary().Usage; u.Input != 1900 || u.CacheRead != 200 || u.Output != 70 || u.Reasoning != 10 {
		t.Errorf("usage %+v", u)
	}
	if got := s.Cell(t, 13, "/usage/input_tokens"); got != 1900.0 {
		t.Errorf("input tokens of the fold: %v", got)
	}
	if got := s.Texts(7)["/shop/tax.js"]; got != "rate = 7\n" {
		t.Errorf("file %q", got)
	}
	if got := s.Cell(t, 9, "/shell/exit_code"); got != 1.0 {
		t.Errorf("exit code %v", got)
	}
	if got := s.Cell(t, 8, "/pending/s1"); got == nil || s.Cell(t, 9, "/pending/s1") != nil {
		t.Errorf("pending %v", got)
	}
	for i, pos := range map[int]int64{7: 6, 8: 8} { // never the copy of a result
		if c := s.Events[i].Cause; c == nil || c.To.Pos != pos || c.Inferred != (i == 7) {
			t.Errorf("cause of %q: %+v", s.Events[i].Title, c)
		}
	}
	for _, e := range s.Events {
		for _, l := range e.Links {
			if !l.Resolved() {
				t.Errorf("%q has a link to %q, which is nowhere", e.Title, l.ToID)
			}
		}
	}
	var texts []string
	for _, m := range s.Talk(13).Messages {
		texts = append(texts, m.Role.String()+" "+m.Text)
	}
	if got := strings.Join(texts, "|"); got != "user <session_context>a shop</session_context>|user Write tax.js and test it|assistant I write it.|tool Successfully created and wrote to new file: /shop/tax.js.|user Leave it" {
		t.Errorf("context after the rewind: %s", got)
	}
}

// truth is what is known of a sample dump: the message that each call stands
// in, which holds its result too.
var truth = map[string]map[string]string{
	"real-legacy-session-2": {
		"write_file-1768510312836-c85bc7ab6bf4a8":       "98b30b64-9492-42d4-bee3-0503a112fa53",
		"run_shell_command-1768510319063-53043e87ee1af": "9a6d61a0-6e8d-4f8a-9358-0ef4108e0846",
		"run_shell_command-1768510324414-84ce3ecaabcd4": "657a05c7-8865-4bea-906b-19ff8564d392",
		"run_shell_command-1768510330706-5580149e8442":  "5b9afa41-4e4f-429c-82f6-20b8e1459d54",
	},
	"version-0.61.0": {
		"run_shell_command__run_shell_command_1796029716223_0": "74967b81-193b-42b4-8f2e-4d44a543f36a",
		"write_file__write_file_1796029716339_0":               "a0693138-aefa-4278-bdb1-c2f70217194a",
		"run_shell_command__run_shell_command_1796029716385_0": "3b29ec2a-f67e-4eb5-b354-ce3122d7d037",
		"replace__replace_1796029716655_0":                     "6e867568-5d27-4087-80d4-0f6ed5f7d486",
		"run_shell_command__run_shell_command_1796029716671_0": "73b555aa-85dc-4ce8-abc8-1efdc074c79a",
		"read_file__read_file_1796029716673_1":                 "73b555aa-85dc-4ce8-abc8-1efdc074c79a",
		"replace__replace_1796029719667_0":                     "f5093ed5-d211-41f6-adab-85369c17d6dd",
	},
}

func TestSampleDumps(t *testing.T) {
	events := map[string]int{"real-legacy-session-2": 8, "version-0.61.0": 44}
	failed := map[string]int{"real-legacy-session-2": 0, "version-0.61.0": 2} // exit codes, which the truth file leaves out
	for name, calls := range truth {
		t.Run(name, func(t *testing.T) {
			im := trial.Import(t, geminicli.New(), trial.Data(t, "gemini-cli/"+name+"/input"))
			if len(im.Sessions) != 1 || len(im.Broken) > 0 {
				t.Fatalf("%d sessions, broken %q", len(im.Sessions), im.Broken)
			}
			s := im.Sessions[0]
			if len(s.Events) != events[name] || len(s.Failed()) != failed[name] {
				t.Errorf("%d events, failed %v\n%s", len(s.Events), s.Failed(), s.Titles())
			}
			for call, message := range calls {
				at := s.Find(call)
				if at == 0 || s.Events[at-1].ID != message {
					t.Errorf("call %s is in event %d", call, at)
				}
			}
			for _, n := range s.Notes {
				t.Errorf("the fold found %+v", n)
			}
			if sum := s.Linker.Summary(); sum.OpenCalls != 0 {
				t.Errorf("%d open calls", sum.OpenCalls)
			}
		})
	}
}

func TestFilesOfTheRecordedRun(t *testing.T) {
	s := trial.Import(t, geminicli.New(), trial.Data(t, "gemini-cli/version-0.61.0/input")).Sessions[0]
	if got := s.Texts(int64(len(s.Events)))["/srv/demo/proj/calc.py"]; got != "def add(a, b):\n    return a + b\n" {
		t.Errorf("calc.py: %q", got)
	}
	if s.Links(model.ReasonAction) == 0 {
		t.Error("no links")
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fixtures.FS.ReadFile("geminicli/chat.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, geminicli.New(), "chat.jsonl", string(b),
		`{"sessionId":"a","projectHash":"b","messages":[{"id":"x","type":"gemini","content":"y","toolCalls":[{"name":"edit"}]}]}`,
		`{"type":"init","session_id":"s","model":"m"}
{"type":"tool_use","tool_name":"bash","tool_id":"t","parameters":{"command":"ls"}}
{"type":"tool_result","tool_id":"t","status":"error","error":{"message":"x"}}
{"type":"result","status":"success","stats":{"input_tokens":3}}`)
}
