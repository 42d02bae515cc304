package claudecode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// script writes a session file, record by record, each under the one before.
type script struct {
	lines []string
	last  string // uuid of the latest record of the tree
	cwd   string
}

func newScript() *script { return &script{cwd: "/shop"} }

func quote(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// add writes a record of the tree with further members.
func (s *script) add(typ, uuid, members string) *script {
	parent := "null"
	if s.last != "" {
		parent = quote(s.last)
	}
	s.lines = append(s.lines, fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","cwd":%q,"version":"2.1.332","timestamp":"2026-03-01T10:00:00Z",%s}`,
		typ, uuid, parent, s.cwd, members))
	s.last = uuid
	return s
}

// side writes a record beside the tree.
func (s *script) side(record string) *script {
	s.lines = append(s.lines, record)
	return s
}

// under makes another record the one that the next stands under.
func (s *script) under(uuid string) *script {
	s.last = uuid
	return s
}

func (s *script) user(uuid, text string) *script {
	return s.add("user", uuid, `"message":{"role":"user","content":`+quote(text)+`}`)
}

// block writes a block of a response.
func (s *script) block(uuid, response, block string, more ...string) *script {
	return s.add("assistant", uuid, fmt.Sprintf(`"message":{"id":%q,"role":"assistant","model":"m","content":[%s]%s}`, response, block, strings.Join(more, "")))
}

func (s *script) says(uuid, response, text string) *script {
	return s.block(uuid, response, `{"type":"text","text":`+quote(text)+`}`, `,"stop_reason":"end_turn"`)
}

func (s *script) calls(uuid, response, call, tool, input string) *script {
	return s.block(uuid, response, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, call, tool, input))
}

// returns writes a result; used is what the client keeps beside it, empty for
// nothing.
func (s *script) returns(uuid, call, text, used string) *script {
	if used != "" {
		used = `,"toolUseResult":` + used
	}
	return s.add("user", uuid, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}%s`, call, quote(text), used))
}

func (s *script) fails(uuid, call, text string) *script {
	return s.add("user", uuid, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":true,"content":%s}]},"toolUseResult":%s`,
		call, quote(text), quote("Error: "+text)))
}

// fold replays the session.
func (s *script) fold(t *testing.T) *folded {
	t.Helper()
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"s.jsonl": strings.Join(s.lines, "\n") + "\n"}))
	if len(im.Sessions) != 1 || len(im.Broken) > 0 {
		t.Fatalf("%d sessions, broken: %v", len(im.Sessions), im.Broken)
	}
	return &folded{im.Sessions[0].Fold(t, false)}
}

// end is the pos of the last event.
func (f *folded) end() int64 { return int64(len(f.Events)) }

// wantView compares what is in view at the end.
func (f *folded) wantView(t *testing.T, ids string) {
	t.Helper()
	if got := strings.Join(f.viewIDs(f.end()), " "); got != ids {
		t.Errorf("in view: %s, want %s", got, ids)
	}
}

// wantCell compares a cell at the end.
func (f *folded) wantCell(t *testing.T, path string, want any) {
	t.Helper()
	if got := f.Cell(t, f.end(), path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", path, got, want)
	}
}

// wantFile compares a file at the end; an empty certainty: it is not tracked.
func (f *folded) wantFile(t *testing.T, path, text, certainty string) {
	t.Helper()
	got, c, _ := f.File(t, f.end(), path)
	if c != certainty || text != "" && (got == nil || *got != text) {
		shown := "nothing"
		if got != nil {
			shown = *got
		}
		t.Errorf("%s: %q %s, want %q %s", path, shown, c, text, certainty)
	}
}

// outline writes a request's messages: roles, texts, calls and results.
func outline(c model.Conversation) string {
	var b strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "%s: %s", m.Role, strings.ReplaceAll(m.Text, "\n", "|"))
		for _, call := range m.Calls {
			fmt.Fprintf(&b, " [%s %s]", call.Tool, call.ID)
		}
		for _, id := range m.Results {
			fmt.Fprintf(&b, " <%s>", id)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// messages is the outline of what the provider gets next.
func (f *folded) messages() string {
	return outline(New().(model.Teller).Messages(f.Viewed(f.end()), true))
}
