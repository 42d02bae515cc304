package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"hindcast/fixtures/trial"
	"hindcast/model"
)

const (
	originID = "11111111-0000-4000-8000-000000000000"
	forkID   = "00000000-1111-4000-8000-000000000000" // sorts before its origin
)

// line writes a record of the tree; extra is members with a comma before.
func line(session, typ, id, parent, content, extra string) string {
	p := "null"
	if parent != "" {
		p = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":%q,"version":"2.1.61","type":%q,"message":{"role":%q,"id":"msg_%s","content":%s,"usage":{"input_tokens":10,"output_tokens":1}},"uuid":%q,"timestamp":"2026-03-01T10:00:0%d.000Z"%s}`+"\n",
		p, session, typ, typ, id, content, id, len(id), extra)
}

// TestForkRepeatsItsOrigin: what a fork has under the uuids of another session
// is inherited, whichever of the two sorts first.
func TestForkRepeatsItsOrigin(t *testing.T) {
	shared := line(originID, "user", "u1", "", `"Begin"`, "") + line(originID, "assistant", "a1", "u1", `[{"type":"text","text":"Begun"}]`, "")
	boundary := `{"parentUuid":null,"logicalParentUuid":"a1","sessionId":"` + originID + `","version":"2.1.61","type":"system","subtype":"compact_boundary","uuid":"b1","timestamp":"2026-03-01T10:00:03.000Z"}` + "\n" +
		line(originID, "user", "s1", "b1", `"Summary"`, `,"isCompactSummary":true`)
	own := func(session, parent string) string {
		return line(session, "user", "u"+session[:8], parent, `"On"`, "") + line(session, "assistant", "a"+session[:8], "u"+session[:8], `[{"type":"text","text":"Done"}]`, "")
	}
	for name, files := range map[string]map[string]string{
		"whole":            {originID: shared + own(originID, "a1"), forkID: shared + own(forkID, "a1")},
		"after compaction": {originID: shared + boundary + own(originID, "s1"), forkID: boundary + own(forkID, "s1")},
		"ids rewritten": {
			originID: shared + own(originID, "a1"),
			forkID:   strings.ReplaceAll(strings.ReplaceAll(shared, originID, forkID), `,"timestamp"`, `,"requestSessionId":"`+originID+`","timestamp"`) + own(forkID, "a1"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			im := trial.Read(t, New(), trial.NewDump(map[string]string{originID + ".jsonl": files[originID], forkID + ".jsonl": files[forkID]}))
			for _, e := range im.Session(t, originID).Events {
				if e.Origin != model.OriginRecorded {
					t.Errorf("the origin's %s is %s", e.ID, e.Origin)
				}
			}
			fork := im.Session(t, forkID)
			for i, e := range fork.Events {
				if want := i < 2; (e.Origin == model.OriginInherited) != want {
					t.Errorf("the fork's %s is %s", e.ID, e.Origin)
				}
			}
			if u := fork.Linker.Summary().Usage; u.Input != 10 {
				t.Errorf("the fork spent %d, what it repeats counted in", u.Input)
			}
		})
	}
	t.Run("alone", func(t *testing.T) {
		im := trial.Read(t, New(), trial.NewDump(map[string]string{forkID + ".jsonl": shared + own(forkID, "a1")}))
		if r := im.Session(t, forkID); len(r.Events) != 4 || r.Events[0].Origin != model.OriginRecorded {
			t.Error("where the origin is not there nothing can be said, and the thread is whole")
		}
	})
}

// TestSpawn finds the call that made a sub-agent in every layout.
func TestSpawn(t *testing.T) {
	call := line(originID, "assistant", "call", "u1", `[{"type":"tool_use","id":"toolu_1","name":"Task","input":{"prompt":"Look around"}}]`, "")
	begin := line(originID, "user", "u1", "", `"Begin"`, "")
	result := line(originID, "user", "r1", "call", `[{"type":"tool_result","tool_use_id":"toolu_1","content":"Seen"}]`, `,"toolUseResult":{"agentId":"x1"}`)
	agent := strings.ReplaceAll(line(originID, "user", "c1", "", `"Look around"`, `,"agentId":"x1"`), `"isSidechain":false`, `"isSidechain":true`)
	other := strings.ReplaceAll(agent, "Look around", "Another prompt")
	side := strings.ReplaceAll(strings.ReplaceAll(agent, `,"agentId":"x1"`, ""), "2.1.61", "1.0.60")
	for name, test := range map[string]struct {
		files    map[string]string
		session  string
		inferred bool
	}{
		"result names the agent": {map[string]string{originID + ".jsonl": begin + call + result, originID + "/subagents/agent-x1.jsonl": other}, "agent-x1", false},
		"flat folder":            {map[string]string{originID + ".jsonl": begin + call + result, "agent-x1.jsonl": other}, "agent-x1", false},
		"metadata": {map[string]string{originID + ".jsonl": begin + call, originID + "/subagents/agent-x1.jsonl": other,
			originID + "/subagents/agent-x1.meta.json": `{"toolUseId":"toolu_1"}`}, "agent-x1", false},
		"progress names the agent": {map[string]string{originID + ".jsonl": begin + call +
			`{"parentUuid":"call","sessionId":"` + originID + `","type":"progress","data":{"type":"agent_progress","agentId":"x1"},"parentToolUseID":"toolu_1","uuid":"p1"}` + "\n",
			originID + "/subagents/agent-x1.jsonl": other}, "agent-x1", false},
		"equal prompt": {map[string]string{originID + ".jsonl": begin + call, originID + "/subagents/agent-x1.jsonl": agent}, "agent-x1", true},
		"side chain":   {map[string]string{originID + ".jsonl": strings.ReplaceAll(begin+call, "2.1.61", "1.0.60") + side}, originID + "/side-1", true},
	} {
		t.Run(name, func(t *testing.T) {
			im := trial.Read(t, New(), trial.NewDump(test.files))
			r := im.Session(t, test.session)
			c := r.Events[0].Cause
			if c == nil || c.Reason != model.ReasonSpawn || c.Inferred != test.inferred || c.To.Session != originID || c.To.Pos != 2 {
				t.Errorf("made by %+v", c)
			}
			if p := r.Linker.Summary().Parent; p != originID {
				t.Errorf("parent %q", p)
			}
		})
	}
}

// TestTwoFilesOfOneSession: each file is a session.
func TestTwoFilesOfOneSession(t *testing.T) {
	text := line("s1", "user", "u1", "", `"Begin"`, "")
	im := trial.Read(t, New(), trial.NewDump(map[string]string{"a/full.jsonl": text, "b/later.jsonl": text}))
	if len(im.Session(t, "s1").Events) != 1 || len(im.Session(t, "later").Events) != 1 {
		t.Error("the second file of a session is named by its file")
	}
}

// TestRecordStandsAgain: a line that was written again, with another directory
// in it, opens no second call and counts nothing twice.
func TestRecordStandsAgain(t *testing.T) {
	call := line("s1", "assistant", "a1", "u1", `[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]`, "")
	text := line("s1", "user", "u1", "", `"Begin"`, "") + call +
		line("s1", "user", "r1", "a1", `[{"type":"tool_result","tool_use_id":"toolu_1","content":""}]`, "") +
		strings.Replace(call, `"type"`, `"cwd":"/other","type"`, 1)
	r := trial.Read(t, New(), trial.NewDump(map[string]string{"a.jsonl": text})).Session(t, "s1")
	if s := r.Linker.Summary(); r.Events[3].Origin != model.OriginCopied || s.OpenCalls != 0 || s.Usage.Input != 10 {
		t.Errorf("%s, %+v", r.Events[3].Origin, s)
	}
}

// begun is a session as far as it was linked.
type begun struct {
	*trial.Session
	last int64
}

func (b *begun) ByID(id string) (model.Brief, bool) {
	e, ok := b.Session.ByID(id)
	return e, ok && e.Pos <= b.last
}

func (b *begun) At(pos int64) (model.Brief, bool) {
	e, ok := b.Session.At(pos)
	return e, ok && pos <= b.last
}

// TestLinkerGoesOn: wherever an import stops, it goes on as if it had not.
func TestLinkerGoesOn(t *testing.T) {
	whole := trial.Read(t, New(), fixture(t, "clean")).Session(t, mainSession)
	l := New().NewLinker(whole.Stream, whole.ID)
	for i, want := range whole.Events {
		var e model.Event
		rec := model.Record{Stream: whole.Stream, Raw: whole.Raw(want.Pos), Index: int64(i)}
		if err := New().Decode(&rec, func(x *model.Event) { e = *x }); err != nil {
			t.Fatal(err)
		}
		e.Pos, e.Seq, e.Session = want.Pos, want.Seq, whole.ID
		l.Link(&e, &begun{whole, e.Pos})
		for k := range e.Links {
			if b, ok := whole.ByID(e.Links[k].ToID); ok && e.Links[k].To.Pos == 0 && b.Pos < e.Pos {
				e.Links[k].To = model.Ref{Session: whole.ID, Pos: b.Pos}
			}
		}
		if got, want := linksOf(whole, &e), linksOf(whole, want); got != want || e.Title != whole.Events[i].Title {
			t.Errorf("%d: %s %q, want %s", i+1, got, e.Title, want)
		}
		saved, err := l.Save()
		if err != nil {
			t.Fatal(err)
		}
		l = New().NewLinker(whole.Stream, whole.ID)
		if err := l.Load(saved); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := l.Summary(), whole.Linker.Summary(); got != want {
		t.Errorf("summary %+v, want %+v", got, want)
	}
}
