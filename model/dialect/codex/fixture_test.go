package codex

import (
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

// The threads of the fixture.
const (
	baseThread  = "0195a000-0000-7000-8000-00000000000a"
	segmentID   = "0195a000-0000-7000-8000-00000000005e"
	forkThread  = "0195a000-0000-7000-8000-00000000000f"
	childThread = "0195a000-0000-7000-8000-00000000000c"
	deepThread  = "0195a000-0000-7000-8000-00000000000d"
)

// fixture reads a file or a folder of the fixtures.
func fixture(t testing.TB, name string) *trial.Dump { return trial.Fixture(t, "codex/"+name) }

// links writes an event's links: reason, target seq, and ~ where inferred.
func (r *run) links(e *model.Event) string {
	var out []string
	for _, l := range e.Links {
		s := l.Reason.String() + " "
		switch {
		case l.Resolved():
			s += itoa(l.To.Seq)
		default:
			s += "?" + l.ToID
		}
		if l.Inferred {
			s += "~"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func itoa(n int64) string { return strings.TrimPrefix(copyTitle(n), "copy of ") }

// want is what an event should have become; empty: not looked at.
type want struct {
	seq                int64
	kind, title, links string
}

func (r *run) check(t *testing.T, all []want) {
	t.Helper()
	for _, w := range all {
		e := r.event(t, w.seq)
		if w.kind != "" && e.Kind.String() != w.kind {
			t.Errorf("%d is a %s, want %s", w.seq, e.Kind, w.kind)
		}
		if w.title != "" && e.Title != w.title {
			t.Errorf("%d is %q, want %q", w.seq, e.Title, w.title)
		}
		if got := r.links(e); w.links != "" && got != strings.TrimPrefix(w.links, "-") {
			t.Errorf("%d links %q, want %q", w.seq, got, w.links)
		}
	}
}

func TestPaginatedThread(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "home"))
	r := session(t, im, baseThread)
	r.check(t, []want{
		{0, "session", "thread " + baseThread + " 0.171.0 mock", "-"},
		{2, "message", "environments: cwd /srv/demo/bell", "-"},
		{4, "message", "user: Ring the bell twice", "-"},
		{5, "delta", "copy of 4", "parent 4~"},
		{6, "delta", "assistant: I look first.", "-"},
		{7, "message", "assistant: I look first.", "source 4, parent 6"},
		{8, "action", "exec_command cat bell.txt", "batch 7, source 4"},
		{10, "delta", "usage: 120 tokens", ""},
		{11, "state", "$ ring --times 2 → exit 3: ring: no clapper", "action 9"},
		{13, "observation", "exec_command exit 0: bronze", "action 8"},
		{14, "observation", "exec_command exit 3: ring: no clapper", "action 9"},
		{16, "action", "apply_patch add clapper.txt", "source 14, source 13~"},
		{18, "state", "edited 1 file: /srv/demo/bell/clapper.txt +1 −0", "action 16"},
		{19, "observation", "apply_patch exit 0: A clapper.txt", "action 16"},
		{21, "state", "sub-agent /lead/ear: started", "action 20"},
		{25, "session", "turn complete", "parent 1"},
		{27, "message", "summary draft: Summary: rung twice.", "-"},
		{28, "checkpoint", "compaction: 13 items → 2: Summary: rung twice.", "source 27, forgets 2~, forgets 27~"},
		{29, "delta", "compaction done", "parent 28~"},
		{30, "message", "assistant: Anything else?", "source 28"},
	})
	for seq, want := range map[int64]bool{3: false, 11: true, 18: true, 21: false} {
		if e := r.event(t, seq); e.Noise != want {
			t.Errorf("%q hidden: %v, though its call's row says it: %v", e.Title, e.Noise, want)
		}
	}
	failed := 0
	for _, e := range r.Events {
		if e.Outcome.Failed() {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d failures: a call's item and its result are one", failed)
	}
	s := r.Linker.Summary()
	if s.Usage.Input != 160 || s.Usage.CacheRead != 290 || s.Usage.Output != 55 || s.Usage.Reasoning != 5 || s.OpenCalls != 0 || s.Outcome != "idle" {
		t.Errorf("summary %+v", s)
	}
}

func TestRevertAndForks(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "home"))
	segment := baseThread + "_" + segmentID
	for _, c := range []struct {
		session, base string
		seq           int64
		title, links  string
	}{
		{segment, baseThread, 19, "revert to 19", "base 19"},
		{forkThread, baseThread, 31, "fork of " + baseThread + " at 31", "base 31"},
		{deepThread, segment, 24, "fork of " + segmentID + " at 24", "base 24"},
	} {
		r := session(t, im, c.session)
		if got := r.Linker.Summary().Base; got != (model.Base{Session: c.base, Seq: c.seq}) {
			t.Errorf("base of %s: %+v", c.session, got)
		}
		r.check(t, []want{{c.seq + 1, "checkpoint", c.title, c.links}})
		if e := r.event(t, c.seq); e.Origin != model.OriginInherited {
			t.Errorf("%d of %s is %s", c.seq, c.session, e.Origin)
		}
	}
	// The fork answers what its base was asked, and sums up what that spent.
	fork := session(t, im, forkThread)
	fork.check(t, []want{{34, "action", "", "source 33"}, {35, "observation", "no_such_tool unsupported call: no_such_tool", "action 34"}})
	if got := fork.Linker.Summary(); got.Usage.Input != 160 || got.Title != "Ring once more" {
		t.Errorf("%+v", got)
	}
	// What the segment called, its fork sees end.
	session(t, im, deepThread).check(t, []want{
		{20, "checkpoint", "revert to 19", "base 19"},
		{26, "observation", "exec aborted by user after 2.0s", "action 23"},
	})
}

func TestForkWithoutItsBase(t *testing.T) {
	files, d := map[string]string{}, fixture(t, "home")
	for i, f := range d.Files() {
		if strings.Contains(f.Name, forkThread) {
			files[f.Name] = string(d.Whole(i))
		}
	}
	r := session(t, trial.Read(t, New(), trial.NewDump(files)), forkThread)
	e := r.event(t, 32)
	if len(e.Links) != 1 || e.Links[0].Broken != model.LinkMissing || e.Pos != 1 {
		t.Errorf("%+v", e)
	}
	if r.Linker.Summary().Base.Session != baseThread {
		t.Errorf("%+v", r.Linker.Summary())
	}
}

func TestCodeMode(t *testing.T) {
	r := session(t, trial.Read(t, New(), fixture(t, "home")), baseThread+"_"+segmentID)
	r.check(t, []want{
		{23, "action", "exec exec_command paint clapper.txt", "source 22"},
		{24, "action", "exec apply_patch update bell.txt", "batch 23, source 22"},
		// Two scripts run: each command belongs to the one that speaks of it.
		{25, "observation", "$ paint clapper.txt → exit 1: no paint", "source 23~"},
		{26, "observation", "edited 1 file: /srv/demo/bell/bell.txt +1 −1", "source 24~"},
		{27, "observation", "exec ok: no paint", "action 23"},
		{29, "session", "turn aborted: interrupted", "parent 21"},
	})
	if e := r.event(t, 25); !e.Outcome.Failed() || e.ID != "exec-1" || e.Call != "" {
		t.Errorf("%+v", e)
	}
	if r.event(t, 27).Outcome.Failed() {
		t.Error("a failure is counted twice")
	}
	if got := r.Linker.Summary().Outcome; got != "interrupted" {
		t.Errorf("outcome %q", got)
	}
}

func TestSubAgentWithACopiedBeginning(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "home"))
	r := session(t, im, childThread)
	for _, e := range r.Events {
		want := model.OriginRecorded
		if e.Seq >= 1 && e.Seq < 4 {
			want = model.OriginInherited
		}
		if e.Origin != want {
			t.Errorf("%d is %s, want %s", e.Seq, e.Origin, want)
		}
	}
	r.check(t, []want{
		{0, "session", "", "spawn 21"},
		{4, "message", "/lead → /lead/ear: Listen", "-"},
		{5, "message", "assistant: I hear two rings.", "source 4"},
	})
	if s := r.Linker.Summary(); s.Parent != baseThread || s.Title != "Listen" {
		t.Errorf("%+v", s)
	}
	parent := session(t, im, baseThread)
	if pos := parent.Find(childThread); pos == 0 || parent.Events[pos-1].Call != "c4" {
		t.Error("the parent does not name its child")
	}
}

func TestLegacyThread(t *testing.T) {
	r := session(t, trial.Read(t, New(), fixture(t, "legacy.jsonl")), "0195a000-0000-7000-8000-00000000001e")
	r.check(t, []want{
		{4, "delta", "copy of 3", "parent 3~"},
		{9, "checkpoint", "ghost commit a901ca36d2427f517414af439ec6c0934fc9e5cf", "base 8~"},
		{10, "message", "thinking: Looking around", "source 3~, parent 6~"},
		{11, "message", "assistant: I look.", "batch 10~, source 3~, parent 7~"},
		// A round written at once: the second call does not answer the first result.
		{14, "action", "shell ring", "batch 10~, source 3~"},
		{15, "observation", "shell exit 3: ring: no clapper", "action 14"},
		{16, "delta", "turn unchanged", "-"},
		{19, "action", "update_plan 1/2 done", "source 13~, source 15~"},
		{20, "observation", "update_plan ok: Plan updated", ""},
		{21, "checkpoint", "compaction: 10 items → prompts and a summary: Summary: looked.", "source 20~, forgets 2~, forgets 20~"},
		{22, "delta", "compaction done", "parent 21~"},
		{25, "checkpoint", "rolled back 1 turn", "base 22~"},
		{26, "message", "user: Only the screen was told this", "-"},
		{27, "other", "strange_line", "-"},
		{28, "error", "turn failed: stream disconnected before completion", "parent ?t9, source 23~"},
	})
	s := r.Linker.Summary()
	if s.Usage.Input != 20 || s.Usage.CacheRead != 10 || s.Usage.Output != 8 || s.Usage.Reasoning != 1 || s.Outcome != "error" {
		t.Errorf("summary %+v", s)
	}
}

func TestFlatThread(t *testing.T) {
	r := session(t, trial.Read(t, New(), fixture(t, "flat.jsonl")), "0195a000-0000-4000-8000-0000000000f1")
	r.check(t, []want{
		{2, "other", "state", "-"},
		{3, "message", "user: Ring the bell", "-"},
		{5, "message", "thinking: (encrypted)", "source 3~"},
		{6, "action", "shell ring", "batch 5~, source 3~"},
		{7, "observation", "shell exit 3: ring: no clapper", "action 6"},
		{9, "message", "assistant: It has no clapper.", "source 7~"},
	})
	if e := r.event(t, 6); e.Type != "function_call" || e.ID != "fc_1" || e.HasSeq {
		t.Errorf("%+v", e)
	}
}

func TestPrintedThread(t *testing.T) {
	r := session(t, trial.Read(t, New(), fixture(t, "printed.jsonl")), "0195a000-0000-7000-8000-0000000000e0")
	r.check(t, []want{
		{1, "session", "", "-"},
		{4, "action", "exec_command ring --times 2", "batch 3~"},
		{5, "observation", "exec_command exit 3: ring: no clapper", "action 4"},
		{6, "error", "Reconnecting... 1/5", ""},
		{7, "observation", "apply_patch edited 1 file: /srv/demo/bell/clapper.txt add", "-"},
		{8, "delta", "plan: 1/2 done", "-"},
		{9, "message", "assistant: Done.", "source 5~, source 7~"},
		{10, "session", "turn complete", "-"},
	})
	if s := r.Linker.Summary(); s.Usage.Input != 30 || s.Usage.Reasoning != 4 || s.Outcome != "idle" || s.OpenCalls != 0 {
		t.Errorf("%+v", s)
	}
}

// Broken records are told as such, and what surrounds them is read.
func TestBrokenThread(t *testing.T) {
	im := trial.Read(t, New(), fixture(t, "broken.jsonl"))
	if len(im.Broken) != 4 || len(im.Sessions[0].Events) != 5 {
		t.Errorf("%d events, broken: %q", len(im.Sessions[0].Events), im.Broken)
	}
	(&run{im.Sessions[0]}).check(t, []want{{2, "state", "Hologram: shining", ""}, {3, "action", "exec_command not json", "source 1~"}})
}

// A linker goes on where another one stopped.
func TestSavedLinker(t *testing.T) {
	for _, name := range []string{"home", "legacy.jsonl", "printed.jsonl"} {
		for _, r := range trial.Read(t, New(), fixture(t, name)).Sessions {
			whole, again := &run{r.Steps(t, false, nil)}, &run{r.Steps(t, true, nil)}
			for i, e := range whole.Events {
				if got := again.Events[i]; got.Title != e.Title || again.links(got) != whole.links(e) {
					t.Fatalf("%s: event %d is %q %s, want %q %s", r.ID, i, got.Title, again.links(got), e.Title, whole.links(e))
				}
			}
			if again.Linker.Summary() != whole.Linker.Summary() {
				t.Fatalf("%s: %+v", r.ID, again.Linker.Summary())
			}
		}
	}
	if err := New().NewLinker(nil, "s").Load([]byte("{")); err == nil {
		t.Error("nonsense was loaded")
	}
}

// A note says the same after it was written and read.
func TestNote(t *testing.T) {
	n := note{
		Flags: isItem | isPatch, Own: 3, Sampled: 2, Sum: 9, Original: "o:1", Line: "a line", Thread: "t", Parent: "p", Base: "b",
		Number: -1, Version: "0.1", Status: "idle", Model: "m", Cwd: "/c", Parts: []part{{"a", 1}, {"b", 0}}, Numbers: []span{{1, 5}, {9, 9}},
	}
	if got := parseNote(n.String()); got.String() != n.String() || got.Number != -1 || len(got.Parts) != 2 || got.Numbers[0] != n.Numbers[0] {
		t.Errorf("%+v", got)
	}
	for cut := range n.String() {
		parseNote(n.String()[:cut])
	}
}

// TestSettingsAreToldOnce: the same settings stand in records of three types.
func TestSettingsAreToldOnce(t *testing.T) {
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"rollout-2026-03-01T10-00-00-" + baseThread + ".jsonl": `{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"` + baseThread + `"}}
{"timestamp":"2026-03-01T10:00:00.100Z","type":"world_state","payload":{"full":true,"state":{"shell":"sh","cwd":"/srv"}}}
{"timestamp":"2026-03-01T10:00:00.200Z","type":"turn_context","payload":{"cwd":"/srv","model":"m"}}
{"timestamp":"2026-03-01T10:00:00.300Z","type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"cwd":"/srv","model":"m"}}}
{"timestamp":"2026-03-01T10:00:00.400Z","type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"cwd":"/srv","model":"n"}}}
`}))
	r := session(t, im, baseThread)
	for i, want := range []bool{false, true, false, true, false} {
		if e := r.Events[i]; e.Noise != want {
			t.Errorf("%q hidden: %v", e.Title, e.Noise)
		}
	}
}
