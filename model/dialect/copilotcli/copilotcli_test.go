package copilotcli_test

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/copilotcli"
)

func TestFixture(t *testing.T) {
	s := trial.Import(t, copilotcli.New(), trial.Fixture(t, "copilotcli")).Session(t, "cp-1")
	want := `session start
message user: Set the rate
action create tax.js, bash node tax.js
delta create tax.js
observation ok, Created file tax.js
observation exit 1, ReferenceError: rate is not defined
action task fix it
session sub-agent: helper
action edit /shop/tax.js
observation ok, Edited
observation the helper gave up
checkpoint compaction: The rate is set.
other garden.watered
error error: no quota left
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := s.Failed(); fmt.Sprint(got) != "[6 11 14]" {
		t.Errorf("failed %v", got)
	}
	if got := s.Texts(10)["/shop/tax.js"]; got != "const rate = 7\n" {
		t.Errorf("tax.js: %q", got)
	}
	if got := s.Cell(t, 6, "/shell/exit_code"); got != 1.0 {
		t.Errorf("exit code %v", got)
	}
	if made, other := s.Events[4].Tool, s.Events[5].Tool; made != "create" || other != "bash" {
		t.Errorf("results of the calls of one message: %s and %s", made, other)
	}
	causes := map[int]int64{2: 2, 3: 3, 4: 3, 5: 3, 6: 6, 7: 7, 8: 7, 9: 9, 10: 7, 13: 11}
	for i, pos := range causes {
		if c := s.Events[i].Cause; c == nil || c.To.Pos != pos || c.Inferred != (i == 2 || i == 6 || i == 13) {
			t.Errorf("cause of %q: %+v, want %d", s.Events[i].Title, c, pos)
		}
	}
	if sum := s.Linker.Summary(); sum.OpenCalls != 0 || sum.Title != "Set the rate" || sum.Version != "0.0.400" {
		t.Errorf("summary %+v", sum)
	}
	var texts []string
	for _, m := range s.Talk(14).Messages {
		texts = append(texts, m.Role.String()+" "+m.Text)
	}
	if got := strings.Join(texts, "|"); got != "user The rate is set.|tool ReferenceError: rate is not defined\n<exited with exit code 1>|assistant I ask a helper.|tool the helper gave up" {
		t.Errorf("context after the compaction: %s", got)
	}
	if s.Links(model.ReasonParent) != 13 {
		t.Errorf("%d parents", s.Links(model.ReasonParent))
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fixtures.FS.ReadFile("copilotcli/events.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	trial.Fuzz(f, copilotcli.New(), "events.jsonl", string(b),
		`{"type":"assistant.message","data":{"toolRequests":[{"name":"x"},{"toolCallId":1}]}}
{"type":"tool.execution_complete","data":{"result":"x"}}
{"type":"session.truncation","data":{"messagesRemovedDuringTruncation":-4}}`)
}
