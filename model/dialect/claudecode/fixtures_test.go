package claudecode

import (
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// fixture reads an embedded dump: a file or a folder.
func fixture(t testing.TB, root string) *trial.Dump { return trial.Fixture(t, "claudecode/"+root) }

const (
	mainSession   = "3f1c0a52-8d1e-4c61-9a37-5b7f6e2d1c04"
	streamSession = "9d0b7c11-2a4e-4f03-8b55-0c1d2e3f4a5b"
)

func uuid(n string) string { return "00000000-0000-4000-8000-" + "000000000000"[len(n):] + n }

// TestCleanTitles reads the whole session as a person would.
func TestCleanTitles(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "clean"))
	want := []string{
		"other queue-operation/enqueue | queue-operation/enqueue: The tests fail. Fix the rate.",
		"message user/text | user: The tests fail. Fix the rate.",
		"state file-history-snapshot | file backup: 0 files",
		"other attachment/date | attached: date",
		"message assistant/thinking | thinking: Look at both files.",
		"action assistant/tool_use | Read /srv/shop/tax.js",
		"action assistant/tool_use | Read /srv/shop/missing.js",
		"observation user/tool_result | Read: ok, /srv/shop/tax.js, 1 line",
		"observation user/tool_result | Read: File does not exist.",
		"action assistant/tool_use | Bash npm test",
		"delta progress/bash_progress | bash_progress",
		"observation user/tool_result | Bash: exit 1: AssertionError: 0.07 !== 0.19",
		"action assistant/tool_use | Edit /srv/shop/tax.js",
		"observation user/tool_result | Edit: ok, /srv/shop/tax.js +1 −1",
		"action assistant/tool_use | Agent Count lines",
		"observation user/tool_result | Agent: ok, tax.js has 2 lines.",
		"message assistant/text | assistant: The rate is 19 % now.",
		"hook system/stop_hook_summary | stop hook: make lint",
		"checkpoint system/compact_boundary | compaction (manual): 900 → 120 tokens",
		"checkpoint user/text | summary: This session is being continued. The rate was set to 19 %.",
		"state attachment/file | attached again: /srv/shop/tax.js",
		"message user/text | user: Set it back to 7 %.",
		"message assistant/text | assistant: Really?",
		"message user/text | branch from 20: user: No: leave the rate, add a comment.",
		"action assistant/tool_use | Bash echo '// by law' >> tax.js",
		"observation user/tool_result | Bash: ok",
		"checkpoint system/microcompact_boundary | microcompaction: 1 output cleared, −20 tokens",
		"message assistant/text | assistant: Added.",
		"other last-prompt | last-prompt",
		"other ai-title | ai-title: Fix the tax rate",
		"delta cost-state | cost $0.12",
	}
	r := im.Session(t, mainSession)
	for i, e := range r.Events {
		if got := e.Kind.String() + " " + e.Type + " | " + e.Title; i >= len(want) || got != want[i] {
			t.Errorf("%d: %s", i+1, got)
		}
	}
	if len(r.Events) != len(want) {
		t.Errorf("%d events, want %d", len(r.Events), len(want))
	}
}

// TestCleanLinks holds every link of the session but those to parents.
func TestCleanLinks(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "clean"))
	r := im.Session(t, mainSession)
	for from, want := range map[string]string{
		"3":  "source 1", // over the attachment
		"5":  "batch 3, source 1",
		"6":  "action 4",
		"7":  "action 5",
		"8":  "source 7, source~ 6", // the other result went with it
		"10": "action 8",
		"11": "source 10",
		"14": "action 13",
		"17": "base 16, source~ 16",
		"18": "source 17",
		"20": "",
		"22": "base 19",
		"21": "source 20",
		"23": "source 22",
		"25": "forgets 24",
		"26": "source 24",
	} {
		if got := linksOf(r, r.Event(t, uuid(from))); got != want {
			t.Errorf("%s links to %q, want %q", from, got, want)
		}
	}
	child := im.Session(t, "agent-a1b2c3d")
	first := child.Events[0]
	if first.Cause == nil || first.Cause.Reason != model.ReasonSpawn || first.Cause.Inferred || first.Cause.To.Session != mainSession || r.Events[first.Cause.To.Pos-1].Call != "toolu_agent1" {
		t.Errorf("the sub-agent's first event has the cause %+v", first.Cause)
	}
}

// linksOf writes an event's links within its session, without parents; ~ says
// inferred.
func linksOf(r *trial.Session, e *model.Event) string {
	var all []string
	for _, l := range e.Links {
		if l.Reason == model.ReasonParent || !l.Resolved() {
			continue
		}
		mark := ""
		if l.Inferred {
			mark = "~"
		}
		id := strings.TrimLeft(strings.TrimPrefix(r.Events[l.To.Pos-1].ID, uuid("")[:24]), "0")
		all = append(all, l.Reason.String()+mark+" "+id)
	}
	return strings.Join(all, ", ")
}

// TestCleanSession holds what is known of the session as a whole.
func TestCleanSession(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "clean"))
	s := im.Session(t, mainSession).Linker.Summary()
	if s.Title != "Fix the tax rate" || s.Outcome != statusFinished || s.OpenCalls != 0 {
		t.Errorf("summary %+v", s)
	}
	// Eight messages; the one of three blocks counts once, with its last count.
	if u := s.Usage; u.Input != 800 || u.CacheRead != 400 || u.Output != 90 || u.CostUSD != 0.125 {
		t.Errorf("usage %+v", u)
	}
	if s := im.Session(t, "agent-a1b2c3d").Linker.Summary(); s.Parent != mainSession || s.Title != "Count lines" {
		t.Errorf("sub-agent %+v", s)
	}
	evidence := map[string]string{}
	for _, st := range im.Streams {
		for _, e := range st.Evidence {
			evidence[fixture(t, "clean").Files()[e.File].Name] = e.What
		}
	}
	want := map[string]string{
		"stdout.jsonl": "packaging",
		"projects/-srv-shop/" + mainSession + "/subagents/agent-a1b2c3d.meta.json": "metadata",
		"projects/-srv-shop/" + mainSession + "/tool-results/toolu_big.txt":        "tool output",
	}
	for name, what := range want {
		if evidence[name] != what {
			t.Errorf("%s is %q, want %q", name, evidence[name], what)
		}
	}
}

// TestStream reads stdout alone: what the messages took shows only at the end,
// and a sub-agent's lines are a session of their own.
func TestStream(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "stream.jsonl"))
	r := im.Session(t, streamSession)
	s := r.Linker.Summary()
	if u := s.Usage; u.Input != 220 || u.Output != 30 || u.CostUSD != 0.25 || s.Outcome != statusFinished {
		t.Errorf("summary %+v", s)
	}
	child := im.Session(t, "toolu_s1")
	if p := child.Linker.Summary().Parent; p != streamSession || len(child.Events) != 2 {
		t.Errorf("sub-agent of %q with %d events", p, len(child.Events))
	}
	if c := child.Events[0].Cause; c == nil || c.Reason != model.ReasonSpawn || c.To.Session != streamSession {
		t.Errorf("the sub-agent's first event has the cause %+v", c)
	}
	for _, l := range child.Events[1].Links {
		if l.Reason == model.ReasonSpawn {
			t.Error("only the first event of a sub-agent is made by the call")
		}
	}
}

// TestBroken opens what is wrong in many ways.
func TestBroken(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "broken.jsonl"))
	if len(im.Broken) != 1 {
		t.Errorf("broken: %q", im.Broken)
	}
	r := im.Session(t, "s1")
	for id, want := range map[string]string{
		"3":  "observation ok Bash: ok, ok",
		"4":  "observation ok Bash: ok, ok again",
		"5":  "observation ok ok, from nowhere",
		"6":  "other null hologram",
		"7":  "error failed 529 Overloaded, retry 1/10",
		"8":  "error failed API error: 529 Overloaded",
		"9":  "message null client: [Request interrupted by user]",
		"10": "message null client, as assistant: No response requested.",
		"11": "observation failed background task failed: make stopped",
	} {
		e := r.Event(t, uuid(id))
		if got := e.Kind.String() + " " + [...]string{"null", "ok", "failed"}[e.Outcome] + " " + e.Title; got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	if im.Session(t, "s2").Events[0].Title != "user: In another session." {
		t.Error("the second value of a line is a record of the other session")
	}
}

// TestSilentCommands: a command of the client that printed nothing is no row, and
// neither is what the client tells the model of commands.
func TestSilentCommands(t *testing.T) {
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"s.jsonl": `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"2026-03-01T10:00:01Z","message":{"role":"user","content":"<local-command-stdout></local-command-stdout>"}}
{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s","timestamp":"2026-03-01T10:00:02Z","message":{"role":"user","content":"<local-command-caveat>Run by the user</local-command-caveat>"}}
`}))
	for i, want := range []string{"client: /clear", "client: no output", "client: Run by the user"} {
		if e := im.Sessions[0].Events[i]; e.Title != want || e.Noise != (i > 0) {
			t.Errorf("%d: %q, hidden %v", i+1, e.Title, e.Noise)
		}
	}
}

// TestCommandsAsPrompts: a command that the model answers is what the session is
// about, whatever is said later.
func TestCommandsAsPrompts(t *testing.T) {
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"s.jsonl": `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-03-01T10:00:00Z","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"2026-03-01T10:00:01Z","message":{"role":"user","content":"<command-name>/build</command-name><command-args>a list</command-args>"}}
{"type":"assistant","uuid":"a1","parentUuid":"u2","sessionId":"s","timestamp":"2026-03-01T10:00:02Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Done."}]}}
{"type":"user","uuid":"u3","parentUuid":"a1","sessionId":"s","timestamp":"2026-03-01T10:00:03Z","message":{"role":"user","content":"Thanks!"}}
`}))
	if got := im.Sessions[0].Linker.Summary().Title; got != "/build a list" {
		t.Errorf("title %q", got)
	}
}
