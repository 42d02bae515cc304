package goose_test

import (
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/dialect/goose"
)

func TestLines(t *testing.T) {
	s := trial.Import(t, goose.New(), trial.Fixture(t, "goose")).Session(t, "session")
	want := `session session in /shop: Set the rate
message user: Set the rate
action developer__shell cat tax.js
observation No such file: tax.js
message assistant: There is none.
message critic: a role that no version names
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%s", got)
	}
	if got := s.Failed(); len(got) != 1 || got[0] != 4 {
		t.Errorf("failed %v", got)
	}
}

// rows of the database, as its tables are read.
var rows = map[string]string{
	"sessions.db/sessions": `{"id":"s1","parent_session_id":null,"name":"Rates","working_dir":"/shop","created_at":"2026-03-01 10:00:00"}
{"id":"s2","parent_session_id":"s1","name":"Helper","working_dir":"/shop","created_at":"2026-03-01 10:00:01"}
`,
	"sessions.db/messages": `{"id":1,"message_id":"m1","session_id":"s1","role":"user","content_json":"[{\"type\":\"text\",\"text\":\"Set the rate\"}]","created_timestamp":1772359200,"metadata_json":"{\"userVisible\":true,\"agentVisible\":false}"}
{"id":2,"message_id":"m2","session_id":"s1","role":"assistant","content_json":"[{\"type\":\"toolRequest\",\"id\":\"t1\",\"toolCall\":{\"status\":\"success\",\"value\":{\"name\":\"developer__shell\",\"arguments\":{\"command\":\"ls\"}}}}]","created_timestamp":1772359201,"metadata_json":"{\"userVisible\":true,\"agentVisible\":false}"}
{"id":4,"message_id":"m4","session_id":"s1","role":"user","content_json":"[{\"type\":\"text\",\"text\":\"So far: nothing\"}]","created_timestamp":1772359203,"metadata_json":"{\"userVisible\":false,\"agentVisible\":true}"}
{"id":5,"message_id":"m3","session_id":"s1","role":"user","content_json":"[{\"type\":\"toolResponse\",\"id\":\"t1\",\"toolResult\":{\"status\":\"success\",\"value\":[{\"type\":\"text\",\"text\":\"a.txt\"}]}}]","created_timestamp":1772359202,"metadata_json":"{\"userVisible\":true,\"agentVisible\":false}"}
{"id":6,"message_id":"m5","session_id":"s2","role":"user","content_json":"[{\"type\":\"text\",\"text\":\"Help\"}]","created_timestamp":1772359204,"metadata_json":"{}"}
`,
	"sessions.db/usage_ledger": `{"id":1,"session_id":"s1","input_tokens":100,"output_tokens":10,"cost":0.5,"created_timestamp":1772359201,"is_compaction":0}
`,
	"sessions.db/tokens": `{"id":1,"secret":"x"}
`,
}

// TestFailureLeads: of several results the one that failed is the title.
func TestFailureLeads(t *testing.T) {
	s := trial.Import(t, goose.New(), trial.NewDump(map[string]string{"s.jsonl": `{"role":"assistant","created":1772359200,"content":[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"ls"}}}},{"type":"toolRequest","id":"b","toolCall":{"status":"success","value":{"name":"editor","arguments":{"path":"x"}}}}]}
{"role":"user","created":1772359201,"content":[{"type":"toolResponse","id":"a","toolResult":{"status":"success","value":[{"type":"text","text":"a.txt"}]}},{"type":"toolResponse","id":"b","toolResult":{"status":"error","error":"no such file x"}}]}
`})).Session(t, "s")
	if got := s.Titles(); got != "action shell ls, editor x\nobservation no such file x\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestDatabase(t *testing.T) {
	im := trial.Import(t, goose.New(), trial.NewDump(rows))
	if len(im.Streams) != 1 || len(im.Streams[0].Files) != 3 {
		t.Fatalf("%d streams", len(im.Streams))
	}
	s := im.Session(t, "s1")
	want := `session session in /shop: Rates
message user: Set the rate
action developer__shell ls
delta usage
observation ok, a.txt
checkpoint compaction: So far: nothing
`
	if got := s.Titles(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c := s.Events[4].Cause; c == nil || c.To.Pos != 3 || c.Inferred {
		t.Errorf("the result answers %+v", c)
	}
	if got := s.Cell(t, 5, "/shell/command"); got != "ls" {
		t.Errorf("command %v", got)
	}
	if got := s.Cell(t, 6, "/usage/cost_usd"); got != 0.5 {
		t.Errorf("cost %v", got)
	}
	var texts []string
	for _, m := range s.Talk(6).Messages {
		texts = append(texts, m.Text)
	}
	if got := strings.Join(texts, "|"); got != "So far: nothing" {
		t.Errorf("context after the compaction: %s", got)
	}
	if sum := im.Session(t, "s2").Linker.Summary(); sum.Parent != "s1" || sum.Title != "Helper" {
		t.Errorf("the sub-agent's session: %+v", sum)
	}
	if s.Links(model.ReasonSource) == 0 {
		t.Error("no sources")
	}
}

func FuzzDecode(f *testing.F) {
	b, err := fixtures.FS.ReadFile("goose/session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(rows["sessions.db/messages"]))
	trial.Fuzz(f, goose.New(), "sessions.db/messages", string(b),
		`{"session_id":"s","role":"user","content_json":"[{\"type\":\"toolResponse\"},1,","metadata_json":"{"}`)
}
