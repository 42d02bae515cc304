package index

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hindcast/fixtures"
	"hindcast/model"
	"hindcast/model/answer"
)

// portLog is how one port of OpenHands writes: calls and results stand in
// messages, and again as records of their own.
var portLog = []string{
	`{"kind":"SystemPromptEvent","source":"agent","system_prompt":{"type":"text","text":"be brief"},"tools":[],"id":"s","timestamp":"2026-03-01T10:00:00Z"}`,
	`{"kind":"MessageEvent","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"look"}]},"id":"u","timestamp":"2026-03-01T10:00:01Z"}`,
	`{"kind":"MessageEvent","source":"agent","llm_message":{"role":"assistant","content":[],"tool_calls":[{"id":"c1","type":"function","function":{"name":"view","arguments":"{}"}}]},"id":"m1","timestamp":"2026-03-01T10:00:02Z"}`,
	`{"kind":"ActionEvent","source":"agent","thought":[],"action":{"path":"/"},"tool_name":"view","tool_call_id":"c1","llm_response_id":"r1","id":"a1","timestamp":"2026-03-01T10:00:03Z"}`,
	`{"kind":"AgentErrorEvent","source":"agent","error":"outside","tool_name":"view","tool_call_id":"c1","id":"e1","timestamp":"2026-03-01T10:00:04Z"}`,
	`{"kind":"MessageEvent","source":"environment","llm_message":{"role":"tool","tool_call_id":"c1","name":"view","content":[{"type":"text","text":"outside"}]},"id":"t1","timestamp":"2026-03-01T10:00:05Z"}`,
	`{"kind":"MessageEvent","source":"agent","llm_message":{"role":"assistant","content":[{"type":"text","text":"no luck"}]},"id":"m2","timestamp":"2026-03-01T10:00:06Z"}`,
}

func openPort(t *testing.T) (*Index, model.Session) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.jsonl")
	writeFile(t, path, []byte(strings.Join(portLog, "\n")+"\n"))
	x := openAll(t, t.TempDir(), Options{}, path)
	s, _, err := x.Session(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	return x, s
}

func contextFor(t *testing.T, x *Index, session string, pos int64) answer.Context {
	t.Helper()
	e, err := x.Event(context.Background(), session, pos)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Context(context.Background(), ContextQuery{At: e, For: true})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A response that is written row by row, each a whole object, was given one
// request, whichever of its rows is asked about: the thought, the call that had
// only begun, the text behind the call's result.
func TestRowsOfAResponseHaveOneRequest(t *testing.T) {
	dir := t.TempDir()
	data, err := fixtures.FS.ReadFile("opencode/history/sync-history.json")
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "sync-history.json"), data)
	x := openAll(t, t.TempDir(), Options{}, dir)
	s, _, err := x.Session(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	for first, rows := range map[int64][]int64{4: {6, 7, 8, 9, 10, 12}, 16: {18, 19, 20, 21, 22, 23}, 27: {30, 33, 34}} {
		request := func(seq int64) (all []string) {
			a, err := model.ParseAddress(strconv.FormatInt(seq, 10))
			if err != nil {
				t.Fatal(err)
			}
			e, err := x.Resolve(context.Background(), s.ID, a, AsEvent)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range contextFor(t, x, s.ID, e.Pos).Messages {
				all = append(all, m.Role+": "+m.Text)
			}
			return all
		}
		want := request(first)
		for _, row := range rows {
			if got := request(row); !slices.Equal(got, want) {
				t.Errorf("for %d were given\n%q\nwant that for %d\n%q", row, got, first, want)
			}
		}
	}
}

// A request never holds its own answer, whichever record of it is asked about.
func TestARequestDoesNotHoldItsAnswer(t *testing.T) {
	x, s := openPort(t)
	for pos, want := range map[int64][]string{3: {"s", "u"}, 4: {"s", "u"}, 5: {"s", "u"}, 6: {"s", "u"}, 7: {"s", "u", "m1", "t1"}} {
		var got []string
		for _, m := range contextFor(t, x, s.ID, pos).Messages {
			got = append(got, *m.Events[0].ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the request for %d is made of %q, want %q", pos, got, want)
		}
	}
}

// A record that brought several messages into view is lost once.
func TestLostOncePerRecord(t *testing.T) {
	message := func(role, kind, text string) string {
		return `{"type":"message","role":"` + role + `","content":[{"type":"` + kind + `","text":"` + text + `"}]}`
	}
	compacted := func(text string) string {
		return `{"timestamp":"2026-03-01T10:00:00Z","type":"compacted","payload":{"message":"` + text + `","replacement_history":[` +
			message("developer", "input_text", "rules of "+text) + `,` + message("user", "input_text", "place of "+text) + `,` + message("user", "input_text", text) + `]}}`
	}
	log := []string{
		`{"timestamp":"2026-03-01T10:00:00Z","type":"session_meta","payload":{"id":"0195a000-0000-7000-8000-00000000000a","timestamp":"2026-03-01T10:00:00Z","cwd":"/shop","originator":"codex_exec","cli_version":"0.171.0"}}`,
		`{"timestamp":"2026-03-01T10:00:00Z","type":"response_item","payload":` + message("user", "input_text", "go") + `}`,
		compacted("one"), compacted("two"),
	}
	path := filepath.Join(t.TempDir(), "rollout-2026-03-01T10-00-00-0195a000-0000-7000-8000-00000000000a.jsonl")
	writeFile(t, path, []byte(strings.Join(log, "\n")+"\n"))
	x := openAll(t, t.TempDir(), Options{}, path)
	s, _, err := x.Session(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := x.Event(context.Background(), s.ID, 4)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Context(context.Background(), ContextQuery{At: e, Lost: true})
	if err != nil {
		t.Fatal(err)
	}
	var lost []int64
	for _, l := range got.Lost {
		lost = append(lost, l.Event.Pos)
	}
	if want := []int64{2, 3}; !slices.Equal(lost, want) || len(got.Messages) < 3 {
		t.Errorf("lost %v, want %v; %d messages in view", lost, want, len(got.Messages))
	}
}
