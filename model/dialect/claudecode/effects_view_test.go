package claudecode

import (
	"reflect"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
	"hindcast/model/jsonscan"
)

func TestPromptElsewhereLeavesABranch(t *testing.T) {
	s := newScript().user("u1", "start").says("a1", "m1", "ready").
		user("u2", "first").says("a2", "m2", "no").
		under("a1").user("u3", "second").says("a3", "m3", "yes")
	f := s.fold(t)
	f.wantView(t, "u1 a1 u3 a3")
	for _, w := range f.Log.Between(4, 5) {
		if w.Path == "/context/messages/0000000003" && w.Lost != model.LostBranch {
			t.Errorf("lost by %v", w.Lost)
		}
	}
	// And back to the branch that was left.
	f = s.under("a2").user("u4", "third").fold(t)
	f.wantView(t, "u1 a1 u2 a2 u4")
	f.wantCell(t, "/status/execution", "running")
}

func TestParallelResultsAreNoBranches(t *testing.T) {
	f := newScript().user("u1", "look").
		calls("a1", "m1", "c1", "Bash", `{"command":"pwd"}`).
		calls("a2", "m1", "c2", "Bash", `{"command":"ls"}`).
		under("a1").returns("r1", "c1", "/shop", `{"stdout":"/shop"}`).
		under("a2").returns("r2", "c2", "src", `{"stdout":"src"}`).
		under("r1").user("u2", "and now?").fold(t)
	f.wantView(t, "u1 a1 a2 r1 r2 u2")
}

func TestParentThatIsMissingIsNoBranch(t *testing.T) {
	f := newScript().user("u1", "one").says("a1", "m1", "two").under("gone").user("u2", "three").fold(t)
	f.wantView(t, "u1 a1 u2")
}

func TestCompactionPutsTheSummaryBeforeWhatItKeeps(t *testing.T) {
	f := newScript().user("u1", "long ago").says("a1", "m1", "done").
		user("u2", "go on").says("a2", "m2", "going on").
		under("").add("system", "b", `"subtype":"compact_boundary","logicalParentUuid":"a2","compactMetadata":{"trigger":"auto","preservedMessages":{"uuids":["u2","a2"]}}`).
		add("attachment", "x1", `"attachment":{"type":"session_context"},"rendered":[{"content":"where"}],"renderedRole":"user"`).
		add("user", "sum", `"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"what was"}`).
		add("attachment", "x2", `"attachment":{"type":"file","filename":"/shop/a.js","content":{"type":"text","file":{"filePath":"/shop/a.js","content":"a\n","numLines":2,"startLine":1,"totalLines":2}}},"rendered":[{"content":"called"},{"content":"got"}],"renderedRole":"user"`).
		add("attachment", "x3", `"attachment":{"type":"date"},"rendered":[{"content":"today"}],"renderedRole":"system"`).
		fold(t)
	f.wantView(t, "x1 sum u2 a2 x2 x3")
	f.wantFile(t, "/shop/a.js", "a\n", "known")
	f.wantCell(t, "/context/forgotten", 2)
	if c, _ := f.Cell(t, f.end(), "/checkpoint").(map[string]any); c["id"] != "b" {
		t.Errorf("checkpoint: %v", c)
	}
	want := "user: where|what was|go on\nassistant: going on\nuser: called\nuser: got\nsystem: today\n"
	if got := f.messages(); got != want {
		t.Errorf("messages:\n%swant:\n%s", got, want)
	}
}

func TestSummaryWithoutBoundaryCompacts(t *testing.T) {
	f := newScript().user("u1", "long ago").says("a1", "m1", "done").
		under("").add("user", "sum", `"isCompactSummary":true,"message":{"role":"user","content":"what was"}`).
		user("u2", "go on").fold(t)
	f.wantView(t, "sum u2")
}

func TestMicroCompactionEmptiesOutputs(t *testing.T) {
	f := newScript().user("u1", "look").
		calls("a1", "m1", "c1", "Bash", `{"command":"pwd"}`).returns("r1", "c1", "/shop", `{"stdout":"/shop"}`).
		add("attachment", "x1", `"attachment":{"type":"date"},"rendered":[{"content":"today"}],"renderedRole":"system"`).
		calls("a2", "m2", "c2", "Bash", `{"command":"ls"}`).returns("r2", "c2", "src", `{"stdout":"src"}`).
		add("system", "mc", `"subtype":"microcompact_boundary","microcompactMetadata":{"compactedToolIds":["c1"],"clearedAttachmentUUIDs":["x1"]}`).
		fold(t)
	f.wantView(t, "u1 a1 r1 a2 r2")
	want := "user: look\nassistant:  [Bash c1]\nuser:  <c1>\nassistant:  [Bash c2]\nuser: src <c2>\n"
	if got := f.messages(); got != want {
		t.Errorf("messages:\n%swant:\n%s", got, want)
	}
}

func TestRequestIsExactWhereItsCountFits(t *testing.T) {
	s := newScript().user("u1", "look").
		side(`{"type":"api-request-blob","sessionId":"s","hash":"h1","message":{"role":"user","content":[{"type":"text","text":"context"},{"type":"text","text":"look"}]}}`).
		side(`{"type":"api-request-blob","sessionId":"s","hash":"h2","message":{"role":"system","content":[]}}`).
		side(`{"type":"api-request","sessionId":"s","id":"q1","keep":0,"tail":["h1","h2"]}`).
		add("assistant", "a1", `"requestRef":"q1","message":{"id":"m1","model":"m","content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"pwd"}}]}`).
		returns("r1", "c1", "/shop", `{"stdout":"/shop"}`)
	f := s.side(`{"type":"api-request","sessionId":"s","id":"q2","base":"q1","keep":2,"tail":["h3","h4"]}`).
		add("assistant", "a2", `"requestRef":"q2","message":{"id":"m2","model":"m","content":[{"type":"text","text":"done"}]}`).fold(t)
	c := f.request(f.end())
	if want := "user: context|look\nsystem: \nassistant:  [Bash c1]\nuser: /shop <c1>\n"; outline(c) != want || !c.Exact {
		t.Errorf("request, exact %v:\n%swant:\n%s", c.Exact, outline(c), want)
	}
	if got := c.Messages[0].Records; !reflect.DeepEqual(got, []int{0}) {
		t.Errorf("records of the first message: %v", got)
	}
	f = s.side(`{"type":"api-request","sessionId":"s","id":"q3","base":"q1","keep":2,"tail":["h3"]}`).
		add("assistant", "a3", `"requestRef":"q3","message":{"id":"m3","model":"m","content":[{"type":"text","text":"well"}]}`).fold(t)
	if c := f.request(f.end()); c.Exact {
		t.Errorf("exact though the count does not fit:\n%s", outline(c))
	}
	f = s.add("assistant", "a4", `"requestRef":"gone","message":{"id":"m4","model":"m","content":[]}`).fold(t)
	if _, ok := New().(model.Requester).Request(*f.Events[f.end()-1], nil, f.Session); ok {
		t.Error("a request that is not in the log was given")
	}
}

func TestBlocksOfAResponseAreOneMessage(t *testing.T) {
	f := newScript().user("u1", "look").
		block("a1", "m1", `{"type":"thinking","thinking":"hm"}`).
		block("a2", "m1", `{"type":"text","text":"I look."}`).
		calls("a3", "m1", "c1", "Read", `{"file_path":"a"}`).
		returns("r1", "c1", "one", "").
		calls("a4", "m1", "c2", "Read", `{"file_path":"b"}`).
		returns("r2", "c2", "two", "").
		add("attachment", "x1", `"attachment":{"type":"note"},"rendered":[{"content":"by the way"}],"renderedRole":"user"`).
		user("u2", "and?").fold(t)
	want := "user: look\nassistant: I look. [Read c1] [Read c2]\nuser: one|two|by the way|and? <c1> <c2>\n"
	if got := f.messages(); got != want {
		t.Errorf("messages:\n%swant:\n%s", got, want)
	}
	f.wantCell(t, "/pending", nil)
}

// TestBlocksAreCountedAsTheyAreSent: the state counts the characters of a record
// of several texts as its message has them, newlines between them included.
func TestBlocksAreCountedAsTheyAreSent(t *testing.T) {
	f := newScript().
		add("user", "u1", `"message":{"role":"user","content":[{"type":"text","text":"<system-reminder>be kind</system-reminder>"},{"type":"text","text":"do it"}]}`).
		block("a1", "m1", `{"type":"text","text":"one"},{"type":"text","text":"two"}`).
		calls("a2", "m2", "c1", "Read", `{"file_path":"a"}`).
		add("user", "r1", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}]}`).fold(t)
	view, said := f.Viewed(4), f.Talk(4).Messages
	for i, m := range said {
		if got, want := view[i].Chars, int64(len(m.Text)); got != want {
			t.Errorf("%s counts %d, its message %q has %d", view[i].Event, got, m.Text, want)
		}
	}
	if len(said) != 4 {
		t.Errorf("%d messages", len(said))
	}
}

func TestRecordWrittenAgainIsSaidOnce(t *testing.T) {
	s := newScript().user("u1", "go").says("a1", "m1", "done")
	s.cwd = "/elsewhere"
	f := s.under("u1").says("a1", "m1", "done").user("u2", "go on").fold(t)
	if want := "user: go\nassistant: done\nuser: go on\n"; f.messages() != want {
		t.Errorf("messages:\n%swant:\n%s", f.messages(), want)
	}
	if got := f.Events[2].Origin; got != model.OriginCopied {
		t.Errorf("origin %v", got)
	}
}

// TestRecordedRequestsAreExact: of each response that is a session's own the
// sample has the request, whose count fits what was in view.
func TestRecordedRequestsAreExact(t *testing.T) {
	im := trial.Read(t, New(), trial.Data(t, name+"/version-2.1.332/input"))
	exact, all := 0, 0
	for _, r := range im.Sessions {
		f, seen := &folded{r.Fold(t, false)}, map[string]bool{}
		for i, e := range r.Events {
			id := jsonscan.Str(jsonscan.Get(r.Raw(int64(i)+1), "requestRef"))
			if id == "" || seen[id] || e.Origin == model.OriginInherited {
				continue
			}
			seen[id] = true
			all++
			if f.request(e.Pos).Exact {
				exact++
			}
		}
	}
	if exact != 17 || all != 17 {
		t.Errorf("%d of %d requests are exact, want 17 of 17", exact, all)
	}
}
