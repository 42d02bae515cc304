package openhands

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// The records of the tests, in the shapes that the programs write.
const (
	hexA = "0123456789abcdef0123456789abcdef"
	hexB = "fedcba9876543210fedcba9876543210"
	uuid = "11111111-2222-4333-8444-55555555555"
)

// v1User, v1Call and v1Result are V1 events; n tells them apart and in time.
func v1User(n int) string {
	return fmt.Sprintf(`{"id":"%s%d","timestamp":"2026-01-01T10:00:%02d","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"do %d"}]},"kind":"MessageEvent"}`, uuid, n, n, n)
}

func v1Call(n int, call string) string {
	return fmt.Sprintf(`{"id":"%s%d","timestamp":"2026-01-01T10:00:%02d","source":"agent","thought":[],"action":{"command":"ls","kind":"TerminalAction"},"tool_name":"terminal","tool_call_id":"%s","tool_call":{"id":"%s","name":"terminal","arguments":"{}"},"llm_response_id":"r%d","kind":"ActionEvent"}`, uuid, n, n, call, call, n)
}

func v1Result(n, of int, call string) string {
	return fmt.Sprintf(`{"id":"%s%d","timestamp":"2026-01-01T10:00:%02d","source":"environment","tool_name":"terminal","tool_call_id":"%s","observation":{"content":[{"type":"text","text":"ok"}],"is_error":false,"exit_code":0,"kind":"TerminalObservation"},"action_id":"%s%d","kind":"ObservationEvent"}`, uuid, n, n, call, uuid, of)
}

func v0User(id int) string {
	return fmt.Sprintf(`{"id":%d,"timestamp":"2025-01-01T10:00:%02d","source":"user","message":"go","action":"message","args":{"content":"go"}}`, id, id)
}

func v0Run(id int) string {
	return fmt.Sprintf(`{"id":%d,"timestamp":"2025-01-01T10:00:%02d","source":"agent","message":"","action":"run","args":{"command":"ls"}}`, id, id)
}

func v0Ran(id, cause int) string {
	return fmt.Sprintf(`{"id":%d,"timestamp":"2025-01-01T10:00:%02d","source":"agent","message":"","cause":%d,"observation":"run","content":"x","extras":{"command":"ls","metadata":{"exit_code":2}}}`, id, id, cause)
}

func list(all ...string) string { return "[" + strings.Join(all, ",") + "]" }

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

const stateFile = `{"id":"0123ABCD-0123-4567-89ab-cdef01234567","agent":{"kind":"Agent"},"workspace":{"working_dir":"/w"},"execution_status":"paused","stats":{"usage_to_metrics":{"agent":{"accumulated_cost":1.5,"accumulated_token_usage":{"prompt_tokens":100,"completion_tokens":10,"cache_read_tokens":40,"reasoning_tokens":4}}}}}`

// eventFile names a file of a persisted conversation.
func eventFile(root string, n int) string {
	return joinPath(root, fmt.Sprintf("events/event-%05d-%s%d.json", n, uuid, n%10))
}

// TestClaim lays out each packaging and reads it.
func TestClaim(t *testing.T) {
	story := []string{v1User(1), v1Call(2, "c1"), v1Result(3, 2, "c1")}
	v0Story := []string{v0User(1), v0Run(2), v0Ran(5, 2)}
	tests := []struct {
		name  string
		files map[string]string
		want  []string // session, family, events, failed, order of ids by their last digit, per session
	}{
		{
			"two conversations and a sub-agent",
			map[string]string{
				eventFile(hexA, 1): story[0], eventFile(hexA, 2): story[1], eventFile(hexA, 3): story[2],
				hexA + "/base_state.json":             stateFile,
				eventFile(hexA+"/subagents/"+hexB, 4): v1User(4),
				eventFile("named", 5):                 v1User(5),
			},
			[]string{hexA + " V1 3 0 123", hexB + " V1 1 0 4 <" + hexA, "named V1 1 0 5"},
		},
		{
			"event folder at the root, named by its state",
			map[string]string{eventFile("", 1): story[0], "base_state.json": stateFile, "events/.eventlog.lock": ""},
			[]string{"0123abcd0123456789abcdef01234567 V1 1 0 1"},
		},
		{
			"numbers, not text, order the files; the first file is cut",
			map[string]string{
				"x/events/event-99999-" + uuid + "1.json": story[0], "x/events/event-100000-" + uuid + "2.json": story[1],
				"x/events/event-100001-" + uuid + "3.json": story[2], "x/events/event-00000-" + uuid + "0.json": `{"id":"cut`,
			},
			[]string{"x V1 3 0 123"},
		},
		{
			"agent-server zip",
			map[string]string{hexA + "/base_state.json": stateFile, eventFile(hexA, 1): story[0], hexA + "/meta.json": `{"id":"x","title":"T","parent_conversation_id":"` + hexB + `"}`},
			[]string{hexA + " V1 1 0 1 <" + hexB},
		},
		{
			"cloud zip, results sorted before their call",
			map[string]string{
				"meta.json": `{"id":"` + hexB + `"}`, "event_000000_" + uuid + "1.json": v1User(1),
				"event_000001_" + uuid + "3.json": v1Result(3, 5, "c1"), "event_000002_" + uuid + "5.json": v1Call(5, "c1"),
			},
			[]string{hexB + " V1 3 0 153"},
		},
		{
			"app-server store",
			map[string]string{
				"u/v1_conversations/" + hexB + "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.json": story[2],
				"u/v1_conversations/" + hexB + "/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.json": story[0],
				"u/v1_conversations/" + hexB + "/cccccccccccccccccccccccccccccccc.json": story[1],
			},
			[]string{hexB + " V1 3 0 123"},
		},
		{
			"app-server store of 2025-11",
			map[string]string{
				"c/20251101101112_ActionEvent_" + hexA:      v1Call(2, "c1"),
				"c/20251101101112_MessageEvent_" + hexA:     v1User(1),
				"c/20251101101113_ObservationEvent_" + hexA: v1Result(3, 2, "c1"),
			},
			[]string{"c V1 3 0 123"},
		},
		{"lines", map[string]string{"run.jsonl": lines(story...)}, []string{"run V1 3 0 123"}},
		{
			"lines of stdout between",
			map[string]string{"out.log": lines("Starting", story[0], "thinking {", story[1], "", "[INFO] x", story[2], "bye")},
			[]string{"out V1 3 0 123"},
		},
		{
			"one event over many lines, then another",
			map[string]string{"e.json": strings.ReplaceAll(story[0], `,"`, ",\n\"") + "\n" + strings.ReplaceAll(story[1], `,"`, ",\n\"")},
			[]string{"e V1 2 0 12"},
		},
		{
			"events over many lines, with lines of stdout between",
			map[string]string{"e.log": "Starting up\n--JSON Event--\n" + strings.ReplaceAll(story[0], `,"`, ",\n  \"") + "\n--JSON Event--\n" + strings.ReplaceAll(story[1], `,"`, ",\n  \"") + "\nGoodbye\n"},
			[]string{"e V1 2 0 12"},
		},
		{
			"a conversation whose only event was cut, proved by its state",
			map[string]string{eventFile(hexA, 0): `{"id":"`, hexA + "/base_state.json": stateFile},
			[]string{},
		},
		{
			"two outputs of the resolver",
			map[string]string{
				"a.jsonl": `{"issue":{"number":1},"history":[{"action":"message","content":"x"}]}`,
				"b.jsonl": `{"issue":{"number":2},"history":[{"action":"message","content":"y"},{"action":"run","command":"ls"}]}`,
			},
			[]string{"a#1 V0 1 0 -", "b#1 V0 2 0 --"},
		},
		{"page", map[string]string{"page.json": `{"items":` + list(story...) + `,"next_page_id":null}`}, []string{"page V1 3 0 123"}},
		{"page, newest first", map[string]string{"page.json": `{"items":` + list(story[2], story[1], story[0]) + `}`}, []string{"page V1 3 0 123"}},
		{
			"list of pages",
			map[string]string{"p.json": list(`{"items":`+list(story[:2]...)+`,"next_page_id":"x"}`, `{"items":`+list(story[2])+`}`)},
			[]string{"p V1 3 0 123"},
		},
		{
			"a page a line",
			map[string]string{"p.jsonl": lines(`{"items":`+list(story[:2]...)+`}`, `{"items":`+list(story[2])+`}`)},
			[]string{"p V1 3 0 123"},
		},
		{
			"websocket frames, seq decides",
			map[string]string{"ws.jsonl": lines(
				`{"type":"sync","from_seq":0,"through_seq":2}`, `{"type":"durable","seq":2,"event":`+story[2]+`}`,
				`{"type":"durable","seq":0,"event":`+story[0]+`}`, `{"type":"delta","text":"x"}`, `{"type":"durable","seq":1,"event":`+story[1]+`}`)},
			[]string{"ws V1 5 0 -1-23"},
		},
		{"bare websocket capture with copies", map[string]string{"ws.jsonl": lines(story[0], story[1], story[0], story[2])}, []string{"ws V1 4 0 1213"}},
		{
			"benchmark, one session a line",
			map[string]string{"output.jsonl": lines(
				`{"instance_id":"i__1","attempt":1,"history":`+list(story...)+`,"metrics":{"accumulated_cost":0.5}}`,
				`{"instance_id":"i__2","instruction":"x","history":`+list(v1User(7))+`}`)},
			[]string{"i__1#1 V1 3 0 123", "i__2 V1 1 0 7"},
		},
		{
			"benchmark of V0, pairs",
			map[string]string{"output.jsonl": lines(`{"instance_id":"i","history":` + list(
				list(`{"action":"message","args":{"content":"x"},"source":"user"}`, "null"),
				list(`{"action":"run","args":{"command":"ls"},"source":"agent"}`, `{"observation":"run","content":"","extras":{"exit_code":1}}`)) + `}`)},
			[]string{"i V0 3 1 ---"},
		},
		{"V0 array", map[string]string{"t.json": list(v0Story...)}, []string{"t V0 3 1 125"}},
		{"V0 array out of order", map[string]string{"t.json": list(v0Story[2], v0Story[1], v0Story[0])}, []string{"t V0 3 1 125"}},
		{"trajectory", map[string]string{"t.json": `{"trajectory":` + list(v0Story...) + `}`}, []string{"t V0 3 1 125"}},
		{"events page", map[string]string{"t.json": `{"events":` + list(v0Story...) + `,"has_more":false}`}, []string{"t V0 3 1 125"}},
		{
			"conversation and events",
			map[string]string{"t.json": `{"conversation":{"conversation_id":"conv7"},"events":` + list(v0Story...) + `}`},
			[]string{"conv7 V0 3 1 125"},
		},
		{"history", map[string]string{"t.json": `{"history":` + list(v0Story...) + `}`}, []string{"t V0 3 1 125"}},
		{
			"V0 store with copies in pages",
			map[string]string{
				"sessions/s1/events/10.json": v0User(10), "sessions/s1/events/9.json": v0User(9),
				"sessions/s1/event_cache/0-25.json": list(v0User(9), v0User(10)),
			},
			[]string{"s1 V0 2 0 90"},
		},
		{
			"V0 store of which only the pages are left",
			map[string]string{"sessions/s1/event_cache/0-25.json": list(v0User(1), v0User(2))},
			[]string{"s1 V0 2 0 12"},
		},
		{"state alone", map[string]string{"x.base_state.json": stateFile}, []string{"0123abcd0123456789abcdef01234567 V1 0 0 "}},
		{
			"one conversation in three packagings",
			map[string]string{
				eventFile(hexA, 1): story[0], eventFile(hexA, 2): story[1], eventFile(hexA, 3): story[2],
				"run.jsonl": lines(story...), "page.json": `{"items":` + list(story...) + `}`,
			},
			[]string{hexA + " V1 3 0 123"},
		},
		{
			"two logs that start alike are two conversations",
			map[string]string{"a.jsonl": lines(story...), "b.jsonl": lines(story[0], v1User(6))},
			[]string{"a V1 3 0 123", "b V1 2 0 16"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			im := trial.Read(t, New(), trial.NewDump(tt.files))
			var got []string
			for _, r := range im.Sessions {
				got = append(got, sketch(r))
			}
			if !slices.Equal(got, tt.want) {
				t.Logf("unread: %q", im.Broken)
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			checkStreams(t, trial.NewDump(tt.files), im.Streams)
		})
	}
}

// sketch writes a session in a line.
func sketch(r *trial.Session) string {
	failed, order := 0, ""
	for _, e := range r.Events {
		if e.Outcome.Failed() {
			failed++
		}
		if e.ID == "" {
			order += "-"
		} else {
			order += e.ID[len(e.ID)-1:]
		}
	}
	s := fmt.Sprintf("%s %s %d %d %s", r.ID, r.Stream.Version, len(r.Events), failed, order)
	if p := r.Linker.Summary().Parent; p != "" {
		s += " <" + p
	}
	return s
}

// checkStreams looks for what every claim must keep.
func checkStreams(t *testing.T, d *trial.Dump, streams []model.Stream) {
	t.Helper()
	used := map[int]bool{}
	for _, s := range streams {
		if s.Dialect != name || s.Reason == "" || s.Confidence < 1 || s.Confidence > 100 {
			t.Errorf("stream %+v does not say who, why and how sure", s)
		}
		if s.Keys != nil && len(s.Keys) != len(s.Files) {
			t.Errorf("%d keys for %d files", len(s.Keys), len(s.Files))
		}
		all := slices.Clone(s.Files)
		for _, e := range s.Evidence {
			all = append(all, e.File)
		}
		for _, f := range all {
			if f < 0 || f >= len(d.Files()) || used[f] {
				t.Errorf("file %d is claimed twice or is none", f)
			}
			used[f] = true
		}
	}
}

// TestPlaceOf reads file names.
func TestPlaceOf(t *testing.T) {
	tests := map[string]place{
		"c/events/event-00007-0123-abcd.json":              {packFolder, "c", 7, "0123-abcd"},
		"event-123456-0123ABCD.json":                       {packFolder, "", 123456, "0123ABCD"},
		"c/events/event-0007-0123-abcd.json":               {},
		"c/events/event-00007-xyz.json":                    {},
		"c/events/event-00007-0123abc.json":                {},
		"c/events/event-0000000000000000007-0123abcd.json": {},
		"c/event_000001_0123-abcd.json":                    {packCloud, "c", 1, "0123-abcd"},
		"c/event_00001_0123-abcd.json":                     {},
		"c/" + hexA + ".json":                              {packStore, "c", 0, hexA},
		"c/" + hexA[1:] + ".json":                          {},
		"20251101101112_ActionEvent_" + hexA:               {packOldStore, "", 0, hexA},
		"2025110110111_ActionEvent_" + hexA:                {},
		"sessions/s/events/12.json":                        {packV0, "sessions/s", 12, ""},
		"sessions/s/events/1x.json":                        {},
		"sessions/s/event_cache/25-50.json":                {packV0Cache, "sessions/s", 25, ""},
		"c/events/.eventlog-count-3.marker":                {},
	}
	for path, want := range tests {
		if got := placeOf(path); got != want {
			t.Errorf("%s is %+v, want %+v", path, got, want)
		}
	}
}

// TestClaimNot lists what must not be taken for OpenHands.
func TestClaimNot(t *testing.T) {
	tests := map[string]map[string]string{
		"empty":              {"a.json": ""},
		"not JSON":           {"a.json": "hello\nworld\n"},
		"numbers":            {"a.json": "1 2 3"},
		"Kubernetes":         {"a.json": `{"kind":"Pod","apiVersion":"v1","metadata":{}}`},
		"a list of objects":  {"a.json": `[{"id":"1","kind":"x"},{"id":"2"}]`},
		"other items":        {"a.json": `{"items":[{"name":"x"}]}`},
		"claude code":        {"a.jsonl": `{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"x"},"timestamp":"2026-01-01T00:00:00Z"}`},
		"actions of others":  {"a.jsonl": `{"action":"opened","number":1}`},
		"names lie":          {"x/events/event-00001-0123456789.json": `{"name":"x"}`, "y/" + hexA + ".json": `{"a":1}`, "z/events/1.json": `[]`},
		"a state of others":  {"base_state.json": `{"id":"x","value":1}`},
		"only cut files":     {"x/events/event-00001-0123456789.json": ``},
		"entries of a feed":  {"a.json": `{"entries":[{"id":1,"title":"x"}]}`},
		"four digits":        {"x/events/event-0001-0123456789.json": v1User(1)[:40]},
		"a history of texts": {"a.json": `{"history":["a","b"]}`},
	}
	for name, files := range tests {
		t.Run(name, func(t *testing.T) {
			if got := New().Claim(trial.NewDump(files), false); len(got) != 0 {
				t.Errorf("claimed as %s", got[0].Reason)
			}
		})
	}
}

// TestClaimDeep finds what stands behind a large member, and the state that
// stands beside a log.
func TestClaimDeep(t *testing.T) {
	big := strings.Repeat("x", headLimit)
	im := trial.Read(t, New(), trial.NewDump(map[string]string{
		"a.json":    `{"conversation":{"id":"c9","notes":"` + big + `"},"events":` + list(v0User(1)) + `}`,
		"b.jsonl":   `{"instance_id":"i","instruction":"` + big + `","history":` + list(v1User(1)) + `}`,
		"x/l.jsonl": lines(v1User(2)), "x/state.json": `{"status":"IDLE","iteration":1,"values":{}}`, "state.json": `{"status":"x"}`,
	}))
	var got []string
	for _, r := range im.Sessions {
		got = append(got, sketch(r))
	}
	if want := []string{"c9 V0 1 0 1", "i V1 1 0 1", "l V1 1 0 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if last := im.Streams[len(im.Streams)-1]; len(last.Evidence) != 1 {
		t.Errorf("evidence of the log: %v", last.Evidence)
	}
}

// BenchmarkClaim names a conversation of 100,000 event files.
func BenchmarkClaim(b *testing.B) {
	files := map[string]string{}
	for i := range 100_000 {
		files[fmt.Sprintf("%s/events/event-%05d-%08d-0000-4000-8000-000000000000.json", hexA, i, i)] = v1User(1)
	}
	d := trial.NewDump(files)
	b.ReportAllocs()
	for b.Loop() {
		if s := New().Claim(d, false); len(s) != 1 || len(s[0].Files) != len(d.Files()) {
			b.Fatal("not claimed whole")
		}
	}
}

// TestForce reads what detection leaves alone, if it is told to.
func TestForce(t *testing.T) {
	d := trial.NewDump(map[string]string{"a.jsonl": lines(`{"id":"1","kind":"Mine","timestamp":"2026-01-01T00:00:00"}`, `{"id":"2","kind":"Mine"}`)})
	if got := New().Claim(d, false); len(got) != 0 {
		t.Errorf("claimed as %s", got[0].Reason)
	}
	got := New().Claim(d, true)
	if len(got) != 1 || got[0].Framing.Mode != model.FrameLines || got[0].Confidence != 1 {
		t.Errorf("forced claim is %+v", got)
	}
	if got := New().Claim(trial.NewDump(map[string]string{"a": "no json"}), true); len(got) != 0 {
		t.Errorf("forced on a text: %s", got[0].Reason)
	}
}
